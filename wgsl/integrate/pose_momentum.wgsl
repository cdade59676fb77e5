// pose_momentum: one thread per pose, after implicit_momentum. What the iterations of an implicit step have left of the equations of
// its momenta, m (v_k - v) and I (omega_k - omega), k: after the kick, which has braked it already, and how that falls as it moves as
// a whole; in equal parts in the place of what its body's chunks have, with their origin; held where nothing pushes it, or where ties
// join its body to a solid or a place. (Its L lags behind by what the relaxation of contacts did after its last move.)
// Reads bodies, tie_groups, contact_velocities, poses (the iterate); updates momenta.
#import shared/contact_lists
#import shared/tie_groups
#import shared/momentum_part
#import shared/pose
#import shared/sleep

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(57) var<storage, read> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(106) var<storage, read_write> momenta: array<MomentumPart>;

@compute @workgroup_size(64)
fn pose_momentum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    // Obstacles have no body.
    if p >= sim.pose_count || poses[p].body >= sim.body_count {
        return;
    }
    let pose = as_met(poses[p]);
    let body = bodies[pose.body];
    let origin = momenta[body.chunk_first].origin.xyz;
    var part = held_momentum(origin);
    if pose.inverse_mass > 0.0 && (tie_groups[pose.body] & TIE_HELD) == 0u {
        let word = velocity_word(sim.particle_count + p);
        let kicked = vec3f(contact_velocities[word + 2u].w, contact_velocities[word + 3u].w, contact_velocities[word + 4u].w);
        let kicked_spin = contact_velocities[word + 7u].xyz;
        let share = 1.0 / f32(max(body.chunk_count, 1u));
        let mass = share / pose.inverse_mass;
        let r = pose.position - origin;
        part = momentum_at(r, r, pose.velocity, mass, mass * (kicked - pose.velocity), origin);
        let x = inertia_times(pose, vec3f(share, 0.0, 0.0));
        let y = inertia_times(pose, vec3f(0.0, share, 0.0));
        let z = inertia_times(pose, vec3f(0.0, 0.0, share));
        part.angular += vec4f(share * inertia_times(pose, kicked_spin - pose.spin), y.z);
        part.start.w += z.x;
        part.moment.w += x.y;
        part.inertia += vec4f(x.x, y.y, z.z, 0.0);
        part.motion.w += share * dot(pose.spin, inertia_times(pose, pose.spin));
    }
    for (var k = 0u; k < body.chunk_count; k++) {
        momenta[body.chunk_first + k] = part;
    }
}
