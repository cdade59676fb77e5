// The labels of the bodies of a contact, of those that are tied to others the label of the first of them. Who imports this
// binds contacts, augmented, islands and islands_next.
#import shared/contact_lists
#import shared/tie_groups

// The least and the largest of them; where the contact does not press, a least one above the largest.
fn pressed_labels(c: u32) -> vec2u {
    var labels = vec2u(NONE, 0u);
    if augmented[c].stiffness <= 0.0 {
        return labels;
    }
    let contact = contacts[c];
    for (var k = 0u; k < 2u; k++) {
        let label = islands[tie_group(contact.bodies[k])];
        labels = vec2u(min(labels.x, label), max(labels.y, label));
    }
    return labels;
}

// Gives them one that may be less.
fn lower_labels(c: u32, label: u32) {
    let contact = contacts[c];
    for (var k = 0u; k < 2u; k++) {
        atomicMin(&islands_next[tie_group(contact.bodies[k])], label);
    }
}
