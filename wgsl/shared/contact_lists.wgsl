// The contacts of each particle, as lists. Words 2i and 2i + 1 of `contact_lists` belong to particle i: its first node, and its
// load, the sum of its weights' magnitudes over all its contacts in parts of LOAD_UNIT (with LIST_SORTED once the list is
// in ascending order). Then four words of all: the number of records, whether any bodies' boxes meet, the least gap
// between those that do not, and how far any particle may have come since the last search [m]. Then the node after each
// node. Node 8 c + k is participant k of contact c.
#import shared/collide

fn list_head(i: u32) -> u32 {
    return 2u * i;
}

fn list_load(i: u32) -> u32 {
    return 2u * i + 1u;
}

fn list_records() -> u32 {
    return 2u * sim.particle_count;
}

fn list_touching() -> u32 {
    return 2u * sim.particle_count + 1u;
}

fn list_gap() -> u32 {
    return 2u * sim.particle_count + 2u;
}

fn list_travel() -> u32 {
    return 2u * sim.particle_count + 3u;
}

fn list_next(node: u32) -> u32 {
    return 2u * sim.particle_count + LIST_WORDS + node;
}

// Whether a node is a corner of the contact's triangle.
fn is_corner(node: u32) -> bool {
    return (node & 7u) - 1u < 3u;
}

// How far a contact's two sides are moved apart in this step [m]: gently, or in the source's mode all of the estimate.
fn contact_push(contact: Contact, gap: f32) -> f32 {
    if collide.source != 0u {
        return max(0.0, contact.depth);
    }
    let depth = max(0.0, gap - SLOP * contact.edge);
    return sim.step * min(depth / PROJECTION_TIME, PROJECTION_SPEED);
}

fn load_of(word: u32) -> f32 {
    return f32(word & ~LIST_SORTED) / LOAD_UNIT;
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
