// rk4_stage: one thread per particle, for the first three stages. With k = (v_s, a(x_s, v_s)) of the stage's state,
// increments += stage_weight k and the next stage's state is base + stage_step k [Kutta 1901, order 4].
// Solids act on the next stage's velocity, too: at rest it is 0.
// Reads particles_in (the stage's state), base and the model; updates increments; writes particles_out.
#import shared/force
#import shared/solids
#import shared/taken

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(11) var<storage, read_write> increments: array<Particle>;

@compute @workgroup_size(64)
fn rk4_stage(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_index(group, lane, 64u);
    if thread >= sim.particle_count {
        return;
    }
    let i = taken_particle(thread);
    let stage = particles_in[i];
    let start = base[i];
    let point = points[i];
    let body = bodies[point.body];
    let force = particle_force(i, stage, point, body);
    var sum = Particle(vec3f(), 0.0, vec3f(), 0.0);
    if sim.first_stage == 0u {
        sum = increments[i];
    }
    sum.position += sim.stage_weight * stage.velocity;
    sum.velocity += sim.stage_weight * force.acceleration;
    increments[i] = sum;
    let free = start.velocity + sim.stage_step * force.acceleration;
    let v = solids_impulse(start, start.position, free, body);
    particles_out[i] = Particle(start.position + sim.stage_step * stage.velocity, start.inverse_mass, v,
                                force.damping_rate);
}
