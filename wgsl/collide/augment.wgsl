// augment: one thread per record, in each iteration of an implicit step. The augmented Lagrangian of shared/press of
// the contact's relative velocity v = sum_k w_k v_k, with k = collide.hold/sum_k |w_k|/H_k of its participants' own
// stiffnesses H_k; what is inside leaves with the push of its row. Multipliers begin with the last step's impulse and
// follow the iterates where first_stage is 0 and the contact acted in the last iteration; those of the others may only
// fall. In a sweep each side gives way with twice the contact's stiffness, as the other may do the same. Where one side
// alone did, v tells only half of what it felt; the multiplier takes off the other half, too. Without this, the
// multipliers of a body on one that does not yield grow too large and throw it off, and the next iterations begin again.
// Reads particles_in (the iterate), contacts, contact_lists, contact_blocks, impulses_warm_start; updates impulses,
// augmented, rows: the sides' velocities along the normal.
#import shared/contact_lists
#import shared/press

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(39) var<storage, read> impulses_warm_start: array<Impulse>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;
@group(0) @binding(102) var<storage, read> contact_blocks: array<ContactBlock>;
@group(0) @binding(104) var<storage, read_write> augmented: array<Augmented>;

@compute @workgroup_size(64)
fn augment(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    let swept = sim.implicit != IMPLICIT_STEP;
    let contact = contacts[c];
    let start = impulses_warm_start[c];
    let n = contact.normal;
    var v = vec3f();
    var sides = vec2f();
    var compliance = 0.0;
    let inertia = 1.0 / (sim.step * sim.step);
    let count = participants(contact);
    for (var k = 0u; k < count.y; k++) {
        let part = participant(contact, count, k);
        let p = particles_in[part.i];
        v += part.weight * p.velocity;
        let along = part.weight * dot(p.velocity, n);
        sides += select(vec2f(0.0, along), vec2f(along, 0.0), k < count.x);
        if p.inverse_mass > 0.0 {
            compliance += abs(part.weight) / max(contact_blocks[part.i].stiffness, inertia / p.inverse_mass);
        }
    }
    if compliance <= 0.0 {
        impulses[c] = start;
        augmented[c] = Augmented(vec3f(), 0.0, vec3f(), 0.0);
        return;
    }
    let stiffness = collide.hold / compliance;
    // Sides that are apart may close in until they touch; in a sweep by half of it, as the other side may do the same.
    let apart = max(rows[c].bias, 0.0) * select(1.0, 0.5, swept);
    let target_speed = rows[c].push / sim.step - min(rows[c].bias, 0.0) - apart;
    let gain = sim.step * sim.step * stiffness;
    let off = PressTarget(v, target_speed, gain, gain, contact.friction);
    let begun = start.normal * n + start.tangent;
    var last = begun;
    if sim.first_stage != 1u {
        last = impulses[c].normal * n + impulses[c].tangent;
        if sim.first_stage == 0u {
            var came = off;
            if swept {
                let ways = sides - rows[c].delta.xy;
                came.velocity += abs(ways.x - ways.y) * n;
            }
            let followed = press_next(last, n, came).impulse;
            if augmented[c].stiffness > 0.0 || dot(followed, n) < dot(last, n) {
                last = followed;
            }
        }
    }
    if swept {
        rows[c].delta = vec3f(sides, 0.0);
    }
    let next = press_felt(last, n, off);
    let change = last - begun;
    let normal_change = dot(change, n);
    let tangent_change = change - normal_change * n;
    impulses[c] = Impulse(start.tangent + tangent_change, start.normal + normal_change, start.feature_b, normal_change,
                          length(tangent_change), start.body);
    augmented[c] = Augmented(next.impulse, select(0.0, stiffness, next.acts), n, next.share);
}
