// manifold_rebound: one thread per manifold that acts, where anything has a coefficient of restitution e. What has come to bear on the
// other side in this step leaves it with e times the speed at which it came: v.n = e v^-. All of it brings
// at most as much energy as the iterations before have taken: with friction Newton's law alone might bring more [Kane and Levinson
// 1985].
// Reads acting, contact_lists, contact_velocities, manifold_places; updates manifolds, manifold_points, wrenches.
#import shared/manifold_impulses

@group(0) @binding(197) var<storage, read> manifold_places: array<vec4f>;

// How far works are off by rounding, as a part of that of an impulse from rest.
const WORK_ROUNDING: f32 = 1e-5;

// How much of a pass's change may be made, from 0 to 1: of a part x of it the work is a x + b x^2.
fn part_of_work(solved: Solved) -> f32 {
    let most = max(-solved.before, 0.0);
    let a = solved.start;
    let b = solved.work - a;
    if solved.work <= most + WORK_ROUNDING * b {
        return 1.0;
    }
    let root = sqrt(max(a * a + 4.0 * b * most, 0.0));
    let part = select((root - a) / (2.0 * b), 2.0 * most / (a + root), a > 0.0);
    return clamp(part, 0.0, 1.0);
}

fn rebound(c: u32) {
    let roll = manifolds[c].rolling_impulse;
    var before: array<vec4f, MANIFOLD>;
    let count = manifolds[c].count;
    for (var k = 0u; k < count; k++) {
        before[k] = manifold_points[MANIFOLD * c + k].impulse;
    }
    let part = part_of_work(solve_manifold(c, REBOUND));
    if part >= 1.0 {
        return;
    }
    manifolds[c].rolling_impulse = mix(roll, manifolds[c].rolling_impulse, part);
    for (var k = 0u; k < count; k++) {
        let at = MANIFOLD * c + k;
        manifold_points[at].impulse = mix(before[k], manifold_points[at].impulse, part);
    }
    for (var k = 0u; k < WRENCH_ROWS; k++) {
        let at = WRENCH_ROWS * c + k;
        wrenches[at] *= vec4f(vec3f(part), 1.0);
    }
}

@compute @workgroup_size(64)
fn manifold_rebound(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = acting_manifold(thread_index(group, lane, 64u));
    if c != NONE {
        rebound(c);
    }
}
