// coarse_move: one thread per particle. Moves it with its body as a whole, dx = t + (R(theta) - 1) r: v += dx/h, x = x_n + h v;
// from then on contacts push by f - D dx. The way of a first iterate, that of the last step, turns with the body,
// h v = t + R (h v_n - t): it goes on along its arc, where v_n leads along the last chord and stretches what turns.
// Reads base, points, coarse_motions; updates particles_out (the iterate), contact_blocks.
#import shared/sim
#import shared/eigen

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(102) var<storage, read_write> contact_blocks: array<ContactBlock>;
@group(0) @binding(109) var<storage, read_write> coarse_motions: array<BodyMotion>;

@compute @workgroup_size(64)
fn coarse_move(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_out[i];
    if p.inverse_mass <= 0.0 {
        return;
    }
    let motion = coarse_motions[points[i].body];
    let theta = motion.turn.xyz;
    // sin(a)/a, and (1 - cos a)/a^2 = (sin(a/2)/(a/2))^2/2, which has no difference of like numbers.
    let angle = max(length(theta), 1e-6);
    let half_sine = sin(0.5 * angle) / (0.5 * angle);
    let guess = sim.implicit == IMPLICIT_GUESS;
    var arm = p.position - motion.origin.xyz;
    var lead = motion.shift.xyz;
    if guess {
        arm = sim.step * p.velocity - lead;
        lead = vec3f();
    }
    let across = cross(theta, arm);
    let way = lead + (sin(angle) / angle) * across + (0.5 * half_sine * half_sine) * cross(theta, across);
    let v = p.velocity + way / sim.step;
    particles_out[i] = Particle(base[i].position + sim.step * v, p.inverse_mass, v, 0.0);
    if guess {
        return;
    }
    let press = contact_blocks[i];
    contact_blocks[i].force = press.force - symmetric_matrix(Symmetric(press.diagonal, press.off)) * way;
}
