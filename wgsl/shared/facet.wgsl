// Triangles of held meshes. A normal n that is found for one of them alone is the mesh's where the mesh around what of the
// triangle is foremost along n, a corner, an edge or its face, lies behind the plane that n is square to there: w n <= 0 along each
// way w from it. Others are those of inner edges, over which a body slides and rolls as if they were not there.
#import shared/collider

// A sine that is no more than this is none.
const FACET_FLAT: f32 = 1e-3;
// A normal that has less than this out of a triangle is along it.
const FACET_ALONG: f32 = 0.3;

// What the mesh says of a normal.
struct FacetNormal {
    n: vec3f,             // out of the triangle, in its axes
    is_given: bool,       // the one that was asked for, or the face's that it stands for
    is_level: bool,       // nothing of the mesh around falls away behind the plane of the triangle
    is_low: bool,         // nor is all of it in that plane: it rises
    is_blind: bool,       // it tells no side: a closed mesh is more in front of what touches it than behind, an open one beside it
}

// Whether a collider is a triangle whose neighbours are known.
fn is_facet(c: Collider) -> bool {
    return c.kind == COLLIDER_TRIANGLE && bitcast<u32>(hull_vertices[c.first_vertex].w) != 0u;
}

// The corners of a triangle that are foremost along n, a bit each.
fn facet_foremost(c: Collider, n: vec3f) -> u32 {
    let far = hull_support(c, n);
    var found = 0u;
    for (var k = 0u; k < 3u; k++) {
        let way = hull_vertices[c.first_vertex + k].xyz - far;
        found |= select(0u, 1u << k, dot(way, n) >= -FACET_FLAT * length(way));
    }
    return found;
}

// `given` points out of the triangle, `other` to the middle of what it touches, both in the triangle's axes. The side of an open mesh
// is the one on which the given normal points out: the middle of a flat body that lies on a bend is behind the planes beside it.
// Rounding decides the side of a normal along the triangle.
fn facet_normal(c: Collider, given: vec3f, other: vec3f) -> FacetNormal {
    let front = hull_faces[c.first_face].normal;
    let is_closed = c.face_count == 1u;
    let outwards = dot(given, front);
    let side = select(1.0, -1.0, !is_closed && outwards < 0.0);
    let is_blind = select(abs(outwards) < FACET_ALONG, dot(other, front) <= 0.0, is_closed);
    var found = FacetNormal(side * front, true, false, false, is_blind);
    let foremost = facet_foremost(c, given);
    if foremost == 7u {
        found.is_given = side * outwards > 0.0;
        return found;
    }
    // The ways from what is foremost: over an edge there is one, around a corner there are several.
    var first = c.first_vertex + 3u + select(0u, select(2u, 1u, foremost == 6u), foremost != 3u);
    var count = 1u;
    var normal = vec3f();
    if countOneBits(foremost) == 1u {
        first = bitcast<u32>(hull_vertices[c.first_vertex + firstTrailingBit(foremost)].w);
        normal = hull_vertices[first - 1u].xyz;
        count = bitcast<u32>(hull_vertices[first - 1u].w);
    }
    var ahead = -1.0;
    var low = 1.0;
    var high = -1.0;
    for (var k = 0u; k < count; k++) {
        let way = hull_vertices[first + k].xyz;
        ahead = max(ahead, dot(way, given));
        low = min(low, dot(way, found.n));
        high = max(high, dot(way, found.n));
    }
    // Edges that are folded backwards are in front, flat ones on the side of the normal; of a corner its mean normal tells.
    let fold = side * high;
    let is_front = select(fold < -FACET_FLAT || (fold <= FACET_FLAT && outwards > 0.0), dot(given, normal) > 0.0,
                          countOneBits(foremost) == 1u);
    found.is_given = ahead <= FACET_FLAT && (!is_closed || is_front);
    found.is_level = low >= -FACET_FLAT;
    found.is_low = found.is_level && high > FACET_FLAT;
    found.n = select(found.n, given, found.is_given);
    return found;
}
