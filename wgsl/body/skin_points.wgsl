// skin_points: one thread per drawn vertex. x = sum of w_k x_k over the corners of its tetrahedron.
// Reads skin, particles_in; writes skin_positions (w = 1).
#import shared/topology

@group(0) @binding(18) var<storage, read> skin: array<SkinPoint>;
@group(0) @binding(19) var<storage, read_write> skin_positions: array<vec4f>;

@compute @workgroup_size(64)
fn skin_points(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
               @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.skin_count {
        return;
    }
    let s = skin[i];
    let x = s.weights.x * particles_in[s.corners.x].position + s.weights.y * particles_in[s.corners.y].position
          + s.weights.z * particles_in[s.corners.z].position + s.weights.w * particles_in[s.corners.w].position;
    skin_positions[i] = vec4f(x, 1.0);
}
