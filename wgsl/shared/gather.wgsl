// What the contacts of a particle do to it.
#import shared/contact_lists

@group(0) @binding(56) var<storage, read> rows: array<Row>;
@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(173) var<storage, read> entries: array<Entry>;

fn has_contacts(i: u32) -> bool {
    return list_first[i] < list_first[i + 1u];
}

// Sum over the particle's contacts, in their order, of w delta [kg m/s].
fn contact_impulse(i: u32) -> vec3f {
    var sum = vec3f();
    let end = list_first[i + 1u];
    for (var e = list_first[i]; e < end; e++) {
        let entry = entries[e];
        sum += entry.weight * rows[entry.node >> 3u].delta;
    }
    return sum;
}
