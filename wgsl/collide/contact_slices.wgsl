// contact_slices: one workgroup per eight places for slices, SLICE entries in a row of a list longer than that [shared/gather]; most
// places stay empty. What the slice's contacts do to the list's owner, as the row of one contact: of a particle sum w delta and
// sum w lambda r, as project takes it; of a pose the sum of their wrenches, the moment in the place of the point.
// Reads contacts, contact_lists, list_first, entries, poses, wrenches; updates rows.
#import shared/list_owner
#import shared/wrench_of
#import shared/sum_rows

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;
@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(173) var<storage, read> entries: array<Entry>;

const PART_ROWS: u32 = 2u;

// What a contact with weight w does besides its impulse: how it pushes a particle apart.
fn push_of(c: u32, w: f32) -> vec3f {
    let row = rows[c];
    if row.gap > 0.0 && row.inverse_mass > 0.0 {
        return (w * (row.push / row.inverse_mass)) * contacts[c].normal;
    }
    return vec3f();
}

// What one entry of degree of freedom i's list does.
fn effect_of(e: u32, i: u32) -> Wrench {
    let c = entries[e].node >> 3u;
    let w = entries[e].weight;
    if is_pose(i) {
        return wrench_of(c, w, poses[i - sim.particle_count].position, contact_lists[LIST_MANIFOLDS]);
    }
    return Wrench(w * rows[c].delta, 0.0, push_of(c, w));
}

// The slice in a place: whose it is, and its entries from y to before z, none where it is empty.
fn slice_at(place: u32, used: u32) -> vec3u {
    // An entry that belongs to the list whose slice this is, if any.
    let inside = SLICE_ROOM * place + SLICE_ROOM - 1u;
    if inside >= used {
        return vec3u();
    }
    let i = participant_of(entries[inside].node);
    let first = list_first[i];
    let end = list_first[i + 1u];
    let begin = first + SLICE * (place - first / SLICE_ROOM);
    if end - first <= SLICE || begin >= end {
        return vec3u();
    }
    return vec3u(i, begin, min(begin + SLICE, end));
}

@compute @workgroup_size(64)
fn contact_slices(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let used = min(list_first[sim.particle_count + sim.pose_count], 8u * collide.capacity);
    if contact_lists[LIST_LONG] == 0u || SLICE_ROOM * 8u * group_index(group) >= used {
        return;
    }
    let place = 8u * group_index(group) + lane / 8u;
    let slice = slice_at(place, used);
    var sum = Wrench();
    let turns = eighth_turns(slice.z - slice.y, lane % 8u);
    for (var turn = 0u; turn < turns; turn++) {
        sum = wrench_add(sum, effect_of(slice.y + lane % 8u + 8u * turn, slice.x));
    }
    leave_row(lane, 0u, vec4f(sum.impulse, sum.share));
    leave_row(lane, 1u, vec4f(sum.moment, 0.0));
    workgroupBarrier();
    if lane % 8u == 0u && slice.y < slice.z {
        let push = row_of_eight(lane, 1u, WORKGROUP, 0u);
        rows[collide.capacity + place] = Row(push.xyz, 0.0, row_of_eight(lane, 1u, WORKGROUP, 1u).xyz, push.w, 0.0, 0.0, 0.0, 0.0);
    }
}
