// border_penetration: one thread per particle. For each body that holds it: where its edges to particles that the body
// does not hold leave that body (x_e, face normal n_e), weighted by the inverse square of their distance
// [Heidelberger et al. 2004, eq. 1-3]; the way that it came in this step counts as one more such edge.
// depth = sum w (x_e - q).n_e / sum w, direction = sum w n_e normalised; direction 0: not at the border.
// Reads particles_in, points, springs, tested, hits, record_first, tets; writes penetrations_out.
#import shared/walk
#import shared/held

@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(5) var<storage, read> springs: array<SpringEnd>;
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
fn exit_normal(start: vec3f, way: vec3f, exit: Exit) -> vec3f {
    let face = exit.normal / max(length(exit.normal), 1e-30);
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

// A face that does not look against the particle's own surface is not the one that it pushes on: at the rim of two
// aligned cubes, the side faces. `outward`: the particle's unit normal, 0 inside its body.
fn border_add(border: Border, outward: vec3f, start: vec3f, way: vec3f, exit: Exit) -> Border {
    let n = exit_normal(start, way, exit);
    if dot(n, outward) > -FACING * dot(outward, outward) {
        return border;
    }
    let d = exit.t * way;
    let weight = 1.0 / max(dot(d, d), collide.floor * collide.floor);
    return Border(border.weight + weight, border.depth + weight * dot(d, n), border.direction + weight * n);
}

@compute @workgroup_size(64)
fn border_penetration(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                      @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let first = record_first[i];
    let end = min(record_first[i + 1u], collide.capacity);
    let q = tested[i].position;
    let velocity = particles_in[i].velocity;
    let position = particles_in[i].position;
    // In the source's mode every face counts, as for particles inside.
    let outward = select(tested[i].normal, vec3f(), collide.source != 0u);
    let point = points[i];
    let edge_count = point.counts & 0xffffu;
    for (var r = first; r < end; r++) {
        let tet = hits[HIT_STRIDE * i + r - first];
        let body = body_of_tet(tet);
        let start = start_inside(tet, q);
        var border = Border(0.0, 0.0, vec3f());
        for (var e = 0u; e < edge_count; e++) {
            let j = springs[point.spring_first + e * SLICE].other;
            if !held_by(j, body) {
                let way = tested[j].position - start;
                let exit = walk_out(tet, start, way, 1.0);
                if exit.found {
                    border = border_add(border, outward, start, way, exit);
                }
            }
        }
        let back = position - q - (CAME_IN * sim.step) * (velocity - velocity_at(tet, q));
        if dot(back, back) > collide.floor * collide.floor {
            let exit = walk_out(tet, start, back, 1.0);
            if exit.found {
                border = border_add(border, outward, start, back, exit);
            }
        }
        let size = length(border.direction);
        var result = Penetration(vec3f(), 0.0, i, tet, body, 0u);
        if size > 1e-6 * border.weight {
            result.direction = border.direction / size;
            result.depth = border.depth / border.weight;
        }
        penetrations_out[r] = result;
    }
}
