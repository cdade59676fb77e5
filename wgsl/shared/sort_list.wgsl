// Brings a particle's list of contacts in ascending order.
#import shared/contact_lists

@group(0) @binding(37) var<storage, read_write> contact_lists: array<u32>;

// Insertion sort, unless the list is in order already.
fn sort_list(i: u32) {
    if contact_lists[list_head(i)] == NONE || contact_lists[list_load(i)] >= LIST_SORTED {
        return;
    }
    var sorted = NONE;
    var node = contact_lists[list_head(i)];
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        let next = contact_lists[list_next(node)];
        if sorted == NONE || node < sorted {
            contact_lists[list_next(node)] = sorted;
            sorted = node;
        } else {
            var before = sorted;
            for (var l = 0u; l < MAX_LIST; l++) {
                let after = contact_lists[list_next(before)];
                if after == NONE || node < after {
                    contact_lists[list_next(node)] = after;
                    contact_lists[list_next(before)] = node;
                    break;
                }
                before = after;
            }
        }
        node = next;
    }
    contact_lists[list_head(i)] = sorted;
    contact_lists[list_load(i)] |= LIST_SORTED;
}
