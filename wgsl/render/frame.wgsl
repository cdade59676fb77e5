// What all shaders of one picture share. The struct is src/render/frame.rs's.

struct Frame {
    view_projection: mat4x4f,   // world to clip space; depth 1 at the near plane, 0 at infinity
    shadow_projection: mat4x4f, // world to the shadow map's clip space
    eye: vec3f,                 // [m]
    reach: f32,                 // planes have faded this far from the focus, or farther where the eye is higher [m]
    focus: vec3f,               // what the camera looks at [m]
    shadow_texel: f32,          // edge of one texel of the shadow map [m]
    light: vec3f,               // unit, towards the light
    encode: u32,                // 1: the target does not turn linear into sRGB itself
    sky_top: vec3f,             // as the target stores it, as are sky_bottom and ground
    line_strength: f32,
    sky_bottom: vec3f,
    shadow_strength: f32,       // what a full shadow takes from a plane's colour
    ground: vec3f,
    ambient_from_above: vec3f,  // linear RGB, as what follows
    ambient_from_below: vec3f,
    sun: vec3f,
    pixel: f32,                 // across one pixel at a distance of 1 m along the view's axis [m]
    size: vec2f,                // of the picture [pixels]
}

@group(0) @binding(0) var<uniform> frame: Frame;

// sRGB's transfer function [IEC 61966-2-1], its power by roots, fitted to within a tenth of a byte's step: software has no
// cheap powers.
fn srgb_encode(linear: vec3f) -> vec3f {
    let c = clamp(linear, vec3f(), vec3f(1.0));
    let root = sqrt(c);
    let power = 0.83335427 * root + 0.29842286 * sqrt(root) - 0.05517417 * c - 0.07696449;
    return select(power, 12.92 * c, c <= vec3f(0.0031308));
}

// The background at a height between the picture's bottom, 0, and its top, 1, as the target stores it.
fn sky(height: f32) -> vec3f {
    return mix(frame.sky_bottom, frame.sky_top, smoothstep(0.35, 1.0, height));
}

fn output(linear: vec3f, alpha: f32) -> vec4f {
    if frame.encode == 1u {
        return vec4f(srgb_encode(linear), alpha);
    }
    return vec4f(linear, alpha);
}
