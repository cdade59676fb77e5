// The end of an explicit step where something can be touched.
#import shared/pushes

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(11) var<storage, read_write> increments: array<Particle>;

// Moves a particle with the last change of velocity by contacts, u += change, by h u with u as the solids leave it. Where the
// mean velocity of the step moves particles (Runge-Kutta methods, Euler), by that and the change's share, as the solids leave
// it: one impulse cannot serve both, as under gravity g they differ by h g/2, and a resting point would creep.
fn move_particle(i: u32, change: vec3f) {
    let p = particles_out[i];
    if p.inverse_mass == 0.0 {
        return;
    }
    let b = points[i].body;
    let body = bodies[b];
    let u = solids_push(i, p, p.position, p.velocity + change, body, false);
    var way = sim.step * u;
    if sim.contact_share < 1.0 {
        let mean = increments[i].position / sim.step + sim.contact_share * change;
        way = sim.step * solids_impulse(p, p.position, mean, body);
    }
    let x = solids_project(p, p.position + way, body);
    particles_out[i].position = x;
    particles_out[i].velocity = u;
    status_check(b, x, u);
    status_jump(body, u - p.velocity);
    status_way(STATUS_TRAVEL, x - p.position);
}
