// island_disturb: one thread per record, while anything sleeps, after the kick. An island is disturbed where what is awake, or held
// and moving, acts on it: an impulse is there, or a gap closes within two steps. So it is awake when that is solved.
// Reads particles_in, contacts, contact_lists, rows, poses, manifolds, manifold_points; writes disturbed.
#import shared/contact_lists
#import shared/manifold_place
#import shared/sleep

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(56) var<storage, read> rows: array<Row>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(193) var<storage, read> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read> manifold_points: array<ManifoldPoint>;
@group(0) @binding(211) var<storage, read_write> disturbed: array<atomic<u32>>;

// Of a manifold, from the centre of a, so that nothing is lost far from the origin.
fn acts(c: u32, a: Pose, b: Pose) -> bool {
    let manifold = manifolds[c];
    let n = manifold.normal;
    let apart = b.position - a.position;
    let rims = rims_of(manifold, a, b);
    for (var k = 0u; k < manifold.count; k++) {
        let point = manifold_points[MANIFOLD * c + k];
        let on = places_of(manifold, k, point, a, b, rims);
        let v = a.velocity + cross(a.spin, on.a) - b.velocity - cross(b.spin, on.b - apart);
        if point.impulse.w > 0.0 || dot(n, on.a - on.b) < -2.0 * sim.step * dot(n, v) {
            return true;
        }
    }
    return false;
}

fn of_manifold(c: u32) {
    let dofs = manifolds[c].dofs - sim.particle_count;
    if manifolds[c].count == 0u || is_asleep(poses[dofs.x]) == is_asleep(poses[dofs.y]) {
        return;
    }
    let a = poses[dofs.x];
    let b = poses[dofs.y];
    if (is_awake(a) || is_awake(b)) && acts(c, a, b) {
        atomicStore(&disturbed[max(a.island, b.island) - 1u], 1u);
    }
}

// Of a contact of particles with a pose.
fn of_particles(c: u32) {
    let contact = contacts[c];
    if !is_contact(contact) || rows[c].share <= 0.0 {
        return;
    }
    var island = 0u;
    var moves = false;
    let count = participants(contact);
    for (var k = 0u; k < count.y; k++) {
        let part = participant(contact, count, k);
        if is_pose(part.i) {
            island = poses[part.i - sim.particle_count].island;
        } else {
            let p = particles_in[part.i];
            moves = moves || p.inverse_mass > 0.0 || any(abs(p.velocity) > vec3f());
        }
    }
    if island > 0u && moves {
        atomicStore(&disturbed[island - 1u], 1u);
    }
}

@compute @workgroup_size(64)
fn island_disturb(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    if c >= contact_lists[LIST_MANIFOLDS] {
        of_manifold(c);
    } else {
        of_particles(c);
    }
}
