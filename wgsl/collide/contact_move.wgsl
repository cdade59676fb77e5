// contact_move: one thread per particle of bodies that touch. u += what the iteration changed of the impulses, over m;
// then solids; x += h u. Where the integrator has moved the particle already, x takes its share of h (u - u_free): a
// constant force over the step moves it by h^2 a/2 with an order above 1, and not at all with explicit Euler.
// Reads points, bodies, contacts, rows, impulses, impulses_warm_start; updates particles_out; writes status.
#import shared/gather
#import shared/pushes

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;

@compute @workgroup_size(64)
fn contact_move(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let body = points[i].body;
    let free = particles_out[i];
    if bodies[body].touching == 0u || free.inverse_mass == 0.0 {
        return;
    }
    let pushed = free.velocity + free.inverse_mass * contact_impulse(i);
    let lead = select(0.0, sim.step, collide.moved != 0u);
    let after = collide.moved != 0u;
    let u = solids_push(i, free, free.position, lead, pushed, bodies[body], after);
    let way = select(u, collide.share * (u - free.velocity), collide.moved != 0u);
    let x = solids_project(free, free.position + sim.step * way, bodies[body]);
    particles_out[i].position = x;
    particles_out[i].velocity = u;
    status_check(body, x, u);
    status_jump(bodies[body], u - free.velocity);
    status_way(STATUS_TRAVEL, x - free.position);
}
