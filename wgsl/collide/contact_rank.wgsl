// contact_rank: one thread per record. Enters the contact in the lists of its participants, in ascending order: behind as many
// as are lower in the same list, so that sums over it do not depend on how `nodes` was filled. However long a list, each thread
// goes through it once for a participant.
// Reads contacts, contact_lists, list_first, nodes; writes entries.
#import shared/contact_lists

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(62) var<storage, read> nodes: array<u32>;
@group(0) @binding(173) var<storage, read_write> entries: array<Entry>;

@compute @workgroup_size(64)
fn contact_rank(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
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
        let node = 8u * c + part.place;
        let first = list_first[part.i];
        let end = list_first[part.i + 1u];
        var place = first;
        for (var e = first; e < end; e++) {
            place += select(0u, 1u, nodes[e] < node);
        }
        entries[place] = Entry(node, part.weight);
    }
}
