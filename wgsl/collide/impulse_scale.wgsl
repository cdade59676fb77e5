// impulse_scale: one thread per record. Where a step is of another length than the one before, the impulses to start
// from are those of the same forces: times the ratio of the lengths.
// Reads contact_lists; updates impulses.
#import shared/contact_lists

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;

@compute @workgroup_size(64)
fn impulse_scale(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    var impulse = impulses[c];
    impulse.normal *= sim.step_ratio;
    impulse.tangent *= sim.step_ratio;
    impulse.normal_change *= sim.step_ratio;
    impulse.tangent_change *= sim.step_ratio;
    impulses[c] = impulse;
}
