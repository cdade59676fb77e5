// pose_sleep: one thread per pose, after island_unrest. What belongs to an island that nothing disturbs falls asleep, at rest.
// Reads islands, disturbed; updates poses.
#import shared/sim
#import shared/sleep

@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(110) var<storage, read> islands: array<u32>;
@group(0) @binding(211) var<storage, read> disturbed: array<u32>;

@compute @workgroup_size(64)
fn pose_sleep(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count || poses[p].inverse_mass == 0.0 || is_asleep(poses[p]) {
        return;
    }
    let label = islands[poses[p].body];
    if disturbed[label - 1u] > 0u {
        return;
    }
    poses[p].velocity = vec3f();
    poses[p].spin = vec3f();
    poses[p].momentum = vec3f();
    poses[p].island = label;
}
