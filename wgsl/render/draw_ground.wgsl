// The floor and other planes: a square around the focus with a grid, fading into the background. Seen from the
// outer side only. All is mixed as the target stores it: in software a picture's time is mostly that of its floor.
#import render/light

struct GroundPoint {
    @builtin(position) clip: vec4f,
    @location(0) shadow: vec3f, // in the shadow map's clip space
    @location(1) place: vec2f,  // along the plane [m]
    @location(2) offset: vec2f, // from the square's centre, in units of its reach
    @location(3) @interpolate(flat) color: vec3f, // as the target stores it, as are those of the frame
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
    // Slanted planes are a little darker.
    let lit = 0.85 + 0.15 * normal.y;
    let color = frame.ground * select(lit, pow(lit, 1.0 / 2.4), frame.encode == 1u);
    let clip = frame.view_projection * vec4f(position, 1.0);
    return GroundPoint(clip, shadow_place(position, normal), place, offset, color);
}

// How much of the pixel lines cover of which there are so many per metre. They vanish before they are too dense to tell
// apart. pixels: per metre.
fn grid_cover(place: vec2f, pixel: vec2f, pixels: vec2f, per_metre: f32, spacing: f32) -> f32 {
    let apart = abs(fract(place * per_metre + 0.5) - 0.5) * (spacing * pixels);
    let density = pixel * per_metre;
    let lines = clamp(1.14 - 0.95 * apart, vec2f(), vec2f(1.0)) * clamp(1.2 - 4.0 * density, vec2f(), vec2f(1.0));
    return max(lines.x, lines.y);
}

@fragment
fn ground_fragment(point: GroundPoint) -> @location(0) vec4f {
    let pixel = max(fwidth(point.place), vec2f(1e-6));
    let pixels = 1.0 / pixel;
    // Lines 10 m apart take over where those of 0.1 m have vanished.
    let widest = max(pixel.x, pixel.y);
    let is_far = widest > 0.03;
    let spacing = select(vec2f(0.1, 10.0), vec2f(10.0, 0.1), is_far);
    let others = grid_cover(point.place, pixel, pixels, spacing.y, spacing.x);
    let metres = grid_cover(point.place, pixel, pixels, 1.0, 1.0);
    let lines = max(select(0.5, clamp(20.0 * widest - 0.6, 0.0, 1.0), is_far) * others, metres);
    let arriving = light_at(point.shadow);
    let color = point.color * ((1.0 - frame.line_strength * lines) * (1.0 - frame.shadow_strength * (1.0 - arriving)));
    let height = 1.0 - point.clip.y / frame.size.y;
    return vec4f(mix(color, sky(height), smoothstep(0.15, 0.9, length(point.offset))), 1.0);
}
