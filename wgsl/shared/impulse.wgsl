// One iteration of a contact's impulse, from velocities in which `start` already acts: v = sum_k w_k u_k,
// lambda_n' = max(0, lambda_n - kappa (v.r + b)/W - (1 - kappa) lambda_n), lambda_t' = lambda_t - v_t/W_t clipped to mu lambda_n'
// [Moreau 1988 for the cone]. Who imports this binds impulses.
#import shared/contact_lists

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;
@group(0) @binding(57) var<storage, read> contact_velocities: array<vec4f>;

// The impulse after it; its row learns the change.
fn impulse_next(c: u32, contact: Contact, start: Impulse) -> Impulse {
    var impulse = start;
    var v = vec3f();
    let row = rows[c];
    let count = participants(contact);
    for (var k = 0u; k < count.y; k++) {
        let part = participant(contact, count, k);
        let word = velocity_word(part.i);
        var u = contact_velocities[word].xyz;
        if is_pose(part.i) {
            u += cross(contact_velocities[word + 1u].xyz, row.point - contact_velocities[word + 2u].xyz);
        }
        v += part.weight * u;
    }
    if row.inverse_mass > 0.0 {
        let along = dot(v, contact.normal);
        let wanted = impulse.tangent - (v - along * contact.normal) / row.slide_inverse_mass;
        let less = row.kappa * (along + row.bias) / row.inverse_mass + (1.0 - row.kappa) * impulse.normal;
        impulse.normal = max(0.0, impulse.normal - less);
        impulse.tangent = wanted * min(1.0, contact.friction * impulse.normal / max(length(wanted), 1e-30));
        impulse.normal_change += impulse.normal - start.normal;
        impulse.tangent_change += length(impulse.tangent - start.tangent);
    }
    rows[c].delta = (impulse.normal - start.normal) * contact.normal + (impulse.tangent - start.tangent);
    return impulse;
}
