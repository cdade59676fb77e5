// field_pressure: one thread per particle. p = -K (J - 1), J the volume of the tetrahedra around it over that at rest
// [small strains: isotropic elasticity], from a walk over its link, or from what fem_measure left of its finite elements;
// 0 where K is.
// Reads particles_in, points, elements, bodies, fem_rows, fem_shares, moduli (1/V0 of all around it, K); writes
// particle_values.
#import shared/topology

@group(0) @binding(67) var<storage, read> fem_rows: array<vec2u>;
@group(0) @binding(121) var<storage, read> moduli: array<vec2f>;
@group(0) @binding(122) var<storage, read> fem_shares: array<vec2f>;
@group(0) @binding(123) var<storage, read_write> particle_values: array<f32>;

// The sum of V - V0 over the tetrahedra around a particle [m^3].
fn link_growth(i: u32, point: Point) -> f32 {
    let own = Corner(i, particles_in[i].position);
    var b = own;
    var c = own;
    var d = own;
    var growth = 0.0;
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
            growth += tet_strain(own, b, c, d, link.inverse_rest).strain / (6.0 * abs(link.inverse_rest));
        }
    }
    return growth;
}

@compute @workgroup_size(64)
fn field_pressure(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let point = points[i];
    let modulus = moduli[i];
    var growth = 0.0;
    if bodies[point.body].kind == KIND_FEM {
        let row = fem_rows[i];
        for (var e = 0u; e < row.y; e++) {
            growth += fem_shares[row.x + e * SLICE].x;
        }
    } else {
        growth = link_growth(i, point);
    }
    particle_values[i] = -modulus.y * (modulus.x * growth);
}
