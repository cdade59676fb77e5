// field_depth: one thread per record of contact. The depth of its penetration vector, for those that touch: a particle, the ends of an
// edge, both of two spheres; each keeps the largest as bits, which positive numbers compare by.
// Reads contacts, record_first (the last is their number), collide; updates depths, 0 before.
#import shared/collide

@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
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
    if contact.particles.x == NONE || contact.gap <= 0.0 {
        return;
    }
    deepen(contact.feature, contact.gap);
    deepen(contact.particles.x, contact.gap);
    deepen(contact.second, contact.gap);
    if contact.particles.z == NONE {
        deepen(contact.particles.y, contact.gap);
    }
}
