// Light from one direction with a shadow map, and light from the hemispheres above and below.
#import render/frame

@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;

// The share of light that arrives: 3 x 3 bilinear comparisons under a tent [percentage-closer filtering, Reeves et al.
// 1987], looked up a little above the surface so that it does not shade itself.
fn light_arriving(position: vec3f, normal: vec3f) -> f32 {
    let lifted = position + (2.0 * frame.shadow_texel) * normal;
    let p = (frame.shadow_projection * vec4f(lifted, 1.0)).xyz;
    let edge = max(abs(p.x), abs(p.y));
    if edge >= 1.0 || p.z <= 0.0 || p.z >= 1.0 {
        return 1.0;
    }
    let size = vec2f(textureDimensions(shadow_map));
    let centre = p.xy * vec2f(0.5, -0.5) + 0.5;
    let apart = 1.5 / size;
    var sum = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y)));
            let at = centre + vec2f(f32(x), f32(y)) * apart;
            sum += weight * textureSampleCompareLevel(shadow_map, shadow_sampler, at, p.z);
        }
    }
    return mix(sum / 16.0, 1.0, smoothstep(0.85, 1.0, edge));
}

// The colour of a matt, slightly glossy surface. normal: unit, on the viewer's side.
fn shade(albedo: vec3f, position: vec3f, normal: vec3f) -> vec3f {
    let view = normalize(frame.eye - position);
    let facing = dot(normal, frame.light);
    // Light wraps a little around the terminator, where the shadow map would cut it off.
    let wrapped = max(0.0, (facing + 0.25) / 1.25);
    let arriving = mix(1.0, light_arriving(position, normal), smoothstep(-0.05, 0.25, facing));
    let ambient = mix(frame.ambient_from_below, frame.ambient_from_above, 0.5 + 0.5 * normal.y);
    let matt = albedo * (ambient + frame.sun * (wrapped * arriving));
    let halfway = normalize(view + frame.light);
    let gloss = 0.12 * pow(max(0.0, dot(normal, halfway)), 40.0) * step(0.0, facing) * arriving;
    let rim = 0.10 * pow(1.0 - max(0.0, dot(normal, view)), 4.0);
    return matt + gloss * frame.sun + rim * frame.ambient_from_above;
}
