// rk4: one thread per particle, the fourth stage. (x, v) += increments + h/6 k_4 [Kutta 1901, order 4].
// Solids act on the mean velocity, which makes the move, and on the new one.
// Reads particles_in (the fourth stage's state), increments and the model; updates particles_out in place; writes status.
#import shared/force
#import shared/pushes

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(11) var<storage, read> increments: array<Particle>;

@compute @workgroup_size(64)
fn rk4(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_out[i];
    let stage = particles_in[i];
    let sum = increments[i];
    let point = points[i];
    let body = bodies[point.body];
    let force = particle_force(i, stage, point, body);
    let way = sum.position + sim.stage_weight * stage.velocity;
    let change = sum.velocity + sim.stage_weight * force.acceleration;
    let mean = solids_impulse(p, p.position, 0.0, way / sim.step, body);
    let v = solids_push(i, p, p.position, 0.0, p.velocity + change, body, false);
    let x = solids_project(p, p.position + sim.step * mean, body);
    particles_out[i] = Particle(x, p.inverse_mass, v, force.damping_rate);
    status_check(point.body, x, v);
    status_stiffness(body, force.stiffness);
    status_jump(body, v - p.velocity);
    status_way(STATUS_TRAVEL, x - p.position);
}
