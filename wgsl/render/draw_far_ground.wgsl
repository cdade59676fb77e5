// Planes around what the shadow map reaches. Seen from the outer side only.
#import render/ground

// One instance per plane, drawn as a strip of ten vertices around the rectangle of draw_ground.
@vertex
fn far_ground_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) origin: vec3f,
    @location(1) normal: vec3f,
    @location(2) own_color: vec4f,
) -> GroundPoint {
    return ground_point((vertex >> 1u) & 3u, (vertex & 1u) == 1u, origin, normal, own_color);
}

@fragment
fn far_ground_fragment(point: GroundPoint) -> @location(0) vec4f {
    return ground_color(point, 1.0);
}
