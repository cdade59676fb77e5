// Particles as spheres: what their picture and their shadow share.
#import types

// A unit vector across w, which is a unit vector.
fn cloud_side(w: vec3f) -> vec3f {
    let reference = select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), abs(w.y) > 0.7);
    return normalize(cross(reference, w));
}
