// contact_sort: one thread per degree of freedom. Brings the list of its contacts in ascending order, so that sums over it do not depend
// on how it was filled: by insertion over ever smaller distances, as one may have thousands of contacts
// [Shell 1959; the ratio of distances of Tokuda 1992].
// Reads list_first; updates entries.
#import shared/contact_lists

@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(173) var<storage, read_write> entries: array<Entry>;

// Inserts each of the entries from first to before end among those `gap` and its multiples before.
fn sort_by(first: u32, end: u32, gap: u32) {
    for (var e = first + gap; e < end; e++) {
        let entry = entries[e];
        var place = e;
        for (var k = first + gap; k <= e; k += gap) {
            if place < first + gap || entries[place - gap].node < entry.node {
                break;
            }
            entries[place] = entries[place - gap];
            place -= gap;
        }
        if place < e {
            entries[place] = entry;
        }
    }
}

@compute @workgroup_size(64)
fn contact_sort(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count + sim.pose_count {
        return;
    }
    let first = list_first[i];
    let end = list_first[i + 1u];
    if end - first > 16u {
        var gap = 1u;
        for (var k = 0u; k < 32u; k++) {
            if 9u * gap / 4u + 1u >= end - first {
                break;
            }
            gap = 9u * gap / 4u + 1u;
        }
        for (var k = 0u; k < 32u; k++) {
            if gap <= 1u {
                break;
            }
            sort_by(first, end, gap);
            gap = 4u * (gap - 1u) / 9u;
        }
    }
    sort_by(first, end, 1u);
}
