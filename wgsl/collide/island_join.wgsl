// island_join: one thread per record, ISLAND_ROUNDS times. The bodies of a contact that presses, and the one whose number is the
// largest of their labels, take the label of the one whose number is the least of them [Shiloach, Vishkin 1982: hooking and pointer
// jumping]: what a round joins is a power of the number of bodies, not a distance.
// Rounds read what the last one has written, so that the result does not depend on the threads' order.
// Reads contacts, contact_lists, augmented, wrenches, tie_groups, islands; updates islands_next.
#import shared/islands

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(104) var<storage, read> augmented: array<Augmented>;
@group(0) @binding(110) var<storage, read> islands: array<u32>;
@group(0) @binding(111) var<storage, read_write> islands_next: array<atomic<u32>>;
@group(0) @binding(198) var<storage, read> wrenches: array<vec4f>;

@compute @workgroup_size(64)
fn island_join(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    let labels = pressed_labels(c);
    if labels.x <= labels.y {
        let label = islands[labels.x - 1u];
        lower_labels(c, label);
        atomicMin(&islands_next[labels.y - 1u], label);
    }
}
