// pose_planes: one thread per pose, at the end of a search. The planes that it lies on: of the faces of others that it touches along
// their normals n, the PLANES that it is nearest to or deepest in, with how far it and its centre are in front of what has the face, and
// how fast that moves along n at the pose's centre. What is held lies on nothing.
// Reads list_first, entries, manifolds, colliders, hull_vertices, hull_faces, poses; writes planes.
#import shared/collide
#import shared/collider
#import shared/turn

@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(173) var<storage, read> entries: array<Entry>;
@group(0) @binding(193) var<storage, read> manifolds: array<Manifold>;
@group(0) @binding(235) var<storage, read_write> planes: array<Plane>;

fn no_plane() -> Plane {
    return Plane(vec3f(), NO_POINT, 0.0, 0.0, NONE);
}

// The plane of the face of `collider`, of a pose `other`, that the pose lies on with `own` where the normal is n; without a
// normal where that is no face's.
fn plane_of(own: Collider, pose: Pose, collider: u32, other: Pose, n: vec3f) -> Plane {
    let c = colliders[collider];
    let pair = pair_of(own, c, pose, other, vec3f());
    let d = turn_back(collider_rotation(own, pose), n);
    let face = feature(c, d * pair.axes, vec3f());
    if c.kind == COLLIDER_PLANE || dot(face.normal, d * pair.axes) < PLANE_ALIKE {
        return no_plane();
    }
    let out = pair.axes * face.normal;
    let top = dot(out, support_of_b(pair, out)) + c.radius;
    let gap = dot(out, support(own, -out)) - own.radius - top;
    let normal = rotate(collider_rotation(c, other), face.normal);
    let height = -top - dot(normal, rotate(pose.rotation, own.position));
    let speed = dot(normal, velocity_at(other, pose.position));
    return Plane(normal, gap, height, speed, collider);
}

@compute @workgroup_size(64)
fn pose_planes(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let pose = poses[p];
    let i = sim.particle_count + p;
    var found: array<Plane, PLANES>;
    for (var k = 0u; k < PLANES; k++) {
        found[k] = no_plane();
    }
    let first = list_first[i];
    let end = select(list_first[i + 1u], first, pose.inverse_mass == 0.0);
    for (var e = first; e < end; e++) {
        let m = manifolds[entries[e].node >> 3u];
        if m.count == 0u || m.turns == TURNS_WITH_A || m.turns == TURNS_WITH_B {
            continue;
        }
        let is_a = m.dofs.x == i;
        let own = colliders[select(m.colliders.y, m.colliders.x, is_a)];
        let other = select(m.dofs.x, m.dofs.y, is_a) - sim.particle_count;
        let collider = select(m.colliders.x, m.colliders.y, is_a);
        let plane = plane_of(own, pose, collider, poses[other], select(-m.normal, m.normal, is_a));
        if plane.collider == NONE {
            continue;
        }
        // In the place of the one that is level with it, else of the farthest.
        var place = 0u;
        var level = NONE;
        for (var k = 0u; k < PLANES; k++) {
            if dot(found[k].normal, plane.normal) > PLANE_ALIKE {
                level = k;
            }
            place = select(place, k, found[k].gap > found[place].gap);
        }
        if level != NONE {
            // Of two colliders, whichever is looked at, the plane is the other's, too.
            found[level].collider = select(NONE, collider, found[level].collider == collider);
            found[level].gap = min(found[level].gap, plane.gap);
            found[level].height = min(found[level].height, plane.height);
        } else if plane.gap < found[place].gap {
            found[place] = plane;
        }
    }
    for (var k = 0u; k < PLANES; k++) {
        planes[PLANES * p + k] = found[k];
    }
}
