// sphere_find: one thread per particle. The partners of each sphere: spheres of other bodies with a higher number, and of
// each body of tetrahedra the nearest surface triangle, where the distance along the contact's normal is less than
// reach + margins + the way that they come closer in this step, at most MAX_AHEAD edges; behind a triangle no way counts:
// one that moves away from the body comes at those of its triangles that face away. Words in ascending order; beyond
// MAX_SPHERE_HITS the highest are dropped, and the last word of the list is set.
// Reads particles_in, points, bodies, overlaps, triangles, sphere_grid; writes sphere_hits, counts.
#import shared/sphere
#import shared/sphere_triangle
#import shared/overlaps

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(40) var<storage, read_write> counts: array<u32>;
@group(0) @binding(80) var<storage, read> sphere_grid: array<u32>;
@group(0) @binding(81) var<storage, read_write> sphere_hits: array<u32>;
@group(0) @binding(82) var<storage, read> triangles: array<vec4u>;

// Enters a word in the list of sphere i, which has `count`; the new count.
fn list_enter(i: u32, count: u32, word: u32) -> u32 {
    var place = 0u;
    for (var k = 0u; k < count; k++) {
        let other = sphere_hits[sphere_hit(i, k)];
        if other == word {
            return count;
        }
        place += select(0u, 1u, other < word);
    }
    if count == MAX_SPHERE_HITS {
        sphere_hits[sphere_hit(i, MAX_SPHERE_HITS)] = 1u;
        if place == count {
            return count;
        }
    }
    let last = min(count, MAX_SPHERE_HITS - 1u);
    for (var k = place; k < last; k++) {
        let behind = sphere_hit(i, last + place - k);
        sphere_hits[behind] = sphere_hits[behind - 1u];
    }
    sphere_hits[sphere_hit(i, place)] = word;
    return last + 1u;
}

fn ahead(v: vec3f, n: vec3f, edge: f32) -> f32 {
    return min(sim.step * max(0.0, -dot(v, n)), MAX_AHEAD * edge);
}

fn spheres_touch(p: Particle, own: Body, q: Particle, other: Body) -> bool {
    let d = p.position - q.position;
    let s = length(d);
    let n = select(vec3f(0.0, 1.0, 0.0), d / max(s, 1e-30), s > 0.0);
    let slack = own.margin + other.margin + ahead(p.velocity - q.velocity, n, min(own.edge, other.edge));
    return s - (own.radius + other.radius) < slack;
}

fn near_triangle(p: Particle, own: Body, t: u32) -> Near {
    let triangle = triangles[t];
    return sphere_near(p.position, particles_in[triangle.x].position, particles_in[triangle.y].position,
                       particles_in[triangle.z].position, 1e-6 * own.edge);
}

fn triangle_touches(p: Particle, own: Body, t: u32, near: Near) -> bool {
    let triangle = triangles[t];
    let v = near.weights.x * particles_in[triangle.x].velocity + near.weights.y * particles_in[triangle.y].velocity
        + near.weights.z * particles_in[triangle.z].velocity;
    let way = select(0.0, ahead(p.velocity - v, near.normal, own.edge), near.distance >= 0.0);
    return !near.is_flat && abs(near.distance) < own.radius + own.margin + bodies[triangle.w].margin + way;
}

// Of two triangles of one body the one with the lower score stays, and where they are equal the lower one.
fn enter_nearest(i: u32, p: Particle, own: Body, count: u32, t: u32, near: Near) -> u32 {
    for (var k = 0u; k < count; k++) {
        let word = sphere_hits[sphere_hit(i, k)];
        let other = word & ~TRIANGLE_BIT;
        if word != other && triangles[other].w == triangles[t].w {
            let score = near_triangle(p, own, other).score;
            if near.score > score || (near.score == score && t >= other) {
                return count;
            }
            for (var j = k + 1u; j < count; j++) {
                sphere_hits[sphere_hit(i, j - 1u)] = sphere_hits[sphere_hit(i, j)];
            }
            return list_enter(i, count - 1u, t | TRIANGLE_BIT);
        }
    }
    return list_enter(i, count, t | TRIANGLE_BIT);
}

fn find_spheres(i: u32, p: Particle, b: u32, own: Body, reach: f32) -> u32 {
    var count = 0u;
    let first = sphere_cell(p.position - reach, 0u);
    let size = min(vec3u(sphere_cell(p.position + reach, 0u) - first) + 1u, vec3u(MAX_CELLS));
    for (var cz = 0u; cz < size.z; cz++) {
        for (var cy = 0u; cy < size.y; cy++) {
            for (var cx = 0u; cx < size.x; cx++) {
                var j = sphere_grid[sphere_slot(first + vec3i(vec3u(cx, cy, cz)), 0u)];
                for (var k = 0u; k < MAX_LIST; k++) {
                    // Lists of spheres and of triangles may share a slot.
                    if j == NONE {
                        break;
                    }
                    if j > i && j < sim.particle_count {
                        let o = points[j].body;
                        if o != b && overlap_meet(b, o) && spheres_touch(p, own, particles_in[j], bodies[o]) {
                            count = list_enter(i, count, j);
                        }
                    }
                    j = sphere_grid[sphere_next(j)];
                }
            }
        }
    }
    return count;
}

fn find_triangles(i: u32, p: Particle, b: u32, own: Body, reach: f32, level: u32, before: u32) -> u32 {
    var count = before;
    let first = sphere_cell(p.position - reach, level);
    let size = min(vec3u(sphere_cell(p.position + reach, level) - first) + 1u, vec3u(MAX_CELLS));
    for (var cz = 0u; cz < size.z; cz++) {
        for (var cy = 0u; cy < size.y; cy++) {
            for (var cx = 0u; cx < size.x; cx++) {
                var node = sphere_grid[sphere_slot(first + vec3i(vec3u(cx, cy, cz)), 1u + level)];
                for (var k = 0u; k < MAX_LIST; k++) {
                    if node == NONE {
                        break;
                    }
                    if node >= sim.particle_count {
                        let t = (node - sim.particle_count) / 8u;
                        if triangles[t].w != b && overlap_meet(b, triangles[t].w) {
                            let near = near_triangle(p, own, t);
                            if triangle_touches(p, own, t, near) {
                                count = enter_nearest(i, p, own, count, t, near);
                            }
                        }
                    }
                    node = sphere_grid[sphere_next(node)];
                }
            }
        }
    }
    return count;
}

@compute @workgroup_size(64)
fn sphere_find(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
               @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let b = points[i].body;
    let own = bodies[b];
    if !(own.radius > 0.0) {
        return;
    }
    var count = 0u;
    sphere_hits[sphere_hit(i, MAX_SPHERE_HITS)] = 0u;
    let p = particles_in[i];
    let slack = own.margin + collide.margin + MAX_AHEAD * own.edge;
    let around = overlap_clip(b, p.position - own.radius, p.position + own.radius);
    if own.touching != 0u && all(around.low <= around.high) {
        count = find_spheres(i, p, b, own, own.radius + collide.sphere_radius + slack);
        for (var level = 0u; level < collide.sphere_levels; level++) {
            count = find_triangles(i, p, b, own, own.radius + slack, level, count);
        }
    }
    counts[i] = count;
}
