// pose_carry: one thread per particle. A particle of something rigid is where its pose has it: x = X + R a, v = V + omega x (x
// - X). What sleeps has been carried.
// Reads poses, carried; updates particles_out; writes status: the longest way.
#import shared/turn
#import shared/sleep
#import shared/status

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
// a, and the pose as bits; NONE: none has it.
@group(0) @binding(206) var<storage, read> carried: array<vec4f>;

@compute @workgroup_size(64)
fn pose_carry(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count || bitcast<u32>(carried[i].w) == NONE {
        return;
    }
    let pose = poses[bitcast<u32>(carried[i].w)];
    if is_asleep(pose) && all(particles_out[i].velocity == vec3f()) {
        return;
    }
    let arm = rotate(pose.rotation, carried[i].xyz);
    let x = pose.position + arm;
    status_way(STATUS_TRAVEL, x - particles_out[i].position);
    particles_out[i].position = x;
    particles_out[i].velocity = pose.velocity + cross(pose.spin, arm);
}
