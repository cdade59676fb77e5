// One iteration of a contact's impulse, from velocities in which `start` already acts: v = sum_k w_k u_k, lambda_n' = max(0,
// lambda_n - kappa (v.r + b)/W - (1 - kappa) lambda_n), and friction [shared/friction]. Of particles W is the same across the
// normal; a pose adds what an impulse does at its arm, of the part of it that the contact has. Who imports this binds
// impulses.
#import shared/pose_load
#import shared/friction

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;

// The impulse after it; its row learns the change.
fn impulse_next(c: u32, contact: Contact, start: Impulse) -> Impulse {
    var impulse = start;
    var v = vec3f();
    let row = rows[c];
    // W.
    var along = row.inverse_mass;
    var slide = vec3f();
    var with_pose = false;
    let count = participants(contact);
    for (var k = 0u; k < count.y; k++) {
        let part = participant(contact, count, k);
        if is_pose(part.i) {
            let pose = pose_state(part.i);
            let arm = row.point - pose.position;
            let times = split(pose, max(row.share, 1e-30));
            with_pose = true;
            v += part.weight * (pose.velocity + cross(pose.spin, arm));
            // 0 where the contact has no share.
            along = select(0.0, along + times * mobility(pose, arm, contact.normal), row.share > 0.0);
            slide = times * slide_masses(pose, arm, contact.normal);
        } else {
            v += part.weight * contact_velocities[part.i].xyz;
        }
    }
    if along > 0.0 {
        let closing = dot(v, contact.normal);
        let less = row.kappa * (closing + row.bias) / along + (1.0 - row.kappa) * impulse.normal;
        impulse.normal = max(0.0, impulse.normal - less);
        let most = contact.friction * impulse.normal;
        if with_pose {
            let masses = slide + vec3f(row.inverse_mass, row.inverse_mass, 0.0);
            let t = across(contact.normal);
            impulse.tangent = rubbed(t, cross(contact.normal, t), masses, v, impulse.tangent, most);
        } else {
            let wanted = impulse.tangent - (v - closing * contact.normal) / along;
            impulse.tangent = wanted * min(1.0, most / max(length(wanted), 1e-30));
        }
        impulse.normal_change += impulse.normal - start.normal;
        impulse.tangent_change += length(impulse.tangent - start.tangent);
    }
    rows[c].delta = (impulse.normal - start.normal) * contact.normal + (impulse.tangent - start.tangent);
    return impulse;
}
