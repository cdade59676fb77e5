// manifold_scale: one thread per manifold that has points. Where a step is of another length than the one before, the impulses to
// start from are those of the same forces: times the ratio of the lengths.
// Reads contact_lists, manifold_list; updates manifolds, manifold_points.
#import shared/contact_lists

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(193) var<storage, read_write> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read_write> manifold_points: array<ManifoldPoint>;
@group(0) @binding(210) var<storage, read> manifold_list: array<u32>;

@compute @workgroup_size(64)
fn manifold_scale(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let m = thread_index(group, lane, 64u);
    if m >= contact_lists[LIST_TOUCHED] {
        return;
    }
    let c = manifold_list[m];
    let count = manifolds[c].count;
    for (var k = 0u; k < count; k++) {
        manifold_points[MANIFOLD * c + k].impulse *= sim.step_ratio;
    }
    manifolds[c].rolling_impulse *= sim.step_ratio;
}
