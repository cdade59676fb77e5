// island_unrest: one thread per record and per pose, after the rounds of manifold_join. An island does not fall asleep where one of
// its poses has not settled, where it bears on anything held that moves or on anything that deforms and can be moved, and where a
// manifold still joins two labels, as it is larger than the rounds reach.
// Reads particles_in, contacts, contact_lists, manifolds, impulses, poses, islands; writes disturbed.
#import shared/contact_lists
#import shared/sleep

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read> impulses: array<Impulse>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(110) var<storage, read> islands: array<u32>;
@group(0) @binding(193) var<storage, read> manifolds: array<Manifold>;
@group(0) @binding(211) var<storage, read_write> disturbed: array<atomic<u32>>;

fn can_sleep(pose: Pose) -> bool {
    return pose.inverse_mass > 0.0 && !is_asleep(pose);
}

fn disturb(pose: Pose) {
    if can_sleep(pose) {
        atomicStore(&disturbed[islands[pose.body] - 1u], 1u);
    }
}

fn of_manifold(c: u32) {
    let dofs = manifolds[c].dofs - sim.particle_count;
    let a = poses[dofs.x];
    let b = poses[dofs.y];
    let both = can_sleep(a) && can_sleep(b);
    if (both && islands[a.body] != islands[b.body]) || (!both && is_awake(a) && is_awake(b)) {
        disturb(a);
        disturb(b);
    }
}

// Of a contact of particles with a pose.
fn of_particles(contact: Contact) {
    var own = NONE;
    var moves = false;
    let count = participants(contact);
    for (var k = 0u; k < count.y; k++) {
        let part = participant(contact, count, k);
        if is_pose(part.i) {
            own = part.i - sim.particle_count;
        } else {
            let p = particles_in[part.i];
            moves = moves || p.inverse_mass > 0.0 || any(abs(p.velocity) > vec3f());
        }
    }
    if own != NONE && moves {
        disturb(poses[own]);
    }
}

@compute @workgroup_size(64)
fn island_unrest(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c < sim.pose_count && !has_settled(poses[c]) {
        disturb(poses[c]);
    }
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) || !is_contact(contacts[c]) || impulses[c].normal <= 0.0 {
        return;
    }
    if c >= contact_lists[LIST_MANIFOLDS] {
        of_manifold(c);
    } else {
        of_particles(contacts[c]);
    }
}
