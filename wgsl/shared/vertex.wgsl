// One vertex as the implicit integrators see it: the force of its elements on it at the present iterate, and the block
// of their stiffness that belongs to it alone, made positive. The iterate's velocity is (x - x_n)/h, so that dv/dx = 1/h,
// and rates of strain are changes over the step, of lengths (|d|^2 - |d_n|^2)/(|d| + |d_n|)/h: none of a turning body.
// An energy k C^2/2 with damping d C' has the block (k + d/h) g g^T + max(0, T) d^2C/dx^2, g = dC/dx, T = k C + d C'
// [Chen et al. 2024, eq. 6-9; Nealen et al. 2006, section 3.2.1 for what is left out].
#import shared/topology
#import shared/matrix
#import shared/eigen
#import shared/law

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(101) var<storage, read> vertex_tets: array<VertexTet>;

struct Vertex {
    force: vec3f,         // [N]
    block: Symmetric,     // [N/m]
}

// a a^T
fn vertex_square(a: vec3f) -> Symmetric {
    return Symmetric(a * a, a.yzx * a.zxy);
}

fn vertex_springs(p: Particle, point: Point, body: Body) -> Vertex {
    var v = Vertex(vec3f(), Symmetric(vec3f(), vec3f()));
    let count = spring_count(point);
    for (var e = 0u; e < count; e++) {
        let end = spring_at(point, e);
        let q = particles_out[end.other];
        let d = q.position - p.position;
        let length = sqrt(dot(d, d));
        let n = d / max(length, 1e-30);
        let constants = spring_constants(point, body, e);
        let change = q.velocity - p.velocity;
        let middle = 2.0 * d - sim.step * change;
        let both = length + distance(d, sim.step * change);
        let rate = dot(change, middle) / max(both, 1e-30) * end.inverse_rest;
        let tension = (constants.x * (length * end.inverse_rest - 1.0) + constants.y * rate) * end.inverse_rest;
        let across = max(0.0, tension) / max(length, 1e-30);
        let along = (constants.x + constants.y / sim.step) * end.inverse_rest * end.inverse_rest - across;
        let square = vertex_square(n);
        v.force += tension * n;
        v.block.d += along * square.d + across;
        v.block.o += along * square.o;
    }
    return v;
}

// A volume is linear in each of its corners: the block is exact.
fn vertex_volumes(i: u32, p: Particle, point: Point, body: Body) -> Vertex {
    var v = Vertex(vec3f(), Symmetric(vec3f(), vec3f()));
    let own = Corner(i, p.position);
    var b = own;
    var c = own;
    var d = own;
    let count = link_count(point);
    for (var e = 0u; e < count; e++) {
        let link = link_at(point, e);
        let other = link.other & ((1u << LINK_SLOT_SHIFT) - 1u);
        let next = Corner(other, particles_out[other].position);
        let slot = link.other >> LINK_SLOT_SHIFT;
        b = link_take(b, next, slot == 0u);
        c = link_take(c, next, slot == 1u);
        d = link_take(d, next, slot == 2u);
        let tet = tet_strain(own, b, c, d, link.inverse_rest);
        let constant = volume_constant(point, body, e);
        let gradient = tet.inverse_rest * cross(c.x - b.x, d.x - b.x);
        let square = vertex_square(gradient);
        v.force += (constant * tet.strain) * gradient;
        v.block.d += constant * square.d;
        v.block.o += constant * square.o;
    }
    return v;
}

// d^2A/dx^2 = |c - b|^2/(4 A) n n^T, n the unit normal.
fn vertex_areas(p: Particle, point: Point, body: Body) -> Vertex {
    var v = Vertex(vec3f(), Symmetric(vec3f(), vec3f()));
    if !HAS_AREAS {
        return v;
    }
    let count = area_count(point);
    for (var e = 0u; e < count; e++) {
        let second = area_at(point, 2u * e);
        let b = particles_out[second.other].position;
        let c = particles_out[area_at(point, 2u * e + 1u).other].position;
        let normal = cross(b - p.position, c - p.position);
        let size = max(length(normal), 1e-30);
        let n = normal / size;
        let across = c - b;
        let strain = 0.5 * size * second.inverse_rest - 1.0;
        let gradient = (0.5 * second.inverse_rest) * cross(n, across);
        let square = vertex_square(gradient);
        let bend = vertex_square(n);
        let turn = max(0.0, strain) * second.inverse_rest * dot(across, across) / (2.0 * size);
        v.force -= (body.area * strain) * gradient;
        v.block.d += body.area * (square.d + turn * bend.d);
        v.block.o += body.area * (square.o + turn * bend.o);
    }
    return v;
}

// Stable neo-Hookean elements: of W = mu/2 (|F|^2 - 3 - ln(|F|^2 + 1)) + lambda/2 (J - alpha)^2 the block is a sum of
// squares, as J is linear in each corner. Viscosity F (phi tr(E') + 2 psi E'), E' = (E - E_n)/h
// [shared/fem_viscosity].
fn vertex_elements(p: Particle, vertex: ColorVertex) -> Vertex {
    var v = Vertex(vec3f(), Symmetric(vec3f(), vec3f()));
    for (var e = 0u; e < vertex.tet_count; e++) {
        let tet = vertex_tets[vertex.tet_first + e * SLICE];
        let b = particles_out[tet.b];
        let c = particles_out[tet.c];
        let d = particles_out[tet.d];
        let f = matrix_outer(b.position - p.position, tet.gradient_b)
            + matrix_outer(c.position - p.position, tet.gradient_c)
            + matrix_outer(d.position - p.position, tet.gradient_d);
        let rate = matrix_outer(b.velocity - p.velocity, tet.gradient_b)
            + matrix_outer(c.velocity - p.velocity, tet.gradient_c)
            + matrix_outer(d.velocity - p.velocity, tet.gradient_d);
        let g = -(tet.gradient_b + tet.gradient_c + tet.gradient_d);
        let k = law_stable(tet.lambda, tet.mu);
        let area = matrix_cofactor(f);
        let volume = dot(f[0], area[0]);
        let square = matrix_contract(f, f) + 1.0;
        let shear = k.y * (1.0 - 1.0 / square);
        let fg = f * g;
        let ag = area * g;
        let phi = tet.relaxation * tet.lambda;
        let psi = tet.relaxation * tet.mu;
        let middle = f - (0.5 * sim.step) * rate;
        let slow = (phi * matrix_contract(middle, rate)) * g
                 + psi * (transpose(middle) * (rate * g) + transpose(rate) * (middle * g));
        v.force -= tet.volume * (shear * fg + (k.x * (volume - k.z)) * ag + f * slow);
        let g2 = dot(g, g);
        let brake = psi / sim.step;
        let along = vertex_square(fg);
        let swell = vertex_square(ag);
        let fx = vertex_square(f[0]);
        let fy = vertex_square(f[1]);
        let fz = vertex_square(f[2]);
        let stretch = 2.0 * k.y / (square * square) + phi / sim.step + brake;
        v.block.d += tet.volume * (shear * g2 + stretch * along.d + k.x * swell.d + (brake * g2) * (fx.d + fy.d + fz.d));
        v.block.o += tet.volume * (stretch * along.o + k.x * swell.o + (brake * g2) * (fx.o + fy.o + fz.o));
    }
    return v;
}

fn vertex_sum(a: Vertex, b: Vertex) -> Vertex {
    return Vertex(a.force + b.force, Symmetric(a.block.d + b.block.d, a.block.o + b.block.o));
}

// All of a vertex's elements.
fn vertex_gather(vertex: ColorVertex, p: Particle, point: Point, body: Body) -> Vertex {
    if HAS_LOADS && (body.loaded & LOADED_CORNERS) != 0u {
        return vertex_elements(p, vertex);
    }
    let springs = vertex_sum(vertex_springs(p, point, body), vertex_volumes(vertex.particle, p, point, body));
    return vertex_sum(springs, vertex_areas(p, point, body));
}
