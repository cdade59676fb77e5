// shape_gather: one thread per particle. The mean over its clusters of the pull alpha (g - x)/h^2 towards their goals
// [Mueller et al. 2005, eq. 9], and of the damping of what is beside their motion as rigid bodies, min(1, tau alpha/h)
// (v_rigid - v)/h, less where an explicit integrator bears less. The change of an implicit step's forces along the
// velocities is taken as that of a pull towards v_rigid, alpha (1 + tau/h) (v_rigid - v)/h^2: positive. Memberships: two words per particle (first, count), then the
// clusters, interleaved by slices.
// Reads particles_in, points, bodies, rests, memberships, goals; writes loads.
#import shared/chord

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(60) var<storage, read_write> loads: array<vec4f>;
@group(0) @binding(70) var<storage, read> rests: array<vec4f>;
@group(0) @binding(72) var<storage, read> memberships: array<u32>;
@group(0) @binding(76) var<storage, read> goals: array<vec4f>;

// Part of the bound at which damping is taken: at the bound itself errors would not die out.
const BRAKE_SAFETY: f32 = 0.9;

// A goal with the quadratic part of the map.
fn bent(straight: vec3f, row: u32, q: vec3f) -> vec3f {
    var goal = straight;
    let xx = goals[row + 6u];
    let yy = goals[row + 7u];
    let zz = goals[row + 8u];
    let arm = q - vec3f(xx.w, yy.w, zz.w);
    let squares = arm * arm;
    let products = arm * arm.yzx;
    goal += squares.x * xx.xyz + squares.y * yy.xyz + squares.z * zz.xyz;
    goal += products.x * goals[row + 9u].xyz + products.y * goals[row + 10u].xyz
        + products.z * goals[row + 11u].xyz;
    return goal;
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
    var pull = vec3f();
    var brake = vec3f();
    for (var e = 0u; e < count; e++) {
        let row = memberships[first + e * SLICE] * GOAL_ROWS;
        let origin = goals[row];
        let d = p.position - goals[row + 1u].xyz;
        let x = goals[row + 3u];
        let y = goals[row + 4u];
        let z = goals[row + 5u];
        let a = goals[row + 15u];
        let b = goals[row + 16u];
        let c = goals[row + 17u];
        let q = rest - origin.xyz;
        let off = d - mat3x3f(a.xyz, b.xyz, c.xyz) * q;
        var goal = goals[row + 2u].xyz + q.x * x.xyz + q.y * y.xyz + q.z * z.xyz;
        if origin.w > f32(SHAPE_LINEAR) + 0.5 {
            goal = bent(goal, row, q);
        }
        pull += goal - off;
        if moving {
            let v = p.velocity - goals[row + 12u].xyz;
            let arm = d - half_chord() * v;
            let u = v - cross(vec3f(a.w, b.w, c.w), arm);
            brake += goals[row + 13u].xyz + cross(goals[row + 14u].xyz, arm - vec3f(x.w, y.w, z.w)) - u;
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
