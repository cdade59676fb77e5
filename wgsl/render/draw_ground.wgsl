// The floor and other planes: a square around the focus with a grid, fading into the background. Seen from the
// outer side only.
#import render/light

struct GroundPoint {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) place: vec2f,  // along the plane [m]
    @location(2) offset: vec2f, // from the square's centre, in units of its reach
    @location(3) @interpolate(flat) normal: vec3f,
}

// One instance per plane, drawn as a strip of four vertices. origin: any point of the plane.
@vertex
fn ground_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) origin: vec3f,
    @location(1) normal: vec3f,
) -> GroundPoint {
    let reference = select(vec3f(0.0, 1.0, 0.0), vec3f(0.0, 0.0, 1.0), abs(normal.y) > 0.7);
    let along = normalize(cross(reference, normal));
    let across = cross(normal, along);
    let offset = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
    let centre = frame.focus - dot(frame.focus - origin, normal) * normal;
    let position = centre + frame.reach * (offset.x * along + offset.y * across);
    let place = vec2f(dot(position, along), dot(position, across));
    return GroundPoint(frame.view_projection * vec4f(position, 1.0), position, place, offset, normal);
}

// How much of the pixel lines of this spacing cover. They vanish before they are too dense to tell apart.
fn grid_cover(place: vec2f, pixel: vec2f, spacing: f32) -> f32 {
    let density = pixel / spacing;
    if min(density.x, density.y) > 0.3 {
        return 0.0;
    }
    let distance = abs(fract(place / spacing + 0.5) - 0.5) / max(density, vec2f(1e-6));
    let lines = (1.0 - smoothstep(vec2f(0.2), vec2f(1.3), distance)) * (1.0 - smoothstep(vec2f(0.05), vec2f(0.3), density));
    return max(lines.x, lines.y);
}

@fragment
fn ground_fragment(point: GroundPoint) -> @location(0) vec4f {
    let pixel = fwidth(point.place);
    let fine = grid_cover(point.place, pixel, 0.1);
    let metres = grid_cover(point.place, pixel, 1.0);
    var lines = max(0.5 * fine, metres);
    // Lines 10 m apart take over where those of a metre are about to vanish.
    let far = smoothstep(0.02, 0.08, max(pixel.x, pixel.y));
    if far > 0.0 {
        lines = max(lines, far * grid_cover(point.place, pixel, 10.0));
    }
    let arriving = light_arriving(point.position, point.normal);
    let lit = 0.85 + 0.15 * point.normal.y;
    let color = frame.ground * (lit * (1.0 - frame.line_strength * lines) * (1.0 - frame.shadow_strength * (1.0 - arriving)));
    return output(color, 1.0 - smoothstep(0.15, 0.9, length(point.offset)));
}
