// The contacts of each particle. `contact_lists`: words of all, LIST_..., then the load of each particle, the sum of its
// weights' magnitudes over all its contacts in parts of LOAD_UNIT. The list of particle i, its places in contacts in ascending
// order, is entries[list_first[i]] to before entries[list_first[i + 1]].
#import shared/collide

fn list_load(i: u32) -> u32 {
    return LIST_LOADS + i;
}

fn load_of(word: u32) -> f32 {
    return f32(word) / LOAD_UNIT;
}

// Participants of a contact: the first of side a, those of side b, the second of side a.
fn participant(contact: Contact, k: u32) -> u32 {
    if k == 4u {
        return contact.a.dofs.y;
    }
    return select(contact.b.dofs[max(k, 1u) - 1u], contact.a.dofs.x, k == 0u);
}

fn participant_weight(contact: Contact, k: u32) -> f32 {
    if k == 4u {
        return contact.a.weights.y;
    }
    return select(contact.b.weights[max(k, 1u) - 1u], contact.a.weights.x, k == 0u);
}

// Whether a place is on side b.
fn is_touched(node: u32) -> bool {
    return (node & 7u) - 1u < 3u;
}

// Whether a contact came of the record.
fn is_contact(contact: Contact) -> bool {
    return contact.a.dofs.x != NONE;
}
