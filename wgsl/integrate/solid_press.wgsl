// solid_press: one thread per particle. How the solids press on it: an augmented Lagrangian of v.r >= v* and of v_t = 0
// with multipliers J (impulses) of each solid, k = SOLID_STIFFNESS times the vertex's own stiffness:
// J_n' = max(0, J_n + h^2 k (v* - v_n)), J_t' = J_t - h^2 k v_t clipped to mu J_n' [Simo & Laursen 1992]. What the solve
// feels is J'/h, and the block k where J' follows v.
// Reads particles_out (the iterate), base, half_velocity (v_n), points, bodies; updates solid_impulses; writes presses.
#import shared/solids
#import shared/eigen

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(9) var<storage, read> half_velocity: array<vec4f>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(82) var<storage, read_write> presses: array<Press>;
@group(0) @binding(83) var<storage, read_write> solid_impulses: array<vec4f>;

// The least velocity along the normal [m/s].
fn solid_target(i: u32, distance: Distance, body: Body) -> f32 {
    let target_speed = min(distance.depth, 0.0) / sim.step;
    let impact = -dot(half_velocity[i].xyz, distance.normal);
    if body.restitution > 0.0 && impact > sim.restitution_speed {
        return max(target_speed, body.restitution * impact);
    }
    return target_speed;
}

@compute @workgroup_size(64)
fn solid_press(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
               @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    var press = Press(vec3f(), presses[i].stiffness, vec3f(), 0.0, vec3f(), 0.0);
    let p = particles_out[i];
    if HAS_SOLIDS && p.inverse_mass > 0.0 {
        let body = bodies[points[i].body];
        let start = base[i].position;
        let h = sim.step;
        let stiffness = SOLID_STIFFNESS * max(press.stiffness, 1.0 / (p.inverse_mass * h * h));
        var count = 0u;
        for (var k = 0u; k < sim.solid_count; k++) {
            let distance = solid_distance(externals.solids[k], start, body.radius);
            let n = distance.normal;
            let along = dot(p.velocity, n);
            let place = MAX_TOUCHING * i + count;
            if -distance.depth < body.margin + h * max(0.0, -along) && count < MAX_TOUCHING {
                count++;
                var last = solid_impulses[place];
                last = select(vec4f(), last, bitcast<u32>(last.w) == k + 1u);
                let gain = h * h * stiffness;
                let normal_last = dot(last.xyz, n);
                let normal = max(0.0, normal_last + gain * (solid_target(i, distance, body) - along));
                let wanted = last.xyz - normal_last * n - gain * (p.velocity - along * n);
                let size = length(wanted);
                let share = min(1.0, body.friction * normal / max(size, 1e-30));
                let impulse = normal * n + share * wanted;
                solid_impulses[place] = vec4f(impulse, bitcast<f32>(k + 1u));
                let hold = select(0.0, stiffness, normal > 0.0);
                let square = n * n;
                press.force += impulse / h;
                press.diagonal += hold * (square + share * (1.0 - square));
                press.off += (hold * (1.0 - share)) * (n.yzx * n.zxy);
            }
        }
        for (var k = 0u; k < MAX_TOUCHING; k++) {
            if k >= count {
                solid_impulses[MAX_TOUCHING * i + k] = vec4f();
            }
        }
    }
    presses[i] = press;
}
