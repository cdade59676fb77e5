// contact_slices: one thread per place for a slice, SLICE entries in a row of a list longer than that [shared/gather]; most places
// stay empty. What the slice's contacts do to the list's owner, as the row of one contact: of a particle sum w delta and
// sum w lambda r, as project takes it; of a pose the sum of their wrenches, the moment in the place of the point.
// Reads contacts, contact_lists, list_first, entries, poses, wrenches; updates rows.
#import shared/list_owner
#import shared/wrench_of

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;
@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(173) var<storage, read> entries: array<Entry>;

// What a contact with weight w does besides its impulse: how it pushes a particle apart.
fn push_of(c: u32, w: f32) -> vec3f {
    let row = rows[c];
    if row.gap > 0.0 && row.inverse_mass > 0.0 {
        return (w * (row.push / row.inverse_mass)) * contacts[c].normal;
    }
    return vec3f();
}

@compute @workgroup_size(64)
fn contact_slices(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let place = thread_index(group, lane, 64u);
    // An entry that belongs to the list whose slice this is, if any.
    let inside = SLICE_ROOM * place + SLICE_ROOM - 1u;
    let last = sim.particle_count + sim.pose_count;
    if contact_lists[LIST_LONG] == 0u || inside >= min(list_first[last], 8u * collide.capacity) {
        return;
    }
    let i = participant_of(entries[inside].node);
    let first = list_first[i];
    let end = list_first[i + 1u];
    let begin = first + SLICE * (place - first / SLICE_ROOM);
    if end - first <= SLICE || begin >= end {
        return;
    }
    let stop = min(begin + SLICE, end);
    let manifolds = contact_lists[LIST_MANIFOLDS];
    var sum = Wrench();
    for (var e = begin; e < stop; e++) {
        let c = entries[e].node >> 3u;
        let w = entries[e].weight;
        if is_pose(i) {
            sum = wrench_add(sum, wrench_of(c, w, poses[i - sim.particle_count].position, manifolds));
        } else {
            sum = wrench_add(sum, Wrench(w * rows[c].delta, 0.0, push_of(c, w)));
        }
    }
    rows[collide.capacity + place] = Row(sum.impulse, 0.0, sum.moment, sum.share, 0.0, 0.0, 0.0, 0.0);
}
