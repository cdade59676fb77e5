// newton_pushes: one thread per particle, after the iterations where events are asked for. What the solids did to it: what it
// felt of them, of which the one that pushes most then takes what is left of the particle's equation, h r. Where the
// iterations are used up before they come near the solution, forces of contacts, which are stiff, are far off, and r with them.
// Reads particles_out, base, points, bodies, conjugates; updates status.
#import shared/pushes

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(91) var<storage, read> conjugates: array<Conjugate>;

@compute @workgroup_size(64)
fn newton_pushes(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    if !HAS_SOLIDS || sim.events == 0u || particles_out[i].inverse_mass == 0.0 {
        return;
    }
    let radius = bodies[points[i].body].radius;
    let left = sim.step * conjugates[i].residual;
    var most = -3e38;
    var place = MAX_TOUCHING;
    var solid = 0u;
    var push = vec3f();
    for (var k = 0u; k < MAX_TOUCHING; k++) {
        let number = push_number(i, k);
        if number == 0u {
            break;
        }
        let n = solid_distance(externals.solids[number - 1u], base[i].position, radius).normal;
        let felt = push_rest(i, k);
        let impulse = felt.yzw - left;
        let along = dot(impulse, n);
        // One that nothing is felt of does not touch, whatever rounding leaves of the equation.
        if felt.x > 0.0 && along > most {
            most = along;
            place = k;
            solid = number - 1u;
            push = impulse - min(along, 0.0) * n;
        }
    }
    if place < MAX_TOUCHING {
        push_write(i, place, solid, max(most, 0.0), push);
    }
}
