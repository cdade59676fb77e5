// field_skin: one thread per drawn vertex. The values of its tetrahedron's corners by the weights that carry it.
// Reads skin, particle_values; writes skin_values.
#import shared/sim

@group(0) @binding(18) var<storage, read> skin: array<SkinPoint>;
@group(0) @binding(123) var<storage, read> particle_values: array<f32>;
@group(0) @binding(124) var<storage, read_write> skin_values: array<f32>;

@compute @workgroup_size(64)
fn field_skin(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.skin_count {
        return;
    }
    let s = skin[i];
    skin_values[i] = s.weights.x * particle_values[s.corners.x] + s.weights.y * particle_values[s.corners.y]
                   + s.weights.z * particle_values[s.corners.z] + s.weights.w * particle_values[s.corners.w];
}
