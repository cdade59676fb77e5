// What all shaders of one picture share. The struct is src/render/frame.rs's.
#import types

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
