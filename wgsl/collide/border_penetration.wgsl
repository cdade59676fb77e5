// border_penetration: one thread per record of a particle. Where it leads out of the other body: a unit direction and the
// depth of q along it; direction 0: it is not at the border.
// - x is outside, only q is inside: the face between them.
// - It was a contact in the last search: that triangle's normal.
// - Else: where its edges to particles that the body does not hold leave the body (x_e, face normal n_e), weighted by
//   the inverse square of their distance [Heidelberger et al. 2004, eq. 1-3]; the way that it came in this step counts
//   as one more such edge. depth = sum w (x_e - q).n_e / sum w, direction = sum w n_e normalised.
// Only faces that look against the particle's own surface count. Where they leave a penetration vector that is far longer than the
// one that the particle came in by, that one is taken; by how much depends on whether that face looks against it, too: a side of a
// body that slides over the particle does not.
// Reads particles_in, points, elements, tested, hits, record_first, tets; updates penetrations_out.
#import shared/march
#import shared/held

@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(5) var<storage, read> elements: array<Element>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(34) var<storage, read_write> penetrations_out: array<Penetration>;

// Velocity of the body at q, which one of its tetrahedra holds.
fn velocity_at(tet: u32, q: vec3f) -> vec3f {
    let corners = tets[tet].corners;
    let beta = barycentric(tet, q);
    let v = particles_in[corners.x].velocity;
    return v + beta.y * (particles_in[corners.y].velocity - v) + beta.z * (particles_in[corners.z].velocity - v)
        + beta.w * (particles_in[corners.w].velocity - v);
}

// The unit normal where a line leaves a body: the face's; in the source's mode that between the normals at its corners.
fn exit_normal(start: vec3f, way: vec3f, exit: FaceHit) -> vec3f {
    let face = unit(exit.normal);
    if collide.source == 0u {
        return face;
    }
    let corners = exit.corners;
    let beta = triangle_weights(start + exit.t * way, exit);
    let normal = beta.x * tested[corners.x].normal
        + beta.y * tested[corners.y].normal + beta.z * tested[corners.z].normal;
    let size = length(normal);
    return select(face, normal / max(size, 1e-30), size > 0.0);
}

struct Border {
    weight: f32,
    depth: f32,
    direction: vec3f,
}

fn border_add(border: Border, outward: vec3f, start: vec3f, way: vec3f, exit: FaceHit) -> Border {
    let n = exit_normal(start, way, exit);
    if !looks_against(n, outward) {
        return border;
    }
    let d = exit.t * way;
    let weight = 1.0 / max(dot(d, d), collide.floor * collide.floor);
    return Border(border.weight + weight, border.depth + weight * dot(d, n), border.direction + weight * n);
}

// The record with its penetration vector by the border, `back` the way that the particle came by.
fn by_border(begun: Penetration, start: vec3f, outward: vec3f, back: vec3f) -> Penetration {
    var record = begun;
    let point = points[record.feature];
    let edge_count = point.counts & 0xffffu;
    var border = Border(0.0, 0.0, vec3f());
    for (var e = 0u; e < edge_count; e++) {
        let j = elements[point.first + e * SLICE].other;
        if !held_by(j, record.body) {
            let way = tested[j].position - start;
            let exit = march_out(record.tet, start, way, 1.0);
            if exit.found {
                border = border_add(border, outward, start, way, exit);
            }
        }
    }
    var came = march_out(record.tet, start, back, 1.0);
    came.found = came.found && dot(back, back) > collide.floor * collide.floor;
    if came.found {
        border = border_add(border, outward, start, back, came);
    }
    let size = length(border.direction);
    if size > 1e-6 * border.weight {
        record.direction = border.direction / size;
        record.depth = border.depth / border.weight;
    }
    if came.found && collide.source == 0u {
        let n = unit(came.normal);
        let depth = came.t * dot(back, n);
        let own = tested[record.feature];
        let reach = distance(own.position, particles_in[record.feature].position);
        let more = select(FROM_BEHIND * own.margin, 0.0, looks_against(n, outward));
        if record.depth > 2.0 * depth + reach + more {
            record.direction = n;
            record.depth = depth;
        }
    }
    return record;
}

fn penetration_vector(begun: Penetration) -> Penetration {
    let i = begun.feature;
    let particle = particles_in[i];
    let q = tested[i].position;
    let start = start_inside(begun.tet, q);
    let out = particle.position - start;
    let back = particle.position - q - (CAME_IN * sim.step) * (particle.velocity - velocity_at(begun.tet, q));
    if collide.source != 0u {
        // Every face counts, as for particles inside.
        return by_border(begun, start, vec3f(), back);
    }
    let outward = tested[i].normal;
    var record = begun;
    let side = march_out(begun.tet, start, out, 1.0);
    if side.found && looks_against(unit(side.normal), outward) {
        record.direction = unit(side.normal);
        record.depth = side.t * dot(out, record.direction);
        return record;
    }
    if !any(abs(record.direction) > vec3f()) {
        record = by_border(record, start, outward, back);
    }
    if side.found {
        // What is outside is nowhere deep.
        record.depth = 0.0;
    }
    return record;
}

@compute @workgroup_size(64)
fn border_penetration(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let r = thread_index(group, lane, 64u);
    if r >= min(record_first[sim.particle_count], collide.capacity) {
        return;
    }
    let begun = penetrations_out[r];
    if begun.tet != NONE {
        penetrations_out[r] = penetration_vector(begun);
    }
}
