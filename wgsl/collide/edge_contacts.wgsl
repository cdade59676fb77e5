// edge_contacts: one thread per sharp edge. Where an edge passes through a body that holds neither of its ends: from the
// middle of its inside part against the edge's own normal to the surface triangle there, whose normal n less its part
// along the edge is the direction r. The contact point is where the line from the edge along r meets the triangle's plane.
// Reads particles_in, tets, bodies, tested, hits, record_first, edges; writes contacts.
#import shared/walk
#import shared/held
#import shared/segment
#import shared/contact

@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(35) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(54) var<storage, read> edges: array<Edge>;

// The mean of the unit normals of the edge's two triangles.
fn edge_normal(edge: Edge) -> vec3f {
    let a = particles_in[edge.ends.x].position;
    let b = particles_in[edge.ends.y].position;
    let n = cross(b - a, particles_in[edge.wings.x].position - a);
    let m = cross(particles_in[edge.wings.y].position - a, b - a);
    let sum = n / max(length(n), 1e-30) + m / max(length(m), 1e-30);
    return sum / max(length(sum), 1e-30);
}

// The middle of the part of the segment from q along `way` in a tetrahedron.
fn tet_middle(tet: u32, q: vec3f, way: vec3f) -> f32 {
    let part = segment_part(barycentric(tet, q), barycentric(tet, q + way));
    return 0.5 * (part.first + part.last);
}

// The part of the segment from q along `way` inside the body, around the middle of its part in one of its tetrahedra.
fn inside_part(tet: u32, q: vec3f, way: vec3f, middle: f32) -> Part {
    let start = q + middle * way;
    let ahead = walk_out(tet, start, way, 1.0 - middle);
    let back = walk_out(tet, start, -way, middle);
    return Part(select(0.0, middle - back.t, back.found), select(1.0, middle + ahead.t, ahead.found));
}

fn find_contact(edge: Edge, tet: u32, begun: Contact) -> Contact {
    let start = tested[edge.ends.x].position;
    let way = tested[edge.ends.y].position - start;
    let between = tet_middle(tet, start, way);
    let part = inside_part(tet, start, way, between);
    let t = 0.5 * (part.first + part.last);
    let middle = start + t * way;
    // The tetrahedron that holds the middle: along the edge, which stays inside between the two.
    let to_middle = walk_out(tet, start + between * way, (t - between) * way, 1.0);
    let outward = edge_normal(edge);
    let size = length(way);
    let exit = walk_out(to_middle.tet, middle, -outward, size);
    if to_middle.found || !exit.found {
        return begun;
    }
    let along = way / max(size, 1e-30);
    let n = exit.normal / max(length(exit.normal), 1e-30);
    let across = n - dot(n, along) * along;
    let r = across / max(length(across), 1e-30);
    if dot(n, r) < GRAZING || dot(r, outward) > -FACING {
        return begun;
    }
    let p = particles_in[edge.ends.x];
    let x = p.position + t * (particles_in[edge.ends.y].position - p.position);
    let gap = dot(particles_in[exit.corners.x].position - x, n) / dot(n, r);
    if gap > size || gap < -2.0 * (distance(middle, x) + collide.margin) {
        return begun;
    }
    var contact = begun;
    contact.normal = r;
    contact.gap = gap;
    contact.particles = vec4u(edge.ends.x, exit.corners);
    contact.weights = vec4f(1.0 - t, -triangle_weights(x + gap * r, exit));
    contact.second = edge.ends.y;
    contact.second_weight = t;
    return contact;
}

@compute @workgroup_size(64)
fn edge_contacts(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                 @builtin(local_invocation_index) lane: u32) {
    let e = thread_index(group, groups, lane, 64u);
    if e >= collide.edge_count {
        return;
    }
    let feature = sim.particle_count + e;
    let first = record_first[feature];
    let end = min(record_first[feature + 1u], collide.capacity);
    for (var r = first; r < end; r++) {
        let edge = edges[e];
        let tet = hits[HIT_STRIDE * feature + r - first];
        let body = body_of_tet(tet);
        var contact = contact_begun(feature, edge.ends.x, body);
        if !held_by(edge.ends.x, body) && !held_by(edge.ends.y, body) {
            contact = find_contact(edge, tet, contact);
        }
        contacts[r] = contact;
    }
}
