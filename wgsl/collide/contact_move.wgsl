// contact_move: one thread per particle, at the end of an explicit step. v = v* + what the last iteration changed of the
// contacts' impulses, over m; then the solids and the move [shared/move].
// Reads points, bodies, list_first, entries, rows; updates particles_out; writes status.
#import shared/gather
#import shared/move

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;

@compute @workgroup_size(64)
fn contact_move(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_out[i];
    if p.inverse_mass == 0.0 {
        return;
    }
    let b = points[i].body;
    let change = p.inverse_mass * contact_impulse(i);
    let u = pushed(i, p, bodies[b], p.velocity + change);
    status_jump(bodies[b], u - p.velocity);
    particles_out[i] = moved(p, b, bodies[b], u, u);
}
