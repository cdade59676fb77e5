// field_strain: one thread per particle. Of the edges around it the relative change of length l/l0 - 1 that is largest in
// magnitude; 0 where it has none.
// Reads particles_in, points, elements; writes particle_values.
#import shared/topology

@group(0) @binding(123) var<storage, read_write> particle_values: array<f32>;

@compute @workgroup_size(64)
fn field_strain(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let x = particles_in[i].position;
    let point = points[i];
    let count = spring_count(point);
    var most = 0.0;
    for (var e = 0u; e < count; e++) {
        let end = spring_at(point, e);
        let strain = length(particles_in[end.other].position - x) * end.inverse_rest - 1.0;
        most = select(most, strain, abs(strain) > abs(most));
    }
    particle_values[i] = most;
}
