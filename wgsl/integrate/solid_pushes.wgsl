// solid_pushes: one thread per particle, after the sweeps of a step vertex by vertex where events are asked for. What the solids
// did to it: the impulses that the last sweep solved for, with the velocity v that it led to, J_n + h^2 k (v* - v_n) and
// s (J_t - h^2 k_t v_t) [augment_fixed, which has left s, h^2 k, h^2 k_t and v* of each solid].
// Reads particles_out (the iterate), base, points, bodies, solid_impulses; updates status.
#import shared/pushes

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(103) var<storage, read> solid_impulses: array<vec4f>;

@compute @workgroup_size(64)
fn solid_pushes(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_out[i];
    if !HAS_SOLIDS || sim.events == 0u || p.inverse_mass == 0.0 {
        return;
    }
    let body = bodies[points[i].body];
    let start = base[i].position;
    for (var place = 0u; place < MAX_TOUCHING; place++) {
        let number = push_number(i, place);
        if number == 0u {
            break;
        }
        let k = number - 1u;
        let last = solid_impulses[MAX_TOUCHING * i + place];
        let n = solid_distance(externals.solids[k], start, body.radius).normal;
        let v = p.velocity - solid_velocity(externals.solids[k], start, 0.0);
        let along = dot(v, n);
        let last_along = dot(last.xyz, n);
        // The share, the gains, the least velocity.
        let left = push_rest(i, place);
        let normal_impulse = last_along + left.y * (left.w - along);
        let tangent = left.x * (last.xyz - last_along * n - left.z * (v - along * n));
        let acts = last.w > 0.0;
        push_write(i, place, k, select(0.0, normal_impulse, acts), select(vec3f(), normal_impulse * n + tangent, acts));
    }
}
