// implicit_momentum: one workgroup per chunk of one body's particles. What the iterations of an implicit step have left of
// the equation of its momentum, sum m (v* - v - h drag (v - wind)), in fixed order, and its mass; -1 in place of the mass where a
// pin holds one of them or a solid presses on it, or where ties join its body to a solid or a place.
// Reads points, chunks, tie_groups, particles_out (the iterate), base, solid_impulses; writes momenta.
#import shared/sim
#import shared/tie_groups
#import shared/momentum_rows
#import content

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(103) var<storage, read> solid_impulses: array<vec4f>;
@group(0) @binding(106) var<storage, read_write> momenta: array<vec4f>;

@compute @workgroup_size(64)
fn implicit_momentum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = group_index(group);
    if c >= sim.chunk_count {
        return;
    }
    let chunk = chunks[c];
    let braking = sim.step * sim.drag;
    var sum = vec4f();
    var held = (tie_groups[points[chunk.first].body] & TIE_HELD) != 0u;
    let count = chunk.end - chunk.first;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        let k = chunk.first + lane + WORKGROUP * turn;
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
    if lane < threads {
        leave_momentum(lane, sum, held);
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane == 0u {
        momenta[c] = joined_momentum(threads);
    }
}
