// edge_contacts: one thread per record of an edge. Where it passes through the body, a point of it and a penetration vector:
// - From the middle of its inside part against the edge's own normal to the surface triangle there, whose normal n less
//   its part along the edge is the direction r.
// - Where neither end is inside and the faces through which the edge comes in and leaves meet at an angle, their common
//   line is the ridge that it crosses. r is normal to edge and ridge, out over both faces: no shorter way takes all of
//   the edge out of the two. It counts where no face cuts the ridge off, that is where on either side of it lines along
//   r leave through the face on that side, and where -r is between the normals of the edge's own faces, or one of these
//   is what touches [the test of arcs of the Gauss map, Gregorius 2013]. It stands in for ways through either of the two
//   faces; of one through another face and that over the ridge the shorter counts.
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

// How far from the ridge, of the way to either end of the inside part, the faces beside it are looked for.
const ASIDE: f32 = 0.01;

// The unit normals of the edge's two triangles.
fn edge_faces(edge: Edge) -> array<vec3f, 2> {
    let a = particles_in[edge.ends.x].position;
    let b = particles_in[edge.ends.y].position;
    let n = cross(b - a, particles_in[edge.wings.x].position - a);
    let m = cross(particles_in[edge.wings.y].position - a, b - a);
    return array(unit(n), unit(m));
}

// Whether a vector normal to an edge is between the normals of its two triangles.
fn is_between(v: vec3f, faces: array<vec3f, 2>) -> bool {
    let turn = cross(faces[0], faces[1]);
    return dot(cross(faces[0], v), turn) >= 0.0 && dot(cross(v, faces[1]), turn) >= 0.0;
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

// An edge as it is tested and as it is, both from their first end on, its outward normal and those of its triangles.
struct Line {
    q: vec3f,
    tested: vec3f,
    a: vec3f,
    whole: vec3f,
    outward: vec3f,
    faces: array<vec3f, 2>,
}

// A way out of a body, from the point of the edge at t along r.
struct Way {
    found: bool,
    t: f32,
    r: vec3f,
    y: vec3f,             // the tested point
    tet: u32,             // that holds it
    exit: FaceHit,
    gap: f32,             // how far the edge's own point is from the plane of the triangle it leaves through, along r
}

fn way_to(exit: FaceHit, line: Line, t: f32, r: vec3f, y: vec3f, tet: u32) -> Way {
    return Way(exit.found, t, r, y, tet, exit, gap_along(exit, line.a + t * line.whole, r));
}

// The tetrahedron that holds the tested point at t of the inside part: from one along the edge.
fn tet_at(tet: u32, line: Line, between: f32, t: f32) -> FaceHit {
    return march_out(tet, line.q + between * line.tested, (t - between) * line.tested, 1.0);
}

// From the middle of the inside part to a face, normal to the edge.
fn over_face(part: Crossing, line: Line, tet: u32, between: f32) -> Way {
    let t = 0.5 * (part.first + part.last);
    let y = line.q + t * line.tested;
    let to = tet_at(tet, line, between, t);
    var exit = march_out(to.tet, y, -line.outward, length(line.tested));
    exit.found = exit.found && !to.found;
    let n = unit(exit.normal);
    let along = unit(line.tested);
    return way_to(exit, line, t, unit(n - dot(n, along) * along), y, to.tet);
}

// Whether a line leaves through the face with unit normal n.
fn is_on(exit: FaceHit, n: vec3f) -> bool {
    return exit.found && dot(unit(exit.normal), n) > SAME_FACE;
}

// Over the line in which the two faces of its passage meet, along the normal to both lines, from where the edge is over
// it. Not found where they hardly cross, the edge itself is not over that line, or a face cuts it off.
fn over_ridge(part: Crossing, line: Line, tet: u32, between: f32) -> Way {
    let n = unit(part.enters.normal);
    let m = unit(part.leaves.normal);
    let ridge = cross(n, m);
    let sine2 = dot(ridge, ridge);
    let normal = cross(line.whole, ridge);
    var way = Way();
    if sine2 < SHARP_SINE2 || dot(normal, normal) < SHARP_SINE2 * sine2 * dot(line.whole, line.whole) {
        return way;
    }
    let r = unit(select(-normal, normal, dot(normal, n + m) > 0.0));
    // From a to the ridge: f = (h_n (n - c m) + h_m (m - c n)) / (1 - c^2), c = n.m.
    let c = dot(n, m);
    let height_n = dot(particles_in[part.enters.corners.x].position - line.a, n);
    let height_m = dot(particles_in[part.leaves.corners.x].position - line.a, m);
    let foot = (height_n * (n - c * m) + height_m * (m - c * n)) / sine2;
    // Along r a line is over the ridge where both have the same place across it. From there the planes of both faces are as
    // far.
    let across = cross(ridge, r);
    let t = dot(foot, across) / dot(line.whole, across);
    let t_tested = dot(foot + line.a - line.q, across) / dot(line.tested, across);
    let s = clamp(t_tested, part.first, part.last);
    let y = line.q + s * line.tested;
    let to = tet_at(tet, line, between, s);
    // No face cuts the ridge off where from a little before it and behind it lines along r leave through its own.
    let to_n = ASIDE * (part.first - s) * line.tested;
    let to_m = ASIDE * (part.last - s) * line.tested;
    let over_n = march_out(march_out(to.tet, y, to_n, 1.0).tet, y + to_n, r, length(line.tested));
    let over_m = march_out(march_out(to.tet, y, to_m, 1.0).tet, y + to_m, r, length(line.tested));
    // The triangle of that which r leads out of the more directly takes the contact.
    if dot(n, r) > dot(m, r) {
        way = way_to(over_n, line, t, r, y, to.tet);
    } else {
        way = way_to(over_m, line, t, r, y, to.tet);
    }
    way.found = is_on(over_n, n) && is_on(over_m, m) && t >= 0.0 && t <= 1.0;
    return way;
}

// The shorter way, of that over a face only where it is none of the two that the edge passes.
fn way_out(part: Crossing, line: Line, tet: u32, between: f32, held: bool) -> Way {
    var face = over_face(part, line, tet, between);
    if held || !part.enters.found || !part.leaves.found {
        return face;
    }
    let ridge = over_ridge(part, line, tet, between);
    let passed = is_on(face.exit, unit(part.enters.normal)) || is_on(face.exit, unit(part.leaves.normal));
    let touches = dot(unit(ridge.exit.normal), ridge.r) >= GRAZING && looks_against(ridge.r, line.outward)
        && is_between(-ridge.r, line.faces);
    if ridge.found && touches && (!face.found || passed || ridge.gap < face.gap) {
        return ridge;
    }
    face.found = face.found && (passed || !ridge.found || face.gap <= ridge.gap);
    return face;
}

fn find_contact(edge: Edge, tet: u32, begun: Contact, held: bool) -> Contact {
    let q = tested[edge.ends.x].position;
    let a = particles_in[edge.ends.x].position;
    let faces = edge_faces(edge);
    let outward = unit(faces[0] + faces[1]);
    let line = Line(q, tested[edge.ends.y].position - q, a, particles_in[edge.ends.y].position - a, outward, faces);
    let between = tet_middle(tet, q, line.tested);
    let way = way_out(passage(tet, q, line.tested, between), line, tet, between, held);
    if !way.found || dot(unit(way.exit.normal), way.r) < GRAZING || !looks_against(way.r, outward) {
        return begun;
    }
    let x = a + way.t * line.whole;
    let margin = distance(x, way.y) + collide.margin;
    let outside = march_out(way.tet, way.y, x - way.y, 1.0).found;
    if way.gap < -2.0 * margin || way.gap > select(length(line.tested), 2.0 * margin, outside) {
        return begun;
    }
    var contact = begun;
    contact.normal = way.r;
    contact.gap = way.gap;
    contact.a = Side(vec4u(edge.ends, NONE, NONE), vec4f(1.0 - way.t, way.t, 0.0, 0.0));
    contact.b = Side(vec4u(way.exit.corners, NONE), vec4f(-triangle_weights(x + way.gap * way.r, way.exit), 0.0));
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
    let r = record_first[sim.particle_count] + thread_index(group, lane, 64u);
    if r >= min(record_first[sim.particle_count + collide.edge_count], collide.capacity) {
        return;
    }
    let record = penetrations_in[r];
    let edge = edges[record.feature - sim.particle_count];
    let begun = contact_begun(record.feature, tested[edge.ends.x].body, record.body);
    let held = max(end_depth(edge.ends.x, record.body), end_depth(edge.ends.y, record.body));
    var contact = find_contact(edge, record.tet, begun, held >= 0.0);
    let known = any(abs(record.direction) > vec3f());
    let central = abs(contact.a.weights.y - 0.5) <= 0.25;
    if held >= 0.0 && !(central && (known || contact.gap > held + collide.margin)) {
        contact = begun;
    }
    contacts[r] = contact;
}
