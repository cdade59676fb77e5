// contact_watch: one thread per dispatch. Contacts are found anew when particles may have come further since they were found
// last than what is not yet a contact can bear: a part of the least margin, or while no boxes meet a quarter of the least gap
// between them, or a pose further than it was looked for; after a fault no more. The way that the fastest particle went in
// each step bounds that of all. [the lists of Verlet 1967, section II]
// Reads plan; updates status, contact_lists; writes dispatches: the workgroups of the passes that find contacts.
#import shared/contact_lists
#import shared/status

@group(0) @binding(37) var<storage, read_write> contact_lists: array<u32>;
@group(0) @binding(51) var<storage, read> plan: array<u32>;
@group(0) @binding(52) var<storage, read_write> dispatches: array<u32>;

fn longest(word: u32) -> f32 {
    return sqrt(bitcast<f32>(atomicExchange(&status[word], 0u)));
}

@compute @workgroup_size(64)
fn contact_watch(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    if thread_index(group, lane, 64u) > 0u {
        return;
    }
    // The halved ways of a projection add up to twice the longest.
    let moved = longest(STATUS_TRAVEL) + 2.0 * longest(STATUS_SHIFT);
    let travel = bitcast<f32>(contact_lists[LIST_TRAVEL]) + moved;
    contact_lists[LIST_TRAVEL] = bitcast<u32>(travel);
    contact_lists[LIST_AGE] += 1u;
    var most = collide.stale;
    if contact_lists[LIST_TOUCHING] == 0u {
        most = max(most, 0.25 * bitcast<f32>(contact_lists[LIST_GAP]));
    }
    let strayed = atomicExchange(&status[STATUS_STRAYED], 0u) > 0u;
    let again = (travel > most || strayed) && atomicLoad(&status[STATUS_FAULT]) == NONE;
    contact_lists[LIST_SEARCH] = select(0u, 1u, again);
    let words = arrayLength(&plan);
    for (var k = 0u; k < words; k++) {
        dispatches[k] = select(0u, plan[k], again);
    }
}
