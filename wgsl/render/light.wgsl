// Light from one direction with a shadow map, and light from the hemispheres above and below.
#import render/frame

@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;

// The share of light that arrives: 2 x 2 bilinear comparisons [percentage-closer filtering, Reeves et al. 1987],
// looked up a little above the surface so that it does not shade itself.
fn light_arriving(position: vec3f, normal: vec3f) -> f32 {
    let lifted = position + (2.0 * frame.shadow_texel) * normal;
    let p = (frame.shadow_projection * vec4f(lifted, 1.0)).xyz;
    let edge = max(abs(p.x), abs(p.y));
    if edge >= 1.0 || p.z <= 0.0 || p.z >= 1.0 {
        return 1.0;
    }
    let at = p.xy * vec2f(0.5, -0.5) + 0.5;
    let apart = 0.9 / vec2f(textureDimensions(shadow_map));
    let sum = textureSampleCompareLevel(shadow_map, shadow_sampler, at - apart, p.z)
        + textureSampleCompareLevel(shadow_map, shadow_sampler, at + vec2f(apart.x, -apart.y), p.z)
        + textureSampleCompareLevel(shadow_map, shadow_sampler, at + vec2f(-apart.x, apart.y), p.z)
        + textureSampleCompareLevel(shadow_map, shadow_sampler, at + apart, p.z);
    return mix(0.25 * sum, 1.0, smoothstep(0.85, 1.0, edge));
}

// The wrap of surfaces that enclose a volume.
const WRAP: f32 = 0.25;

// What the active body glows in: linear RGB.
const GLOW = vec3f(1.0, 0.45, 0.05);

// The colour of a matt, slightly glossy surface. normal: unit, on the viewer's side. wrap: light reaches so far around
// the terminator [cosine], where the shadow map would cut it off. Of an open surface that would be light on a side that
// the sheet itself shades, so its wrap is 0. The active body has 1 more: it glows, above all where it curves away.
fn shade(albedo: vec3f, position: vec3f, normal: vec3f, wrap_and_glow: f32) -> vec3f {
    let glow = step(0.9, wrap_and_glow);
    let wrap = wrap_and_glow - glow;
    let view = normalize(frame.eye - position);
    let facing = dot(normal, frame.light);
    let wrapped = max(0.0, (facing + wrap) / (1.0 + wrap));
    let first = -0.2 * wrap;
    var arriving = 1.0;
    if facing > first {
        let known = smoothstep(first, max(wrap, 1e-3), facing);
        arriving = mix(1.0, light_arriving(position, normal), known);
    }
    let ambient = mix(frame.ambient_from_below, frame.ambient_from_above, 0.5 + 0.5 * normal.y);
    let matt = albedo * (ambient + frame.sun * (wrapped * arriving));
    let halfway = normalize(view + frame.light);
    let gloss = 0.12 * pow(max(0.0, dot(normal, halfway)), 40.0) * step(0.0, facing) * arriving;
    let grazing = 1.0 - max(0.0, dot(normal, view));
    let rim = 0.10 * grazing * grazing * grazing * grazing;
    let lit = matt + gloss * frame.sun + rim * frame.ambient_from_above;
    return mix(lit, GLOW, glow * (0.06 + 0.75 * grazing * grazing * grazing));
}
