// pose_search: one thread per pose. Where it is as contacts are found, and how far no point of it may come until they are found
// again: half of its margin, and what it goes in LOOK_AHEAD at its speed, turning included.
// Leaves no level of the grid of colliders with any.
// Reads poses; writes searched, collider_levels.
#import shared/sim

@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(199) var<storage, read_write> searched: array<Searched>;
@group(0) @binding(204) var<storage, read_write> collider_levels: array<u32>;

@compute @workgroup_size(64)
fn pose_search(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p < 2u * BODY_LEVELS {
        collider_levels[p] = 0u;
    }
    if p >= sim.pose_count {
        return;
    }
    let pose = poses[p];
    let speed = length(pose.velocity) + length(pose.spin) * pose.bound;
    searched[p] = Searched(pose.position, 0.5 * pose.margin + LOOK_AHEAD * speed, pose.rotation, 0.0);
}
