// sphere_insert: one thread per particle, then one per surface triangle of the bodies of tetrahedra. Spheres and triangles
// of bodies that touch others enter the grid.
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

fn enter_triangle(t: u32) {
    let triangle = triangles[t];
    if overlap_count(triangle.w) == 0u {
        return;
    }
    let a = particles_in[triangle.x].position;
    let b = particles_in[triangle.y].position;
    let c = particles_in[triangle.z].position;
    let low = min(a, min(b, c));
    let high = max(a, max(b, c));
    let size = high - low;
    let extent = collide.inverse_sphere_cell * max(size.x, max(size.y, size.z));
    var level = 0u;
    for (var k = 1u; k < collide.sphere_levels; k++) {
        if extent > f32(1u << (k - 1u)) {
            level = k;
        }
    }
    let first = sphere_cell(low, level);
    let more = sphere_cell(high, level) - first;
    for (var k = 0u; k < 8u; k++) {
        let step = vec3i(vec3u(k & 1u, (k >> 1u) & 1u, k >> 2u));
        if all(step <= more) {
            enter(sphere_slot(first + step, 1u + level), sim.particle_count + 8u * t + k);
        }
    }
}

@compute @workgroup_size(64)
fn sphere_insert(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                 @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i < sim.particle_count {
        let body = bodies[points[i].body];
        if body.radius > 0.0 && body.touching != 0u {
            enter(sphere_slot(sphere_cell(particles_in[i].position, 0u), 0u), i);
        }
    } else if i - sim.particle_count < collide.triangle_count {
        enter_triangle(i - sim.particle_count);
    }
}
