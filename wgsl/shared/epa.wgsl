// How deep two cores are in each other: the face of A - B nearest to the origin, which lies in it. A polytope inside grows by
// supports beyond its nearest face until that is one of A - B itself [van den Bergen 2003].
#import shared/gjk

// Vertices and faces of the polytope at the most; it has two faces less than twice its vertices.
const EPA_VERTICES: u32 = 32u;
const EPA_FACES: u32 = 64u;
// Edges of the hole that a new vertex is joined to.
const EPA_EDGES: u32 = 32u;
// How far a face may be inside, as a part of the smaller core's size, and of that of both.
const EPA_NEAR: f32 = 2e-6;
const EPA_ROUNDING: f32 = 3e-7;
// A simplex is flat where a vertex is closer to the others than this part of its size.
const EPA_FLAT: f32 = 1e-5;

struct Epa {
    normal: vec3f,        // out of A - B: the way of a into b
    depth: f32,
    a: vec3f,             // the point of a that is deepest
    full: bool,           // there was no room to go on
}

var<private> epa_vertices: array<SupportPoint, EPA_VERTICES>;
var<private> epa_planes: array<vec4f, EPA_FACES>;
// Three vertices, of 8 bits each.
var<private> epa_corners: array<u32, EPA_FACES>;
// Two vertices.
var<private> epa_edges: array<u32, EPA_EDGES>;

// The face's plane, n and n x of its points; where it is so thin that it has none, it is never the nearest.
fn epa_plane(corners: u32) -> vec4f {
    let a = epa_vertices[corners & 0xffu].w;
    let b = epa_vertices[(corners >> 8u) & 0xffu].w;
    let c = epa_vertices[corners >> 16u].w;
    let n = cross(b - a, c - a);
    let l = length(n);
    if l <= 1e-7 * max(dot(b - a, b - a), dot(c - a, c - a)) {
        return vec4f(0.0, 0.0, 0.0, 3e38);
    }
    return vec4f(n / l, dot(n / l, a));
}

// A unit vector square to another.
fn square_to(n: vec3f) -> vec3f {
    let axis = select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), abs(n.x) > 0.6 * length(n));
    let side = cross(axis, n);
    return side / max(length(side), 1e-30);
}

// Fills a simplex up to four vertices that span a volume. Where A - B has none, a unit vector square to it; else 0.
fn epa_start(pair: Pair, given: u32) -> vec3f {
    let least = EPA_FLAT * pair.size;
    for (var k = 0u; k < 4u; k++) {
        epa_vertices[k] = simplex[k];
    }
    var count = given;
    let a = epa_vertices[0].w;
    // What the simplex has too little extent of is looked for again.
    if count > 1u && length(epa_vertices[1].w - a) <= least {
        count = 1u;
    }
    if count < 2u {
        var most = least;
        for (var k = 0u; k < 6u; k++) {
            let axis = vec3f(vec3u(k >> 1u) == vec3u(0u, 1u, 2u));
            let next = pair_support(pair, select(-axis, axis, (k & 1u) == 0u));
            let far = length(next.w - a);
            if far > most {
                most = far;
                epa_vertices[1] = next;
            }
        }
        if most <= least {
            return vec3f(0.0, 1.0, 0.0);
        }
        count = 2u;
    }
    let edge = normalize(epa_vertices[1].w - a);
    if count > 2u && length(cross(edge, epa_vertices[2].w - a)) <= least {
        count = 2u;
    }
    if count < 3u {
        var most = least;
        let side = square_to(edge);
        let other = cross(edge, side);
        for (var k = 0u; k < 4u; k++) {
            let axis = select(other, side, k < 2u);
            let next = pair_support(pair, select(-axis, axis, (k & 1u) == 0u));
            let far = length(cross(edge, next.w - a));
            if far > most {
                most = far;
                epa_vertices[2] = next;
            }
        }
        if most <= least {
            return side;
        }
        count = 3u;
    }
    let n = normalize(cross(edge, epa_vertices[2].w - a));
    if count > 3u && abs(dot(n, epa_vertices[3].w - a)) <= least {
        count = 3u;
    }
    if count < 4u {
        let up = pair_support(pair, n);
        let down = pair_support(pair, -n);
        let height = dot(n, up.w - a);
        let depth = dot(n, a - down.w);
        if height >= depth {
            epa_vertices[3] = up;
        } else {
            epa_vertices[3] = down;
        }
        if max(height, depth) <= least {
            return select(n, -n, dot(n, a) < 0.0);
        }
    }
    return vec3f();
}

fn epa(pair: Pair, given: u32) -> Epa {
    var found = Epa(vec3f(), 0.0, vec3f(), false);
    let flat = epa_start(pair, given);
    if any(abs(flat) > vec3f()) {
        // Nothing is inside of what is flat: it is left by either side at once.
        let up = pair_support(pair, flat);
        return Epa(flat, dot(flat, up.w), up.a, false);
    }
    let a = epa_vertices[0].w;
    let volume = dot(cross(epa_vertices[1].w - a, epa_vertices[2].w - a), epa_vertices[3].w - a);
    // Anticlockwise seen from outside.
    let turned = volume > 0.0;
    epa_corners[0] = select(0x020100u, 0x010200u, turned);
    epa_corners[1] = select(0x010300u, 0x030100u, turned);
    epa_corners[2] = select(0x020301u, 0x030201u, turned);
    epa_corners[3] = select(0x000302u, 0x030002u, turned);
    for (var k = 0u; k < 4u; k++) {
        epa_planes[k] = epa_plane(epa_corners[k]);
    }
    let tolerance = EPA_NEAR * min(pair.a.bound, pair.b.bound) + EPA_ROUNDING * pair.size;
    var faces = 4u;
    var corners = 0u;
    for (var fresh = 4u; fresh <= EPA_VERTICES; fresh++) {
        var best = vec4f(0.0, 0.0, 0.0, 3e38);
        let count = faces;
        for (var f = 0u; f < count; f++) {
            let plane = epa_planes[f];
            if plane.w < best.w {
                best = plane;
                corners = epa_corners[f];
            }
        }
        found.normal = best.xyz;
        found.depth = best.w;
        let next = pair_support(pair, best.xyz);
        if dot(best.xyz, next.w) - best.w <= tolerance {
            break;
        }
        if fresh == EPA_VERTICES {
            found.full = true;
            break;
        }
        // Faces that see the new vertex leave; the edges that only one of them had are those of the hole.
        epa_vertices[fresh] = next;
        var edges = 0u;
        faces = 0u;
        for (var f = 0u; f < count; f++) {
            let plane = epa_planes[f];
            let own = epa_corners[f];
            if plane.w > 1e38 || dot(plane.xyz, next.w) - plane.w <= 0.1 * tolerance {
                epa_planes[faces] = plane;
                epa_corners[faces] = own;
                faces++;
                continue;
            }
            for (var k = 0u; k < 3u; k++) {
                let i = (own >> (8u * k)) & 0xffu;
                let j = (own >> select(8u * k + 8u, 0u, k == 2u)) & 0xffu;
                let had = edges;
                var twin = had;
                for (var e = 0u; e < had; e++) {
                    if epa_edges[e] == (j | (i << 8u)) {
                        twin = e;
                    }
                }
                if twin < had {
                    edges--;
                    epa_edges[twin] = epa_edges[edges];
                } else {
                    found.full |= edges == EPA_EDGES;
                    epa_edges[min(edges, EPA_EDGES - 1u)] = i | (j << 8u);
                    edges = min(edges + 1u, EPA_EDGES);
                }
            }
        }
        if found.full || faces + edges > EPA_FACES {
            found.full = true;
            break;
        }
        let rim = edges;
        for (var e = 0u; e < rim; e++) {
            let own = epa_edges[e] | (fresh << 16u);
            epa_corners[faces] = own;
            epa_planes[faces] = epa_plane(own);
            faces++;
        }
    }
    // Where the nearest point of the face comes from in a.
    let p = epa_vertices[corners & 0xffu];
    let q = epa_vertices[(corners >> 8u) & 0xffu];
    let r = epa_vertices[corners >> 16u];
    let at = found.depth * found.normal;
    let weights = triangle_nearest(p.w - at, q.w - at, r.w - at).weights;
    found.a = weights.x * p.a + weights.y * q.a + weights.z * r.a;
    return found;
}
