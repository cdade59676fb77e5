// manifold_fill: one thread per record. Lists the manifolds that have points in ascending order, and how many there are.
// Reads manifold_first; writes manifold_list, contact_lists.
#import shared/contact_lists

@group(0) @binding(37) var<storage, read_write> contact_lists: array<u32>;
@group(0) @binding(209) var<storage, read> manifold_first: array<u32>;
@group(0) @binding(210) var<storage, read_write> manifold_list: array<u32>;

@compute @workgroup_size(64)
fn manifold_fill(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= collide.capacity {
        return;
    }
    if c == 0u {
        let count = manifold_first[collide.capacity];
        let groups = (count + 63u) / 64u;
        contact_lists[LIST_TOUCHED] = count;
        contact_lists[LIST_TOUCHED + 1u] = min(groups, GROUP_ROW);
        contact_lists[LIST_TOUCHED + 2u] = (groups + GROUP_ROW - 1u) / GROUP_ROW;
        contact_lists[LIST_TOUCHED + 3u] = 1u;
    }
    let place = manifold_first[c];
    if manifold_first[c + 1u] > place {
        manifold_list[place] = c;
    }
}
