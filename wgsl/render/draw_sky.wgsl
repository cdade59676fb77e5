// A gradient from the picture's bottom to its top, behind everything.
#import render/frame

struct SkyPoint {
    @builtin(position) clip: vec4f,
    @location(0) height: f32,
}

// One triangle that covers the picture.
@vertex
fn sky_vertex(@builtin(vertex_index) vertex: u32) -> SkyPoint {
    let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 4.0 - 1.0;
    return SkyPoint(vec4f(corner, 0.0, 1.0), 0.5 + 0.5 * corner.y);
}

@fragment
fn sky_fragment(point: SkyPoint) -> @location(0) vec4f {
    return vec4f(sky(point.height), 1.0);
}
