// contact_fill: one thread per record. Notes the contact in the lists of its participants, in any order, and leaves their
// counts 0 for the next search.
// Reads contacts, contact_lists, list_first; updates list_counts; writes nodes.
#import shared/contact_lists

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(58) var<storage, read_write> list_counts: array<atomic<u32>>;
@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(62) var<storage, read_write> nodes: array<u32>;

@compute @workgroup_size(64)
fn contact_fill(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    if !is_contact(contact) {
        return;
    }
    let count = participants(contact);
    for (var k = 0u; k < count.y; k++) {
        let part = participant(contact, count, k);
        let at = list_first[part.i] + atomicSub(&list_counts[part.i], 1u) - 1u;
        nodes[at] = 8u * c + part.place;
    }
}
