// pose_shift: one thread per pose, after implicit_shift. Its velocity and its spin get what its island's momenta lack.
// Reads body_shifts; updates poses, contact_velocities.
#import shared/contact_lists

@group(0) @binding(57) var<storage, read_write> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(107) var<storage, read> body_shifts: array<BodyMotion>;

@compute @workgroup_size(64)
fn pose_shift(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count || poses[p].body >= sim.body_count {
        return;
    }
    let pose = poses[p];
    let given = body_shifts[pose.body];
    let v = pose.velocity + given.shift.xyz + cross(given.turn.xyz, pose.position - given.origin.xyz);
    let spin = pose.spin + given.turn.xyz;
    let word = velocity_word(sim.particle_count + p);
    poses[p].velocity = v;
    poses[p].spin = spin;
    contact_velocities[word] = vec4f(v, contact_velocities[word].w);
    contact_velocities[word + 1u] = vec4f(spin, contact_velocities[word + 1u].w);
}
