// Particles as spheres: what their picture and their shadow share.

// How the spheres of one cloud look.
struct CloudLook {
    albedo: vec3f, // linear RGB
    radius: f32,   // [m]
    turn: f32,     // between corners of the polygons that throw the shadows [rad]
    stretch: f32,  // their circumscribed radius [radii]
    glow: f32,     // 1 for the active body's
}

// A unit vector across w, which is a unit vector.
fn cloud_side(w: vec3f) -> vec3f {
    let reference = select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), abs(w.y) > 0.7);
    return normalize(cross(reference, w));
}
