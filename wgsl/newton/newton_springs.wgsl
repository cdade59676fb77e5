// newton_springs: one thread per particle. The acceleration by its springs, volumes and areas, damping included, at the
// present iterate of an implicit step [shared/vertex].
// Reads particles_out (the iterate) and the model; writes loads, of particles in springs only.
#import shared/vertex

@group(0) @binding(60) var<storage, read_write> loads: array<vec4f>;

@compute @workgroup_size(64)
fn newton_springs(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let point = points[i];
    let body = bodies[point.body];
    if body.kind != KIND_SPRINGS {
        return;
    }
    let p = particles_out[i];
    let springs = vertex_springs(p, point, body).force;
    let volumes = vertex_volumes(i, p, point, body).force;
    let areas = vertex_areas(p, point, body).force;
    loads[i] = vec4f(p.inverse_mass * (springs + volumes + areas), 0.0);
}
