// tie_hold: one thread per tied particle, before a sweep of vertex block descent. Adds what its ties do to it: f = sum w f_t,
// and D = sum |w| W B, B the tie's block [shared/tie] and W the sum of |w| over its ends: the other ends stay where they are
// in this sweep, and all of them moving at once do no more than D (Gershgorin 1931).
// Reads ties, tie_forces, tie_rows, tie_ends; updates contact_blocks.
#import shared/tie

@group(0) @binding(102) var<storage, read_write> contact_blocks: array<ContactBlock>;
@group(0) @binding(158) var<storage, read> ties: array<Tie>;
@group(0) @binding(159) var<storage, read> tie_forces: array<vec4f>;
@group(0) @binding(160) var<storage, read> tie_rows: array<TieRow>;
@group(0) @binding(161) var<storage, read> tie_ends: array<TieEnd>;

@compute @workgroup_size(64)
fn tie_hold(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&tie_rows) {
        return;
    }
    let row = tie_rows[k];
    var press = contact_blocks[row.dof];
    for (var e = row.first; e < row.end; e++) {
        let end = tie_ends[e];
        let tie = ties[end.tie];
        let force = tie_forces[end.tie];
        let block = tie_block(tie, force);
        let share = abs(end.weight) * tie_ends_weight(tie);
        press.force += end.weight * force.xyz;
        press.diagonal += share * block.d;
        press.off += share * block.o;
    }
    contact_blocks[row.dof] = press;
}
