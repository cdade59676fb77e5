// contact_forget: one thread per record, between steps. Contacts of bodies that have been put elsewhere or taken out go on
// no more: neither their penetration vectors nor their impulses, nor the points of manifolds.
// Reads contact_lists, forgotten (the first of the bodies' particles, one past the last, and a word per body, 1 of these); updates
// contacts, impulses, manifolds, manifold_points.
#import shared/contact_lists
#import shared/forget

@group(0) @binding(35) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(193) var<storage, read_write> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read_write> manifold_points: array<ManifoldPoint>;
@group(0) @binding(166) var<storage, read> forgotten: array<u32>;

fn is_forgotten(body: u32) -> bool {
    return body < sim.body_count && forgotten[2u + body] > 0u;
}

@compute @workgroup_size(64)
fn contact_forget(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    var gone = is_forgotten(contact.bodies.y) || (is_manifold(contact) && is_forgotten(contact.bodies.x));
    let count = participants(contact);
    for (var k = 0u; k < count.y; k++) {
        let i = participant(contact, count, k).i;
        gone = gone || (i >= forgotten[0] && i < forgotten[1]);
    }
    if gone {
        if is_manifold(contact) {
            forget_manifold(c);
        }
        contacts[c].a.dofs.x = NONE;
        contacts[c].bodies.y = NONE;
        impulses[c] = Impulse(vec3f(), 0.0, NONE, 0.0, 0.0, NONE);
    }
}
