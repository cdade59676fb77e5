// One iteration of a manifold's impulses, point after point, on its own parts of the two bodies: lambda_n' = max(0, lambda_n -
// kappa (v.n + b)/K - (1 - kappa) lambda_n), then friction [shared/friction]; at last rolling friction, an impulse that takes
// the spin across n, |lambda_r| <= rho sum lambda_n. Who imports this binds manifold_places: where each point acts, and its gap.
#import shared/landing
#import shared/manifold_parts
#import shared/power
#import shared/soft_contact

@group(0) @binding(193) var<storage, read_write> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read_write> manifold_points: array<ManifoldPoint>;
@group(0) @binding(198) var<storage, read_write> wrenches: array<vec4f>;

// What the step does to a manifold in this pass.
const SOLVE = 0u;
// As what is inside is not to be parted: takes back the speed with which it was.
const RELAX = 1u;
// What came at the other side leaves it again.
const REBOUND = 2u;

fn velocity_between(pair: Pair, arm_a: vec3f, arm_b: vec3f) -> vec3f {
    return pair.a.velocity + cross(pair.a.spin, arm_a) - pair.b.velocity - cross(pair.b.spin, arm_b);
}

fn pushed_apart(pair: Pair, arm_a: vec3f, arm_b: vec3f, impulse: vec3f) -> Pair {
    var after = pair;
    after.a.velocity += pair.a.inverse_mass * impulse;
    after.a.spin += turned_by(pair.a, cross(arm_a, impulse));
    after.b.velocity -= pair.b.inverse_mass * impulse;
    after.b.spin -= turned_by(pair.b, cross(arm_b, impulse));
    return after;
}

// Of rolling friction, on a's spin; `most`: its largest moment times the step.
fn rolled(pair: Pair, n: vec3f, before: vec3f, most: f32) -> vec3f {
    let spin = pair.a.spin - pair.b.spin;
    let side = spin - dot(spin, n) * n;
    let d = unit(side);
    let inverse = dot(d, turned_by(pair.a, d)) + dot(d, turned_by(pair.b, d));
    let wanted = before - side / max(inverse, 1e-30);
    return wanted * min(1.0, most / max(length(wanted), 1e-30)) - before;
}

// The numbers of the normal impulse at a gap s: b and kappa.
fn softness(s: f32, turn: f32, mode: u32) -> vec2f {
    if s > 0.0 {
        return vec2f(s / sim.step, 1.0);
    }
    if mode == SOLVE {
        return vec2f(soft_bias(turn, -s, sim.step), soft_kappa(turn));
    }
    return vec2f(0.0, 1.0);
}

// The numbers of a point's normal impulse in this pass: b and kappa; whether it is to be changed at all.
fn numbers_of(point: ManifoldPoint, s: f32, turn: f32, restitution: f32, mode: u32) -> vec3f {
    if mode == REBOUND {
        // b = -e v, where it has come to bear on the other.
        return vec3f(-restitution * point.approach, 1.0, select(0.0, 1.0, has_landed(point)));
    }
    return vec3f(softness(s, turn, mode), 1.0);
}

// The largest bias of impulses: a little more than the one that balances what softness takes of the contact's load, or a few kicks of
// gravity. The rest, of what is deeper, is for manifold_push: the one relaxation would leave bodies a part of that speed.
fn resting_bias(kappa: f32, along: f32, impulse: f32) -> f32 {
    return -max(REST_LOADS * (1.0 - kappa) / kappa * along * impulse, REST_KICKS * sim.step * length(sim.gravity));
}

// The closing speed of a point with what is to be gained, v.n + b, where that is so fast that the manifold stops as a whole.
struct Fast {
    speed: f32,
    kappa: f32,
    is_fast: bool,
}

fn fast_point(pair: Pair, at: u32, n: vec3f, turn: f32, restitution: f32, mode: u32) -> Fast {
    let place = manifold_places[at];
    let numbers = numbers_of(manifold_points[at], place.w, turn, restitution, mode);
    let v = velocity_between(pair, place.xyz - pair.a.position, place.xyz - pair.b.position);
    // What is inside is parted afterwards, point after point.
    let speed = dot(v, n) + select(max(numbers.x, 0.0), numbers.x, mode == REBOUND);
    return Fast(speed, numbers.y, speed < -REBOUND_SPEED && numbers.z > 0.0);
}

// One impulse for all points at which the sides close in, shared equally, so that what lands flat stops flat; the points one
// after the other would turn it. What rests is left alone: its points bear unequal loads, and would never settle.
fn stopped_together(c: u32, pair: Pair, n: vec3f, manifold: Manifold, turn: f32, mode: u32) -> f32 {
    var count = 0.0;
    var missing = 0.0;
    var turns_a = vec3f();
    var turns_b = vec3f();
    for (var k = 0u; k < manifold.count; k++) {
        let point = fast_point(pair, MANIFOLD * c + k, n, turn, manifold.restitution, mode);
        if point.is_fast {
            let x = manifold_places[MANIFOLD * c + k].xyz;
            count += 1.0;
            missing -= point.kappa * point.speed;
            turns_a += cross(x - pair.a.position, n);
            turns_b += cross(x - pair.b.position, n);
        }
    }
    let inverse = count * count * (pair.a.inverse_mass + pair.b.inverse_mass) + dot(turns_a, turned_by(pair.a, turns_a))
        + dot(turns_b, turned_by(pair.b, turns_b));
    return select(0.0, missing / max(inverse, 1e-30), count > 1.0);
}

fn power(pair: Pair, impulse: vec3f, moment_a: vec3f, moment_b: vec3f) -> f32 {
    return power_of(impulse, moment_a, moment_b, pair.a.velocity - pair.b.velocity, pair.a.spin, pair.b.spin);
}

// What a manifold has come to: the sum of its normal impulses, and the least gap of its points; whether one is so deep that the bodies
// are to be pushed; the work of the passes before, of this
// one on its parts, and what this would be if it did not change the velocities [J].
struct Solved {
    bearing: f32,
    gap: f32,
    is_deep: bool,
    before: f32,
    work: f32,
    start: f32,
}

// Solves manifold c, which acts, and leaves what that changed as its wrench. Beside it its work so far, of the last wrench the half that
// is done by the velocities before: the other half follows from those after all of the pass's. Pushes, which those velocities are
// without, are taken back after the move.
fn solve_manifold(c: u32, mode: u32) -> Solved {
    let force = wrenches[WRENCH_ROWS * c];
    let turn_a = wrenches[WRENCH_ROWS * c + 1u];
    let turn_b = wrenches[WRENCH_ROWS * c + 2u];
    let share = force.w;
    let lands = turn_a.w;
    let manifold = manifolds[c];
    let n = manifold.normal;
    let t = across(n);
    let u = cross(n, t);
    var given = parts_of(manifold.dofs, share);
    if mode == RELAX {
        given.a.position += sim.step * given.a.velocity;
        given.b.position += sim.step * given.b.velocity;
    }
    let turn = soft_turn(min(given.a.inverse_mass, given.b.inverse_mass) == 0.0);
    var pair = given;
    var impulse = vec3f();
    var moment_a = vec3f();
    var moment_b = vec3f();
    if lands > 0.0 {
        let together = stopped_together(c, given, n, manifold, turn, mode);
        let stopped = select(0u, manifold.count, together > 0.0);
        for (var k = 0u; k < stopped; k++) {
            let at = MANIFOLD * c + k;
            if fast_point(given, at, n, turn, manifold.restitution, mode).is_fast {
                let arm_a = manifold_places[at].xyz - given.a.position;
                let arm_b = manifold_places[at].xyz - given.b.position;
                pair = pushed_apart(pair, arm_a, arm_b, together * n);
                impulse += together * n;
                moment_a += cross(arm_a, together * n);
                moment_b += cross(arm_b, together * n);
                manifold_points[at].impulse.w += together;
            }
        }
    }
    let before = turn_b.w + 0.5 * power(given, force.xyz, turn_a.xyz, turn_b.xyz);
    var solved = Solved(0.0, 3e38, false, before, 0.0, 0.0);
    for (var k = 0u; k < manifold.count; k++) {
        let at = MANIFOLD * c + k;
        let place = manifold_places[at];
        let point = manifold_points[at];
        let arm_a = place.xyz - pair.a.position;
        let arm_b = place.xyz - pair.b.position;
        // K, of the manifold's parts of both.
        let along = mobility(pair.a, arm_a, n) + mobility(pair.b, arm_b, n);
        let slide = slide_masses(pair.a, arm_a, n) + slide_masses(pair.b, arm_b, n);
        let closing = dot(velocity_between(pair, arm_a, arm_b), n);
        let numbers = numbers_of(point, place.w, turn, manifold.restitution, mode);
        let resting = resting_bias(numbers.y, along, point.impulse.w);
        let bias = select(max(numbers.x, resting), numbers.x, mode == REBOUND);
        let less = numbers.y * (closing + bias) / along + (1.0 - numbers.y) * point.impulse.w;
        let normal = select(point.impulse.w, max(0.0, point.impulse.w - less), numbers.z > 0.0);
        let change = (normal - point.impulse.w) * n;
        pair = pushed_apart(pair, arm_a, arm_b, change);
        let v = velocity_between(pair, arm_a, arm_b);
        let rub = rubbed(t, u, slide, v, point.impulse.xyz, manifold.friction * normal) - point.impulse.xyz;
        pair = pushed_apart(pair, arm_a, arm_b, rub);
        manifold_points[at].impulse = vec4f(point.impulse.xyz + rub, normal);
        solved.bearing += normal;
        solved.gap = min(solved.gap, place.w);
        solved.is_deep = solved.is_deep || numbers.x < bias;
        let given_back = select(0.0, manifolds[c].push[k], mode == RELAX);
        let acted = change + rub - given_back * n;
        impulse += acted;
        moment_a += cross(arm_a, acted);
        moment_b += cross(arm_b, acted);
    }
    if manifold.rolling > 0.0 {
        let roll = rolled(pair, n, manifold.rolling_impulse, manifold.rolling * solved.bearing);
        manifolds[c].rolling_impulse = manifold.rolling_impulse + roll;
        moment_a += roll;
        moment_b += roll;
        pair.a.spin += turned_by(pair.a, roll);
        pair.b.spin -= turned_by(pair.b, roll);
    }
    solved.start = power(given, impulse, moment_a, moment_b);
    solved.work = 0.5 * (solved.start + power(pair, impulse, moment_a, moment_b));
    wrenches[WRENCH_ROWS * c] = vec4f(impulse, share);
    wrenches[WRENCH_ROWS * c + 1u] = vec4f(moment_a, lands);
    wrenches[WRENCH_ROWS * c + 2u] = vec4f(moment_b, before + 0.5 * solved.start);
    return solved;
}
