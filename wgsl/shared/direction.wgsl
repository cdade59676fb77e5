// K z + C z/h of springs, volumes and areas, as far as it is positive, for a direction beside the positions.
#import shared/topology

@group(0) @binding(92) var<storage, read> directions: array<Particle>;

fn direction_springs(p: Particle, point: Point, body: Body) -> vec3f {
    var sum = vec3f();
    let count = spring_count(point);
    for (var e = 0u; e < count; e++) {
        let end = spring_at(point, e);
        let q = directions[end.other];
        let d = q.position - p.position;
        let length = sqrt(dot(d, d));
        let n = d / max(length, 1e-30);
        let constants = spring_constants(point, body, e);
        let tension = constants.x * (length * end.inverse_rest - 1.0) * end.inverse_rest;
        let across = max(0.0, tension) / max(length, 1e-30);
        let along = (constants.x + constants.y / sim.step) * end.inverse_rest * end.inverse_rest - across;
        let change = p.velocity - q.velocity;
        sum += across * change + (along * dot(change, n)) * n;
    }
    return sum;
}

fn direction_volumes(i: u32, p: Particle, point: Point, body: Body) -> vec3f {
    let own = Corner(i, p.position);
    var b = own;
    var c = own;
    var d = own;
    var zb = p.velocity;
    var zc = p.velocity;
    var zd = p.velocity;
    var sum = vec3f();
    let count = link_count(point);
    for (var e = 0u; e < count; e++) {
        let link = link_at(point, e);
        let vertex = link.other & ((1u << LINK_SLOT_SHIFT) - 1u);
        let q = directions[vertex];
        let next = Corner(vertex, q.position);
        let slot = link.other >> LINK_SLOT_SHIFT;
        b = link_take(b, next, slot == 0u);
        c = link_take(c, next, slot == 1u);
        d = link_take(d, next, slot == 2u);
        zb = select(zb, q.velocity, slot == 0u);
        zc = select(zc, q.velocity, slot == 1u);
        zd = select(zd, q.velocity, slot == 2u);
        // The sign of 1/(6 V0) does not matter in a square.
        let face = cross(c.x - b.x, d.x - b.x);
        let turned = cross(zc - zb, d.x - b.x) + cross(c.x - b.x, zd - zb);
        let change = dot(p.velocity - zb, face) + dot(p.position - b.x, turned);
        let scale = link.inverse_rest * link.inverse_rest;
        sum += (volume_constant(point, body, e) * scale * change) * face;
    }
    return sum;
}

// The gradient of A at a corner is n x (c - b)/2; A's change by displacements w along n is sum e_a.e_b w_a w_b/(8 A),
// e_a the edge opposite corner a.
fn direction_areas(p: Particle, point: Point, body: Body) -> vec3f {
    if !HAS_AREAS {
        return vec3f();
    }
    var sum = vec3f();
    let count = area_count(point);
    for (var e = 0u; e < count; e++) {
        let second = area_at(point, 2u * e);
        let b = directions[second.other];
        let c = directions[area_at(point, 2u * e + 1u).other];
        let normal = cross(b.position - p.position, c.position - p.position);
        let size = max(length(normal), 1e-30);
        let n = normal / size;
        let zb = b.velocity - p.velocity;
        let zc = c.velocity - p.velocity;
        let ea = c.position - b.position;
        let eb = p.position - c.position;
        let ec = b.position - p.position;
        let half = 0.5 * second.inverse_rest;
        let strain = half * size - 1.0;
        let change = half * (dot(cross(n, eb), zb) + dot(cross(n, ec), zc));
        let bend = (dot(ea, eb) * dot(n, zb) + dot(ea, ec) * dot(n, zc)) / (2.0 * size);
        sum += (half * change) * cross(n, ea) + (max(0.0, strain) * second.inverse_rest * bend) * n;
    }
    return body.area * sum;
}
