// Edges between particles as lines. Those behind the focus fade a little, so that depth can be read.
#import render/line
#import render/values
#import types

@group(2) @binding(0) var<storage, read> particles: array<Particle>;
@group(2) @binding(1) var<storage, read> pairs: array<vec2u>;

struct WirePoint {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) color: vec3f,
    @location(1) place: vec2f,
    @location(2) alpha: f32,
}

// Six vertices per edge, and one instance per body. look: linear RGB, width [pixels].
@vertex
fn wires_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) look: vec4f,
) -> WirePoint {
    let pair = pairs[vertex / 6u];
    let corner = line_corner(vertex % 6u);
    let pull = line_pull(look.w);
    let first = frame.view_projection * vec4f(particles[pair.x].position, 1.0);
    let second = frame.view_projection * vec4f(particles[pair.y].position, 1.0);
    let cut = line_cut(first, second, pull);
    let back_cut = line_cut(second, first, pull);
    if max(cut, back_cut) > 1.0 {
        return WirePoint(NOWHERE, look.rgb, vec2f(), 0.0);
    }
    let start = mix(first, second, cut);
    let end = mix(second, first, back_cut);
    let at_end = corner > 1u;
    let along = line_along(line_place(start), line_place(end));
    let across = select(-1.0, 1.0, (corner & 1u) == 1u) * vec2f(-along.y, along.x);
    let clip = select(start, end, at_end);
    let place = line_place(clip) + (0.5 * look.w) * (across + select(-along, along, at_end));
    // Values lie on the particles, wherever the line begins.
    let t = select(cut, 1.0 - back_cut, at_end);
    let value = mix(value_place(pair.x), value_place(pair.y), t);
    let far = clamp(2.0 * (clip.w / max(distance(frame.eye, frame.focus), 1e-20) - 1.0), 0.0, 1.0);
    return WirePoint(line_clip(place, clip.w, first.z, pull), look.rgb, value, 1.0 - 0.7 * far);
}

@fragment
fn wires_fragment(point: WirePoint) -> @location(0) vec4f {
    return output(value_color(point.color, point.place), point.alpha);
}
