// pose_apply: one thread per pose, with contact_apply. v += sum w delta/m, omega += I^-1 sum w a x delta, a the arm to where the
// impulse acts. Leaves what contacts are solved by.
// Reads list_first, entries, rows; updates poses; writes contact_velocities.
#import shared/gather
#import shared/pose

@group(0) @binding(57) var<storage, read_write> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;

@compute @workgroup_size(64)
fn pose_apply(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let i = sim.particle_count + p;
    let pose = poses[p];
    var impulse = vec3f();
    var turn = vec3f();
    let list = gathered(i);
    for (var k = 0u; k < list.count; k++) {
        let term = term(list, k);
        let row = rows[term.row];
        impulse += term.weight * row.delta;
        turn += select(term.weight * cross(row.point - pose.position, row.delta), row.point, list.is_long);
    }
    let v = pose.velocity + pose.inverse_mass * impulse;
    let spin = pose.spin + inverse_inertia_times(pose, turn);
    poses[p].velocity = v;
    poses[p].spin = spin;
    let word = sim.particle_count + 3u * p;
    contact_velocities[word] = vec4f(v, pose.inverse_mass);
    contact_velocities[word + 1u] = vec4f(spin, 0.0);
    contact_velocities[word + 2u] = vec4f(pose.position, 0.0);
}
