// A sphere against a triangle: the closest point of the triangle to the centre.
#import shared/collide

struct Near {
    weights: vec3f,       // of the closest point
    distance: f32,        // of the centre [m], negative behind the face
    normal: vec3f,        // towards the outside
    is_flat: bool,        // the triangle has no area, which no sphere touches
    score: f32,           // [m], the least rules: on an edge the face that looks most at the centre
}

// The closest point as barycentric weights [Ericson 2005, section 5.1.5].
fn closest_weights(x: vec3f, a: vec3f, b: vec3f, c: vec3f) -> vec3f {
    let ab = b - a;
    let ac = c - a;
    let ax = x - a;
    let d1 = dot(ab, ax);
    let d2 = dot(ac, ax);
    if d1 <= 0.0 && d2 <= 0.0 {
        return vec3f(1.0, 0.0, 0.0);
    }
    let bx = x - b;
    let d3 = dot(ab, bx);
    let d4 = dot(ac, bx);
    if d3 >= 0.0 && d4 <= d3 {
        return vec3f(0.0, 1.0, 0.0);
    }
    let cx = x - c;
    let d5 = dot(ab, cx);
    let d6 = dot(ac, cx);
    if d6 >= 0.0 && d5 <= d6 {
        return vec3f(0.0, 0.0, 1.0);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / max(d1 - d3, 1e-30);
        return vec3f(1.0 - t, t, 0.0);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / max(d2 - d6, 1e-30);
        return vec3f(1.0 - t, 0.0, t);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = (d4 - d3) / max((d4 - d3) + (d5 - d6), 1e-30);
        return vec3f(0.0, 1.0 - t, t);
    }
    let scale = 1.0 / max(va + vb + vc, 1e-30);
    return vec3f(1.0 - scale * (vb + vc), scale * vb, scale * vc);
}

fn sphere_near(x: vec3f, a: vec3f, b: vec3f, c: vec3f, least: f32) -> Near {
    let weights = closest_weights(x, a, b, c);
    let d = weights.x * (x - a) + weights.y * (x - b) + weights.z * (x - c);
    let area = cross(b - a, c - a);
    let side2 = max(dot(b - a, b - a), max(dot(c - a, c - a), dot(c - b, c - b)));
    let is_flat = length(area) <= FLAT_TRIANGLE * side2;
    let face = unit(area);
    let l = length(d);
    let along = dot(face, d);
    let side = select(-1.0, 1.0, along >= 0.0);
    let normal = select(face, side * d / max(l, 1e-30), l >= least);
    return Near(weights, side * l, normal, is_flat, l + 1e-3 * (l - abs(along)));
}
