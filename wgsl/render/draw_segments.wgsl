// Lines in space, with an arrow's head at the end on request. Those of zero length are not drawn.
#import render/line
#import types

@group(2) @binding(0) var<storage, read> segments: array<Segment>;

struct SegmentPoint {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) color: vec3f,
}

// Nine vertices per segment, six of its shaft and three of its head, and one instance per set. look: linear RGB, width
// [pixels]. x of `head`: 1 where there is one.
@vertex
fn segments_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) look: vec4f,
    @location(1) head: vec4f,
) -> SegmentPoint {
    let segment = segments[vertex / 9u];
    let part = vertex % 9u;
    let pull = line_pull(look.w);
    let first = frame.view_projection * vec4f(segment.start, 1.0);
    let second = frame.view_projection * vec4f(segment.end, 1.0);
    let cut = line_cut(first, second, pull);
    let back_cut = line_cut(second, first, pull);
    let apart = segment.end - segment.start;
    if max(cut, back_cut) > 1.0 || dot(apart, apart) <= 0.0 {
        return SegmentPoint(NOWHERE, look.rgb);
    }
    let start = mix(first, second, cut);
    let end = mix(second, first, back_cut);
    let start_place = line_place(start);
    let tip = line_place(end);
    let along = line_along(start_place, tip);
    let seen = distance(start_place, tip);
    // The head takes at most 0.6 of what is seen, and none where the tip is behind the eye.
    let head_length = select(0.0, min(5.0 * look.w, 0.6 * seen), head.x > 0.5 && back_cut <= 0.0);
    let base = tip - head_length * along;
    // On the screen it is the inverse of the distance that is linear.
    let base_distance = 1.0 / mix(1.0 / end.w, 1.0 / start.w, head_length / max(seen, 1e-12));
    let aside = vec2f(-along.y, along.x);
    if part >= 6u {
        let corner = f32(part) - 7.0;
        let is_tip = part == 7u;
        let place = select(base + (0.45 * head_length * corner) * aside, tip, is_tip);
        return SegmentPoint(line_clip(place, select(base_distance, end.w, is_tip), first.z, pull), look.rgb);
    }
    let corner = line_corner(part);
    let at_end = corner > 1u;
    let side = select(-0.5, 0.5, (corner & 1u) == 1u) * look.w;
    // Without a head both ends are square caps.
    let cap = select(-0.5 * look.w, select(0.5 * look.w, 0.0, head_length > 0.0), at_end);
    let place = select(start_place, base, at_end) + cap * along + side * aside;
    return SegmentPoint(line_clip(place, select(start.w, base_distance, at_end), first.z, pull), look.rgb);
}

@fragment
fn segments_fragment(point: SegmentPoint) -> @location(0) vec4f {
    return output(point.color, 1.0);
}
