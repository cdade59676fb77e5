// The contacts of each particle, as lists. Words 2i and 2i + 1 of `rows` belong to particle i: its first node, and how
// many contacts it takes part in (with ROW_SORTED once the list is in ascending order). Then the number of records, and
// whether any bodies' boxes meet; then the node after each node. Node 8 c + k is participant k of contact c.
#import shared/collide

fn row_head(i: u32) -> u32 {
    return 2u * i;
}

fn row_counts(i: u32) -> u32 {
    return 2u * i + 1u;
}

fn row_records() -> u32 {
    return 2u * sim.particle_count;
}

fn row_touching() -> u32 {
    return 2u * sim.particle_count + 1u;
}

fn row_next(node: u32) -> u32 {
    return 2u * sim.particle_count + 2u + node;
}

// Participants of a contact: a particle or the two ends of an edge, then the three corners of the triangle.
fn participant(contact: Contact, k: u32) -> u32 {
    if k == 4u {
        return contact.second;
    }
    return contact.particles[k];
}

fn participant_weight(contact: Contact, k: u32) -> f32 {
    if k == 4u {
        return contact.second_weight;
    }
    return contact.weights[k];
}
