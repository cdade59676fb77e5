// manifold_prepare: one thread per manifold, after the forces. Where its points are now, s = n.(x_a - x_b) - r_a - r_b, and
// where their impulses act: on the surface of what moves where one side does not, of what is round where one is, else midway.
// Whether it is going to act: an impulse is there, or a gap closes within the step; others take no share of their bodies. The
// share is the smaller mass. The last step's impulses are what it starts from. What comes at the other side before they touch
// is noted for restitution. Counts what there is.
// Reads contact_lists, poses, manifolds; updates manifold_points, status; writes manifold_rows, wrenches.
#import shared/contact_lists
#import shared/pose
#import shared/tally

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(193) var<storage, read> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read_write> manifold_points: array<ManifoldPoint>;
@group(0) @binding(197) var<storage, read_write> manifold_rows: array<vec4f>;
@group(0) @binding(198) var<storage, read_write> wrenches: array<vec4f>;

fn velocity_at(pose: Pose, x: vec3f) -> vec3f {
    return pose.velocity + cross(pose.spin, x - pose.position);
}

// Where the impulses of two points act.
fn common_point(a: Pose, b: Pose, on_a: vec3f, on_b: vec3f, radii: vec2f) -> vec3f {
    if b.inverse_mass == 0.0 {
        return on_a;
    }
    if a.inverse_mass == 0.0 {
        return on_b;
    }
    if (radii.x > 0.0) != (radii.y > 0.0) {
        return select(on_b, on_a, radii.x > 0.0);
    }
    return 0.5 * (on_a + on_b);
}

fn prepare(c: u32) {
    let manifold = manifolds[c];
    if manifold.count == 0u {
        wrenches[WRENCH_ROWS * c] = vec4f();
        return;
    }
    let n = manifold.normal;
    let a = poses[manifold.dofs.x - sim.particle_count];
    let b = poses[manifold.dofs.y - sim.particle_count];
    var impulse = vec3f();
    var moment_a = vec3f();
    var moment_b = vec3f();
    var acts = false;
    var deepest = 3e38;
    for (var k = 0u; k < manifold.count; k++) {
        var point = manifold_points[MANIFOLD * c + k];
        // From the centre of a, so that nothing is lost far from the origin.
        let on_a = rotate(a.rotation, point.a) - manifold.radii.x * n;
        let on_b = (b.position - a.position) + rotate(b.rotation, point.b) + manifold.radii.y * n;
        let s = dot(n, on_a - on_b);
        let x = a.position + common_point(a, b, on_a, on_b, manifold.radii);
        let closing = -dot(n, velocity_at(a, x) - velocity_at(b, x));
        if point.impulse > 0.0 {
            point.approach = 0.0;
        } else {
            point.approach = max(closing, 0.0);
        }
        point.impulse *= sim.step_ratio;
        point.tangent *= sim.step_ratio;
        point.distance = s;
        manifold_points[MANIFOLD * c + k] = point;
        manifold_rows[MANIFOLD * c + k] = vec4f(x, s);
        let start = point.impulse * n + point.tangent;
        impulse += start;
        moment_a += cross(x - a.position, start);
        moment_b += cross(x - b.position, start);
        acts = acts || point.impulse > 0.0 || s < sim.step * closing;
        deepest = min(deepest, s);
    }
    let heavier = max(a.inverse_mass, b.inverse_mass);
    let share = select(0.0, 1.0 / max(heavier, 1e-30), acts && heavier > 0.0);
    wrenches[WRENCH_ROWS * c] = vec4f(impulse, share);
    wrenches[WRENCH_ROWS * c + 1u] = vec4f(moment_a + manifold.rolling_impulse, 0.0);
    wrenches[WRENCH_ROWS * c + 2u] = vec4f(moment_b + manifold.rolling_impulse, 0.0);
    tally_contact(-deepest, manifold.size);
}

@compute @workgroup_size(64)
fn manifold_prepare(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = contact_lists[LIST_MANIFOLDS] + thread_index(group, lane, 64u);
    tally_begin(lane);
    workgroupBarrier();
    if c < min(contact_lists[LIST_RECORDS], collide.capacity) {
        prepare(c);
    }
    workgroupBarrier();
    tally_end(lane);
}
