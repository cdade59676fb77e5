// Where a ray meets triangles and spheres that are seen along it: across it twice, then along it, from its origin.
#import types

// Weights of the corners where the ray passes through a triangle, and how far along it that is [m]; below 0 where it does
// not. The ray makes an area with each side; all are of one sign where it passes through. Two triangles see their common
// side alike, so that no ray passes between them.
struct RayTriangle {
    weights: vec3f,
    distance: f32,
}

fn ray_triangle(a: vec3f, b: vec3f, c: vec3f) -> RayTriangle {
    let u = c.x * b.y - c.y * b.x;
    let v = a.x * c.y - a.y * c.x;
    let w = b.x * a.y - b.y * a.x;
    let area = u + v + w;
    let outside = min(min(u, v), w) < 0.0 && max(max(u, v), w) > 0.0;
    if outside || abs(area) < 1e-30 {
        return RayTriangle(vec3f(), -1.0);
    }
    return RayTriangle(vec3f(u, v, w) / area, (u * a.z + v * b.z + w * c.z) / area);
}

// How far along the ray it meets a sphere about c [m]; from inside the far side; below 0 where it does not.
fn ray_sphere(c: vec3f, radius: f32) -> f32 {
    let square = radius * radius - dot(c.xy, c.xy);
    if square < 0.0 {
        return -1.0;
    }
    let half = sqrt(square);
    return select(c.z + half, c.z - half, c.z > half);
}
