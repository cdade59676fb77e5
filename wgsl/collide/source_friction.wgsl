// source_friction: one thread per particle. The friction of the source on points inside other bodies, f = -mu |f_i|
// v/|v| with f_i the point's internal force and v its velocity at rest with the world [Kratochvil 2007, ch. 6]; in one
// step it stops a point at the most. mu is the largest of its contacts.
// Reads contacts, list_first, entries, shifts; updates particles_out, half_velocity.
#import shared/gather

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(9) var<storage, read_write> half_velocity: array<vec4f>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(53) var<storage, read> shifts: array<Shift>;

@compute @workgroup_size(64)
fn source_friction(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    var friction = 0.0;
    let end = list_first[i + 1u];
    for (var e = list_first[i]; e < end; e++) {
        let node = entries[e].node;
        if !is_touched(node) {
            friction = max(friction, contacts[node >> 3u].friction);
        }
    }
    let p = particles_out[i];
    let change = (friction * sim.step * p.inverse_mass) * length(shifts[i].force);
    let slowed = p.velocity * max(0.0, 1.0 - change / max(length(p.velocity), 1e-30));
    particles_out[i].velocity = slowed;
    // Leapfrog moves by its velocity at half steps.
    half_velocity[i] += vec4f(slowed - p.velocity, 0.0);
}
