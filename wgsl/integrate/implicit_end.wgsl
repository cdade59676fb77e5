// implicit_end: one thread per particle. Bodies that nothing holds get the momenta that they should have
// [implicit_shift]. The solids have the last word on approaches that the iterations have left, without friction, which those
// left would exaggerate, and take what is inside them back. Keeps what the next step begins with: the velocity, and 1 where
// nothing holds the body, which falls on. Elsewhere a guess from the last acceleration [Chen et al. 2024, eq. 20] would make
// forces late where iterations change little of it: they would feed vibrations.
// Reads base, bodies, points, body_shifts; updates particles_out, half_velocity; writes status.
#import shared/pushes

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(9) var<storage, read_write> half_velocity: array<vec4f>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(107) var<storage, read> body_shifts: array<BodyMotion>;

@compute @workgroup_size(64)
fn implicit_end(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_out[i];
    let body = points[i].body;
    let start = base[i].position;
    let before = half_velocity[i].xyz;
    let given = body_shifts[body];
    var turn = vec3f();
    var v = p.velocity;
    if p.inverse_mass > 0.0 {
        turn = cross(given.turn.xyz, p.position - given.origin.xyz);
        v += given.shift.xyz + turn;
        var slippery = bodies[body];
        slippery.friction = 0.0;
        v = solids_push(i, p, start, v, slippery, true);
    }
    let x = solids_project(p, start + sim.step * (v - turn), bodies[body]);
    particles_out[i] = Particle(x, p.inverse_mass, v, 0.0);
    half_velocity[i] = vec4f(v, given.shift.w);
    status_check(body, x, v);
    status_jump(bodies[body], v - before);
    status_way(STATUS_TRAVEL, x - start);
}
