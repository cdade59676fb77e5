// pose_mean: one workgroup per pose, after the impulses of an explicit step whose mean velocity moves particles. The impulses J of
// its contacts with particles move these by the share s of h J/m, and so they move the pose, or the common centre of mass would not
// go straight on: x -= (1 - s) h k, before pose_move moves it by h v. k is the part of the change u of its velocity that forces and
// particles account for, k = u clamp(d.u/u^2, 0, 1) with d what they gave it: a manifold that holds it against them takes that
// back, and what lies still is not moved.
// Reads contacts, contact_lists, impulses, contact_velocities, list_first, entries, carried; updates poses.
#import shared/contact_lists
#import shared/kick
#import shared/sleep
#import shared/sum_rows

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read> impulses: array<Impulse>;
@group(0) @binding(57) var<storage, read> contact_velocities: array<vec4f>;
@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(173) var<storage, read> entries: array<Entry>;

const PART_ROWS: u32 = 1u;

// The impulse of all particles on degree of freedom i, whose list has so many contacts from `first`: this thread's part of it.
fn impulse_part(first: u32, count: u32, lane: u32) -> vec3f {
    var sum = vec3f();
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        let entry = entries[first + lane + WORKGROUP * turn];
        let c = entry.node >> 3u;
        if c < contact_lists[LIST_MANIFOLDS] {
            sum += entry.weight * (impulses[c].normal * contacts[c].normal + impulses[c].tangent);
        }
    }
    return sum;
}

@compute @workgroup_size(64)
fn pose_mean(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = group_index(group);
    if p >= sim.pose_count {
        return;
    }
    let i = sim.particle_count + p;
    let first = list_first[i];
    let count = list_first[i + 1u] - first;
    let threads = part_threads(count);
    leave_row(lane, 0u, vec4f(impulse_part(first, count, lane), 0.0));
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane > 0u {
        return;
    }
    let impulse = joined_row(threads, 0u).xyz;
    let pose = as_met(poses[p]);
    if all(impulse == vec3f()) || pose.inverse_mass == 0.0 {
        return;
    }
    let word = velocity_word(i);
    let kicked = vec3f(contact_velocities[word + 2u].w, contact_velocities[word + 3u].w, contact_velocities[word + 4u].w);
    // By the velocity after the kick, where that was found by the one before: drag differs by h^2.
    var falling = pose;
    falling.velocity = kicked;
    let kick = pose_kicked(falling, p).velocity - kicked;
    let given = kick + pose.inverse_mass * impulse;
    let change = kick + pose.velocity - kicked;
    let part = clamp(dot(given, change) / max(dot(change, change), 1e-30), 0.0, 1.0);
    poses[p].position -= ((1.0 - sim.contact_share) * sim.step * part) * change;
}
