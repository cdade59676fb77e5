// sphere_find: one thread per particle. The partners of each sphere: spheres of other bodies on its own level or a wider
// one, so that of unlike spheres the smaller one lists the pair, and triangles. They are partners where the distance along
// the contact's normal is less than reach + margins + the way that they come closer in this step, at most MAX_AHEAD edges;
// behind a triangle no way counts: one that moves away from the body comes at those of its triangles that face away. Of
// triangles those count whose nearest point c is a local minimum of the distance to their body's surface: none of the
// sides around c leads towards the centre. Where there is no room the nearest stay. Then of each body's triangles that
// with the least score takes those whose c is next to its own; those that have the centre behind them; and, where the
// centre is behind itself, all others; the next one that is left does the same, and so on. Words in ascending order.
// Reads particles_in, points, bodies, overlaps, triangles, sphere_grid; writes sphere_hits.
#import shared/sphere
#import shared/sphere_list
#import shared/sphere_local
#import shared/sphere_places
#import shared/overlaps

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(80) var<storage, read> sphere_grid: array<u32>;

// The sphere that looks for partners.
struct Seeker {
    i: u32,
    b: u32,
    p: Particle,
    own: Body,
}

// Cells of one level.
struct Cells {
    first: vec3i,
    size: vec3u,
}

fn cells(low: vec3f, high: vec3f, level: u32) -> Cells {
    let first = sphere_cell(low, level);
    return Cells(first, min(vec3u(sphere_cell(high, level) - first) + 1u, vec3u(MAX_CELLS)));
}

fn enter_sphere(seeker: Seeker, count: u32, j: u32) -> u32 {
    let base = list_spheres(seeker.i);
    if count < MAX_SPHERE_HITS {
        list_insert(base, count, j);
        return count + 1u;
    }
    var worst = Worst(0.0, 0u, 0u);
    for (var k = 0u; k < count + 1u; k++) {
        let word = select(sphere_hits[base + min(k, count - 1u)], j, k == count);
        let apart = distance(seeker.p.position, particles_in[word].position) - bodies[points[word].body].radius;
        worst = worst_of(worst, apart, word, k);
    }
    list_replace(seeker.i, base, count, worst, j);
    return count;
}

fn enter_triangle(seeker: Seeker, count: u32, t: u32) -> u32 {
    let base = list_triangles(seeker.i);
    if count < MAX_TRIANGLE_HITS {
        list_insert(base, count, t);
        return count + 1u;
    }
    var worst = Worst(0.0, 0u, 0u);
    for (var k = 0u; k < count + 1u; k++) {
        let word = select(sphere_hits[base + min(k, count - 1u)], t, k == count);
        worst = worst_of(worst, near_triangle(seeker.p.position, seeker.own, word).score, word, k);
    }
    list_replace(seeker.i, base, count, worst, t);
    return count;
}

fn ahead(v: vec3f, n: vec3f, edge: f32) -> f32 {
    return min(sim.step * max(0.0, -dot(v, n)), MAX_AHEAD * edge);
}

// No way ahead is longer.
fn farthest_ahead(seeker: Seeker) -> f32 {
    let most = MAX_AHEAD * seeker.own.edge;
    let others = overlaps[OVERLAP_STRIDE * seeker.b + MAX_OVERLAPS];
    let v = seeker.p.velocity;
    return min(sim.step * length(max(abs(v - others.low), abs(v - others.high))), most);
}

fn spheres_touch(p: Particle, own: Body, q: Particle, other: Body) -> bool {
    let d = p.position - q.position;
    let s = length(d);
    let n = select(vec3f(0.0, 1.0, 0.0), d / max(s, 1e-30), s > 0.0);
    let slack = own.margin + other.margin + ahead(p.velocity - q.velocity, n, min(own.edge, other.edge));
    return s - (own.radius + other.radius) < slack;
}

fn triangle_touches(p: Particle, own: Body, triangle: vec4u, near: Near) -> bool {
    let v = near.weights.x * particles_in[triangle.x].velocity + near.weights.y * particles_in[triangle.y].velocity
        + near.weights.z * particles_in[triangle.z].velocity;
    let way = select(0.0, ahead(p.velocity - v, near.normal, own.edge), near.distance >= 0.0);
    return !near.is_flat && abs(near.distance) < own.radius + own.margin + bodies[triangle.w].margin + way;
}

// Whether a triangle is met in this cell: it stands on this level, and of its cells that are visited this is the first.
fn met_here(triangle: vec4u, cell: vec3i, visited: vec3i, level: u32) -> bool {
    let a = particles_in[triangle.x].position;
    let b = particles_in[triangle.y].position;
    let c = particles_in[triangle.z].position;
    let low = min(a, min(b, c));
    return all(cell == max(visited, sphere_cell(low, level)))
        && is_triangle_level(low, max(a, max(b, c)), level);
}

fn try_sphere(seeker: Seeker, count: u32, j: u32, cell: vec3i, level: u32) -> u32 {
    let o = points[j].body;
    let q = particles_in[j];
    if o == seeker.b || any(sphere_cell(q.position, level) != cell) || !overlap_meet(seeker.b, o) {
        return count;
    }
    let other = bodies[o];
    if !is_sphere_level(other, level) || !spheres_touch(seeker.p, seeker.own, q, other) {
        return count;
    }
    return enter_sphere(seeker, count, j);
}

fn try_triangle(seeker: Seeker, count: u32, t: u32, cell: vec3i, visited: vec3i, level: u32) -> u32 {
    let triangle = triangles[2u * t];
    if triangle.w == seeker.b || !overlap_meet(seeker.b, triangle.w) || !met_here(triangle, cell, visited, level) {
        return count;
    }
    let x = seeker.p.position;
    let near = near_triangle(x, seeker.own, t);
    if !triangle_touches(seeker.p, seeker.own, triangle, near) || !is_local(x, t, near) {
        return count;
    }
    return enter_triangle(seeker, count, t);
}

// Lists of spheres and of triangles may share a slot.
fn visit_spheres(seeker: Seeker, before: u32, within: Cells, level: u32) -> u32 {
    var count = before;
    for (var cz = 0u; cz < within.size.z; cz++) {
        for (var cy = 0u; cy < within.size.y; cy++) {
            for (var cx = 0u; cx < within.size.x; cx++) {
                let cell = within.first + vec3i(vec3u(cx, cy, cz));
                var node = sphere_grid[sphere_slot(cell, level, 0u, replica(seeker.b))];
                for (var k = 0u; k < MAX_LIST; k++) {
                    if node == NONE {
                        break;
                    }
                    if node < sim.particle_count {
                        count = try_sphere(seeker, count, node, cell, level);
                    }
                    node = sphere_grid[sphere_next(node)];
                }
            }
        }
    }
    return count;
}

fn visit_triangles(seeker: Seeker, before: u32, within: Cells, level: u32) -> u32 {
    var count = before;
    for (var cz = 0u; cz < within.size.z; cz++) {
        for (var cy = 0u; cy < within.size.y; cy++) {
            for (var cx = 0u; cx < within.size.x; cx++) {
                let cell = within.first + vec3i(vec3u(cx, cy, cz));
                var node = sphere_grid[sphere_slot(cell, level, 1u, replica(seeker.b))];
                for (var k = 0u; k < MAX_LIST; k++) {
                    if node == NONE {
                        break;
                    }
                    if node >= sim.particle_count {
                        let t = (node - sim.particle_count) / 8u;
                        count = try_triangle(seeker, count, t, cell, within.first, level);
                    }
                    node = sphere_grid[sphere_next(node)];
                }
            }
        }
    }
    return count;
}

// Leaves of each body's triangles those that count; how many.
fn reduce(seeker: Seeker, count: u32) -> u32 {
    let base = list_triangles(seeker.i);
    let x = seeker.p.position;
    var open = (1u << count) - 1u;
    var kept = 0u;
    for (var round = 0u; round < count; round++) {
        // The least score of those that are open.
        var best = NONE;
        var score = 0.0;
        for (var k = 0u; k < count; k++) {
            if (open & (1u << k)) != 0u {
                let near = near_triangle(x, seeker.own, sphere_hits[base + k]);
                if best == NONE || near.score < score {
                    best = k;
                    score = near.score;
                }
            }
        }
        if best == NONE {
            break;
        }
        kept |= 1u << best;
        let t = sphere_hits[base + best];
        let near = near_triangle(x, seeker.own, t);
        let c = near_point(t, near.weights);
        for (var k = 0u; k < count; k++) {
            let other = sphere_hits[base + k];
            if (open & (1u << k)) != 0u && triangles[2u * other].w == triangles[2u * t].w {
                let o = near_triangle(x, seeker.own, other);
                let apart = distance(near_point(other, o.weights), c);
                if k == best || near.distance < 0.0 || o.distance < 0.0 || apart <= SAME_POINT * seeker.own.radius {
                    open &= ~(1u << k);
                }
            }
        }
    }
    var left = 0u;
    for (var k = 0u; k < count; k++) {
        if (kept & (1u << k)) != 0u {
            sphere_hits[base + left] = sphere_hits[base + k];
            left++;
        }
    }
    return left;
}

@compute @workgroup_size(64)
fn sphere_find(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let b = points[i].body;
    let seeker = Seeker(i, b, particles_in[i], bodies[b]);
    if !(seeker.own.radius > 0.0) {
        return;
    }
    sphere_hits[list_dropped(i)] = 0u;
    let x = seeker.p.position;
    // A little more, for what is rounded.
    let reach = 1.001 * (seeker.own.radius + seeker.own.margin + collide.margin + farthest_ahead(seeker));
    let around = overlap_clip(b, x - reach, x + reach);
    var spheres = 0u;
    var surfaces = 0u;
    if seeker.own.touching != 0u && all(around.low <= around.high) {
        // Only the levels that have something.
        var left = sphere_grid[sphere_levels_word(1u)];
        for (var k = 0u; k < collide.sphere_levels; k++) {
            if left == 0u {
                break;
            }
            let level = firstTrailingBit(left);
            left &= left - 1u;
            surfaces = visit_triangles(seeker, surfaces, cells(around.low, around.high, level), level);
        }
        left = sphere_grid[sphere_levels_word(0u)] & ~((1u << sphere_level(seeker.own)) - 1u);
        for (var k = 0u; k < collide.sphere_levels; k++) {
            if left == 0u {
                break;
            }
            let level = firstTrailingBit(left);
            left &= left - 1u;
            let widest = collide.sphere_size * f32(1u << level);
            spheres = visit_spheres(seeker, spheres, cells(around.low - widest, around.high + widest, level), level);
        }
    }
    if surfaces > 1u {
        surfaces = reduce(seeker, surfaces);
    }
    sphere_hits[list_counts(i)] = spheres;
    sphere_hits[list_counts(i) + 1u] = surfaces;
}
