// manifold_seams: one thread per record, at the end of a search. What lies on a plane can meet what is behind the plane only in it.
// But it lies a little inside, and would trip over the seams of a floor of flush boxes. So a pair does not touch where a plane that
// one of the two lies on, whose normal is another than the pair's, parts it from the other no worse than from what has the plane, and
// the other does not move through the plane [cf. the removal of internal edges in Jolt Physics]. Triangles of meshes know their
// neighbours themselves [shared/facet].
// Reads contact_lists, colliders, hull_vertices, poses, planes; updates manifolds, manifold_points, contacts.
#import shared/collider
#import shared/contact_lists
#import shared/facet
#import shared/forget
#import shared/turn

@group(0) @binding(35) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(193) var<storage, read_write> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read_write> manifold_points: array<ManifoldPoint>;
@group(0) @binding(235) var<storage, read> planes: array<Plane>;

// How far what is level may stand out of a plane, as a part of the smaller one's bound.
const SEAM_LEVEL: f32 = 1e-3;

// Whether the manifold is a seam in a plane that one of the two lies on.
fn is_seam(m: Manifold) -> bool {
    let a = colliders[m.colliders.x];
    let b = colliders[m.colliders.y];
    if b.kind == COLLIDER_PLANE || is_facet(a) || is_facet(b) {
        return false;
    }
    let pose_a = poses[a.pose];
    let pose_b = poses[b.pose];
    let arm = pose_a.position - pose_b.position;
    // From the centre of the other's core to that of the pose that lies.
    let to_a = arm - rotate(pose_b.rotation, b.position);
    let to_b = -arm - rotate(pose_a.rotation, a.position);
    let level = SEAM_LEVEL * min(a.bound, b.bound);
    for (var k = 0u; k < 2u * PLANES; k++) {
        let is_a = k < PLANES;
        let plane = planes[PLANES * select(b.pose, a.pose, is_a) + k % PLANES];
        let own = plane.collider == select(m.colliders.x, m.colliders.y, is_a);
        let n = select(-plane.normal, plane.normal, is_a);
        // Most of the others are not behind it with their centres.
        let in_front = dot(plane.normal, select(to_b, to_a, is_a)) < plane.height - level;
        if plane.gap > 1e38 || own || in_front || dot(n, m.normal) > PLANE_ALIKE {
            continue;
        }
        let pair = pair_of(a, b, pose_a, pose_b, vec3f());
        let apart = separation_along(pair, turn_back(collider_rotation(a, pose_a), n)) - a.radius - b.radius;
        // Of the other, where the one that lies is.
        let velocity = select(velocity_at(pose_a, pose_b.position), velocity_at(pose_b, pose_a.position), is_a);
        let comes = abs(dot(plane.normal, velocity) - plane.speed) * LOOK_AHEAD;
        if apart >= plane.gap - level && comes <= level {
            return true;
        }
    }
    return false;
}

@compute @workgroup_size(64)
fn manifold_seams(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = contact_lists[LIST_MANIFOLDS] + thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) || manifolds[c].count == 0u || !is_seam(manifolds[c]) {
        return;
    }
    forget_manifold(c);
    contacts[c].a.dofs.x = NONE;
}
