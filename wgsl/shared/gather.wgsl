// What the contacts of a particle do to it.
#import shared/contact_lists

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(56) var<storage, read> rows: array<Row>;

// Sum over the particle's contacts, in their order, of w delta [kg m/s].
fn contact_impulse(i: u32) -> vec3f {
    var sum = vec3f();
    var node = contact_lists[list_head(i)];
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        let c = node >> 3u;
        sum += participant_weight(contacts[c], node & 7u) * rows[c].delta;
        node = contact_lists[list_next(node)];
    }
    return sum;
}
