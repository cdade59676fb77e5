// How far the surfaces of a manifold are from its cores.
#import types

// How far the surfaces are from what both sides have their point k on: a point, or an axis.
fn radii_of(m: Manifold, k: u32) -> vec2f {
    let rims = vec2f(length(m.rim_a), length(m.rim_b));
    return m.radii + select(vec2f(), rims, (vec2u(m.rolls) & (vec2u(1u, 16u) << vec2u(k))) != vec2u());
}
