// touch_slices: one workgroup per SLICE records, after a step. Adds up what the contacts among them did that pushed or are
// inside, by pairs of bodies: the feature's and the other, in the order in which they come first. A body's contacts with itself are
// left out. A contact is where its feature is; of a sphere at its border.
// Reads particles_in, bodies, record_first, contacts, impulses, rows; writes touch_parts, slice_counts.
#import shared/contact_lists
#import shared/touches

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(38) var<storage, read> impulses: array<Impulse>;
@group(0) @binding(56) var<storage, read> rows: array<Row>;
@group(0) @binding(151) var<storage, read_write> touch_parts: array<TouchSum>;
@group(0) @binding(152) var<storage, read_write> slice_counts: array<u32>;

// What one contact did.
fn touch_of(c: u32, contact: Contact) -> TouchSum {
    let impulse = impulses[c];
    var place = rows[c].point;
    if !is_pose(contact.a.dofs.x) {
        let first = particles_in[contact.a.dofs.x].position;
        place = first;
        if contact.a.dofs.y != NONE {
            place += contact.a.weights.y * (particles_in[contact.a.dofs.y].position - first);
        }
        if contact.reach > 0.0 {
            place -= bodies[contact.bodies.x].radius * contact.normal;
        }
    }
    return TouchSum(impulse.normal * contact.normal + impulse.tangent, impulse.normal, place, rows[c].gap,
                    contact.normal, 1u, contact.bodies.x, contact.bodies.y, 0u, 0u);
}

// What each record did, and which pair of bodies it is of.
var<workgroup> done: array<TouchSum, WORKGROUP>;
var<workgroup> pairs: array<vec2u, WORKGROUP>;
var<workgroup> first_of_pair: array<u32, WORKGROUP>;

// The record in the place of a thread, if it counts.
fn has_touched(c: u32) -> bool {
    let bodies = contacts[c].bodies;
    return is_contact(contacts[c]) && (rows[c].gap > 0.0 || impulses[c].normal > 0.0) && bodies.x != bodies.y;
}

@compute @workgroup_size(64)
fn touch_slices(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let s = group_index(group);
    let first = SLICE * s;
    let end = min(first + SLICE, min(record_first[collide.feature_count], collide.capacity));
    if first >= end {
        return;
    }
    var own = vec2u(NONE);
    if first + lane < end && has_touched(first + lane) {
        done[lane] = touch_of(first + lane, contacts[first + lane]);
        own = contacts[first + lane].bodies;
    }
    pairs[lane] = own;
    workgroupBarrier();
    var is_first = own.x != NONE;
    for (var k = 0u; k < lane; k++) {
        is_first = is_first && any(pairs[k] != own);
    }
    first_of_pair[lane] = u32(is_first);
    workgroupBarrier();
    var place = 0u;
    for (var k = 0u; k < lane; k++) {
        place += first_of_pair[k];
    }
    if is_first {
        var sum = done[lane];
        for (var k = lane + 1u; k < SLICE; k++) {
            if all(pairs[k] == own) {
                sum = touch_add(sum, done[k]);
            }
        }
        touch_parts[first + place] = sum;
    }
    if lane == WORKGROUP - 1u {
        slice_counts[s] = place + u32(is_first);
    }
}
