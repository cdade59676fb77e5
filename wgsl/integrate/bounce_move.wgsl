// bounce_move: one thread per particle. v += dV + dW x r, of a body that bounces as a whole; so does the velocity at half
// steps, of the integrator that keeps one beside it.
// Reads points, bounce_changes; updates particles_out, half_velocity.
#import shared/sim

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(9) var<storage, read_write> half_velocity: array<vec4f>;
@group(0) @binding(172) var<storage, read> bounce_changes: array<BounceChange>;

@compute @workgroup_size(64)
fn bounce_move(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
               @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let change = bounce_changes[points[i].body];
    let p = particles_out[i];
    if change.bounces == 0.0 || p.inverse_mass <= 0.0 {
        return;
    }
    let kick = change.velocity + cross(change.spin, p.position - change.centre);
    particles_out[i].velocity = p.velocity + kick;
    if arrayLength(&half_velocity) >= sim.particle_count {
        half_velocity[i] += vec4f(kick, 0.0);
    }
}
