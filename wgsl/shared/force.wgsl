// particle_force: all that accelerates one particle, gathered from its springs, tetrahedra and triangles, or taken from
// the passes of its body's own kind.
// Springs: C = (|x_ij| - l0)/l0, f_i = (k_D C + d_C C') n/l0. Tetrahedra: C = (V - V0)/V0, f_i = k_V C (b->c x b->d)/(6 V0).
// [Teschner et al. 2004, eq. 5-9; damping: see shared/damping]
#import shared/topology
#import shared/pull
#import shared/damping
#import shared/loads

struct Force {
    acceleration: vec3f,  // [m/s^2]
    damping_rate: f32,    // sigma at the present positions [1/s]
    stiffness: f32,       // s at the present positions [1/s^2]
}

// s = Sum of k |dC/dx_i|^2/m over a particle's springs and tetrahedra: what it would swing by were all others held, at most
// [Gershgorin's bound of the diagonal]. It grows as a body flattens: |dC/dx| of a tetrahedron is the area opposite.
struct Elastic {
    force: vec3f,         // [N]
    stiffness: f32,       // [N/m]
}

// One spring's damping: the sum over a particle's springs of c n n^T, the force, and what they add to s m.
struct SpringSum {
    force: vec3f,
    stiffness: f32,
    diagonal: vec3f,
    off: vec3f,
}

// The force of the springs without their damping.
fn spring_force(p: Particle, point: Point, body: Body) -> Elastic {
    var sum = Elastic(vec3f(), 0.0);
    let count = spring_count(point);
    for (var e = 0u; e < count; e++) {
        let end = spring_at(point, e);
        let d = particles_in[end.other].position - p.position;
        let length = sqrt(dot(d, d));
        let strain = length * end.inverse_rest - 1.0;
        let constants = spring_constants(point, body, e);
        sum.force += (constants.x * strain * end.inverse_rest / max(length, 1e-30)) * d;
        sum.stiffness += constants.x * end.inverse_rest * end.inverse_rest;
    }
    return sum;
}

fn spring_sum(p: Particle, point: Point, body: Body) -> SpringSum {
    var sum = SpringSum(vec3f(), 0.0, vec3f(), vec3f());
    let count = spring_count(point);
    if damping_swept(body) {
        let elastic = spring_force(p, point, body);
        sum.force = elastic.force;
        sum.stiffness = elastic.stiffness;
    } else if body.damping_mode == DAMPING_EXPLICIT {
        for (var e = 0u; e < count; e++) {
            let end = spring_at(point, e);
            let q = particles_in[end.other];
            let d = q.position - p.position;
            let length = sqrt(dot(d, d));
            let n = d / max(length, 1e-30);
            let strain = length * end.inverse_rest - 1.0;
            let rate = dot(q.velocity - p.velocity, n) * end.inverse_rest;
            let constants = spring_constants(point, body, e);
            sum.force += ((constants.x * strain + constants.y * rate) * end.inverse_rest) * n;
            sum.stiffness += constants.x * end.inverse_rest * end.inverse_rest;
        }
    } else {
        let limit = damping_theta(body) / sim.step;
        for (var e = 0u; e < count; e++) {
            let end = spring_at(point, e);
            let q = particles_in[end.other];
            let d = q.position - p.position;
            let length = sqrt(dot(d, d));
            let n = d / max(length, 1e-30);
            let strain = length * end.inverse_rest - 1.0;
            let constants = spring_constants(point, body, e);
            let c = constants.y * end.inverse_rest * end.inverse_rest;
            let phi = damping_share(limit, p.damping_rate + q.damping_rate);
            let rate = dot(q.velocity - p.velocity, n);
            sum.force += (constants.x * strain * end.inverse_rest + c * phi * rate) * n;
            sum.stiffness += constants.x * end.inverse_rest * end.inverse_rest;
            sum.diagonal += c * n * n;
            sum.off += c * n.yzx * n.zxy;
        }
    }
    return sum;
}

// One walk over the particle's link, the triangles that its tetrahedra turn towards it.
fn tet_force(i: u32, p: Particle, point: Point, body: Body) -> Elastic {
    let own = Corner(i, p.position);
    var b = own;
    var c = own;
    var d = own;
    var sum = Elastic(vec3f(), 0.0);
    let count = link_count(point);
    for (var e = 0u; e < count; e++) {
        let link = link_at(point, e);
        let vertex = link.other & ((1u << LINK_SLOT_SHIFT) - 1u);
        let next = Corner(vertex, particles_in[vertex].position);
        let slot = link.other >> LINK_SLOT_SHIFT;
        b = link_take(b, next, slot == 0u);
        c = link_take(c, next, slot == 1u);
        d = link_take(d, next, slot == 2u);
        let tet = tet_strain(own, b, c, d, link.inverse_rest);
        let constant = volume_constant(point, body, e);
        let area = cross(c.x - b.x, d.x - b.x);
        sum.force += (constant * tet.strain * tet.inverse_rest) * area;
        sum.stiffness += constant * tet.inverse_rest * tet.inverse_rest * dot(area, area);
    }
    return sum;
}

// C = (A - A0)/A0, f_a = -k_A C n x (c - b)/(2 A0), n the unit normal. A triangle without area pulls nowhere.
fn area_force(p: Particle, point: Point, body: Body) -> vec3f {
    if !HAS_AREAS {
        return vec3f();
    }
    var force = vec3f();
    let count = area_count(point);
    for (var e = 0u; e < count; e++) {
        let second = area_at(point, 2u * e);
        let b = particles_in[second.other].position;
        let c = particles_in[area_at(point, 2u * e + 1u).other].position;
        let normal = cross(b - p.position, c - p.position);
        let size = length(normal);
        let strain = 0.5 * size * second.inverse_rest - 1.0;
        force -= (0.5 * strain * second.inverse_rest / max(size, 1e-30)) * cross(normal, c - b);
    }
    return body.area * force;
}

// Springs, volumes and areas without damping.
fn elastic_force(i: u32, p: Particle, point: Point, body: Body) -> vec3f {
    if body.loaded != 0u {
        return vec3f();
    }
    return spring_force(p, point, body).force + tet_force(i, p, point, body).force + area_force(p, point, body);
}

fn particle_force(i: u32, p: Particle, point: Point, body: Body) -> Force {
    if p.inverse_mass == 0.0 {
        return Force(vec3f(), 0.0, 0.0);
    }
    let outside = p.inverse_mass * pull_force(i) + sim.gravity - sim.drag * (p.velocity - sim.wind);
    if HAS_LOADS && body.loaded != 0u {
        return Force(loads[i].xyz + outside, 0.0, 0.0);
    }
    let springs = spring_sum(p, point, body);
    let volumes = tet_force(i, p, point, body);
    let force = springs.force + volumes.force + area_force(p, point, body);
    let stiffness = p.inverse_mass * (springs.stiffness + volumes.stiffness);
    var acceleration = p.inverse_mass * force + outside;
    if HAS_LOADS {
        acceleration += loads[i].xyz;
    }
    if damping_swept(body) {
        return Force(acceleration, p.damping_rate, stiffness);
    }
    return Force(acceleration, largest_eigenvalue(springs.diagonal, springs.off) * p.inverse_mass, stiffness);
}
