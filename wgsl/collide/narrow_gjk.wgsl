// narrow_gjk: one thread per manifold. The normal n out of b into a along which the surfaces are nearest, or in each other least
// deep, and up to four points with gaps n (x_a - x_b) - r_a - r_b <= reach: by the distance algorithm of Gilbert, Johnson and
// Keerthi and the expanding polytope [van den Bergen 2003]. It begins with the direction of the search before: where the faces
// along that, of two boxes those along their separating axis [Gottschalk et al. 1996], are as near as they are apart along their
// normal, no cores are nearer.
// Reads colliders, hull_vertices, hull_faces, poses, manifold_points_last; updates manifolds; writes manifold_points.
#import shared/narrow
#import shared/collide

@group(0) @binding(32) var<storage, read> record_first: array<u32>;

@compute @workgroup_size(64)
fn narrow_gjk(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    let first = record_first[sim.particle_count + collide.edge_count];
    if i < first || i >= min(record_first[collide.feature_count], collide.capacity) {
        return;
    }
    var m = manifolds[i];
    let a = colliders[m.colliders.x];
    let b = colliders[m.colliders.y];
    let pair = pair_of(a, b, poses[a.pose], poses[b.pose]);
    let q = collider_rotation(a, poses[a.pose]);
    let most = m.reach + m.radii.x + m.radii.y;
    let axis = turn_back(q, m.axis);
    let is_plane = b.kind == COLLIDER_PLANE;
    let are_boxes = a.kind == COLLIDER_BOX && b.kind == COLLIDER_BOX;
    let shallow = -NARROW_SHALLOW * min(a.bound, b.bound);
    var faces: Faces;
    var basis: mat3x3f;
    var least = NO_POINT;
    for (var round = 0u; round < 2u; round++) {
        var at = no_direction();
        if is_plane {
            at = plane_direction(pair);
        } else if round == 1u {
            at = core_direction(pair, start_of(pair, select(axis, faces.at.normal, are_boxes)), most);
        } else if are_boxes {
            at = box_direction(pair);
        } else {
            at.normal = axis;
            at.is_known = dot(axis, axis) > 0.5;
        }
        if !at.is_known {
            continue;
        }
        faces = faces_along(pair, at);
        basis = basis_of(faces.at.normal);
        if faces.at.distance > most || faces.at.is_apart {
            clipped_count = 0u;
            faces.at.is_apart = true;
            break;
        }
        if round == 0u && faces.at.distance < -1e38 {
            continue;
        }
        least = clip_faces(pair, faces, basis, most);
        let is_sure = are_boxes || faces.at.distance > shallow;
        if is_plane || is_sure && least <= faces.at.distance + NARROW_ROUNDING * pair.size {
            break;
        }
    }
    let found = faces.at;
    if found.has_point && !found.is_apart && found.distance < least - 2.0 * NARROW_ROUNDING * pair.size {
        // The nearest points are on none of the faces.
        let place = found.a * basis;
        clipped_count = min(clipped_count, CLIP_POINTS - 1u);
        clipped[clipped_count] = vec4f(place, found.distance);
        clipped_count++;
    }
    m.normal = rotate(q, found.normal);
    m.axis = m.normal;
    write_manifold(i, m, pair, basis, choose(pair.size));
}
