// pose_hold: one thread per pose, after augment. What its contacts with particles do to it as it moves, dx = t + theta x r about its
// centre [shared/rigid_motion]: f = w (J - J_0)/h, J_0 the impulse that the step starts from, which acts already, and H = c k
// (r r^T + s (1 - r r^T)), s what the cone leaves. In Newton's method c = 1; in sweeps, where the particles stay where they are, 2, as
// in contact_hold.
// Reads contact_lists, list_first, entries, rows, augmented, poses; writes pose_holds.
#import shared/collide
#import shared/rigid_motion

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(56) var<storage, read> rows: array<Row>;
@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(104) var<storage, read> augmented: array<Augmented>;
@group(0) @binding(173) var<storage, read> entries: array<Entry>;
@group(0) @binding(225) var<storage, read_write> pose_holds: array<CoarsePart>;

@compute @workgroup_size(64)
fn pose_hold(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let x = poses[p].position;
    let times = select(2.0, 1.0, sim.implicit == IMPLICIT_STEP);
    let end = list_first[sim.particle_count + p + 1u];
    var sum = CoarsePart();
    for (var e = list_first[sim.particle_count + p]; e < end; e++) {
        let c = entries[e].node >> 3u;
        if c < contact_lists[LIST_MANIFOLDS] {
            let grip = augmented[c];
            let n = grip.normal;
            let hold = times * grip.stiffness;
            let f = (entries[e].weight / sim.step) * (grip.impulse - rows[c].delta);
            let block = Symmetric(hold * (n * n + grip.share * (1.0 - n * n)), (hold * (1.0 - grip.share)) * (n.yzx * n.zxy));
            add_force(rows[c].point - x, f, block, &sum);
        }
    }
    pose_holds[p] = sum;
}
