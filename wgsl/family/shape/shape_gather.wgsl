// shape_gather: one thread per particle. The mean over its clusters of the pull alpha (g - x)/h^2 towards their goals
// [Mueller et al. 2005, eq. 9], and of the damping of what is beside their motion as rigid bodies, min(1, tau alpha/h)
// (v_rigid - v)/h, less where an explicit integrator bears less. The change of an implicit step's forces along the
// velocities is taken as that of a pull towards v_rigid, alpha (1 + tau/h) (v_rigid - v)/h^2: positive. Memberships: two words per particle (first, count), then the
// clusters, interleaved by slices.
// Reads particles_in, points, bodies, rests, memberships, goals; writes loads.
#import shared/sim

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(60) var<storage, read_write> loads: array<vec4f>;
@group(0) @binding(70) var<storage, read> rests: array<vec4f>;
@group(0) @binding(72) var<storage, read> memberships: array<u32>;
@group(0) @binding(76) var<storage, read> goals: array<Goal>;

// Part of the bound at which damping is taken: at the bound itself errors would not die out.
const BRAKE_SAFETY: f32 = 0.9;

// The quadratic part of a goal.
fn bending(goal: BentGoal, q: vec3f) -> vec3f {
    let arm = q - vec3f(goal.squares[0].w, goal.squares[1].w, goal.squares[2].w);
    let squares = arm * arm;
    let products = arm * arm.yzx;
    return squares.x * goal.squares[0].xyz + squares.y * goal.squares[1].xyz + squares.z * goal.squares[2].xyz
         + (products.x * goal.products[0].xyz + products.y * goal.products[1].xyz + products.z * goal.products[2].xyz);
}

@compute @workgroup_size(64)
fn shape_gather(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = part_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let first = memberships[2u * i];
    let count = memberships[2u * i + 1u];
    if count == 0u {
        return;
    }
    let p = particles_in[i];
    let rest = rests[i].xyz;
    let body = bodies[points[i].body];
    let change = sim.implicit == IMPLICIT_CHANGE;
    let moving = body.relaxation > 0.0 || change;
    let chord = select(0.0, sim.step, sim.implicit == IMPLICIT_STEP);
    var pull = vec3f();
    var brake = vec3f();
    for (var e = 0u; e < count; e++) {
        let k = memberships[first + e * SLICE];
        let by = goals[k].linear;
        let d = p.position - by.anchor.xyz;
        let q = rest - by.origin.xyz;
        let off = d - mat3x3f(by.frame[0].xyz, by.frame[1].xyz, by.frame[2].xyz) * q;
        var goal = by.shift.xyz + q.x * by.map[0].xyz + q.y * by.map[1].xyz + q.z * by.map[2].xyz;
        if by.origin.w > f32(SHAPE_LINEAR) + 0.5 {
            goal += bending(goals[k].bent, q);
        }
        pull += goal - off;
        if moving {
            let motion = goals[k].motion;
            let v = p.velocity - motion.pace.xyz;
            let turn = mat3x3f(motion.turn[0].xyz, motion.turn[1].xyz, motion.turn[2].xyz);
            let u = v - turn * (d - chord * v);
            let middle = vec3f(by.map[0].w, by.map[1].w, by.map[2].w);
            brake += motion.velocity.xyz + cross(motion.spin.xyz, d - middle) - u;
        }
    }
    let mean = 1.0 / f32(count);
    let whole = body.alpha + sim.step * sim.step * body.pull_rate;
    let damping = body.relaxation * whole / sim.step;
    if change {
        loads[i] = vec4f((mean / (sim.step * sim.step) * (whole + damping)) * brake, 0.0);
        return;
    }
    if sim.implicit == IMPLICIT_STEP {
        loads[i] = vec4f(mean / sim.step * (whole / sim.step * pull + damping * brake), 0.0);
        return;
    }
    let alpha = min(1.0, whole);
    // Leapfrog, which damps an extrapolated velocity, is stable for alpha + 4 share < 4.
    let share = min(body.relaxation * alpha / sim.step, min(1.0, BRAKE_SAFETY * sim.theta_scale * (1.0 - 0.25 * alpha)));
    loads[i] = vec4f(mean / sim.step * (alpha / sim.step * pull + share * brake), 0.0);
}
