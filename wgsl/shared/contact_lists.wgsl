// The contacts of each degree of freedom, the particles and behind them the poses. `contact_lists`: words of all, LIST_..., then
// the load of each, the sum of its weights' magnitudes over all its contacts in parts of LOAD_UNIT. The list of i, its places in
// contacts in ascending order, is entries[list_first[i]] to before entries[list_first[i + 1]]. `contact_velocities`: of each
// particle its velocity and 1/m, then of each pose what shared/pose_state tells.
#import shared/collide
#import content

fn list_load(i: u32) -> u32 {
    return LIST_LOADS + i;
}

fn load_of(word: u32) -> f32 {
    return f32(word) / LOAD_UNIT;
}

fn is_pose(i: u32) -> bool {
    return HAS_POSES && i >= sim.particle_count;
}

// Where the velocities of a particle or a pose begin.
fn velocity_word(i: u32) -> u32 {
    return select(i, sim.particle_count + POSE_ROWS * (i - sim.particle_count), is_pose(i));
}

// A particle or a pose of a contact's side: its weight, and its place, which is 0 to 3 on side a and 4 to 7 on side b.
struct Participant {
    i: u32,
    weight: f32,
    place: u32,
}

// How many side a has, and both together.
fn participants(contact: Contact) -> vec2u {
    let a = dot(select(vec4u(), vec4u(1u), contact.a.dofs != vec4u(NONE)), vec4u(1u));
    return vec2u(a, a + dot(select(vec4u(), vec4u(1u), contact.b.dofs != vec4u(NONE)), vec4u(1u)));
}

// The k-th of them, a side after the other.
fn participant(contact: Contact, count: vec2u, k: u32) -> Participant {
    if k < count.x {
        let i = contact.a.dofs[k];
        return Participant(i, select(contact.a.weights[k], 1.0, is_pose(i)), k);
    }
    let place = min(k - count.x, 3u);
    let i = contact.b.dofs[place];
    return Participant(i, select(contact.b.weights[place], -1.0, is_pose(i)), 4u + place);
}

// Whether a place is on side b.
fn is_touched(node: u32) -> bool {
    return (node & 4u) != 0u;
}

// Whether a contact came of the record.
fn is_contact(contact: Contact) -> bool {
    return contact.a.dofs.x != NONE;
}

// Whether it is of two poses, which touch in a manifold; obstacles' are not told, as nobody adds up what presses on them.
fn is_manifold(contact: Contact) -> bool {
    return is_contact(contact) && is_pose(contact.a.dofs.x) && (is_pose(contact.b.dofs.x) || contact.b.dofs.x == NONE);
}
