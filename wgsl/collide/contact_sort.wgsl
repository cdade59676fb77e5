// contact_sort: one thread per record, for up to eight places of the lists, where one is longer than SLICE. Sorts each SLICE places
// in a row of such lists: a node goes behind as many of them as are lower.
// Reads contacts, contact_lists, list_first, nodes; writes sorted_nodes.
#import shared/list_owner

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(62) var<storage, read> nodes: array<u32>;
@group(0) @binding(187) var<storage, read_write> sorted_nodes: array<u32>;

@compute @workgroup_size(64)
fn contact_sort(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    let records = min(contact_lists[LIST_RECORDS], collide.capacity);
    if c >= records || contact_lists[LIST_LONG] == 0u {
        return;
    }
    let count = list_first[sim.particle_count + sim.pose_count];
    for (var k = 0u; k < 8u; k++) {
        let e = c + k * records;
        if e >= count {
            break;
        }
        let i = participant_of(nodes[e]);
        let first = list_first[i];
        let end = list_first[i + 1u];
        if end - first <= SLICE {
            continue;
        }
        let begin = e - (e - first) % SLICE;
        let stop = min(begin + SLICE, end);
        var place = begin;
        for (var s = begin; s < stop; s++) {
            place += select(0u, 1u, nodes[s] < nodes[e]);
        }
        sorted_nodes[place] = nodes[e];
    }
}
