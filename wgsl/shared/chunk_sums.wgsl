// The rows of ChunkSums, which a workgroup brings together.
#import shared/reduce

const PART_ROWS: u32 = 6u;

fn row_of_two(a: vec4f, b: vec4f, row: u32) -> vec4f {
    return select(min(a, b), a + b, row < 3u);
}

fn leave_sums(lane: u32, sums: ChunkSums) {
    leave_row(lane, 0u, vec4f(sums.moment, sums.mass));
    leave_row(lane, 1u, vec4f(sums.momentum, sums.kinetic));
    leave_row(lane, 2u, vec4f(sums.elastic, 0.0, 0.0, 0.0));
    leave_row(lane, 3u, vec4f(sums.low, sums.least));
    leave_row(lane, 4u, vec4f(-sums.high, -sums.greatest));
    leave_row(lane, 5u, vec4f(-sums.speed, 0.0, 0.0, 0.0));
}

fn joined_sums(threads: u32, origin: vec3f) -> ChunkSums {
    let first = joined_row(threads, 0u);
    let motion = joined_row(threads, 1u);
    let low = joined_row(threads, 3u);
    let high = -joined_row(threads, 4u);
    return ChunkSums(origin, first.w, first.xyz, motion.w, low.xyz, joined_row(threads, 2u).x, high.xyz, -joined_row(threads, 5u).x,
                     motion.xyz, low.w, high.w);
}
