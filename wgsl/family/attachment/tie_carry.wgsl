// tie_carry: one thread per tied particle that a pose carries, before the forces of an iterate of an implicit step. It is where the
// pose's velocities take it in the step, to the first order in its turn, as contacts have it: v = V + omega x r, x = X + r + h v.
// Reads tie_carried, carried, poses (the iterate); updates particles_out.
#import shared/sim
#import shared/turn

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(206) var<storage, read> carried: array<vec4f>;
@group(0) @binding(231) var<storage, read> tie_carried: array<u32>;

@compute @workgroup_size(64)
fn tie_carry(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&tie_carried) {
        return;
    }
    let i = tie_carried[k];
    let pose = poses[bitcast<u32>(carried[i].w)];
    let arm = rotate(pose.rotation, carried[i].xyz);
    let v = pose.velocity + cross(pose.spin, arm);
    particles_out[i].position = pose.position + arm + sim.step * v;
    particles_out[i].velocity = v;
}
