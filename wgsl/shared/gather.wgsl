// What the contacts of a particle or a pose do to it. Of a list longer than SLICE, contact_slices has added up each SLICE
// entries in a row: slice k of the list that begins at `first` is row first/SLICE_ROOM + k behind those of all contacts. A
// list of n entries takes n/64 of these places, rounded up, and the next begins at least n/32 places further, rounded down,
// which are no fewer.
#import shared/contact_lists

@group(0) @binding(56) var<storage, read> rows: array<Row>;
@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(173) var<storage, read> entries: array<Entry>;

// A list, or the slices of a long one.
struct Gathered {
    first: u32,
    count: u32,
    is_long: bool,
    slices: u32,
}

fn gathered(i: u32) -> Gathered {
    let first = list_first[i];
    let count = list_first[i + 1u] - first;
    let is_long = count > SLICE;
    return Gathered(first, select(count, (count + SLICE - 1u) / SLICE, is_long), is_long,
                    collide.capacity + first / SLICE_ROOM);
}

// Where the k-th of them has its row, and the weight of that.
struct Term {
    row: u32,
    weight: f32,
}

fn term(list: Gathered, k: u32) -> Term {
    let entry = entries[list.first + k];
    return Term(select(entry.node >> 3u, list.slices + k, list.is_long), select(entry.weight, 1.0, list.is_long));
}

fn has_contacts(i: u32) -> bool {
    return list_first[i] < list_first[i + 1u];
}

// Sum over the particle's contacts, in their order, of w delta [kg m/s].
fn contact_impulse(i: u32) -> vec3f {
    var sum = vec3f();
    let list = gathered(i);
    for (var k = 0u; k < list.count; k++) {
        let term = term(list, k);
        sum += term.weight * rows[term.row].delta;
    }
    return sum;
}
