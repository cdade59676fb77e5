// How deep two cores are in each other: the face of A - B nearest to the origin, which lies in it. A polytope inside grows by
// supports beyond its nearest face until that is one of A - B itself [van den Bergen 2003].
#import shared/gjk

// Vertices and faces of the polytope at the most; it has two faces less than twice its vertices.
const EPA_VERTICES: u32 = 32u;
const EPA_FACES: u32 = 64u;
// Edges of the hole that a new vertex is joined to.
const EPA_EDGES: u32 = 32u;
// How often the faces are gone through for those that see a new vertex.
const EPA_PASSES: u32 = 8u;
// Of three vertices: the face is gone.
const EPA_REMOVED: u32 = 0xffffffu;
// How far a face may be inside, as a part of the smaller core's size, and of that of both.
const EPA_NEAR: f32 = 2e-6;
const EPA_ROUNDING: f32 = 3e-7;
// Faces that differ by no more than this are in one plane.
const EPA_SAME: f32 = 1e-5;
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
var<private> epa_edge_count: u32;

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

// Edge k of a face, from its first vertex to its second.
fn epa_edge(corners: u32, k: u32) -> u32 {
    return select((corners >> (8u * k)) & 0xffffu, (corners >> 16u) | ((corners & 0xffu) << 8u), k == 2u);
}

// Which of the hole's edges goes the other way; their number where none does.
fn epa_twin(edge: u32) -> u32 {
    let other = (edge >> 8u) | ((edge & 0xffu) << 8u);
    let count = epa_edge_count;
    for (var e = 0u; e < count; e++) {
        if epa_edges[e] == other {
            return e;
        }
    }
    return count;
}

// Whether a face has an edge of the hole.
fn epa_at_rim(corners: u32) -> bool {
    let count = epa_edge_count;
    return epa_twin(epa_edge(corners, 0u)) < count || epa_twin(epa_edge(corners, 1u)) < count ||
        epa_twin(epa_edge(corners, 2u)) < count;
}

// Takes a face away: the hole has those of its edges that it did not have.
fn epa_remove(f: u32) {
    let corners = epa_corners[f];
    epa_corners[f] = EPA_REMOVED;
    epa_planes[f] = vec4f(0.0, 0.0, 0.0, 3e38);
    for (var k = 0u; k < 3u; k++) {
        let edge = epa_edge(corners, k);
        let twin = epa_twin(edge);
        if twin < epa_edge_count {
            epa_edge_count--;
            epa_edges[twin] = epa_edges[epa_edge_count];
        } else if epa_edge_count < EPA_EDGES {
            epa_edges[epa_edge_count] = edge;
            epa_edge_count++;
        }
    }
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
    for (var fresh = 4u; fresh < EPA_VERTICES + 1u; fresh++) {
        var best = vec4f(0.0, 0.0, 0.0, 3e38);
        var nearest = 0u;
        let count = faces;
        for (var f = 0u; f < count; f++) {
            let plane = epa_planes[f];
            if plane.w < best.w {
                best = plane;
                nearest = f;
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
        // The face leaves, and with it those beside it that see the new vertex; what is left has one hole, whatever rounding does
        // to the planes of thin faces.
        epa_vertices[fresh] = next;
        epa_edge_count = 0u;
        epa_remove(nearest);
        var removed = 1u;
        for (var round = 0u; round < EPA_PASSES; round++) {
            let before = removed;
            for (var f = 0u; f < count; f++) {
                let plane = epa_planes[f];
                if dot(plane.xyz, next.w) - plane.w > 0.1 * tolerance && epa_at_rim(epa_corners[f]) {
                    epa_remove(f);
                    removed++;
                }
            }
            if removed == before {
                break;
            }
        }
        faces = 0u;
        for (var f = 0u; f < count; f++) {
            let own = epa_corners[f];
            if own < EPA_REMOVED {
                epa_planes[faces] = epa_planes[f];
                epa_corners[faces] = own;
                faces++;
            }
        }
        let edges = epa_edge_count;
        if edges == EPA_EDGES || faces + edges > EPA_FACES {
            found.full = true;
            break;
        }
        for (var e = 0u; e < edges; e++) {
            let own = epa_edges[e] | (fresh << 16u);
            epa_corners[faces] = own;
            epa_planes[faces] = epa_plane(own);
            faces++;
        }
    }
    // Where the nearest point of the face comes from in a. Of several faces in one plane it may be in another one.
    let at = found.depth * found.normal;
    var least = 3e38;
    let last = faces;
    for (var f = 0u; f < last; f++) {
        let plane = epa_planes[f];
        if plane.w > found.depth + EPA_SAME * pair.size || dot(plane.xyz, found.normal) < 1.0 - EPA_SAME {
            continue;
        }
        let corners = epa_corners[f];
        let p = epa_vertices[corners & 0xffu];
        let q = epa_vertices[(corners >> 8u) & 0xffu];
        let r = epa_vertices[corners >> 16u];
        let near = triangle_nearest(p.w - at, q.w - at, r.w - at);
        let square = dot(near.point, near.point);
        if square < least {
            least = square;
            found.a = near.weights.x * p.a + near.weights.y * q.a + near.weights.z * r.a;
        }
    }
    return found;
}
