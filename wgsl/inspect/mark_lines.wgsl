// mark_lines: one thread per line of a mark, three along the axes that cross where the mark is, x = sum_k w_k x_k.
// Reads particles_in, marks, lines; writes segments.
#import shared/sim
#import shared/weighted

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(114) var<storage, read_write> segments: array<Segment>;
@group(0) @binding(120) var<uniform> lines: Lines;
@group(0) @binding(233) var<storage, read> marks: array<Mark>;

@compute @workgroup_size(64)
fn mark_lines(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= lines.count {
        return;
    }
    let mark = marks[k / 3u];
    let x = weighted(mark.corners, mark.weights);
    let arm = select(vec3f(), vec3f(mark.size), vec3u(k % 3u) == vec3u(0u, 1u, 2u));
    segments[k] = Segment(x - arm, 0.0, x + arm, mark.body);
}
