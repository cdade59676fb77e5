// implicit_end: one thread per particle. Takes what is left inside solids back, and keeps what the next step begins
// with: its velocity, and the part of gravity that the particle gave way to in this one [Chen et al. 2024, eq. 20].
// Reads base, bodies, points; updates particles_out, half_velocity; writes status.
#import shared/solids
#import shared/status

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(9) var<storage, read_write> half_velocity: array<vec4f>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;

@compute @workgroup_size(64)
fn implicit_end(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_out[i];
    let body = points[i].body;
    let x = solids_project(p, p.position, bodies[body]);
    particles_out[i].position = x;
    let fall = dot(p.velocity - half_velocity[i].xyz, sim.gravity);
    let most = sim.step * dot(sim.gravity, sim.gravity);
    half_velocity[i] = vec4f(p.velocity, clamp(fall / max(most, 1e-30), 0.0, 1.0));
    status_check(body, x, p.velocity);
    status_way(TALLY_TRAVEL, x - base[i].position);
}
