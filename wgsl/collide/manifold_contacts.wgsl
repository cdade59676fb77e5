// manifold_contacts: one thread per record. The contact of a pair of colliders: its deepest point, or none where the two are
// further apart than counts; and 1 for what touches, to be listed.
// Reads record_first, colliders, manifolds, manifold_points; writes contacts, contact_lists, manifold_counts.
#import shared/contact_lists

@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(35) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read_write> contact_lists: array<u32>;
@group(0) @binding(190) var<storage, read> colliders: array<Collider>;
@group(0) @binding(193) var<storage, read> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read> manifold_points: array<ManifoldPoint>;
@group(0) @binding(208) var<storage, read_write> manifold_counts: array<u32>;

@compute @workgroup_size(64)
fn manifold_contacts(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    let first_feature = sim.particle_count + collide.edge_count;
    let first = record_first[first_feature];
    if c == 0u {
        contact_lists[LIST_MANIFOLDS] = first;
    }
    if c >= collide.capacity {
        return;
    }
    if c < first || c >= record_first[collide.feature_count] {
        manifold_counts[c] = 0u;
        return;
    }
    let manifold = manifolds[c];
    manifold_counts[c] = min(manifold.count, 1u);
    let a = colliders[manifold.colliders.x];
    let b = colliders[manifold.colliders.y];
    var contact = Contact();
    contact.a.dofs = vec4u(NONE);
    contact.b.dofs = vec4u(NONE);
    contact.feature_a = first_feature + manifold.colliders.x;
    contact.feature_b = manifold.colliders.y;
    // Obstacles have one collider each.
    contact.bodies = vec2u(a.body, select(b.body, TOUCH_SOLID | (manifold.colliders.y - collide.first_obstacle), b.body == NONE));
    if manifold.count > 0u {
        var deepest = manifold_points[MANIFOLD * c];
        var place = 0u;
        for (var k = 1u; k < manifold.count; k++) {
            let point = manifold_points[MANIFOLD * c + k];
            if point.distance < deepest.distance {
                deepest = point;
                place = k;
            }
        }
        // Of what rolls the radius from its axis.
        let rolls = vec2<bool>((manifold.rolls & (1u << place)) != 0u, (manifold.rolls & (16u << place)) != 0u);
        let radii = vec2f(a.radius, b.radius) + select(vec2f(), vec2f(a.half.x, b.half.x), rolls);
        contact.a = Side(vec4u(sim.particle_count + a.pose, NONE, NONE, NONE), vec4f(deepest.a, radii.x));
        contact.b = Side(vec4u(select(sim.particle_count + b.pose, NONE, b.body == NONE), NONE, NONE, NONE), vec4f(deepest.b, radii.y));
        contact.normal = manifold.normal;
        contact.reach = radii.x + radii.y;
        contact.gap = -deepest.distance;
    }
    contacts[c] = contact;
}
