// Triangles of bodies and solids, lit on both sides.
#import render/light

struct SurfacePoint {
    @builtin(position) clip: vec4f,
    @location(0) to_eye: vec3f, // [m]
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) look: vec4f, // linear RGB, wrap and glow of the light
    @location(3) shadow: vec3f, // in the shadow map's clip space
}

@vertex
fn surface_vertex(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) look: vec4f,
) -> SurfacePoint {
    let clip = frame.view_projection * vec4f(position, 1.0);
    let shadow = surface_shadow_place(position, normal, look.w);
    return SurfacePoint(clip, frame.eye - position, normal, look, shadow);
}

@fragment
fn surface_fragment(point: SurfacePoint, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let outward = point.normal * inverseSqrt(max(dot(point.normal, point.normal), 1e-20));
    let normal = select(-outward, outward, front);
    return output(shade(point.look.rgb, point.to_eye, normal, point.shadow, point.look.w), 1.0);
}
