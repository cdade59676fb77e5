// newton_tie_block: one thread per tied particle, after newton_block. Adds the block of its ties' stiffness that belongs to it
// alone, sum w^2 B, B each tie's block [shared/tie].
// Reads ties, tie_forces (at the iterate), tie_rows, tie_ends; updates blocks.
#import shared/tie

@group(0) @binding(94) var<storage, read_write> blocks: array<Block>;
@group(0) @binding(158) var<storage, read> ties: array<Tie>;
@group(0) @binding(159) var<storage, read> tie_forces: array<vec4f>;
@group(0) @binding(160) var<storage, read> tie_rows: array<TieRow>;
@group(0) @binding(161) var<storage, read> tie_ends: array<TieEnd>;

@compute @workgroup_size(64)
fn newton_tie_block(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&tie_rows) {
        return;
    }
    let row = tie_rows[k];
    var sum = blocks[row.dof];
    for (var e = row.first; e < row.end; e++) {
        let end = tie_ends[e];
        let block = tie_block(ties[end.tie], tie_forces[end.tie]);
        let share = end.weight * end.weight;
        sum.diagonal += share * block.d;
        sum.off += share * block.o;
    }
    blocks[row.dof] = sum;
}
