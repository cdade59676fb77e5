// rk4: one thread per particle, the fourth stage. (x, v) += increments + h/6 k_4 [Kutta 1901, order 4].
// Reads particles_in (the fourth stage's state) and the model; updates particles_out in place, increments (the way); writes
// status.
#import shared/force
#import shared/finish
#import shared/taken

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(11) var<storage, read_write> increments: array<Particle>;

@compute @workgroup_size(64)
fn rk4(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_index(group, lane, 64u);
    if thread >= sim.particle_count {
        return;
    }
    let i = taken_particle(thread);
    let p = particles_out[i];
    let stage = particles_in[i];
    let sum = increments[i];
    let point = points[i];
    let body = bodies[point.body];
    let force = particle_force(i, stage, point, body);
    status_stiffness(body, force.stiffness);
    let v = p.velocity + (sum.velocity + sim.stage_weight * force.acceleration);
    let way = sum.position + sim.stage_weight * stage.velocity;
    increments[i].position = way;
    particles_out[i] = finish_by_mean(i, p, point.body, body, v, way / sim.step, force.damping_rate);
}
