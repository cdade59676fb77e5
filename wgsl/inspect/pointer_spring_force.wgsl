// pointer_spring_force: one thread per world. What pulls a particle towards a point, F = rate (goal - x) - damping v, or
// as much of it as is allowed, as one of the pulls, held until it is renewed; and the line between the two.
// Reads particles_in, pointer_spring; writes the force of one pull in externals_out, segments.
#import shared/sim

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(112) var<storage, read_write> externals_out: Externals;
@group(0) @binding(113) var<uniform> pointer_spring: PointerSpring;
@group(0) @binding(114) var<storage, read_write> segments: array<Segment>;

@compute @workgroup_size(64)
fn pointer_spring_force(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    if thread_index(group, lane, 64u) > 0u {
        return;
    }
    let p = particles_in[pointer_spring.particle];
    let x = p.position;
    var force = pointer_spring.rate * (pointer_spring.goal - x) - pointer_spring.damping * p.velocity;
    let size = length(force);
    if size > pointer_spring.most {
        force *= pointer_spring.most / size;
    }
    externals_out.pulls[min(pointer_spring.entry, PULL_ROOM - 1u)].force = force;
    segments[0] = Segment(x, length(force), pointer_spring.goal, pointer_spring.body);
}
