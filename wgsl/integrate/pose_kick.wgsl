// pose_kick: one thread per pose. v += h (g - drag (v - wind)), and what pulls at its particles: v += h f/m, omega += h I^-1 r x f;
// omega = I^-1 L stays else.
// Reads carried; updates poses.
#import shared/pull
#import shared/pose

@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(206) var<storage, read> carried: array<vec4f>;

@compute @workgroup_size(64)
fn pose_kick(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count || poses[p].inverse_mass == 0.0 {
        return;
    }
    let pose = poses[p];
    var v = pose.velocity + sim.step * (sim.gravity - sim.drag * (pose.velocity - sim.wind));
    var spin = pose.spin;
    for (var k = 0u; k < sim.pull_count; k++) {
        let place = carried[externals.pulls[k].particle];
        if bitcast<u32>(place.w) == p {
            let impulse = sim.step * pull_part(k) * externals.pulls[k].force;
            v += pose.inverse_mass * impulse;
            spin += inverse_inertia_times(pose, cross(rotate(pose.rotation, place.xyz), impulse));
        }
    }
    poses[p].velocity = v;
    poses[p].spin = spin;
}
