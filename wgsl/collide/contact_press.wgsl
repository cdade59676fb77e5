// contact_press: one thread per record, in each iteration of an implicit step. The augmented Lagrangian of shared/press of
// the contact's relative velocity v = sum_k w_k v_k, with k = 1/sum_k |w_k|/H_k of its participants' own stiffnesses H_k. Its
// multiplier begins with the last step's impulse, and after each iteration becomes what that one led to.
// Reads particles_in (the iterate), contacts, rows, presses, impulses_warm; updates impulses; writes grips.
#import shared/rows
#import shared/press

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> rows: array<u32>;
@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(39) var<storage, read> impulses_warm: array<Impulse>;
@group(0) @binding(82) var<storage, read> presses: array<Press>;
@group(0) @binding(84) var<storage, read_write> grips: array<Grip>;

@compute @workgroup_size(64)
fn contact_press(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                 @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, groups, lane, 64u);
    if c >= min(rows[row_records()], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    let start = impulses_warm[c];
    var impulse = start;
    if sim.first_stage != 1u {
        impulse = impulses[c];
    }
    var v = vec3f();
    var compliance = 0.0;
    let inertia = 1.0 / (sim.step * sim.step);
    for (var k = 0u; k < 5u; k++) {
        let i = participant(contact, k);
        if i != NONE {
            let p = particles_in[i];
            let w = participant_weight(contact, k);
            v += w * p.velocity;
            if p.inverse_mass > 0.0 {
                compliance += abs(w) / max(presses[i].stiffness, inertia / p.inverse_mass);
            }
        }
    }
    let n = contact.normal;
    let begun = start.normal * n + start.tangent;
    let stiffness = select(0.0, CONTACT_STIFFNESS / max(compliance, 1e-30), compliance > 0.0);
    let off = PressTarget(v, contact.target_speed, sim.step * sim.step * stiffness, contact.friction);
    var last = impulse.normal * n + impulse.tangent;
    if sim.first_stage == 0u && stiffness > 0.0 {
        last = press_next(last, n, off).impulse;
        impulse.normal = dot(last, n);
        impulse.tangent = last - impulse.normal * n;
        impulse.normal_change = impulse.normal - start.normal;
        impulse.tangent_change = length(impulse.tangent - start.tangent);
    }
    impulses[c] = impulse;
    let next = press_next(last, n, off);
    let hold = select(0.0, stiffness, next.acts);
    grips[c] = Grip(select(vec3f(), next.impulse - begun, stiffness > 0.0), hold, n, next.share);
}
