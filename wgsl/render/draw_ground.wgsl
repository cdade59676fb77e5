// Planes where the shadow map reaches. Seen from the outer side only.
#import render/ground

// One instance per plane, drawn as a strip of four vertices.
@vertex
fn ground_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) origin: vec3f,
    @location(1) normal: vec3f,
    @location(2) own_color: vec4f,
) -> GroundPoint {
    return ground_point(vertex ^ (vertex >> 1u), false, origin, normal, own_color);
}

@fragment
fn ground_fragment(point: GroundPoint) -> @location(0) vec4f {
    return ground_color(point, light_at(point.shadow));
}
