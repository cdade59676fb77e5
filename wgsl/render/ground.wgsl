// The floor and other planes: a square around the focus with a grid, fading into the background. Where the shadow map
// reaches, and around it, are drawn by shaders of their own, draw_ground and draw_far_ground: in software a picture's
// time is mostly that of its floor. All is mixed as the target stores it.
#import render/light

struct GroundPoint {
    @builtin(position) @invariant clip: vec4f, // the two meet without a gap
    @location(0) shadow: vec3f, // in the shadow map's clip space
    @location(1) place: vec2f,  // along the plane [m]
    @location(2) offset: vec2f, // from the square's centre, in units of its half edge
    @location(3) @interpolate(flat) color: vec3f, // as the target stores it, as are those of the frame
}

// A corner of a plane's square, or of the rectangle in it that the shadow map reaches. They are numbered
// counterclockwise. origin: any point of the plane. own_color: linear RGB and 1, or 0 for the ground's.
fn ground_point(corner: u32, is_outer: bool, origin: vec3f, normal: vec3f, own_color: vec4f) -> GroundPoint {
    let centre = frame.focus - dot(frame.focus - origin, normal) * normal;
    // As far as from up there is worth seeing, however near what is looked at.
    let reach = max(frame.reach, 8.0 * dot(frame.eye - origin, normal));
    // The rectangle's sides run along and across the map's first axis, as the plane sees it.
    let rows = transpose(frame.shadow_projection);
    let first = rows[0].xyz - dot(rows[0].xyz, normal) * normal;
    let side = normalize(select(cross(rows[1].xyz, normal), first, dot(first, first) > 1e-12 * dot(rows[0].xyz, rows[0].xyz)));
    let other = cross(normal, side);
    // From the centre along both sides: the square's half edges, and those of the rectangle around what has |x| and |y|
    // below 1 in the map.
    let ends = vec2f(select(-1.0, 1.0, corner == 1u || corner == 2u), select(-1.0, 1.0, corner > 1u));
    var offset = reach * ends;
    let facing = dot(frame.light, normal);
    if !is_outer && facing > 0.05 {
        let origin_in_map = (frame.shadow_projection * vec4f(centre, 1.0)).xy;
        let by_side = (frame.shadow_projection * vec4f(side, 0.0)).xy;
        let by_other = (frame.shadow_projection * vec4f(other, 0.0)).xy;
        let inverse = mat2x2f(by_other.y, -by_side.y, -by_other.x, by_side.x)
            * (1.0 / (by_side.x * by_other.y - by_side.y * by_other.x));
        let middle = -(inverse * origin_in_map);
        let half = abs(inverse[0]) + abs(inverse[1]);
        if all(abs(middle) + half < vec2f(reach)) {
            offset = middle + half * ends;
        }
    }
    let position = centre + offset.x * side + offset.y * other;

    let reference = select(vec3f(0.0, 1.0, 0.0), vec3f(0.0, 0.0, 1.0), abs(normal.y) > 0.7);
    let along = normalize(cross(reference, normal));
    let place = vec2f(dot(position, along), dot(position, cross(normal, along)));
    // Slanted planes are a little darker.
    let lit = 0.85 + 0.15 * normal.y;
    let ground = select(frame.ground, output(own_color.rgb, 1.0).rgb, own_color.a > 0.0);
    let color = ground * select(lit, pow(lit, 1.0 / 2.4), frame.encode == 1u);
    let clip = frame.view_projection * vec4f(position, 1.0);
    return GroundPoint(clip, shadow_place(position, normal), place, offset / reach, color);
}

// How much of the pixel lines cover of which there are so many per metre. They vanish before they are too dense to tell
// apart. pixels: per metre.
fn grid_cover(place: vec2f, pixel: vec2f, pixels: vec2f, per_metre: f32, spacing: f32) -> f32 {
    let apart = abs(fract(place * per_metre + 0.5) - 0.5) * (spacing * pixels);
    let density = pixel * per_metre;
    let lines = clamp(1.14 - 0.95 * apart, vec2f(), vec2f(1.0)) * clamp(1.2 - 4.0 * density, vec2f(), vec2f(1.0));
    return max(lines.x, lines.y);
}

// What is seen of a point at which this share of the light arrives.
fn ground_color(point: GroundPoint, arriving: f32) -> vec4f {
    let pixel = max(fwidth(point.place), vec2f(1e-6));
    let pixels = 1.0 / pixel;
    // Lines 10 m apart take over where those of 0.1 m have vanished.
    let widest = max(pixel.x, pixel.y);
    let is_far = widest > 0.03;
    let spacing = select(vec2f(0.1, 10.0), vec2f(10.0, 0.1), is_far);
    let others = grid_cover(point.place, pixel, pixels, spacing.y, spacing.x);
    let metres = grid_cover(point.place, pixel, pixels, 1.0, 1.0);
    let lines = max(select(0.5, clamp(20.0 * widest - 0.6, 0.0, 1.0), is_far) * others, metres);
    let color = point.color * ((1.0 - frame.line_strength * lines) * (1.0 - frame.shadow_strength * (1.0 - arriving)));
    let height = 1.0 - point.clip.y / frame.size.y;
    let near = clamp(1.03 - 1.25 * dot(point.offset, point.offset), 0.0, 1.0);
    return vec4f(mix(sky(height), color, near * near), 1.0);
}
