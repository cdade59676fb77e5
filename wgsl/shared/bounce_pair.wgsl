// Where two bodies meet in a step, by the records of the last search: contacts that close more than their gap, and weigh with
// their approach; in an impact that goes on from the step before all that touch count, and weigh the same. `low` is the body
// with the lower number: both find the same to the bit, so that what one gives the other gets.
#import shared/rows
#import shared/bounce

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(54) var<storage, read> edges: array<Edge>;
@group(0) @binding(171) var<storage, read_write> bounce_motions: array<BounceMotion>;

struct Meeting {
    at: Impact,           // its normal points towards `low`
    weight: f32,
    low: vec3f,           // mean velocity of the points of either that meet [m/s]
    high: vec3f,
}

// The first sharp edge that begins at particle i or later.
fn edge_from(i: u32) -> u32 {
    var low = 0u;
    var high = collide.edge_count;
    for (var k = 0u; k < 32u; k++) {
        let middle = (low + high) / 2u;
        if low < high && edges[middle].ends.x < i {
            low = middle + 1u;
        } else if low < high {
            high = middle;
        }
    }
    return low;
}

fn add_contact(sum: Meeting, contact: Contact, radius: f32, of_low: bool, impact: bool) -> Meeting {
    var s = sum;
    let first = contact.particles.x;
    var place = particles_in[first].position;
    var own = contact.weights.x * particles_in[first].velocity;
    if contact.second != NONE {
        place += contact.second_weight * (particles_in[contact.second].position - place);
        own += contact.second_weight * particles_in[contact.second].velocity;
    }
    place -= radius * contact.normal;
    var other = vec3f();
    for (var k = 1u; k < 4u; k++) {
        if contact.particles[k] != NONE {
            other -= contact.weights[k] * particles_in[contact.particles[k]].velocity;
        }
    }
    let approach = -dot(own - other, contact.normal);
    var weight = select(0.0, approach, sim.bounce_steps * sim.step * approach > max(-contact.gap, 0.0));
    if impact {
        weight = select(0.0, 1.0, collide.margin + sim.bounce_steps * sim.step * max(approach, 0.0) > -contact.gap);
    }
    let side = select(-1.0, 1.0, of_low);
    s.at.place += weight * place;
    s.at.normal += (side * weight) * contact.normal;
    s.weight += weight;
    s.low += weight * select(other, own, of_low);
    s.high += weight * select(own, other, of_low);
    if weight > 0.0 {
        s.at.restitution = contact.restitution;
        s.at.friction = contact.friction;
    }
    return s;
}

// Adds the contacts with a body of the features from `first` to `end`, whose points have a radius.
fn add_records(sum: Meeting, first: u32, end: u32, radius: f32, other: u32, of_low: bool, impact: bool) -> Meeting {
    var s = sum;
    let last = min(record_first[end], collide.capacity);
    for (var c = record_first[first]; c < last; c++) {
        if contacts[c].body == other && contacts[c].particles.x != NONE {
            s = add_contact(s, contacts[c], radius, of_low, impact);
        }
    }
    return s;
}

// Of body k its points and its edges with a body.
fn add_features(sum: Meeting, k: u32, other: u32, of_low: bool, impact: bool) -> Meeting {
    let first = bounce_motions[k].first;
    let end = bounce_motions[k].end;
    let s = add_records(sum, first, end, bounce_motions[k].radius, other, of_low, impact);
    let edge = sim.particle_count + edge_from(first);
    return add_records(s, edge, sim.particle_count + edge_from(end), 0.0, other, of_low, impact);
}

fn meeting_of(low: u32, high: u32) -> Meeting {
    var s = Meeting(Impact(vec3f(), -1.0, vec3f(), 0.0), 0.0, vec3f(), vec3f());
    let impact = ((bounce_motions[low].impact | bounce_motions[high].impact) & IMPACT_BODIES) != 0u;
    s = add_features(s, low, high, true, impact);
    s = add_features(s, high, low, false, impact);
    let size = length(s.at.normal);
    if s.weight <= 0.0 || size < 0.5 * s.weight {
        s.weight = 0.0;
        return s;
    }
    s.at.place /= s.weight;
    s.at.normal /= size;
    s.low /= s.weight;
    s.high /= s.weight;
    return s;
}

// How body k moves in it: what is held as the points that meet do.
fn meeting_motion(k: u32, met: vec3f) -> BounceMotion {
    var m = bounce_motions[k];
    if m.inverse_mass == 0.0 {
        m.velocity = met;
        m.spin = vec3f();
    }
    return m;
}

// The approach in a meeting [m/s], 0 where they part, do not meet, or neither bounces.
fn meeting_approach(s: Meeting, low: BounceMotion, high: BounceMotion) -> f32 {
    if s.weight <= 0.0 || s.at.restitution < 0.0 || low.inverse_mass + high.inverse_mass == 0.0 {
        return 0.0;
    }
    let u = bounce_velocity(low, s.at.place) - bounce_velocity(high, s.at.place);
    return max(0.0, -dot(u, s.at.normal));
}
