// Brings a particle's list of contacts in ascending order.
#import shared/rows

@group(0) @binding(37) var<storage, read_write> rows: array<u32>;

// Insertion sort, unless the list is in order already.
fn sort_row(i: u32) {
    if rows[row_head(i)] == NONE || rows[row_load(i)] >= ROW_SORTED {
        return;
    }
    var sorted = NONE;
    var node = rows[row_head(i)];
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        let next = rows[row_next(node)];
        if sorted == NONE || node < sorted {
            rows[row_next(node)] = sorted;
            sorted = node;
        } else {
            var before = sorted;
            for (var l = 0u; l < MAX_LIST; l++) {
                let after = rows[row_next(before)];
                if after == NONE || node < after {
                    rows[row_next(node)] = after;
                    rows[row_next(before)] = node;
                    break;
                }
                before = after;
            }
        }
        node = next;
    }
    rows[row_head(i)] = sorted;
    rows[row_load(i)] |= ROW_SORTED;
}
