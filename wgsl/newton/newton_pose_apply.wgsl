// newton_pose_apply: one thread per pose, after newton_contacts. The matrix of its equations times the direction (z, zeta): m/h^2 z +
// sum w k (...) and I/h^2 zeta + the moments of these, of its contacts with particles as newton_contacts has left them; and its part
// of z.H z.
// Reads directions, poses, contact_lists, list_first, entries, rows, augmented; writes products.
#import shared/pose_motion

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(56) var<storage, read> rows: array<Row>;
@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(92) var<storage, read> directions: array<Particle>;
@group(0) @binding(93) var<storage, read_write> products: array<vec4f>;
@group(0) @binding(104) var<storage, read> augmented: array<Augmented>;
@group(0) @binding(173) var<storage, read> entries: array<Entry>;

@compute @workgroup_size(64)
fn newton_pose_apply(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let pose = as_met(poses[p]);
    let row = pose_row(p);
    if pose.inverse_mass == 0.0 {
        products[row] = vec4f();
        products[row + 1u] = vec4f();
        return;
    }
    let z = directions[row].velocity;
    let zeta = directions[row + 1u].velocity;
    let pace = 1.0 / (sim.step * sim.step);
    var sum = (pace / pose.inverse_mass) * z;
    var turn = pace * inertia_times(pose, zeta);
    let end = list_first[sim.particle_count + p + 1u];
    for (var e = list_first[sim.particle_count + p]; e < end; e++) {
        let c = entries[e].node >> 3u;
        if c < contact_lists[LIST_MANIFOLDS] {
            let f = entries[e].weight * augmented[c].way;
            sum += f;
            turn += cross(rows[c].point - pose.position, f);
        }
    }
    products[row] = vec4f(sum, dot(sum, z));
    products[row + 1u] = vec4f(turn, dot(turn, zeta));
}
