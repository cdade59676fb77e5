// probe_apply: one thread per particle. One power iteration: A w/|w| with A = M^-1 K, the exact derivative of the elastic
// acceleration along -w at the present positions, or A = M^-1 C of the springs' damping.
// Spring, C = (l - l0)/l0: K w = k_D/l0^2 ((n n^T + (1 - l0/l)(1 - n n^T)) (w_i - w_j)). Tetrahedron: see below.
// Reads probe_in, particles_in, loads and the model; writes probe_out.
#import shared/topology
#import shared/taken

@group(0) @binding(14) var<storage, read> probe_in: array<vec4f>;
@group(0) @binding(15) var<storage, read_write> probe_out: array<vec4f>;
// The change of the accelerations along w by the elements that have passes of their own.
@group(0) @binding(60) var<storage, read> loads: array<vec4f>;

fn probe_springs(p: Particle, w: vec3f, point: Point, body: Body) -> vec3f {
    var sum = vec3f();
    let count = spring_count(point);
    for (var e = 0u; e < count; e++) {
        let end = spring_at(point, e);
        let d = particles_in[end.other].position - p.position;
        let l = length(d);
        let n = d / max(l, 1e-30);
        let dw = w - probe_in[end.other].xyz;
        let along = dot(dw, n) * n;
        let square = end.inverse_rest * end.inverse_rest;
        let constants = spring_constants(point, body, e);
        if sim.probe == PROBE_DAMPING {
            sum += constants.y * square * along;
        } else {
            // Ends at one place have no direction and pull nowhere.
            let across = select(0.0, 1.0 - 1.0 / max(l * end.inverse_rest, 1e-30), l > 0.0);
            sum += constants.x * square * (along + across * (dw - along));
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
        let link = link_at(point, e);
        let vertex = link.other & ((1u << LINK_SLOT_SHIFT) - 1u);
        let next = Corner(vertex, particles_in[vertex].position);
        let next_w = probe_in[vertex].xyz;
        let slot = link.other >> LINK_SLOT_SHIFT;
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
        let constant = volume_constant(point, body, e);
        sum -= constant * tet.inverse_rest * (dstrain * area + tet.strain * darea);
    }
    return sum;
}

// With m = ab x ac, A = |m|/2, C = A/A0 - 1: f_a = -k_A C g, g = m x (c - b)/(2 |m| A0); its derivative along w.
fn probe_areas(p: Particle, w: vec3f, point: Point, body: Body) -> vec3f {
    var sum = vec3f();
    let count = area_count(point);
    for (var e = 0u; e < count; e++) {
        let second = area_at(point, 2u * e);
        let third = area_at(point, 2u * e + 1u).other;
        let b = particles_in[second.other].position;
        let c = particles_in[third].position;
        let wb = probe_in[second.other].xyz;
        let wc = probe_in[third].xyz;
        let m = cross(b - p.position, c - p.position);
        let size = max(length(m), 1e-30);
        let n = m / size;
        let dm = cross(wb - w, c - p.position) + cross(b - p.position, wc - w);
        let dn = (dm - dot(dm, n) * n) / size;
        let half = 0.5 * second.inverse_rest;
        let strain = half * size - 1.0;
        sum += half * (half * dot(dm, n) * cross(n, c - b) + strain * (cross(dn, c - b) + cross(n, wc - wb)));
    }
    return body.area * sum;
}

@compute @workgroup_size(64)
fn probe_apply(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_index(group, lane, 64u);
    if thread >= sim.particle_count {
        return;
    }
    let i = taken_particle(thread);
    let p = particles_in[i];
    let point = points[i];
    let body = bodies[point.body];
    let w = probe_in[i].xyz;
    if body.loaded != 0u && (body.loaded & LOADED_CHANGES) == 0u {
        probe_out[i] = vec4f();
        return;
    }
    if body.loaded != 0u {
        probe_out[i] = vec4f(-body.probe_scale * loads[i].xyz, 0.0);
        return;
    }
    var sum = probe_springs(p, w, point, body);
    if sim.probe == PROBE_STIFFNESS {
        sum += probe_tets(i, p, w, point, body) + probe_areas(p, w, point, body);
    }
    probe_out[i] = vec4f(body.probe_scale * p.inverse_mass * sum, 0.0);
}
