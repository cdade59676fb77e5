// manifold_join: one thread per manifold, SLEEP_ROUNDS times. Two poses that are awake and bear on each other take the lesser label
// of their bodies, and so do the bodies that have given these labels [Shiloach and Vishkin 1982: hooking]. Reads what the round
// before has written, so that the result does not depend on the threads' order.
// Reads contact_lists, manifolds, impulses, poses, islands; updates islands_next.
#import shared/contact_lists
#import shared/sleep

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read> impulses: array<Impulse>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(110) var<storage, read> islands: array<u32>;
@group(0) @binding(193) var<storage, read> manifolds: array<Manifold>;
@group(0) @binding(111) var<storage, read_write> islands_next: array<atomic<u32>>;

@compute @workgroup_size(64)
fn manifold_join(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = contact_lists[LIST_MANIFOLDS] + thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) || manifolds[c].count == 0u || impulses[c].normal <= 0.0 {
        return;
    }
    let dofs = manifolds[c].dofs - sim.particle_count;
    let a = poses[dofs.x];
    let b = poses[dofs.y];
    if min(a.inverse_mass, b.inverse_mass) == 0.0 || is_asleep(a) || is_asleep(b) {
        return;
    }
    let labels = vec2u(islands[a.body], islands[b.body]);
    if labels.x != labels.y {
        let label = min(labels.x, labels.y);
        atomicMin(&islands_next[a.body], label);
        atomicMin(&islands_next[b.body], label);
        atomicMin(&islands_next[max(labels.x, labels.y) - 1u], label);
    }
}
