// Depth of the triangles as the light sees them.
#import render/frame

@vertex
fn shadow_vertex(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return frame.shadow_projection * vec4f(position, 1.0);
}
