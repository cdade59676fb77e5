// tug_force: one thread per world. What pulls a particle towards a point, F = rate (goal - x) - damping v, or as much of it as is
// allowed, as one of the pulls, held until it is renewed; and the line between the two.
// Reads particles_in, tug; writes the force of one pull in externals_out, segments.
#import shared/sim

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(112) var<storage, read_write> externals_out: Externals;
@group(0) @binding(113) var<uniform> tug: Tug;
@group(0) @binding(114) var<storage, read_write> segments: array<Segment>;

@compute @workgroup_size(64)
fn tug_force(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
             @builtin(local_invocation_index) lane: u32) {
    if thread_index(group, groups, lane, 64u) > 0u {
        return;
    }
    let p = particles_in[tug.particle];
    let x = p.position;
    var force = tug.rate * (tug.goal - x) - tug.damping * p.velocity;
    let size = length(force);
    if size > tug.most {
        force *= tug.most / size;
    }
    externals_out.pulls[min(tug.entry, PULL_ROOM - 1u)].force = force;
    segments[0] = Segment(x, length(force), tug.goal, tug.body);
}
