// depth_lines: one thread per place for a record of contact. A line from what touches, a particle of one body, a point of an
// edge or a sphere, along its penetration vector; none where the record is of other bodies, has no contact or no depth, or is
// a manifold [manifold_lines].
// Reads particles_in, poses, contacts, rows, record_first (the last is their number), collide, lines; writes segments.
#import shared/collide
#import shared/turn

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(56) var<storage, read> rows: array<Row>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(114) var<storage, read_write> segments: array<Segment>;
@group(0) @binding(120) var<uniform> lines: Lines;

// Where what touches is, and its penetration vector in w's sign: 1 along the normal, -1 against it, 0 where it is not shown.
fn touching_place(contact: Contact) -> vec4f {
    let first = contact.a.dofs.x;
    if contact.bodies.x == lines.body {
        if first >= sim.particle_count {
            let pose = poses[first - sim.particle_count];
            return vec4f(pose.position + rotate(pose.rotation, contact.a.weights.xyz), 1.0);
        }
        let x = particles_in[first].position;
        if contact.a.dofs.y == NONE {
            return vec4f(x, 1.0);
        }
        let away = particles_in[contact.a.dofs.y].position - x;
        let whole = contact.a.weights.x + contact.a.weights.y;
        return vec4f(x + contact.a.weights.y / max(whole, 1e-30) * away, 1.0);
    }
    if contact.b.dofs.x < sim.particle_count && contact.b.dofs.y == NONE && contact.bodies.y == lines.body {
        return vec4f(particles_in[contact.b.dofs.x].position, -1.0);
    }
    return vec4f();
}

@compute @workgroup_size(64)
fn depth_lines(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= lines.count {
        return;
    }
    segments[c] = Segment(vec3f(), 0.0, vec3f(), lines.body);
    if c >= min(record_first[collide.feature_count], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    let depth = rows[c].gap;
    let is_manifold = contact.feature_a >= sim.particle_count + collide.edge_count;
    if contact.a.dofs.x == NONE || depth <= 0.0 || is_manifold {
        return;
    }
    let place = touching_place(contact);
    if abs(place.w) > 0.0 {
        let way = lines.scale * place.w * depth * contact.normal;
        segments[c] = Segment(place.xyz, depth, place.xyz + way, lines.body);
    }
}
