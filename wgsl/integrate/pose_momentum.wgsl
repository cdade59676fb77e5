// pose_momentum: one thread per pose, after implicit_momentum. What the iterations of an implicit step have left of the equation of
// its momentum, m (v_k - v), v_k its velocity after the kick, and m, over 1 + h drag, as the kick has braked it already; in equal
// parts in the place of what its body's chunks have; -1 in place of the mass of what nothing pushes, or where ties join its body
// to a solid or a place.
// Reads bodies, tie_groups, contact_velocities, poses (the iterate); updates momenta.
#import shared/contact_lists
#import shared/tie_groups
#import shared/sleep

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(57) var<storage, read> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(106) var<storage, read_write> momenta: array<vec4f>;

@compute @workgroup_size(64)
fn pose_momentum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    // Obstacles have no body.
    if p >= sim.pose_count || poses[p].body >= sim.body_count {
        return;
    }
    let pose = as_met(poses[p]);
    let body = bodies[pose.body];
    let word = velocity_word(sim.particle_count + p);
    let kicked = vec3f(contact_velocities[word + 2u].w, contact_velocities[word + 3u].w, contact_velocities[word + 4u].w);
    let mass = 1.0 / (max(pose.inverse_mass, 1e-30) * f32(max(body.chunk_count, 1u)));
    let left = vec4f(mass * (kicked - pose.velocity), mass / (1.0 + sim.step * sim.drag));
    let is_held = pose.inverse_mass == 0.0 || (tie_groups[pose.body] & TIE_HELD) != 0u;
    for (var k = 0u; k < body.chunk_count; k++) {
        momenta[body.chunk_first + k] = select(left, vec4f(0.0, 0.0, 0.0, -1.0), is_held);
    }
}
