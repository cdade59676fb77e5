// self_in_tets: one thread per tetrahedron of a body that may touch itself. Tests the surface points of its own body, but
// not those that are its corners or are joined to one of them by an edge.
// Reads particles_in, points, springs, bodies, tested, grid, tets; writes hits, counts.
#import shared/visit

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(5) var<storage, read> springs: array<SpringEnd>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(28) var<storage, read> tested: array<vec4f>;
@group(0) @binding(29) var<storage, read> grid: array<u32>;
@group(0) @binding(30) var<storage, read> tets: array<Tet>;
