// probe_apply: one thread per particle. One power iteration: A w/|w| with A = M^-1 K, the exact derivative of the elastic
// acceleration along -w at the present positions, or A = M^-1 C of the springs' damping.
// Spring, C = (l - l0)/l0: K w = k_D/l0^2 ((n n^T + (1 - l0/l)(1 - n n^T)) (w_i - w_j)). Tetrahedron: see below.
// Reads probe_in, particles_in and the model; writes probe_out.
#import shared/topology

@group(0) @binding(14) var<storage, read> probe_in: array<vec4f>;
@group(0) @binding(15) var<storage, read_write> probe_out: array<vec4f>;

fn probe_springs(p: Particle, w: vec3f, point: Point, body: Body) -> vec3f {
    var sum = vec3f();
    let count = spring_count(point);
    for (var e = 0u; e < count; e++) {
        let end = springs[point.spring_first + e * SLICE];
        let d = particles_in[end.other].position - p.position;
        let l = length(d);
        let n = d / max(l, 1e-30);
        let dw = w - probe_in[end.other].xyz;
        let along = dot(dw, n) * n;
        let square = end.inverse_rest * end.inverse_rest;
        if sim.probe == PROBE_DAMPING {
            sum += body.damping * square * along;
        } else {
            // Ends at one place have no direction and pull nowhere.
            let across = select(0.0, 1.0 - 1.0 / max(l * end.inverse_rest, 1e-30), l > 0.0);
            sum += body.distance * square * (along + across * (dw - along));
        }
    }
    return sum;
}

// f = k_V C a/(6 V0) with a = (c - b) x (d - b) and C = (b - x)·a/(6 V0) - 1; its derivative along w.
fn probe_tets(i: u32, p: Particle, w: vec3f, point: Point, body: Body) -> vec3f {
    let own = Corner(i, p.position);
    var b = own;
    var c = own;
    var d = own;
    var wb = w;
    var wc = w;
    var wd = w;
    var sum = vec3f();
    let count = link_count(point);
    for (var e = 0u; e < count; e++) {
        let link = links[point.link_first + e * SLICE];
        let vertex = link.vertex & ((1u << LINK_SLOT_SHIFT) - 1u);
        let next = Corner(vertex, particles_in[vertex].position);
        let next_w = probe_in[vertex].xyz;
        let slot = link.vertex >> LINK_SLOT_SHIFT;
        b = link_take(b, next, slot == 0u);
        c = link_take(c, next, slot == 1u);
        d = link_take(d, next, slot == 2u);
        wb = select(wb, next_w, slot == 0u);
        wc = select(wc, next_w, slot == 1u);
        wd = select(wd, next_w, slot == 2u);
        let tet = tet_strain(own, b, c, d, link.inverse_rest);
        let area = cross(c.x - b.x, d.x - b.x);
        let darea = cross(wc - wb, d.x - b.x) + cross(c.x - b.x, wd - wb);
        let dstrain = (dot(wb - w, area) + dot(b.x - p.position, darea)) * tet.inverse_rest;
        sum -= tet.inverse_rest * (dstrain * area + tet.strain * darea);
    }
    return body.volume * sum;
}

@compute @workgroup_size(64)
fn probe_apply(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
               @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_in[i];
    let point = points[i];
    let body = bodies[point.body];
    let w = probe_in[i].xyz;
    var sum = probe_springs(p, w, point, body);
    if sim.probe == PROBE_STIFFNESS {
        sum += probe_tets(i, p, w, point, body);
    }
    probe_out[i] = vec4f(body.probe_scale * p.inverse_mass * sum, 0.0);
}
