// sum_energy: one thread per particle. Its share of the elastic energies 1/2 k C^2 of its springs (a half), volumes (a quarter)
// and areas (a third) [Teschner et al. 2004, eq. 5-9; shared/force], or of its finite elements; shape matching has none.
// Reads particles_in, points, elements, bodies, fem_rows, fem_shares; writes energies.
#import shared/topology

@group(0) @binding(67) var<storage, read> fem_rows: array<vec2u>;
@group(0) @binding(122) var<storage, read> fem_shares: array<vec2f>;
@group(0) @binding(126) var<storage, read_write> energies: array<f32>;

fn spring_energy(x: vec3f, point: Point, body: Body) -> f32 {
    var energy = 0.0;
    let count = spring_count(point);
    for (var e = 0u; e < count; e++) {
        let end = spring_at(point, e);
        let strain = length(particles_in[end.other].position - x) * end.inverse_rest - 1.0;
        energy += 0.25 * spring_constants(point, body, e).x * strain * strain;
    }
    return energy;
}

fn volume_energy(i: u32, x: vec3f, point: Point, body: Body) -> f32 {
    let own = Corner(i, x);
    var b = own;
    var c = own;
    var d = own;
    var energy = 0.0;
    let count = link_count(point);
    for (var e = 0u; e < count; e++) {
        let link = link_at(point, e);
        let vertex = link.other & ((1u << LINK_SLOT_SHIFT) - 1u);
        let next = Corner(vertex, particles_in[vertex].position);
        let slot = link.other >> LINK_SLOT_SHIFT;
        b = link_take(b, next, slot == 0u);
        c = link_take(c, next, slot == 1u);
        d = link_take(d, next, slot == 2u);
        if abs(link.inverse_rest) > 0.0 {
            let strain = tet_strain(own, b, c, d, link.inverse_rest).strain;
            energy += 0.125 * volume_constant(point, body, e) * strain * strain;
        }
    }
    return energy;
}

fn area_energy(x: vec3f, point: Point, body: Body) -> f32 {
    if !HAS_AREAS {
        return 0.0;
    }
    var energy = 0.0;
    let count = area_count(point);
    for (var e = 0u; e < count; e++) {
        let second = area_at(point, 2u * e);
        let b = particles_in[second.other].position;
        let c = particles_in[area_at(point, 2u * e + 1u).other].position;
        let strain = 0.5 * length(cross(b - x, c - x)) * second.inverse_rest - 1.0;
        energy += strain * strain;
    }
    return body.area * energy / 6.0;
}

@compute @workgroup_size(64)
fn sum_energy(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let x = particles_in[i].position;
    let point = points[i];
    let body = bodies[point.body];
    var energy = 0.0;
    if body.kind == KIND_SPRINGS {
        energy = spring_energy(x, point, body) + volume_energy(i, x, point, body) + area_energy(x, point, body);
    } else if body.kind == KIND_FEM {
        let row = fem_rows[i];
        for (var e = 0u; e < row.y; e++) {
            energy += fem_shares[row.x + e * SLICE].y;
        }
    }
    energies[i] = energy;
}
