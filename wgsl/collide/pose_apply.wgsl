// pose_apply: one thread per pose, after an iteration of its contacts. What they changed of their impulses acts: v += sum w J/m,
// omega += I^-1 sum w M, M their moments about its centre. Nothing pushes what sleeps.
// Reads contact_lists, list_first, entries, rows, wrenches; updates poses, contact_velocities.
#import shared/wrench
#import shared/sleep

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(57) var<storage, read_write> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;

@compute @workgroup_size(64)
fn pose_apply(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    let i = sim.particle_count + p;
    if p >= sim.pose_count || !has_contacts(i) {
        return;
    }
    let pose = acted_on(as_met(poses[p]), i);
    poses[p].velocity = pose.velocity;
    poses[p].spin = pose.spin;
    let word = velocity_word(i);
    contact_velocities[word] = vec4f(pose.velocity, pose.inverse_mass);
    contact_velocities[word + 1u] = vec4f(pose.spin, contact_velocities[word + 1u].w);
    contact_velocities[word + 2u] = vec4f(pose.position, contact_velocities[word + 2u].w);
}
