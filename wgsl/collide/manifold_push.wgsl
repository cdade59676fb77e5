// manifold_push: one thread per manifold that acts, after the last iteration, in steps in which anything is deep. Pushes its own parts
// of the two bodies apart for the length of the move: as fast as the spring of soft contacts asks for, less the bias that impulses had
// [shared/manifold_impulses], in one iteration from rest, point after point, without friction. manifold_relax takes the pushes back where
// the bodies are then, so that both together change no momentum [pseudo-velocities, or split impulses, as in Bullet].
// Reads acting, contact_lists, contact_velocities, manifold_places, manifold_points; updates manifolds, wrenches.
#import shared/manifold_impulses

@group(0) @binding(197) var<storage, read> manifold_places: array<vec4f>;

// b of a push, which is to reach v.n = -b: what impulses leave of the bias of what is inside, or how fast the sides may still close in
// over what a move at the speed v.n leaves of their gap.
fn push_bias(point: ManifoldPoint, s: f32, along: f32, speed: f32, turn: f32) -> f32 {
    let numbers = softness(s, turn, SOLVE);
    if s > 0.0 {
        return max(numbers.x + speed, 0.0);
    }
    return min(numbers.x - resting_bias(numbers.y, along, point.impulse.w), 0.0);
}

fn push_apart(c: u32) {
    let force = wrenches[WRENCH_ROWS * c];
    let turn_a = wrenches[WRENCH_ROWS * c + 1u];
    let turn_b = wrenches[WRENCH_ROWS * c + 2u];
    let manifold = manifolds[c];
    let n = manifold.normal;
    let given = parts_of(manifold.dofs, force.w);
    let before = turn_b.w + 0.5 * power(given, force.xyz, turn_a.xyz, turn_b.xyz);
    let turn = soft_turn(min(given.a.inverse_mass, given.b.inverse_mass) == 0.0);
    var pair = given;
    pair.a.velocity = vec3f();
    pair.b.velocity = vec3f();
    pair.a.spin = vec3f();
    pair.b.spin = vec3f();
    var impulse = vec3f();
    var moment_a = vec3f();
    var moment_b = vec3f();
    for (var k = 0u; k < manifold.count; k++) {
        let at = MANIFOLD * c + k;
        let place = manifold_places[at];
        let arm_a = place.xyz - given.a.position;
        let arm_b = place.xyz - given.b.position;
        let along = mobility(given.a, arm_a, n) + mobility(given.b, arm_b, n);
        let bias = push_bias(manifold_points[at], place.w, along, dot(velocity_between(given, arm_a, arm_b), n), turn);
        let parting = dot(velocity_between(pair, arm_a, arm_b), n);
        let push = max(0.0, -(parting + bias) / along);
        pair = pushed_apart(pair, arm_a, arm_b, push * n);
        manifolds[c].push[k] = push;
        impulse += push * n;
        moment_a += cross(arm_a, push * n);
        moment_b += cross(arm_b, push * n);
    }
    wrenches[WRENCH_ROWS * c] = vec4f(impulse, force.w);
    wrenches[WRENCH_ROWS * c + 1u] = vec4f(moment_a, turn_a.w);
    wrenches[WRENCH_ROWS * c + 2u] = vec4f(moment_b, before + 0.5 * power(given, impulse, moment_a, moment_b));
}

@compute @workgroup_size(64)
fn manifold_push(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = acting_manifold(thread_index(group, lane, 64u));
    if c != NONE {
        push_apart(c);
    }
}
