// Particles as spheres. Each is one triangle around its outline as the eye sees it; rays through it find the sphere.
// In software it is the number of triangles that costs time, then the number of shaded pixels.
#import render/light
#import render/cloud
#import render/values
#import types

@group(2) @binding(0) var<storage, read> particles: array<Particle>;
@group(2) @binding(1) var<uniform> cloud: CloudLook;

struct SpherePoint {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) offset: vec3f, // from the sphere's centre [radii]
    @location(2) place: vec2f,  // in the plane of the outline, which is the unit circle
    @location(3) @interpolate(flat) albedo: vec3f,
}

struct SphereSample {
    @builtin(frag_depth) depth: f32,
    @builtin(sample_mask) samples: u32,
    @location(0) color: vec4f,
}

// One instance per particle, drawn as three vertices.
@vertex
fn points_vertex(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) i: u32,
) -> SpherePoint {
    let x = f32(vertex) - 1.0;
    let place = vec2f(1.7320508 * x, 3.0 * (1.0 - abs(x)) - 1.0);
    let centre = particles[i].position;
    let to_eye = frame.eye - centre;
    let distance = max(length(to_eye), 1e-20);
    let towards = to_eye / distance;
    let side = cloud_side(towards);
    // The rays that touch the sphere do so where it is cut by a plane a little before its centre. From inside the
    // sphere there are none.
    let before = min(cloud.radius / distance, 0.99);
    let across = sqrt(1.0 - before * before) * place;
    let offset = across.x * side + across.y * cross(towards, side) + before * towards;
    let position = centre + cloud.radius * offset;
    let albedo = value_color(cloud.albedo, value_place(i));
    return SpherePoint(frame.view_projection * vec4f(position, 1.0), position, offset, place, albedo);
}

// The bit of a sample that lies within the outline. apart: from the pixel's centre [pixels].
fn sample_bit(index: u32, apart: vec2f, place: vec2f, by_x: vec2f, by_y: vec2f) -> u32 {
    let at = place + apart.x * by_x + apart.y * by_y;
    return select(0u, 1u << index, dot(at, at) < 1.0);
}

// The four samples lie where WebGPU says.
@fragment
fn points_fragment(point: SpherePoint) -> SphereSample {
    let by_x = dpdx(point.place);
    let by_y = dpdy(point.place);
    let samples = sample_bit(0u, vec2f(-0.125, -0.375), point.place, by_x, by_y)
        | sample_bit(1u, vec2f(0.375, -0.125), point.place, by_x, by_y)
        | sample_bit(2u, vec2f(-0.375, 0.125), point.place, by_x, by_y)
        | sample_bit(3u, vec2f(0.125, 0.375), point.place, by_x, by_y);
    let ray = normalize(point.position - frame.eye);
    let across = point.offset - dot(point.offset, ray) * ray;
    let normal = normalize(across - sqrt(max(0.0, 1.0 - dot(across, across))) * ray);
    let position = point.position + cloud.radius * (normal - point.offset);
    let clip = frame.view_projection * vec4f(position, 1.0);
    let shadow = shadow_place(position, normal);
    let lit = shade(point.albedo, frame.eye - position, normal, shadow, WRAP + cloud.glow);
    let color = output(lit, 1.0);
    return SphereSample(clip.z / max(clip.w, 1e-20), samples, color);
}
