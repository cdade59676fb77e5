// Light from one direction with a shadow map, and light from the hemispheres above and below.
#import render/frame
#import consts

@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;

// The share of light that arrives: comparisons with the 4 x 4 texels around [percentage-closer filtering, Reeves et al.
// 1987], weighted by what a box of two texels over two of one gives, so that shadows have no corners where texels meet.
// p: from shadow_place. Nothing is left out where it is not needed: software computes both sides of a branch.
fn light_at(p: vec3f) -> f32 {
    // What lies before or behind the map has nothing in it that is nearer to the light.
    let depth = min(p.z, 1.0);
    let at = p.xy * vec2f(0.5 * SHADOW_SIZE, -0.5 * SHADOW_SIZE) + (0.5 * SHADOW_SIZE - 0.5);
    let t = fract(at);
    let u = 1.0 - t;
    let first = 0.25 * u * u;
    let second = 0.5 - 0.25 * t * t;
    let third = 0.5 - 0.25 * u * u;
    let fourth = 0.25 * t * t;
    // Between four texels each; a gather has them in the order lower left, lower right, upper right, upper left.
    let corner = floor(at) * (1.0 / SHADOW_SIZE);
    let apart = 2.0 / SHADOW_SIZE;
    let a = textureGatherCompare(shadow_map, shadow_sampler, corner, depth);
    let b = textureGatherCompare(shadow_map, shadow_sampler, corner + vec2f(apart, 0.0), depth);
    let c = textureGatherCompare(shadow_map, shadow_sampler, corner + vec2f(0.0, apart), depth);
    let d = textureGatherCompare(shadow_map, shadow_sampler, corner + apart, depth);
    let left = vec2f(first.x, second.x);
    let right = vec2f(third.x, fourth.x);
    let sum = first.y * (dot(a.wz, left) + dot(b.wz, right))
        + second.y * (dot(a.xy, left) + dot(b.xy, right))
        + third.y * (dot(c.wz, left) + dot(d.wz, right))
        + fourth.y * (dot(c.xy, left) + dot(d.xy, right));
    return mix(sum, 1.0, smoothstep(0.85, 1.0, max(abs(p.x), abs(p.y))));
}

// Where a point is in the shadow map's clip space: a little above the surface so that that does not shade itself.
fn shadow_place(position: vec3f, normal: vec3f) -> vec3f {
    return (frame.shadow_projection * vec4f(position + (2.0 * frame.shadow_texel) * normal, 1.0)).xyz;
}

// The wrap of surfaces that enclose a volume.
const WRAP: f32 = 0.25;

// What the active body glows in: linear RGB.
const GLOW = vec3f(1.0, 0.45, 0.05);

// shadow_place of a point of a body's surface. Of an open one, which is lit on both sides, light arrives on one.
fn surface_shadow_place(position: vec3f, normal: vec3f, wrap_and_glow: f32) -> vec3f {
    let unit = normal * inverseSqrt(max(dot(normal, normal), 1e-36));
    let is_open = fract(wrap_and_glow) < 0.5 * WRAP;
    return shadow_place(position, select(unit, -unit, is_open && dot(unit, frame.light) < 0.0));
}

// The colour of a matt, slightly glossy surface. to_eye: from it to the eye [m]. normal: unit, on the viewer's side.
// shadow: its place in the shadow map. wrap: light reaches so far around the terminator [cosine], where the shadow map
// would cut it off. Of an open surface that would be light on a side that the sheet itself shades, so its wrap is 0. The
// active body has 1 more: it glows where it curves away.
fn shade(albedo: vec3f, to_eye: vec3f, normal: vec3f, shadow: vec3f, wrap_and_glow: f32) -> vec3f {
    let glow = step(0.9, wrap_and_glow);
    let wrap = wrap_and_glow - glow;
    let view = normalize(to_eye);
    let facing = dot(normal, frame.light);
    let wrapped = max(0.0, (facing + wrap) / (1.0 + wrap));
    let first = -0.2 * wrap;
    let arriving = mix(1.0, light_at(shadow), smoothstep(first, max(wrap, 1e-3), facing));
    let ambient = mix(frame.ambient_from_below, frame.ambient_from_above, 0.5 + 0.5 * normal.y);
    let matt = albedo * (ambient + frame.sun * (wrapped * arriving));
    let halfway = normalize(view + frame.light);
    let shine = max(0.0, dot(normal, halfway));
    let shine_2 = shine * shine;
    let shine_4 = shine_2 * shine_2;
    let shine_8 = shine_4 * shine_4;
    let shine_16 = shine_8 * shine_8;
    let gloss = 0.12 * (shine_8 * shine_16 * shine_16) * step(0.0, facing) * arriving;
    let grazing = 1.0 - max(0.0, dot(normal, view));
    let edge = grazing * grazing * grazing * grazing;
    let rim = 0.10 * edge;
    let lit = matt + gloss * frame.sun + rim * frame.ambient_from_above;
    return mix(lit, GLOW, glow * edge);
}
