// force_lines: one thread per particle of one body. A line from it along the force on it without contact, m a [shared/force];
// none where it is held.
// Reads particles_in, points, elements, bodies, loads, externals, lines; writes segments.
#import shared/force

@group(0) @binding(114) var<storage, read_write> segments: array<Segment>;
@group(0) @binding(120) var<uniform> lines: Lines;

@compute @workgroup_size(64)
fn force_lines(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= lines.count {
        return;
    }
    let i = lines.first + k;
    let p = particles_in[i];
    var force = vec3f();
    if p.inverse_mass > 0.0 {
        let point = points[i];
        force = particle_force(i, p, point, bodies[point.body]).acceleration / p.inverse_mass;
    }
    segments[k] = Segment(p.position, length(force), p.position + lines.scale * force, lines.body);
}
