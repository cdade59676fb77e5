// Where two cores touch along a normal: what of both sides' faces lies over each other, down to four points. All in the axes
// of a pair; a face's points stand as (x, y) across the normal and the height along it.
#import shared/collider

@group(0) @binding(195) var<storage, read> manifold_points_last: array<ManifoldPoint>;

// Points of two faces over each other: each corner of both, and two on each edge of one.
const CLIP_POINTS: u32 = 48u;
// A face whose normal has a smaller cosine to the contact's is seen from the side: its edge that is foremost touches.
const STEEP: f32 = 0.2;
// Edges with a smaller sine between them lie along each other.
const PARALLEL: f32 = 0.01;
// How far outside a face is on its edge, as a part of the size.
const CLIP_ROUNDING: f32 = 1e-6;
// Points closer than this part of the smaller one's size are one, and of what touched before those that are nearer by less as near.
const CLIP_SAME: f32 = 1e-3;
// What is larger by this is larger.
const CLIP_MORE: f32 = 1.001;
// An axis that no symmetry has.
const CLIP_AXIS: vec2f = vec2f(0.81, 0.59);

// A face, edge or corner over the plane of the contact.
struct Footprint {
    count: u32,
    slope: vec2f,         // of its height, over the plane
}

struct Found {
    count: u32,
    least: f32,           // the least distance along the normal of two points over each other
}

// Points of a's footprint, and from MAX_LOOP on of b's, as (x, y, height); a's clockwise seen against the normal, b's the other
// way.
var<private> footprints: array<vec3f, 2u * MAX_LOOP>;
// Points of both over each other: (x, y, height of a's, distance along the normal).
var<private> clipped: array<vec4f, CLIP_POINTS>;
var<private> clipped_count: u32;
// Those of the manifold.
var<private> chosen: array<vec4f, MANIFOLD>;

// The basis (u, v, n) of a unit vector [Duff 2017].
fn basis_of(n: vec3f) -> mat3x3f {
    let s = select(-1.0, 1.0, n.z >= 0.0);
    let a = -1.0 / (s + n.z);
    let b = n.x * n.y * a;
    return mat3x3f(vec3f(1.0 + s * n.x * n.x * a, s * b, -s * n.x), vec3f(b, s + n.y * n.y * a, -n.y), n);
}

fn cross2(a: vec2f, b: vec2f) -> f32 {
    return a.x * b.y - a.y * b.x;
}

// The footprint of a feature from `first` on in `footprints`, `side` 1 of b and -1 of a. Of steep faces only
// the foremost edge is taken, of edges that point at the other side the foremost end.
fn footprint_of(f: Feature, c: Collider, axes: mat3x3f, offset: vec3f, first: u32, side: f32) -> Footprint {
    let total = f.count;
    let normal = axes * f.normal;
    var foremost = 0u;
    var most = -3e38;
    var before = 0.0;
    for (var k = 0u; k < total + 1u; k++) {
        // Behind the last corner comes the first again: heights of edges are compared.
        let point = offset + axes * feature_corner(f, c, select(k, 0u, k == total));
        if k < total {
            footprints[first + k] = point;
        }
        let height = side * (before + point.z);
        if k > 0u && height > most {
            most = height;
            foremost = k - 1u;
        }
        before = point.z;
    }
    if total > 2u && side * normal.z >= STEEP {
        return Footprint(total, -normal.xy / normal.z);
    }
    let p = footprints[first + foremost];
    let q = footprints[first + select(foremost + 1u, 0u, foremost + 1u == total)];
    let d = q - p;
    let square = dot(d.xy, d.xy);
    if square <= STEEP * STEEP * dot(d, d) {
        footprints[first] = select(p, q, side * d.z > 0.0);
        return Footprint(1u, vec2f());
    }
    footprints[first] = p;
    footprints[first + 1u] = q;
    return Footprint(2u, d.xy * (d.z / square));
}

fn add_clipped(at: vec2f, height: f32, distance: f32, most: f32) {
    if distance <= most && clipped_count < CLIP_POINTS {
        clipped[clipped_count] = vec4f(at, height, distance);
        clipped_count++;
    }
}

// The part of the segment from p to q that lies over the polygon from `first` on in `footprints`, whose loop turns anticlockwise
// where `turn` is 1 and clockwise where it is -1 [Cyrus and Beck 1978]; without one the end comes before the start.
fn part_over(p: vec2f, q: vec2f, first: u32, count: u32, turn: f32, slack: f32) -> vec2f {
    var part = vec2f(0.0, 1.0);
    var corner = footprints[first + count - 1u].xy;
    for (var k = 0u; k < count; k++) {
        let next = footprints[first + k].xy;
        let side = next - corner;
        // How far inside the two ends are, times the side's length.
        let margin = slack * length(side);
        let start = turn * cross2(side, p - corner) + margin;
        let end = turn * cross2(side, q - corner) + margin;
        corner = next;
        if start < 0.0 && end < 0.0 {
            return vec2f(1.0, 0.0);
        }
        let at = start / select(start - end, 1.0, start == end);
        part.x = select(part.x, max(part.x, at), start < 0.0);
        part.y = select(part.y, min(part.y, at), end < 0.0);
    }
    return part;
}

// Fills `clipped` with the points of two footprints over each other that are no farther apart than `most`.
fn clip_footprints(a: Footprint, b: Footprint, most: f32, size: f32) {
    clipped_count = 0u;
    let slack = CLIP_ROUNDING * size;
    if a.count < 3u && b.count < 3u {
        if a.count == 2u && b.count == 2u {
            clip_edges(a, b, most);
        }
        return;
    }
    // The edges of one, the guest, over the face of the other, the host.
    let is_b_host = b.count > 2u;
    let guest = select(MAX_LOOP, 0u, is_b_host);
    let host = MAX_LOOP - guest;
    let guests = select(b.count, a.count, is_b_host);
    let hosts = select(a.count, b.count, is_b_host);
    let turn = select(-1.0, 1.0, is_b_host);
    let slope = select(a.slope, b.slope, is_b_host);
    let level = footprints[host];
    let edges = select(guests, 1u, guests < 3u);
    for (var k = 0u; k < edges; k++) {
        let p = footprints[guest + k];
        let q = footprints[guest + select(k + 1u, 0u, k + 1u == guests)];
        let part = part_over(p.xy, q.xy, host, hosts, turn, slack);
        if part.x > part.y {
            continue;
        }
        for (var end = 0u; end < 2u; end++) {
            // A corner is the start of its edge.
            if end == 1u && (guests == 1u || (guests > 2u && part.y >= 1.0)) {
                continue;
            }
            let t = select(part.x, part.y, end == 1u);
            let own = p + t * (q - p);
            let other = level.z + dot(slope, own.xy - level.xy);
            let distance = select(other - own.z, own.z - other, is_b_host);
            add_clipped(own.xy, select(other, own.z, is_b_host), distance, most);
        }
    }
    if a.count > 2u && b.count > 2u {
        // Corners of b over a.
        let floor = footprints[0];
        for (var k = 0u; k < b.count; k++) {
            let p = footprints[MAX_LOOP + k];
            let part = part_over(p.xy, p.xy, 0u, a.count, -1.0, slack);
            if part.x <= part.y {
                let height = floor.z + dot(a.slope, p.xy - floor.xy);
                add_clipped(p.xy, height, height - p.z, most);
            }
        }
    }
}

// Two edges that lie along each other, over each other.
fn clip_edges(a: Footprint, b: Footprint, most: f32) {
    let p = footprints[0];
    let q = footprints[1];
    let start = footprints[MAX_LOOP];
    let end = footprints[MAX_LOOP + 1u];
    let d = q.xy - p.xy;
    let e = end.xy - start.xy;
    if abs(cross2(d, e)) > PARALLEL * length(d) * length(e) {
        return;
    }
    let s = dot(start.xy - p.xy, d) / dot(d, d);
    let t = dot(end.xy - p.xy, d) / dot(d, d);
    let low = max(0.0, min(s, t));
    let high = min(1.0, max(s, t));
    if low > high {
        return;
    }
    for (var k = 0u; k < 2u; k++) {
        let own = p + select(low, high, k == 1u) * (q - p);
        let other = start.z + dot(b.slope, own.xy - start.xy);
        add_clipped(own.xy, own.z, own.z - other, most);
    }
}

// All corners of a over a plane below.
fn clip_plane(a: Footprint, level: f32, most: f32) {
    clipped_count = 0u;
    for (var k = 0u; k < a.count; k++) {
        let p = footprints[k];
        add_clipped(p.xy, p.z, p.z - level, most);
    }
}

// Of `clipped` into `chosen`: the foremost along `axis`, or the nearest where that is nearer; the one farthest from it, and on
// either side of the line between them the one that spans the largest triangle; of equal ones the first. Of faces that lie on each
// other all points are about as near: by which is the nearest, round ones would touch elsewhere after each search, without
// impulses to start from. So of what `stays` the nearest has to be nearer by more than that. Gives their number.
fn choose(size: f32, stays: bool, axis: vec2f) -> u32 {
    let count = clipped_count;
    if count == 0u {
        return 0u;
    }
    let same = CLIP_SAME * size;
    var nearest = clipped[0];
    var first = clipped[0];
    for (var k = 1u; k < count; k++) {
        let p = clipped[k];
        if p.w < nearest.w {
            nearest = p;
        }
        if dot(p.xy, axis) > dot(first.xy, axis) {
            first = p;
        }
    }
    if nearest.w < first.w - select(0.0, same, stays) {
        first = nearest;
    }
    var second = first;
    var most = same * same;
    for (var k = 0u; k < count; k++) {
        let p = clipped[k];
        let far = dot(p.xy - first.xy, p.xy - first.xy);
        if far > CLIP_MORE * most {
            most = far;
            second = p;
        }
    }
    chosen[0] = first;
    chosen[1] = second;
    if most <= same * same {
        chosen[0] = nearest;
        return 1u;
    }
    let line = second.xy - first.xy;
    let least = same * length(line);
    var left = least;
    var right = -least;
    for (var k = 0u; k < count; k++) {
        let p = clipped[k];
        let area = cross2(line, p.xy - first.xy);
        if area > CLIP_MORE * left {
            left = area;
            chosen[2] = p;
        }
        if area < CLIP_MORE * right {
            right = area;
            chosen[3] = p;
        }
    }
    let has_left = left > least;
    if right < -least {
        if !has_left {
            chosen[2] = chosen[3];
        }
        return select(3u, 4u, has_left);
    }
    return select(2u, 3u, has_left);
}
