// Triangles of bodies with the colours of values of their vertices, lit on both sides.
#import render/light
#import render/values

struct SurfaceValuesPoint {
    @builtin(position) clip: vec4f,
    @location(0) to_eye: vec3f, // [m]
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) look: vec4f, // linear RGB, wrap and glow of the light
    @location(3) shadow: vec3f, // in the shadow map's clip space
    @location(4) place: vec2f,
}

@vertex
fn surface_values_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) look: vec4f,
) -> SurfaceValuesPoint {
    let clip = frame.view_projection * vec4f(position, 1.0);
    let shadow = surface_shadow_place(position, normal, look.w);
    return SurfaceValuesPoint(clip, frame.eye - position, normal, look, shadow, value_place(vertex));
}

@fragment
fn surface_values_fragment(point: SurfaceValuesPoint, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let outward = point.normal * inverseSqrt(max(dot(point.normal, point.normal), 1e-20));
    let normal = select(-outward, outward, front);
    return output(shade(value_color(point.look.rgb, point.place), point.to_eye, normal, point.shadow, point.look.w), 1.0);
}
