// contact_rank: one thread per record. Enters the contact in the lists of its participants, in ascending order: behind as many
// as are lower in the same list, so that sums over it do not depend on how `nodes` was filled. A list longer than SLICE has been
// sorted by parts, which are searched by halves.
// Reads contacts, contact_lists, list_first, nodes, sorted_nodes; writes entries.
#import shared/contact_lists

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(62) var<storage, read> nodes: array<u32>;
@group(0) @binding(173) var<storage, read_write> entries: array<Entry>;
@group(0) @binding(187) var<storage, read> sorted_nodes: array<u32>;

// How many of a sorted part, SLICE of them at the most, are lower than the node.
fn lower_of_part(first: u32, count: u32, node: u32) -> u32 {
    var lower = 0u;
    for (var turn = 0u; turn < 7u; turn++) {
        let next = lower + (SLICE >> turn);
        if next <= count && sorted_nodes[first + min(next, count) - 1u] < node {
            lower = next;
        }
    }
    return lower;
}

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
        let is_long = end - first > SLICE;
        let parts = select(0u, (end - first + SLICE - 1u) / SLICE, is_long);
        let scanned = select(end, first, is_long);
        var place = first;
        for (var s = 0u; s < parts; s++) {
            let begin = first + SLICE * s;
            place += lower_of_part(begin, min(SLICE, end - begin), node);
        }
        for (var e = first; e < scanned; e++) {
            place += select(0u, 1u, nodes[e] < node);
        }
        entries[place] = Entry(node, part.weight);
    }
}
