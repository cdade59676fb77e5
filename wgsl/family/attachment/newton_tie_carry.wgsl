// newton_tie_carry: one thread per tied particle that a pose carries, before newton_tie. How it follows the pose's direction (z, zeta):
// z + zeta x r.
// Reads tie_carried, carried, poses; updates directions.
#import shared/pose_motion

@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(92) var<storage, read_write> directions: array<Particle>;
@group(0) @binding(206) var<storage, read> carried: array<vec4f>;
@group(0) @binding(231) var<storage, read> tie_carried: array<u32>;

@compute @workgroup_size(64)
fn newton_tie_carry(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&tie_carried) {
        return;
    }
    let i = tie_carried[k];
    let p = bitcast<u32>(carried[i].w);
    let arm = rotate(poses[p].rotation, carried[i].xyz);
    let row = pose_row(p);
    directions[i].velocity = directions[row].velocity + cross(directions[row + 1u].velocity, arm);
}
