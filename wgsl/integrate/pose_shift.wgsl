// pose_shift: one thread per pose, after implicit_shift. Its velocity gets what its island's momentum lacks.
// Reads body_shifts; updates poses, contact_velocities.
#import shared/contact_lists

@group(0) @binding(57) var<storage, read_write> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(107) var<storage, read> body_shifts: array<vec4f>;

@compute @workgroup_size(64)
fn pose_shift(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count || poses[p].body >= sim.body_count {
        return;
    }
    let v = poses[p].velocity + body_shifts[poses[p].body].xyz;
    let word = velocity_word(sim.particle_count + p);
    poses[p].velocity = v;
    contact_velocities[word] = vec4f(v, contact_velocities[word].w);
}
