// grid_insert: one thread per particle. The tested position q = x + delta n, n the unit normal of the surface around the
// particle (0 inside), so that resting contacts stay alive; particles that may be inside another body enter the grid.
// Reads particles_in, points, bodies, overlaps, fans, fan_corners; writes tested, grid.
#import shared/grid
#import shared/overlaps

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(26) var<storage, read> fans: array<vec2u>;
@group(0) @binding(27) var<storage, read> fan_corners: array<vec2u>;
@group(0) @binding(28) var<storage, read_write> tested: array<vec4f>;
@group(0) @binding(29) var<storage, read_write> grid: array<atomic<u32>>;

fn surface_normal(x: vec3f, fan: vec2u) -> vec3f {
    var sum = vec3f();
    for (var e = 0u; e < fan.y; e++) {
        let pair = fan_corners[fan.x + e * SLICE];
        sum += cross(particles_in[pair.x].position - x, particles_in[pair.y].position - x);
    }
    return sum / max(length(sum), 1e-30);
}

@compute @workgroup_size(64)
fn grid_insert(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
               @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let b = points[i].body;
    let body = bodies[b];
    if body.touching == 0u {
        return;
    }
    let x = particles_in[i].position;
    let q = x + (collide.margin_scale * body.margin) * surface_normal(x, fans[i]);
    tested[i] = vec4f(q, bitcast<f32>(b));
    if !overlap_holds(b, q) {
        return;
    }
    for (var level = 0u; level < collide.levels; level++) {
        let before = atomicExchange(&grid[grid_slot(grid_cell(q, level), level)], i);
        atomicStore(&grid[grid_next(level, i)], before);
    }
}
