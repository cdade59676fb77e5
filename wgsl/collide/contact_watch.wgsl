// contact_watch: one thread. Contacts are found anew when particles may have come further since they were found last than
// what is not yet a contact can bear: a quarter of the least margin, or while no boxes meet a quarter of the least gap between
// them. The way that the fastest particle went in each step bounds that of all. [the lists of Verlet 1967, section II]
// Reads plan; updates status, rows; writes dispatches: the workgroups of the passes that find contacts.
#import shared/rows
#import shared/status

@group(0) @binding(37) var<storage, read_write> rows: array<u32>;
@group(0) @binding(51) var<storage, read> plan: array<u32>;
@group(0) @binding(52) var<storage, read_write> dispatches: array<u32>;

@compute @workgroup_size(64)
fn contact_watch(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                 @builtin(local_invocation_index) lane: u32) {
    if thread_index(group, groups, lane, 64u) > 0u {
        return;
    }
    let longest = sqrt(bitcast<f32>(atomicExchange(&status[tally_submission() + TALLY_TRAVEL], 0u)));
    // With contacts, projection and impulses move a particle, too.
    let ways = select(1.0, 3.0, rows[row_records()] > 0u);
    let travel = bitcast<f32>(rows[row_travel()]) + ways * longest;
    rows[row_travel()] = bitcast<u32>(travel);
    var most = collide.stale;
    if rows[row_touching()] == 0u {
        most = max(most, 0.25 * bitcast<f32>(rows[row_gap()]));
    }
    if travel > most {
        let words = arrayLength(&plan);
        for (var k = 0u; k < words; k++) {
            dispatches[k] = plan[k];
        }
    }
}
