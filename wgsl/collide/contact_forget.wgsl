// contact_forget: one thread per record, between steps. Contacts of bodies that have been put elsewhere or taken out go on
// no more: neither their penetration vectors nor their impulses.
// Reads contact_lists, forgotten (the first of the bodies' particles, one past the last, and a word per body, 1 of these); updates
// contacts, impulses.
#import shared/contact_lists

@group(0) @binding(35) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(166) var<storage, read> forgotten: array<u32>;

@compute @workgroup_size(64)
fn contact_forget(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    var gone = contact.bodies.y != NONE && forgotten[2u + min(contact.bodies.y, sim.body_count - 1u)] > 0u;
    let count = participants(contact);
    for (var k = 0u; k < count.y; k++) {
        let i = participant(contact, count, k).i;
        gone = gone || (i >= forgotten[0] && i < forgotten[1]);
    }
    if gone {
        contacts[c].a.dofs.x = NONE;
        contacts[c].bodies.y = NONE;
        impulses[c] = Impulse(vec3f(), 0.0, NONE, 0.0, 0.0, NONE);
    }
}
