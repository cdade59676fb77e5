// The labels of the bodies of a contact, of those that are tied to others the label of the first of them; obstacles have none. Who
// imports this binds contacts, augmented, wrenches, islands and islands_next.
#import shared/contact_lists
#import shared/tie_groups

// Whether the contact acts: a manifold by its share [shared/wrench_of].
fn presses(c: u32) -> bool {
    if HAS_POSES && c >= contact_lists[LIST_MANIFOLDS] {
        return is_contact(contacts[c]) && wrenches[WRENCH_ROWS * c].w > 0.0;
    }
    return augmented[c].stiffness > 0.0;
}

fn is_obstacle(body: u32) -> bool {
    return HAS_POSES && body >= sim.body_count;
}

// The least and the largest of them; where the contact does not press, a least one above the largest.
fn pressed_labels(c: u32) -> vec2u {
    var labels = vec2u(NONE, 0u);
    if !presses(c) {
        return labels;
    }
    let contact = contacts[c];
    for (var k = 0u; k < 2u; k++) {
        if !is_obstacle(contact.bodies[k]) {
            let label = islands[tie_group(contact.bodies[k])];
            labels = vec2u(min(labels.x, label), max(labels.y, label));
        }
    }
    return labels;
}

// Gives them one that may be less.
fn lower_labels(c: u32, label: u32) {
    let contact = contacts[c];
    for (var k = 0u; k < 2u; k++) {
        if !is_obstacle(contact.bodies[k]) {
            atomicMin(&islands_next[tie_group(contact.bodies[k])], label);
        }
    }
}
