// particle_force: all that accelerates one particle, gathered from its springs and tetrahedra.
// Springs: C = (|x_ij| - l0)/l0, f_i = (k_D C + d_C C') n/l0. Tetrahedra: C = (V - V0)/V0, f_i = k_V C (b->c x b->d)/(6 V0).
// [Teschner et al. 2004, eq. 5-9; damping: see shared/damping]
#import shared/topology
#import shared/externals
#import shared/damping

struct Force {
    acceleration: vec3f,  // [m/s^2]
    damping_rate: f32,    // sigma at the present positions [1/s]
}

// One spring's damping: the sum over a particle's springs of c n n^T, and the force.
struct SpringSum {
    force: vec3f,
    diagonal: vec3f,
    off: vec3f,
}

// The force of the springs without their damping.
fn spring_force(p: Particle, point: Point, body: Body) -> vec3f {
    var force = vec3f();
    let count = spring_count(point);
    for (var e = 0u; e < count; e++) {
        let end = springs[point.spring_first + e * SLICE];
        let d = particles_in[end.other].position - p.position;
        let length = sqrt(dot(d, d));
        let strain = length * end.inverse_rest - 1.0;
        force += (body.distance * strain * end.inverse_rest / max(length, 1e-30)) * d;
    }
    return force;
}

fn spring_sum(p: Particle, point: Point, body: Body) -> SpringSum {
    var sum = SpringSum(vec3f(), vec3f(), vec3f());
    let count = spring_count(point);
    if damping_swept(body) {
        sum.force = spring_force(p, point, body);
    } else if body.damping_mode == DAMPING_EXPLICIT {
        for (var e = 0u; e < count; e++) {
            let end = springs[point.spring_first + e * SLICE];
            let q = particles_in[end.other];
            let d = q.position - p.position;
            let length = sqrt(dot(d, d));
            let n = d / max(length, 1e-30);
            let strain = length * end.inverse_rest - 1.0;
            let rate = dot(q.velocity - p.velocity, n) * end.inverse_rest;
            sum.force += ((body.distance * strain + body.damping * rate) * end.inverse_rest) * n;
        }
    } else {
        let limit = damping_theta(body.stiffness_rate) / sim.step;
        for (var e = 0u; e < count; e++) {
            let end = springs[point.spring_first + e * SLICE];
            let q = particles_in[end.other];
            let d = q.position - p.position;
            let length = sqrt(dot(d, d));
            let n = d / max(length, 1e-30);
            let strain = length * end.inverse_rest - 1.0;
            let c = body.damping * end.inverse_rest * end.inverse_rest;
            let phi = damping_share(limit, p.damping_rate + q.damping_rate);
            let rate = dot(q.velocity - p.velocity, n);
            sum.force += (body.distance * strain * end.inverse_rest + c * phi * rate) * n;
            sum.diagonal += c * n * n;
            sum.off += c * n.yzx * n.zxy;
        }
    }
    return sum;
}

// One walk over the particle's link, the triangles that its tetrahedra turn towards it.
fn tet_force(i: u32, p: Particle, point: Point, body: Body) -> vec3f {
    let own = Corner(i, p.position);
    var b = own;
    var c = own;
    var d = own;
    var force = vec3f();
    let count = link_count(point);
    for (var e = 0u; e < count; e++) {
        let link = links[point.link_first + e * SLICE];
        let vertex = link.vertex & ((1u << LINK_SLOT_SHIFT) - 1u);
        let next = Corner(vertex, particles_in[vertex].position);
        let slot = link.vertex >> LINK_SLOT_SHIFT;
        b = link_take(b, next, slot == 0u);
        c = link_take(c, next, slot == 1u);
        d = link_take(d, next, slot == 2u);
        let tet = tet_strain(own, b, c, d, link.inverse_rest);
        force += (tet.strain * tet.inverse_rest) * cross(c.x - b.x, d.x - b.x);
    }
    return body.volume * force;
}

fn pull_force(i: u32) -> vec3f {
    var force = vec3f();
    for (var k = 0u; k < sim.pull_count; k++) {
        let pull = externals.pulls[k];
        if pull.particle == i && pull.steps.x <= sim.step_index && sim.step_index < pull.steps.y {
            force += pull.force;
        }
    }
    return force;
}

fn particle_force(i: u32, p: Particle, point: Point, body: Body) -> Force {
    if p.inverse_mass == 0.0 {
        return Force(vec3f(), 0.0);
    }
    let springs = spring_sum(p, point, body);
    let force = springs.force + tet_force(i, p, point, body) + pull_force(i);
    let acceleration = force * p.inverse_mass + sim.gravity - sim.drag * (p.velocity - sim.wind);
    if damping_swept(body) {
        return Force(acceleration, p.damping_rate);
    }
    return Force(acceleration, largest_eigenvalue(springs.diagonal, springs.off) * p.inverse_mass);
}
