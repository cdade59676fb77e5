// pose_begin: one thread per pose, before its contacts are solved. The impulses that they start from act: v += sum w J/m,
// omega += I^-1 sum w M, M their moments. Leaves what contacts are solved by, with the sum of their shares, by which they
// split its mass [Tonge et al. 2012: mass splitting; weighted, as rigid bodies of unlike masses need it]. Nothing pushes what sleeps.
// Reads contact_lists, list_first, entries, rows, wrenches; updates poses; writes contact_velocities.
#import shared/wrench
#import shared/sleep

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(57) var<storage, read_write> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;

@compute @workgroup_size(64)
fn pose_begin(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let pose = as_met(poses[p]);
    let kicked = pose.velocity;
    let sum = wrench_sum(sim.particle_count + p, pose.position);
    let v = pose.velocity + pose.inverse_mass * sum.impulse;
    let spin = pose.spin + inverse_inertia_times(pose, sum.moment);
    poses[p].velocity = v;
    poses[p].spin = spin;
    let x = inverse_inertia_times(pose, vec3f(1.0, 0.0, 0.0));
    let y = inverse_inertia_times(pose, vec3f(0.0, 1.0, 0.0));
    let z = inverse_inertia_times(pose, vec3f(0.0, 0.0, 1.0));
    let word = velocity_word(sim.particle_count + p);
    contact_velocities[word] = vec4f(v, pose.inverse_mass);
    contact_velocities[word + 1u] = vec4f(spin, sum.share);
    contact_velocities[word + 2u] = vec4f(pose.position, kicked.x);
    contact_velocities[word + 3u] = vec4f(x.x, y.y, z.z, kicked.y);
    contact_velocities[word + 4u] = vec4f(y.z, z.x, x.y, kicked.z);
    contact_velocities[word + 5u] = vec4f(v, 0.0);
    contact_velocities[word + 6u] = vec4f(spin, 0.0);
    contact_velocities[word + 7u] = vec4f(pose.spin, 0.0);
}
