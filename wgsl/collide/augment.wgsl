// augment: one thread per record, in each iteration of an implicit step. The augmented Lagrangian of shared/press of
// the contact's relative velocity v = sum_k w_k v_k, with k = collide.hold/sum_k |w_k|/H_k of its participants' own
// stiffnesses H_k; what is inside leaves with the push of its row. Multipliers begin with the last step's impulse and
// follow the iterates where first_stage is 0 and the contact acted in the last iteration; those of the others may only
// fall. In a sweep each side gives way with twice the contact's stiffness, as the other may do the same. Where one side
// alone did, v tells only half of what it felt; the multiplier takes off the other half, too. Without this, the
// multipliers of a body on one that does not yield grow too large and throw it off, and the next iterations begin again.
// Where a side is a pose, v is taken at the point where the impulse acts. What two poses do to each other is not told here.
// Reads particles_in and contact_velocities (the iterate of particles, of poses), contacts, contact_lists, contact_blocks, rows
// (delta: the last step's impulse); updates impulses, augmented.
#import shared/contact_lists
#import shared/pose_load
#import shared/press

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(56) var<storage, read> rows: array<Row>;
@group(0) @binding(102) var<storage, read> contact_blocks: array<ContactBlock>;
@group(0) @binding(104) var<storage, read_write> augmented: array<Augmented>;

// What a participant adds to a contact: its velocity there, and 1/H along the normal.
struct Yielding {
    velocity: vec3f,
    compliance: f32,
}

fn yielding(i: u32, point: vec3f, n: vec3f) -> Yielding {
    let h = sim.step;
    if is_pose(i) {
        let pose = pose_state(i);
        let arm = point - pose.position;
        return Yielding(pose.velocity + cross(pose.spin, arm), h * h * mobility(pose, arm, n));
    }
    let p = particles_in[i];
    if p.inverse_mass == 0.0 {
        return Yielding(p.velocity, 0.0);
    }
    return Yielding(p.velocity, 1.0 / max(contact_blocks[i].stiffness, 1.0 / (h * h) / p.inverse_mass));
}

@compute @workgroup_size(64)
fn augment(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    let swept = sim.implicit != IMPLICIT_STEP;
    let contact = contacts[c];
    if is_manifold(contact) {
        return;
    }
    let n = contact.normal;
    var v = vec3f();
    var sides = vec2f();
    // Of particles, of poses.
    var compliances = vec2f();
    let count = participants(contact);
    for (var k = 0u; k < count.y; k++) {
        let part = participant(contact, count, k);
        let yields = yielding(part.i, rows[c].point, n);
        v += part.weight * yields.velocity;
        let along = part.weight * dot(yields.velocity, n);
        sides += select(vec2f(0.0, along), vec2f(along, 0.0), k < count.x);
        compliances += abs(part.weight) * select(vec2f(yields.compliance, 0.0), vec2f(0.0, yields.compliance), is_pose(part.i));
    }
    // Where all move together a light pose between what is heavy would yield to all that bears on it.
    let own = select(compliances.y, compliances.x, compliances.x > 0.0);
    let compliance = select(own, compliances.x + compliances.y, swept);
    let begun = select(vec3f(), rows[c].delta, is_contact(contact));
    if compliance <= 0.0 {
        let along = dot(begun, n);
        impulses[c] = Impulse(begun - along * n, along, contact.feature_b, 0.0, 0.0, contact.bodies.y);
        augmented[c] = Augmented();
        return;
    }
    let stiffness = collide.hold / compliance;
    // Sides that are apart may close in until they touch; in a sweep by half of it, as the other side may do the same.
    let apart = max(rows[c].bias, 0.0) * select(1.0, 0.5, swept);
    let target_speed = rows[c].push / sim.step - min(rows[c].bias, 0.0) - apart;
    let gain = sim.step * sim.step * stiffness;
    let off = PressTarget(v, target_speed, gain, gain, contact.friction);
    var last = begun;
    if sim.first_stage != 1u {
        last = impulses[c].normal * n + impulses[c].tangent;
        if sim.first_stage == 0u {
            var came = off;
            if swept {
                let ways = sides - augmented[c].way.xy;
                came.velocity += abs(ways.x - ways.y) * n;
            }
            let followed = press_next(last, n, came).impulse;
            if augmented[c].stiffness > 0.0 || dot(followed, n) < dot(last, n) {
                last = followed;
            }
        }
    }
    let next = press_felt(last, n, off);
    let change = last - begun;
    let normal_change = dot(change, n);
    let along = dot(last, n);
    impulses[c] = Impulse(last - along * n, along, contact.feature_b, normal_change, length(change - normal_change * n),
                          contact.bodies.y);
    augmented[c] = Augmented(next.impulse, select(0.0, stiffness, next.acts), n, next.share, vec3f(sides, 0.0));
}
