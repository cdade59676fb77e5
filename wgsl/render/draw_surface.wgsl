// Triangles of bodies and solids, lit on both sides.
#import render/light

struct SurfacePoint {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) albedo: vec3f,
}

@vertex
fn surface_vertex(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) albedo: vec3f,
) -> SurfacePoint {
    let clip = frame.view_projection * vec4f(position, 1.0);
    return SurfacePoint(clip, position, normal, albedo);
}

@fragment
fn surface_fragment(point: SurfacePoint, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let outward = point.normal * inverseSqrt(max(dot(point.normal, point.normal), 1e-20));
    return output(shade(point.albedo, point.position, select(-outward, outward, front)), 1.0);
}
