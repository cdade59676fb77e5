// contact_move: one thread per particle of bodies that touch. u += impulses/m; then solids; x += h u.
// Where the integrator has moved the particle already, x takes its share of h (u - u_free): a constant force over the
// step moves it by h^2 a/2 with an order above 1, and not at all with explicit Euler.
// Reads particles_in (before the step), points, bodies, contacts, impulses_in; updates particles_out, empties rows;
// writes status.
#import shared/impulses
#import shared/status

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(37) var<storage, read_write> rows: array<u32>;

@compute @workgroup_size(64)
fn contact_move(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let body = points[i].body;
    if bodies[body].touching == 0u {
        return;
    }
    let free = particles_out[i];
    let u = velocity_after(i, free);
    let way = select(u, collide.share * (u - free.velocity), collide.moved != 0u);
    let x = solids_project(free, free.position + sim.step * way);
    particles_out[i].position = x;
    particles_out[i].velocity = u;
    rows[row_head(i)] = NONE;
    rows[row_counts(i)] = 0u;
    status_check(body, x, u);
}
