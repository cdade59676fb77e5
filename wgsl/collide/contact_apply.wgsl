// contact_apply: one thread per particle. u += sum w delta/m: after the forces of the impulses that the step starts with, as
// damping above all acts on velocities without them, and then of what each iteration changes of them. The velocity that
// contacts are solved by is what the solids leave of it. Where a mean velocity moves particles, it gets a share of the change:
// a constant force over the step moves a particle by h^2 a/2 with an order above 1, and not at all with explicit Euler.
// Reads points, bodies, list_first, entries, rows; updates particles_out, increments; writes contact_velocities.
#import shared/gather
#import shared/solids

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(11) var<storage, read_write> increments: array<Particle>;
@group(0) @binding(57) var<storage, read_write> contact_velocities: array<vec4f>;

@compute @workgroup_size(64)
fn contact_apply(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count || !has_contacts(i) {
        return;
    }
    let p = particles_out[i];
    let change = p.inverse_mass * contact_impulse(i);
    let u = p.velocity + change;
    particles_out[i].velocity = u;
    if sim.contact_share < 1.0 {
        increments[i].position += (sim.contact_share * sim.step) * change;
    }
    contact_velocities[i] = vec4f(solids_impulse(p, p.position, u, bodies[points[i].body]), p.inverse_mass);
}
