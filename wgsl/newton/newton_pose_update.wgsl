// newton_pose_update: one thread per pose, beside newton_update. One iteration of conjugate gradients of its two unknowns, z = r over
// its block of both together [shared/rigid_motion].
// Reads newton (alpha, beta), poses, products (H z), pose_holds; updates conjugates, directions.
#import shared/pose_motion

@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(90) var<storage, read> newton: array<Newton>;
@group(0) @binding(91) var<storage, read_write> conjugates: array<Conjugate>;
@group(0) @binding(92) var<storage, read_write> directions: array<Particle>;
@group(0) @binding(93) var<storage, read> products: array<vec4f>;
@group(0) @binding(225) var<storage, read> pose_holds: array<CoarsePart>;

@compute @workgroup_size(64)
fn newton_pose_update(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let pose = as_met(poses[p]);
    let row = pose_row(p);
    if pose.inverse_mass == 0.0 {
        return;
    }
    let alpha = newton[0].alpha;
    let beta = newton[0].beta;
    for (var k = 0u; k < 2u; k++) {
        let c = conjugates[row + k];
        let search = directions[row + k].velocity + beta * c.search;
        let image = products[row + k].xyz + beta * c.image;
        conjugates[row + k] = Conjugate(c.residual - alpha * image, c.change + alpha * search, search, image);
    }
    var left = pose_motion(pose, pose.velocity, pose.spin, pose_holds[p]);
    left.force = vec4f(conjugates[row].residual, left.force.w);
    left.torque = vec4f(conjugates[row + 1u].residual, left.torque.w);
    let z = rigid_motion(left);
    directions[row].velocity = z.shift;
    directions[row].damping_rate = dot(left.force.xyz, z.shift);
    directions[row + 1u].velocity = z.turn;
    directions[row + 1u].damping_rate = dot(left.torque.xyz, z.turn);
}
