// Triangles of bodies with one normal each, and on request their sides as dark lines of constant width on the screen
// [distances to the sides from derivatives, after Bærentzen et al. 2006, "Single-pass wireframe rendering"].
#import render/light
#import render/values

@group(2) @binding(0) var<storage, read> positions: array<vec4f>;
@group(2) @binding(1) var<storage, read> indices: array<u32>;

struct FacetPoint {
    @builtin(position) clip: vec4f,
    @location(0) to_eye: vec3f,                  // [m]
    @location(1) @interpolate(flat) normal: vec3f,
    @location(2) @interpolate(flat) look: vec4f, // linear RGB, wrap and glow of the light
    @location(3) place: vec2f,
    @location(4) share: vec2f,                   // barycentric coordinates of the first two corners
    @location(5) @interpolate(flat) width: f32,  // of the lines [pixels], 0: none
    @location(6) shadow: vec3f,                  // in the shadow map's clip space
}

// Not indexed: three vertices per triangle, and one instance per body. x of `lines` is the width of the lines
// [pixels], y is by how much the body's first corner lies past a multiple of three.
@vertex
fn facets_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) look: vec4f,
    @location(1) lines: vec4f,
) -> FacetPoint {
    let corner = (vertex - u32(lines.y)) % 3u;
    let first = vertex - corner;
    let a = positions[indices[first]].xyz;
    let b = positions[indices[first + 1u]].xyz;
    let c = positions[indices[first + 2u]].xyz;
    let position = select(select(c, b, corner == 1u), a, corner == 0u);
    let share = vec2f(f32(corner == 0u), f32(corner == 1u));
    let clip = frame.view_projection * vec4f(position, 1.0);
    let place = value_place(indices[vertex]);
    let normal = cross(b - a, c - a);
    let shadow = surface_shadow_place(position, normal, look.w);
    return FacetPoint(clip, frame.eye - position, normal, look, place, share, lines.x, shadow);
}

@fragment
fn facets_fragment(point: FacetPoint, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let shares = vec3f(point.share, 1.0 - point.share.x - point.share.y);
    let by_x = dpdx(shares);
    let by_y = dpdy(shares);
    // Per pixel; their inverses are the triangle's heights [pixels].
    let slopes = max(sqrt(by_x * by_x + by_y * by_y), vec3f(1e-12));
    let distances = shares / slopes;
    let nearest = min(distances.x, min(distances.y, distances.z));
    let height = 1.0 / max(slopes.x, max(slopes.y, slopes.z));
    // Each side draws its half of a line. Lines fade where they would soon cover all of the triangle.
    let reach = 0.5 * point.width;
    let covered = 1.0 - smoothstep(reach - 0.5, reach + 0.5, nearest);
    let line = covered * smoothstep(1.0, 6.0, height / max(point.width, 1e-3)) * step(1e-3, point.width);

    let outward = point.normal * inverseSqrt(max(dot(point.normal, point.normal), 1e-36));
    let normal = select(-outward, outward, front);
    let albedo = value_color(point.look.rgb, point.place) * (1.0 - 0.8 * line);
    return output(shade(albedo, point.to_eye, normal, point.shadow, point.look.w), 1.0);
}
