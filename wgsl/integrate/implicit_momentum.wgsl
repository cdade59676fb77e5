// implicit_momentum: one workgroup per chunk of one body's particles. What the iterations of an implicit step have left of
// the equations of its momentum and its angular momentum, sum f and sum r_n x f with f = m (v* - v - h drag (v - wind)), and how that
// falls as it moves as a whole, in fixed order [shared/momentum_part]; r begins where the body's first particle was as the step began.
// Held where a pin holds one of them or a solid presses on it, or where ties join its body to a solid or a place.
// Reads points, bodies, chunks, tie_groups, particles_out (the iterate), base, solid_impulses; writes momenta.
#import shared/sim
#import shared/tie_groups
#import shared/momentum_rows
#import content

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(103) var<storage, read> solid_impulses: array<vec4f>;
@group(0) @binding(106) var<storage, read_write> momenta: array<MomentumPart>;

@compute @workgroup_size(64)
fn implicit_momentum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = group_index(group);
    if c >= sim.chunk_count {
        return;
    }
    let chunk = chunks[c];
    let body = points[chunk.first].body;
    let origin = base[chunks[bodies[body].chunk_first].first].position;
    let braking = sim.step * sim.drag;
    var sum = no_momentum(origin);
    var held = (tie_groups[body] & TIE_HELD) != 0u;
    let count = chunk.end - chunk.first;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        let k = chunk.first + lane + WORKGROUP * turn;
        let p = particles_out[k];
        let start = base[k];
        held = held || p.inverse_mass <= 0.0;
        if HAS_SOLIDS {
            for (var s = 0u; s < MAX_TOUCHING; s++) {
                held = held || solid_impulses[MAX_TOUCHING * k + s].w > 0.0;
            }
        }
        if p.inverse_mass > 0.0 {
            let lack = (start.velocity - p.velocity - braking * (p.velocity - sim.wind)) / p.inverse_mass;
            let mass = (1.0 + braking) / p.inverse_mass;
            sum = add_momentum(sum, momentum_at(start.position - origin, p.position - origin, p.velocity, mass, lack, origin));
        }
    }
    if lane < threads {
        leave_momentum(lane, sum, held);
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane == 0u {
        momenta[c] = joined_momentum(threads, origin);
    }
}
