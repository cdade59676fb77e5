// The surface triangles that spheres touch: entry 2 t of `triangles` has the corners of triangle t and its body, 2 t + 1
// the triangles across the sides opposite to each corner, or NONE. Triangles of a body stand in a row.
#import shared/sphere_triangle

@group(0) @binding(82) var<storage, read> triangles: array<vec4u>;

fn near_triangle(x: vec3f, own: Body, t: u32) -> Near {
    let triangle = triangles[2u * t];
    return sphere_near(x, particles_in[triangle.x].position, particles_in[triangle.y].position,
                       particles_in[triangle.z].position, 1e-6 * own.edge);
}

// Words of a triangle in the order of its corners from the corner v on.
fn turned(corners: vec3u, words: vec3u, v: u32) -> vec3u {
    return select(select(words.zxy, words.yzx, corners.y == v), words, corners.x == v);
}
