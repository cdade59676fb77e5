// grid_insert: one thread per particle. The tested position q = x + delta n + h w, n the unit normal of the surface
// around the particle (0 inside): delta keeps resting contacts alive, and h w is the way that the point comes at others
// in this step, so that contacts act before they are deep; of a sphere q = x. Of the velocity v towards the others w has
// the part along n, where that is outward, and of the part v_t along the surface min(1, 2 v.n/|v_t|): a point that
// slides on what bends away would be tested outside, and its contact be lost for a step. h w is cut at MAX_AHEAD edges:
// how many times as far a fast point goes stands in the grid, which particles enter that may be inside another body.
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

// h w of an approaching surface point.
fn way_ahead(velocity: vec3f, n: vec3f) -> vec3f {
    let outward = max(dot(velocity, n), 0.0);
    let along = velocity - dot(velocity, n) * n;
    let share = min(1.0, 2.0 * outward / max(length(along), 1e-30));
    return sim.step * (outward * n + share * along);
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
    var way = vec3f();
    var fast = 0.0;
    if !(body.radius > 0.0) {
        n = surface_normal(p.position, fans[i]);
        margin = collide.margin_scale * body.margin;
        way = collide.margin_scale * way_ahead(p.velocity - overlap_velocity(b), n);
        let edges = length(way) / body.edge;
        if edges > MAX_AHEAD {
            way *= MAX_AHEAD / edges;
            fast = min(edges, MAX_WAY) / MAX_AHEAD;
        }
        q += margin * n + way;
    }
    tested[i] = Tested(q, b, n, margin);
    if !overlap_holds(b, q) {
        return;
    }
    atomicStore(&grid[grid_fast(i)], bitcast<u32>(fast));
    if fast > 0.0 {
        for (var k = 0u; k < 3u; k++) {
            atomicMax(&grid[grid_longest() + k], bitcast<u32>(fast * abs(way[k])));
        }
    }
    for (var level = 0u; level < collide.levels; level++) {
        let cell = grid_cell(q, level);
        atomicOr(&grid[grid_bits(cell, level, b)], body_bit(b));
        let before = atomicExchange(&grid[grid_slot(cell, level, grid_owner(b))], i);
        atomicStore(&grid[grid_next(level, i)], before);
    }
}
