// coarse_sum: one workgroup per chunk of one body's particles, before a sweep. Its part of what the body feels when it
// moves as a whole, dx = t + theta x r: with f the inertia and the contacts' forces, H = m/h^2 and their blocks, and w_k the
// motion of a particle by unit k of t and theta, sum w_k.f and sum w_k.H w_l. The elements' forces have no sum and no torque. r
// begins at the body's first particle. Of the first iterate f and H are those of its velocities alone, f = m v/h and H = m/h^2, which
// ask for the motion as a whole with its momenta.
// Reads particles_out (the iterate), points, bodies, base, chunks, contact_blocks; writes coarse_parts.
#import shared/sim
#import shared/coarse_parts
#import shared/coarse_rows

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(102) var<storage, read> contact_blocks: array<ContactBlock>;

// What particle i adds.
fn add_particle(i: u32, origin: vec3f, sum: ptr<function, CoarsePart>) {
    let p = particles_out[i];
    if p.inverse_mass <= 0.0 {
        (*sum).force.w += 1.0;
        return;
    }
    let pace = 1.0 / (p.inverse_mass * sim.step);
    if sim.implicit == IMPLICIT_GUESS {
        add_force(p.position - origin, pace * p.velocity, Symmetric(vec3f(pace / sim.step), vec3f()), sum);
        return;
    }
    let press = contact_blocks[i];
    let f = press.force + pace * (base[i].velocity - p.velocity - (sim.step * sim.drag) * (p.velocity - sim.wind));
    let d = press.diagonal + pace * (1.0 / sim.step + sim.drag);
    add_force(p.position - origin, f, Symmetric(d, press.off), sum);
}

@compute @workgroup_size(64)
fn coarse_sum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = group_index(group);
    if c >= sim.chunk_count {
        return;
    }
    let chunk = chunks[c];
    let origin = particles_out[chunks[bodies[points[chunk.first].body].chunk_first].first].position;
    var sum = no_part();
    let count = chunk.end - chunk.first;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        add_particle(chunk.first + lane + WORKGROUP * turn, origin, &sum);
    }
    if lane < threads {
        leave_part(lane, sum);
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane < COARSE_ROWS {
        coarse_parts[COARSE_ROWS * c + lane] = joined_row(threads, lane);
    }
}
