// field_depth: one thread per record of contact. The depth of its penetration vector, for those that touch: a particle, the ends of an
// edge, both of two spheres; each keeps the largest as bits, which positive numbers compare by.
// Reads contacts, rows, record_first (the last is their number), collide; updates depths, 0 before.
#import shared/collide

@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(56) var<storage, read> rows: array<Row>;
@group(0) @binding(131) var<storage, read_write> depths: array<atomic<u32>>;

fn deepen(i: u32, depth: f32) {
    if i < sim.particle_count {
        atomicMax(&depths[i], bitcast<u32>(depth));
    }
}

@compute @workgroup_size(64)
fn field_depth(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(record_first[collide.feature_count], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    let depth = rows[c].gap;
    if contact.a.dofs.x == NONE || depth <= 0.0 {
        return;
    }
    deepen(contact.feature_a, depth);
    deepen(contact.a.dofs.x, depth);
    deepen(contact.a.dofs.y, depth);
    if contact.b.dofs.y == NONE {
        deepen(contact.b.dofs.x, depth);
    }
}
