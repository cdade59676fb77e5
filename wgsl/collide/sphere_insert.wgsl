// sphere_insert: one thread per particle, then one per surface triangle of the bodies of tetrahedra. Spheres and triangles
// that reach into what their body shares with others enter the grid.
// Reads particles_in, points, bodies, triangles, overlaps; writes sphere_grid.
#import shared/sphere
#import shared/overlaps

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(80) var<storage, read_write> sphere_grid: array<atomic<u32>>;
@group(0) @binding(82) var<storage, read> triangles: array<vec4u>;

fn enter(slot: u32, node: u32) {
    let before = atomicExchange(&sphere_grid[slot], node);
    atomicStore(&sphere_grid[sphere_next(node)], before);
}

// Notes that a level has something. Most find it noted.
fn note_level(level: u32, of_triangles: u32) {
    let word = sphere_levels_word(of_triangles);
    if (atomicLoad(&sphere_grid[word]) & (1u << level)) == 0u {
        atomicOr(&sphere_grid[word], 1u << level);
    }
}

fn enter_sphere(i: u32, b: u32, body: Body) {
    let x = particles_in[i].position;
    let around = overlap_clip(b, x - body.radius, x + body.radius);
    if any(around.low > around.high) {
        return;
    }
    let level = sphere_level(body);
    note_level(level, 0u);
    enter(sphere_slot(sphere_cell(x, level), level, 0u, replica(b)), i);
}

fn enter_triangle(t: u32) {
    let triangle = triangles[2u * t];
    if overlap_count(triangle.w) == 0u {
        return;
    }
    let a = particles_in[triangle.x].position;
    let b = particles_in[triangle.y].position;
    let c = particles_in[triangle.z].position;
    let low = min(a, min(b, c));
    let high = max(a, max(b, c));
    let around = overlap_clip(triangle.w, low, high);
    if any(around.low > around.high) {
        return;
    }
    let level = triangle_level(low, high);
    note_level(level, 1u);
    let first = sphere_cell(low, level);
    let more = sphere_cell(high, level) - first;
    for (var k = 0u; k < 8u; k++) {
        let step = vec3i(vec3u(k & 1u, (k >> 1u) & 1u, k >> 2u));
        if all(step <= more) {
            let slot = sphere_slot(first + step, level, 1u, replica(triangle.w));
            enter(slot, sim.particle_count + 8u * t + k);
        }
    }
}

@compute @workgroup_size(64)
fn sphere_insert(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i < sim.particle_count {
        let b = points[i].body;
        let body = bodies[b];
        if body.radius > 0.0 && body.touching != 0u {
            enter_sphere(i, b, body);
        }
    } else if i - sim.particle_count < collide.triangle_count {
        enter_triangle(i - sim.particle_count);
    }
}
