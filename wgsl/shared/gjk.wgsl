// How far two cores are apart, and where: the point of A - B nearest to the origin, by the distance algorithm of Gilbert,
// Johnson and Keerthi [1988; van den Bergen 2003]. The nearest point of a simplex is found by brute force over its parts, which
// does not mind flat ones.
#import shared/collider

// Supports at the most.
const GJK_ROUNDS: u32 = 32u;
// Cores closer than this part of their size overlap: nothing tells the direction any more.
const GJK_TOUCH: f32 = 2e-6;
// How far the distance may be from the least, as a part of it, and of the size.
const GJK_NEAR: f32 = 1e-6;
const GJK_ROUNDING: f32 = 2e-7;
// A triangle is flat where the sine of its angle is below this.
const GJK_FLAT: f32 = 1e-5;

// A point of A - B.
struct SupportPoint {
    w: vec3f,
    a: vec3f,             // the point of A that it comes from
}

struct Gjk {
    way: vec3f,           // the least vector of A - B: from the nearest point of b to that of a
    apart: bool,          // they are farther apart than asked for
    a: vec3f,             // the nearest point of a
    overlap: bool,        // there is no least vector; the simplex stands in `simplex`
    count: u32,           // vertices of the simplex
}

var<private> simplex: array<SupportPoint, 4>;

// The point of A - B that is farthest along d.
fn pair_support(pair: Pair, d: vec3f) -> SupportPoint {
    let a = support(pair.a, d);
    return SupportPoint(a - support_of_b(pair, -d), a);
}

// Weight of q in the point of the segment from p to q nearest to the origin.
fn segment_weight(p: vec3f, q: vec3f) -> f32 {
    let d = q - p;
    return clamp(-dot(p, d) / max(dot(d, d), 1e-30), 0.0, 1.0);
}

// The point of the segment nearest to the origin, square to it where it is no end: what rounding leaves along it would turn the
// way where that is short.
fn segment_nearest(p: vec3f, q: vec3f, t: f32) -> vec3f {
    let d = q - p;
    let at = p + t * d;
    return select(select(at - (dot(at, d) / max(dot(d, d), 1e-30)) * d, q, t >= 1.0), p, t <= 0.0);
}

struct Nearest {
    point: vec3f,         // of the simplex, nearest to the origin
    weights: vec3f,       // of the triangle's corners there
}

fn triangle_nearest(a: vec3f, b: vec3f, c: vec3f) -> Nearest {
    let ab = b - a;
    let ac = c - a;
    let n = cross(ab, ac);
    let square = dot(n, n);
    if square > GJK_FLAT * GJK_FLAT * dot(ab, ab) * dot(ac, ac) {
        let weights = vec3f(dot(cross(b, c), n), dot(cross(c, a), n), dot(cross(a, b), n)) / square;
        if all(weights >= vec3f()) {
            // Of the corners the nearest loses least.
            let is_b = dot(b, b) < dot(a, a);
            let near = select(a, b, is_b);
            let corner = select(near, c, dot(c, c) < dot(near, near));
            return Nearest((dot(corner, n) / square) * n, weights / (weights.x + weights.y + weights.z));
        }
    }
    let t = vec3f(segment_weight(b, c), segment_weight(c, a), segment_weight(a, b));
    let pa = segment_nearest(b, c, t.x);
    let pb = segment_nearest(c, a, t.y);
    let pc = segment_nearest(a, b, t.z);
    let squares = vec3f(dot(pa, pa), dot(pb, pb), dot(pc, pc));
    if squares.z <= squares.x && squares.z <= squares.y {
        return Nearest(pc, vec3f(1.0 - t.z, t.z, 0.0));
    }
    if squares.y <= squares.x {
        return Nearest(pb, vec3f(t.y, 0.0, 1.0 - t.y));
    }
    return Nearest(pa, vec3f(0.0, 1.0 - t.x, t.x));
}

// `start`: a unit vector from b to a. `most` [m]: how far apart they may be at most for the rest to be found.
fn gjk(pair: Pair, start: vec3f, most: f32) -> Gjk {
    let touch = GJK_TOUCH * pair.size;
    var found = Gjk(start, false, vec3f(), false, 0u);
    var p0 = pair_support(pair, -start);
    if dot(p0.w, start) > most {
        found.apart = true;
        return found;
    }
    var p1 = p0;
    var p2 = p0;
    var p3 = p0;
    var count = 1u;
    var weights = vec4f(1.0, 0.0, 0.0, 0.0);
    var way = p0.w;
    var least = 0.0;
    for (var round = 0u; round < GJK_ROUNDS; round++) {
        let l = length(way);
        if l <= touch {
            found.overlap = true;
            break;
        }
        let next = pair_support(pair, -way);
        least = dot(next.w, way) / l;
        if least > most {
            found.apart = true;
            break;
        }
        let is_old = all(next.w == p0.w) || all(next.w == p1.w) || all(next.w == p2.w) || all(next.w == p3.w);
        if is_old || l - least <= GJK_NEAR * l + GJK_ROUNDING * pair.size {
            break;
        }
        // The simplex with the new vertex behind the others, and its point nearest to the origin.
        var nearest: Nearest;
        var new_weights = vec4f();
        if count == 1u {
            p1 = next;
            let t = segment_weight(p0.w, p1.w);
            nearest.point = segment_nearest(p0.w, p1.w, t);
            new_weights = vec4f(1.0 - t, t, 0.0, 0.0);
        } else if count == 2u {
            p2 = next;
            nearest = triangle_nearest(p0.w, p1.w, p2.w);
            new_weights = vec4f(nearest.weights, 0.0);
        } else {
            p3 = next;
            // Of the four faces the three at the new vertex: the origin is not beyond the old one.
            var best = 3e38;
            for (var k = 0u; k < 3u; k++) {
                let a = select(select(p2.w, p1.w, k == 1u), p0.w, k == 0u);
                let b = select(select(p0.w, p2.w, k == 1u), p1.w, k == 0u);
                let rest = select(select(p1.w, p0.w, k == 1u), p2.w, k == 0u);
                let n = cross(b - a, p3.w - a);
                let near = select(a, b, dot(b, b) < dot(a, a));
                let height = dot(n, rest - a);
                let depth = dot(n, -near);
                let scale = length(n) * pair.size;
                if abs(height) > 1e-6 * scale && sign(height) * depth > 0.0 {
                    continue;
                }
                let at = triangle_nearest(a, b, p3.w);
                let square = dot(at.point, at.point);
                if square < best {
                    best = square;
                    nearest = at;
                    let w = at.weights;
                    new_weights = vec4f(select(select(vec3f(w.y, 0.0, w.x), vec3f(0.0, w.x, w.y), vec3<bool>(k == 1u)),
                                               vec3f(w.x, w.y, 0.0), vec3<bool>(k == 0u)), w.z);
                }
            }
            if best > 1e38 {
                found.overlap = true;
                count = 4u;
                break;
            }
        }
        let is_nearer = dot(nearest.point, nearest.point) < l * l;
        if !is_nearer {
            break;
        }
        // Vertices without weight leave: from the last on, those behind one take its place.
        way = nearest.point;
        weights = new_weights;
        if weights.z <= 0.0 {
            p2 = p3;
            weights = vec4f(weights.xyw, 0.0);
        }
        if weights.y <= 0.0 {
            p1 = p2;
            p2 = p3;
            weights = vec4f(weights.xzw, 0.0);
        }
        if weights.x <= 0.0 {
            p0 = p1;
            p1 = p2;
            p2 = p3;
            weights = vec4f(weights.yzw, 0.0);
        }
        count = select(select(1u, 2u, weights.y > 0.0), 3u, weights.z > 0.0);
        if count < 2u {
            p1 = p0;
        }
        if count < 3u {
            p2 = p0;
        }
        p3 = p0;
    }
    // Where the search ends without a direction that parts them there is none.
    found.overlap |= !found.apart && least <= 0.0;
    found.way = way;
    found.a = weights.x * p0.a + weights.y * p1.a + weights.z * p2.a;
    found.count = count;
    simplex = array<SupportPoint, 4>(p0, p1, p2, p3);
    return found;
}
