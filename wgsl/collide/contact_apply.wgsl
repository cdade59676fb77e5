// contact_apply: one thread per particle. u += sum w delta/m: after the forces of the impulses that the step starts with, as
// damping above all acts on velocities without them, and then of what each iteration changes of them. The velocity that
// contacts are solved by is what the solids leave of it. Where the integrator has moved the particle, it takes its share of
// the way, as in contact_move.
// Reads points, bodies, contacts, contact_lists, rows; updates particles_out; writes contact_velocities, status.
#import shared/gather
#import shared/solids
#import shared/status

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(57) var<storage, read_write> contact_velocities: array<vec4f>;

@compute @workgroup_size(64)
fn contact_apply(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count || contact_lists[list_head(i)] == NONE {
        return;
    }
    var p = particles_out[i];
    let change = p.inverse_mass * contact_impulse(i);
    p.velocity += change;
    if collide.moved != 0u {
        let way = (collide.share * sim.step) * change;
        p.position += way;
        status_way(STATUS_SHIFT, way);
    }
    particles_out[i] = p;
    let lead = select(0.0, sim.step, collide.moved != 0u);
    let seen = solids_impulse(p, p.position, lead, p.velocity, bodies[points[i].body]);
    contact_velocities[i] = vec4f(seen, p.inverse_mass);
}
