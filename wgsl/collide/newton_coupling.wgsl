// newton_coupling: one thread per particle, after newton_apply, which has the particle's own part of its contacts' matrix.
// Adds that of the others, H z += sum w (way - w k (r r^T + s (1 - r r^T)) z), so that what a change presses on one side
// it presses on the other: momentum stays, and bodies that lie on each other move as one.
// Reads directions, list_first, entries, augmented; updates products.
#import shared/sim

@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(92) var<storage, read> directions: array<Particle>;
@group(0) @binding(93) var<storage, read_write> products: array<vec4f>;
@group(0) @binding(104) var<storage, read> augmented: array<Augmented>;
@group(0) @binding(173) var<storage, read> entries: array<Entry>;

@compute @workgroup_size(64)
fn newton_coupling(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count || directions[i].inverse_mass == 0.0 {
        return;
    }
    let first = list_first[i];
    let end = list_first[i + 1u];
    if first == end {
        return;
    }
    let z = directions[i].velocity;
    var sum = vec3f();
    for (var e = first; e < end; e++) {
        let w = entries[e].weight;
        let hold = augmented[entries[e].node >> 3u];
        let along = dot(z, hold.normal) * hold.normal;
        let own = (w * hold.stiffness) * (along + hold.share * (z - along));
        sum += w * (hold.way - own);
    }
    products[i] += vec4f(sum, dot(sum, z));
}
