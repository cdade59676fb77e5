// island_converged: one thread per record, after the rounds of island_join. Where a contact that presses still joins two
// labels, an island is larger than the rounds reach, and where a manifold bears on an obstacle, it is held: its bodies get 0 in
// islands_next.
// Reads contacts, contact_lists, augmented, wrenches, tie_groups, islands; updates islands_next.
#import shared/islands

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(104) var<storage, read> augmented: array<Augmented>;
@group(0) @binding(110) var<storage, read> islands: array<u32>;
@group(0) @binding(111) var<storage, read_write> islands_next: array<atomic<u32>>;
@group(0) @binding(198) var<storage, read> wrenches: array<vec4f>;

@compute @workgroup_size(64)
fn island_converged(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    let labels = pressed_labels(c);
    let bodies = contacts[c].bodies;
    let is_held = is_obstacle(bodies.x) || is_obstacle(bodies.y);
    if labels.x < labels.y || (labels.x == labels.y && is_held) {
        lower_labels(c, 0u);
    }
}
