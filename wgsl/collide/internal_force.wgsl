// internal_force: one thread per particle that takes part in contacts. The force of its springs, tetrahedra and triangles at the
// present positions, without damping, and the area of the surface triangles around it.
// Reads particles_in, points, elements, bodies, fans, fan_corners; updates shifts.
#import shared/force

@group(0) @binding(26) var<storage, read> fans: array<vec2u>;
@group(0) @binding(27) var<storage, read> fan_corners: array<vec2u>;
@group(0) @binding(53) var<storage, read_write> shifts: array<Shift>;

fn surface_area(x: vec3f, fan: vec2u) -> f32 {
    var area = 0.0;
    for (var e = 0u; e < fan.y; e++) {
        let pair = fan_corners[fan.x + e * SLICE];
        area += 0.5 * length(cross(particles_in[pair.x].position - x, particles_in[pair.y].position - x));
    }
    return area;
}

@compute @workgroup_size(64)
fn internal_force(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count || shifts[i].takes_part == 0u {
        return;
    }
    let p = particles_in[i];
    let point = points[i];
    let body = bodies[point.body];
    shifts[i].force = elastic_force(i, p, point, body);
    shifts[i].area = surface_area(p.position, fans[i]);
}
