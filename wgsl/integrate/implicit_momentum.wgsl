// implicit_momentum: PART_LANES threads per chunk of one body's particles. What the iterations of an implicit step have left of
// the equation of its momentum, sum m (v* - v - h drag (v - wind)), in fixed order, and its mass; -1 in place of the mass where a
// pin holds one of them or a solid presses on it, or where ties join its body to a solid or a place.
// Reads points, chunks, tie_groups, particles_out (the iterate), base, solid_impulses; writes momenta.
#import shared/sim
#import shared/tie_groups
#import shared/part_sums
#import content

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(103) var<storage, read> solid_impulses: array<vec4f>;
@group(0) @binding(106) var<storage, read_write> momenta: array<vec4f>;

const PART_ROWS: u32 = 1u;
// In place of the mass of what is held: more than the rest of a chunk weighs.
const HELD: f32 = -1e30;

@compute @workgroup_size(64)
fn implicit_momentum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u) / PART_LANES;
    var chunk = Chunk(0u, 0u);
    if c < sim.chunk_count {
        chunk = chunks[c];
    }
    let braking = sim.step * sim.drag;
    var sum = vec4f();
    var held = (tie_groups[points[chunk.first].body] & TIE_HELD) != 0u;
    let turns = part_turns(chunk.end - chunk.first, lane % PART_LANES);
    for (var turn = 0u; turn < turns; turn++) {
        let k = chunk.first + lane % PART_LANES + PART_LANES * turn;
        let p = particles_out[k];
        held = held || p.inverse_mass <= 0.0;
        if HAS_SOLIDS {
            for (var s = 0u; s < MAX_TOUCHING; s++) {
                held = held || solid_impulses[MAX_TOUCHING * k + s].w > 0.0;
            }
        }
        if p.inverse_mass > 0.0 {
            let left = base[k].velocity - p.velocity - braking * (p.velocity - sim.wind);
            sum += vec4f(left, 1.0) / p.inverse_mass;
        }
    }
    leave_row(lane, 0u, select(sum, vec4f(0.0, 0.0, 0.0, HELD), held));
    workgroupBarrier();
    if lane % PART_LANES == 0u && c < sim.chunk_count {
        let all = sum_row(lane / PART_LANES, 0u, PART_LANES);
        momenta[c] = select(all, vec4f(0.0, 0.0, 0.0, -1.0), all.w < 0.0);
    }
}
