// Constants of laws.

// lambda, mu and alpha of W = mu/2 (|F|^2 - 3 - ln(|F|^2 + 1)) + lambda/2 (det F - alpha)^2, which begins as Hooke's
// law of the given constants does [Smith, de Goes & Kim 2018, eq. 14, section 3.4].
fn law_stable(lambda: f32, mu: f32) -> vec3f {
    let l = lambda + (5.0 / 6.0) * mu;
    return vec3f(l, (4.0 / 3.0) * mu, 1.0 + mu / l);
}
