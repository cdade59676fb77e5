// What an iteration changed of the impulses on a particle.
#import shared/rows

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> rows: array<u32>;
@group(0) @binding(38) var<storage, read> impulses: array<Impulse>;
@group(0) @binding(39) var<storage, read> impulses_warm_start: array<Impulse>;

// Sum over the particle's contacts, in their order, of w (lambda' - lambda) [kg m/s].
fn impulse_change(i: u32) -> vec3f {
    var sum = vec3f();
    var node = rows[row_head(i)];
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        let c = node >> 3u;
        let normal = impulses[c].normal - impulses_warm_start[c].normal;
        let tangent = impulses[c].tangent - impulses_warm_start[c].tangent;
        sum += participant_weight(contacts[c], node & 7u) * (normal * contacts[c].normal + tangent);
        node = rows[row_next(node)];
    }
    return sum;
}
