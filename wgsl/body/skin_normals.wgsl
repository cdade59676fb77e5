// skin_normals: one thread per drawn vertex. Normalised sum of the area vectors of the triangles around it
// [Gouraud 1971, area-weighted]. Reads skin_fans, skin_corners, skin_positions; writes skin_normals (w = 0).
#import shared/sim

@group(0) @binding(19) var<storage, read_write> skin_positions: array<vec4f>;
@group(0) @binding(20) var<storage, read_write> skin_normal: array<vec4f>;
@group(0) @binding(21) var<storage, read> skin_fans: array<vec2u>;
@group(0) @binding(22) var<storage, read> skin_corners: array<vec2u>;

@compute @workgroup_size(64)
fn skin_normals(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.skin_count {
        return;
    }
    let fan = skin_fans[i];
    let x = skin_positions[i].xyz;
    var sum = vec3f();
    for (var e = 0u; e < fan.y; e++) {
        let corner = skin_corners[fan.x + e * SLICE];
        sum += cross(skin_positions[corner.x].xyz - x, skin_positions[corner.y].xyz - x);
    }
    let size = length(sum);
    skin_normal[i] = vec4f(select(vec3f(0.0, 1.0, 0.0), sum / max(size, 1e-30), size > 0.0), 0.0);
}
