// How a workgroup adds up what a body touched: in rounds, each the sum over one of the others, bodies or solids, in ascending
// order. In a round every thread goes through its part of all there is, adds to its share what belongs to the round, and notes
// which other is next. A round begins by `round_begin`, a barrier, `round_leave`, a barrier, `round_join`; then the next other is
// loaded from `next_other`.
#import shared/reduce
#import shared/touches

const PART_ROWS: u32 = 2u;

// Of those not yet added up the least; NONE: all are.
var<workgroup> least_other: atomic<u32>;
var<workgroup> next_other: u32;

// A part of a sum. Contacts, and places in the order of what is added up, are fewer than 2^24.
struct Share {
    impulse: vec3f,
    normal_impulse: f32,
    depth: f32,    // of the deepest contact, of equal ones the first
    place: f32,    // of that
    contacts: f32,
    dropped: f32,  // contacts that are in no sum
}

fn no_share() -> Share {
    return Share(vec3f(), 0.0, -3e38, 3e38, 0.0, 0.0);
}

fn share_add(share: ptr<function, Share>, impulse: vec3f, normal_impulse: f32, depth: f32, place: u32, contacts: u32) {
    (*share).impulse += impulse;
    (*share).normal_impulse += normal_impulse;
    (*share).contacts += f32(contacts);
    if depth > (*share).depth || (depth == (*share).depth && f32(place) < (*share).place) {
        (*share).depth = depth;
        (*share).place = f32(place);
    }
}

fn row_of_two(a: vec4f, b: vec4f, row: u32) -> vec4f {
    let is_first = a.x > b.x || (a.x == b.x && a.y <= b.y);
    return select(a + b, vec4f(select(b.xy, a.xy, is_first), a.zw + b.zw), row > 0u);
}

fn round_begin(lane: u32) {
    if lane == 0u {
        atomicStore(&least_other, NONE);
    }
}

// `next`: what the thread found of those not yet added up, or NONE.
fn round_leave(lane: u32, share: Share, next: u32) {
    leave_row(lane, 0u, vec4f(share.impulse, share.normal_impulse));
    leave_row(lane, 1u, vec4f(share.depth, share.place, share.contacts, share.dropped));
    if next != NONE {
        atomicMin(&least_other, next);
    }
}

fn round_join(lane: u32) {
    join_eights(lane, WORKGROUP);
    if lane == 0u {
        next_other = atomicLoad(&least_other);
    }
}

// What all threads' shares come to.
fn whole_share() -> Share {
    let push = joined_row(WORKGROUP, 0u);
    let rest = joined_row(WORKGROUP, 1u);
    return Share(push.xyz, push.w, rest.x, rest.y, rest.z, rest.w);
}

// The sum, given the deepest of its contacts.
fn touch_sum(share: Share, deepest: TouchSum) -> TouchSum {
    var sum = deepest;
    sum.impulse = share.impulse;
    sum.normal_impulse = share.normal_impulse;
    sum.contacts = u32(share.contacts);
    return sum;
}
