// grid_insert: one thread per particle. The tested position q = x + delta n + h v, n the unit normal of the surface
// around the particle (0 inside): delta keeps resting contacts alive, and h v is the way that the point comes at others
// in this step, so that contacts act before they are deep; of a sphere q = x. Particles that may be inside another body
// enter the grid.
// Reads particles_in, points, bodies, overlaps, fans, fan_corners; writes tested, grid.
#import shared/grid
#import shared/overlaps

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(26) var<storage, read> fans: array<vec2u>;
@group(0) @binding(27) var<storage, read> fan_corners: array<vec2u>;
@group(0) @binding(28) var<storage, read_write> tested: array<Tested>;
@group(0) @binding(29) var<storage, read_write> grid: array<atomic<u32>>;

fn surface_normal(x: vec3f, fan: vec2u) -> vec3f {
    var sum = vec3f();
    for (var e = 0u; e < fan.y; e++) {
        let pair = fan_corners[fan.x + e * SLICE];
        sum += cross(particles_in[pair.x].position - x, particles_in[pair.y].position - x);
    }
    return unit(sum);
}

// The way of an approaching surface point in this step, no longer than a part of an edge.
fn way_ahead(velocity: vec3f, n: vec3f, body: Body) -> vec3f {
    let way = sim.step * velocity;
    let most = MAX_AHEAD * body.edge;
    return select(vec3f(), way * min(1.0, most / max(length(way), 1e-30)), dot(velocity, n) > 0.0);
}

@compute @workgroup_size(64)
fn grid_insert(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let b = points[i].body;
    let body = bodies[b];
    if body.touching == 0u || collide.tet_count == 0u {
        return;
    }
    let p = particles_in[i];
    var n = vec3f();
    var margin = 0.0;
    var q = p.position;
    if !(body.radius > 0.0) {
        n = surface_normal(p.position, fans[i]);
        margin = collide.margin_scale * body.margin;
        q += margin * n + collide.margin_scale * way_ahead(p.velocity - overlap_velocity(b), n, body);
    }
    tested[i] = Tested(q, b, n, margin);
    if !overlap_holds(b, q) {
        return;
    }
    for (var level = 0u; level < collide.levels; level++) {
        let cell = grid_cell(q, level);
        atomicOr(&grid[grid_bits(cell, level, b)], body_bit(b));
        let before = atomicExchange(&grid[grid_slot(cell, level, grid_owner(b))], i);
        atomicStore(&grid[grid_next(level, i)], before);
    }
}
