// Depth of particles as the light sees them: of each a polygon with the area of the disk through its centre. It has
// the shadow of the sphere and leaves the side towards the light in front of it.
#import render/frame
#import render/cloud
#import types

@group(1) @binding(0) var<storage, read> particles: array<Particle>;
@group(1) @binding(1) var<uniform> cloud: CloudLook;

// One instance per particle, drawn as a strip from one corner to the other on alternating sides.
@vertex
fn points_shadow_vertex(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) i: u32,
) -> @builtin(position) vec4f {
    let steps = f32((vertex + 1u) / 2u);
    let angle = cloud.turn * select(-steps, steps, (vertex & 1u) == 1u);
    let place = cloud.stretch * vec2f(cos(angle), sin(angle));
    let side = cloud_side(frame.light);
    let offset = place.x * side + place.y * cross(frame.light, side);
    return frame.shadow_projection * vec4f(particles[i].position + cloud.radius * offset, 1.0);
}
