// augment_fixed: one thread per particle. How the solids press on it: an augmented Lagrangian of v.r >= v* and of v_t = 0, v
// relative to the solid,
// with multipliers J (impulses) of each solid and a stiffness k [Simo & Laursen 1992]:
// J_n' = max(0, J_n + h^2 k (v* - v_n)), J_t' = J_t - h^2 k v_t clipped to mu J_n'. After an iteration J becomes J' of what
// it led to if it acted in that iteration: what fell freely until then says nothing of what stops it. The next one feels J'/h
// of that, and the block k where J' follows v. With an impulse lies the solid's number, from 1, negative if it does not act. In
// the first iteration of a step of another length than the last one's, J is that much larger. Vertex by vertex, k is the
// vertex's own stiffness: sweeps bring a larger one to no balance, and what sticks walks over the floor. Where all points move
// together k is SOLID_STIFFNESS of it, and the tangential one only SOLID_SLIDE of that: what slides feels it, too, and would
// come to its speed in as many iterations.
// Where events are asked for it keeps what the iteration feels, for newton_pushes; or, vertex by vertex, what solid_pushes
// needs: the share that the cone leaves of J_t', h^2 k of both parts and v*.
// Reads particles_out (the iterate), base, points, bodies; updates solid_impulses; writes contact_blocks, status.
#import shared/pushes
#import shared/press

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(102) var<storage, read_write> contact_blocks: array<ContactBlock>;
@group(0) @binding(103) var<storage, read_write> solid_impulses: array<vec4f>;

@compute @workgroup_size(64)
fn augment_fixed(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    var press = ContactBlock(vec3f(), contact_blocks[i].stiffness, vec3f(), vec3f());
    let p = particles_out[i];
    if HAS_SOLIDS && p.inverse_mass > 0.0 {
        let body = bodies[points[i].body];
        let start = base[i].position;
        let h = sim.step;
        let together = sim.implicit == IMPLICIT_STEP;
        let stiffness = select(1.0, SOLID_STIFFNESS, together) * max(press.stiffness, 1.0 / (p.inverse_mass * h * h));
        let slide = select(1.0, SOLID_SLIDE, together);
        var count = 0u;
        for (var k = 0u; k < sim.solid_count; k++) {
            let distance = solid_distance(externals.solids[k], start, body.radius);
            let n = distance.normal;
            let surface = solid_velocity(externals.solids[k], start, 0.0);
            let v = p.velocity - surface;
            let place = MAX_TOUCHING * i + count;
            if -distance.depth < body.margin + h * max(0.0, -dot(v, n)) && count < MAX_TOUCHING {
                count++;
                let kept = solid_impulses[place];
                let known = u32(abs(kept.w)) == k + 1u;
                var last = select(vec3f(), kept.xyz, known);
                let gain = h * h * stiffness;
                let target_speed = min(distance.depth, 0.0) / h;
                let off = PressTarget(v, target_speed, gain, slide * gain, solid_friction(externals.solids[k], body.friction));
                if sim.first_stage == 1u {
                    last *= sim.step_ratio;
                }
                if sim.first_stage == 0u && known && kept.w > 0.0 {
                    last = press_next(last, n, off).impulse;
                }
                let next = press_felt(last, n, off);
                let hold = select(0.0, stiffness, next.acts);
                solid_impulses[place] = vec4f(last, select(-1.0, 1.0, next.acts) * f32(k + 1u));
                if sim.events != 0u && together {
                    push_write(i, count - 1u, k, dot(next.impulse, n), next.impulse);
                } else if sim.events != 0u {
                    push_write(i, count - 1u, k, next.share, vec3f(gain, slide * gain, target_speed));
                }
                press.force += next.impulse / h;
                let share = slide * next.share;
                press.diagonal += hold * (n * n + share * (1.0 - n * n));
                press.off += (hold * (1.0 - share)) * (n.yzx * n.zxy);
            }
        }
        for (var k = 0u; k < MAX_TOUCHING; k++) {
            if k >= count {
                solid_impulses[MAX_TOUCHING * i + k] = vec4f();
            }
        }
        if sim.events != 0u {
            push_end(i, count);
        }
    }
    contact_blocks[i] = press;
}
