// What queries ask about: ranges of one body's triangles, tetrahedra or spheres, body by body.
#import shared/sim

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(140) var<uniform> query: Query;
@group(0) @binding(141) var<storage, read> query_pieces: array<QueryPiece>;
@group(0) @binding(142) var<storage, read> query_elements: array<vec4u>;

// Farther than anything.
const FAR: f32 = 3e38;

// Where a corner of an element is.
fn corner(e: u32, k: u32) -> vec3f {
    return particles_in[query_elements[e][k]].position;
}
