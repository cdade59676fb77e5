// Where the surfaces of the two sides of a manifold are at one of its points.
#import shared/pose

// On both from the centre of a, so that nothing is lost far from the origin.
struct Places {
    a: vec3f,
    b: vec3f,
}

// From the axis of a cylinder to the point of its side or rim that is foremost along d; `rim`: its axis times its radius.
fn foremost(rim: vec3f, d: vec3f) -> vec3f {
    let square = dot(rim, rim);
    let out = d - (dot(d, rim) / max(square, 1e-30)) * rim;
    return (sqrt(square) / max(length(out), 1e-30)) * out;
}

fn places_of(m: Manifold, k: u32, point: ManifoldPoint, a: Pose, b: Pose) -> Places {
    let n = m.normal;
    var of_a = vec3f();
    var of_b = vec3f();
    if (m.rolls & (17u << k)) != 0u {
        of_a = select(of_a, foremost(rotate(a.rotation, m.rim_a), -n), (m.rolls & (1u << k)) != 0u);
        of_b = select(of_b, foremost(rotate(b.rotation, m.rim_b), n), (m.rolls & (16u << k)) != 0u);
    }
    return Places(rotate(a.rotation, point.a) + of_a - m.radii.x * n,
                  (b.position - a.position) + rotate(b.rotation, point.b) + of_b + m.radii.y * n);
}
