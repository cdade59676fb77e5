// edge_contacts: one thread per sharp edge. Where an edge passes through a body, a point of it and a penetration vector:
// - From the middle of its inside part against the edge's own normal to the surface triangle there, whose normal n less
//   its part along the edge is the direction r.
// - Where that triangle is on one of the two faces through which the edge comes in and leaves: the common line of both
//   faces is the ridge that it crosses; r is normal to edge and ridge, the point where the edge is over the ridge along
//   r. Taken where that way is no longer.
// The contact point is where the line from the edge along r meets the plane of the triangle that it leaves through. An
// end that the body holds has a contact of its own: a new contact of the edge has to be deeper, and in its middle half.
// Reads particles_in, tets, tested, hits, record_first, penetrations_in, edges; writes contacts.
#import shared/march
#import shared/held
#import shared/segment
#import shared/contact

@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(33) var<storage, read> penetrations_in: array<Penetration>;
@group(0) @binding(35) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(54) var<storage, read> edges: array<Edge>;

// The mean of the unit normals of the edge's two triangles.
fn edge_normal(edge: Edge) -> vec3f {
    let a = particles_in[edge.ends.x].position;
    let b = particles_in[edge.ends.y].position;
    let n = cross(b - a, particles_in[edge.wings.x].position - a);
    let m = cross(particles_in[edge.wings.y].position - a, b - a);
    return unit(unit(n) + unit(m));
}

// The middle of the part of the segment from q along `way` in a tetrahedron.
fn tet_middle(tet: u32, q: vec3f, way: vec3f) -> f32 {
    let part = segment_part(barycentric(tet, q), barycentric(tet, q + way));
    return 0.5 * (part.first + part.last);
}

// The part of a segment inside a body, and the faces at its ends unless these are inside.
struct Crossing {
    first: f32,
    last: f32,
    enters: FaceHit,
    leaves: FaceHit,
}

// The part of the segment from q along `way` around its middle in one of the body's tetrahedra.
fn passage(tet: u32, q: vec3f, way: vec3f, middle: f32) -> Crossing {
    let start = q + middle * way;
    let enters = march_out(tet, start, -way, middle);
    let leaves = march_out(tet, start, way, 1.0 - middle);
    return Crossing(select(0.0, middle - enters.t, enters.found), select(1.0, middle + leaves.t, leaves.found),
                   enters, leaves);
}

// A point a + t (b - a) of the edge and a direction.
struct Way {
    t: f32,
    r: vec3f,
}

// Where the edge is over the line in which the two faces of its passage meet, along the normal to both lines; r = 0
// where they hardly cross.
fn over_ridge(passage: Crossing, a: vec3f, edge: vec3f, outward: vec3f) -> Way {
    let n = unit(passage.enters.normal);
    let m = unit(passage.leaves.normal);
    let ridge = cross(n, m);
    let sine2 = dot(ridge, ridge);
    let normal = cross(edge, ridge);
    if sine2 < SHARP_SINE2 || dot(normal, normal) < SHARP_SINE2 * sine2 * dot(edge, edge) {
        return Way(0.0, vec3f());
    }
    let r = unit(select(normal, -normal, dot(normal, outward) > 0.0));
    // From a to the ridge: f = (h_n (n - c m) + h_m (m - c n)) / (1 - c^2), c = n.m.
    let c = dot(n, m);
    let to_n = dot(particles_in[passage.enters.corners.x].position - a, n);
    let to_m = dot(particles_in[passage.leaves.corners.x].position - a, m);
    let foot = (to_n * (n - c * m) + to_m * (m - c * n)) / sine2;
    // Along r the edge is over the ridge where both have the same place across it.
    let across = cross(ridge, r);
    return Way(clamp(dot(foot, across) / dot(edge, across), passage.first, passage.last), r);
}

fn find_contact(edge: Edge, tet: u32, begun: Contact) -> Contact {
    let q = tested[edge.ends.x].position;
    let tested_edge = tested[edge.ends.y].position - q;
    let between = tet_middle(tet, q, tested_edge);
    let part = passage(tet, q, tested_edge, between);
    var t = 0.5 * (part.first + part.last);
    var y = q + t * tested_edge;
    // The tetrahedron that holds y: along the edge, which stays inside between the two.
    var to_y = march_out(tet, q + between * tested_edge, (t - between) * tested_edge, 1.0);
    let outward = edge_normal(edge);
    let size = length(tested_edge);
    var exit = march_out(to_y.tet, y, -outward, size);
    if to_y.found || !exit.found {
        return begun;
    }
    let a = particles_in[edge.ends.x].position;
    let whole = particles_in[edge.ends.y].position - a;
    let n = unit(exit.normal);
    let along = unit(tested_edge);
    var r = unit(n - dot(n, along) * along);
    let ends_at_it = max(dot(n, unit(part.enters.normal)), dot(n, unit(part.leaves.normal))) > SAME_FACE;
    if part.enters.found && part.leaves.found && ends_at_it {
        let way = over_ridge(part, a, whole, outward);
        let other_y = q + way.t * tested_edge;
        let to_other = march_out(tet, q + between * tested_edge, (way.t - between) * tested_edge, 1.0);
        let other = march_out(to_other.tet, other_y, way.r, size);
        let gap = gap_along(exit, a + t * whole, r);
        if any(abs(way.r) > vec3f()) && other.found && gap_along(other, a + way.t * whole, way.r) <= max(gap, 0.0) {
            t = way.t;
            r = way.r;
            y = other_y;
            to_y = to_other;
            exit = other;
        }
    }
    if !exit.found || dot(unit(exit.normal), r) < GRAZING || !looks_against(r, outward) {
        return begun;
    }
    let x = a + t * whole;
    let gap = gap_along(exit, x, r);
    let margin = distance(x, y) + collide.margin;
    let outside = march_out(to_y.tet, y, x - y, 1.0).found;
    if gap < -2.0 * margin || gap > select(size, 2.0 * margin, outside) {
        return begun;
    }
    var contact = begun;
    contact.normal = r;
    contact.gap = gap;
    contact.a = Side(vec4u(edge.ends, NONE, NONE), vec4f(1.0 - t, t, 0.0, 0.0));
    contact.b = Side(vec4u(exit.corners, NONE), vec4f(-triangle_weights(x + gap * r, exit), 0.0));
    return contact;
}

// The depth of the contact of an edge's end with a body, 0 where it only comes near; -1: the body does not hold the end.
fn end_depth(i: u32, body: u32) -> f32 {
    if !held_by(i, body) {
        return -1.0;
    }
    var depth = 0.0;
    let end = min(record_first[i + 1u], collide.capacity);
    for (var s = record_first[i]; s < end; s++) {
        if contacts[s].bodies.y == body && contacts[s].a.dofs.x != NONE {
            depth = max(depth, contacts[s].gap);
        }
    }
    return depth;
}

@compute @workgroup_size(64)
fn edge_contacts(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let e = thread_index(group, lane, 64u);
    if e >= collide.edge_count {
        return;
    }
    let edge = edges[e];
    let feature = sim.particle_count + e;
    let end = min(record_first[feature + 1u], collide.capacity);
    for (var r = record_first[feature]; r < end; r++) {
        let record = penetrations_in[r];
        let begun = contact_begun(feature, tested[edge.ends.x].body, record.body);
        var contact = find_contact(edge, record.tet, begun);
        let held = max(end_depth(edge.ends.x, record.body), end_depth(edge.ends.y, record.body));
        let known = any(abs(record.direction) > vec3f());
        let central = abs(contact.a.weights.y - 0.5) <= 0.25;
        if held >= 0.0 && !(central && (known || contact.gap > held + collide.margin)) {
            contact = begun;
        }
        contacts[r] = contact;
    }
}
