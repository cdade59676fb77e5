// pose_push: one thread per pose, after manifold_push. What pushes it moves it in this step: v += sum J/m, omega += I^-1 sum M. Contacts
// are still solved by the velocity without that, but at the place that it leads to, x + h sum J/m. Nothing pushes what sleeps.
// Reads contact_lists, list_first, entries, rows, wrenches; updates poses, contact_velocities.
#import shared/wrench
#import shared/sleep

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(57) var<storage, read_write> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;

@compute @workgroup_size(64)
fn pose_push(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    let i = sim.particle_count + p;
    if p >= sim.pose_count || !has_contacts(i) {
        return;
    }
    let pose = as_met(poses[p]);
    let pushed = acted_on(pose, i);
    poses[p].velocity = pushed.velocity;
    poses[p].spin = pushed.spin;
    contact_velocities[velocity_word(i) + 2u] += vec4f(sim.step * (pushed.velocity - pose.velocity), 0.0);
}
