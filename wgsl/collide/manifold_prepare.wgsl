// manifold_prepare: one thread per manifold that has points, after the forces. Which way its normal is and where its points are now,
// s = n.(x_a - x_b) - r_a - r_b, and where their impulses act [shared/common_point]. Whether it acts: an impulse is there, or a gap
// closes within the step; what does takes a share of its bodies, the smaller mass, and comes first of its workgroup in the list of
// what acts: so manifolds of one place stay together, and threads that solve them diverge little. The last step's impulses are what
// it starts from, but of points that landed then: an impact is over, and two iterations do not take back that much. What comes at
// the other side before they touch is noted for restitution, and whether several points do. Of the work of the impulses that it
// starts from the first half is noted [shared/manifold_impulses]. Where a side sleeps nothing acts: what would have acted has woken it
// before [island_disturb].
// Reads contact_lists, manifold_list, poses; updates manifolds, manifold_points; writes manifold_places, wrenches, acting.
#import shared/common_point
#import shared/contact_lists
#import shared/landing
#import shared/manifold_place
#import shared/power
#import shared/sleep

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(193) var<storage, read_write> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read_write> manifold_points: array<ManifoldPoint>;
@group(0) @binding(197) var<storage, read_write> manifold_places: array<vec4f>;
@group(0) @binding(198) var<storage, read_write> wrenches: array<vec4f>;
@group(0) @binding(210) var<storage, read> manifold_list: array<u32>;
@group(0) @binding(207) var<storage, read_write> acting: array<u32>;

// How many of the workgroup's threads have a manifold that acts, and how many have none.
var<workgroup> acting_here: atomic<u32>;
var<workgroup> idle_here: atomic<u32>;

// Whether manifold c acts.
fn prepare(c: u32) -> bool {
    var manifold = manifolds[c];
    let a = poses[manifold.dofs.x - sim.particle_count];
    let b = poses[manifold.dofs.y - sim.particle_count];
    if manifold.turns != TURNS_NOT {
        manifold = turned(manifold, manifold_points[MANIFOLD * c], a, b);
        manifolds[c].normal = manifold.normal;
        manifolds[c].line = manifold.line;
    }
    let n = manifold.normal;
    let rims = rims_of(manifold, a, b);
    let weight = weight_of_a(a.inverse_mass, b.inverse_mass, manifold);
    manifolds[c].push = vec4f();
    var impulse = vec3f();
    var moment_a = vec3f();
    var moment_b = vec3f();
    var acts = false;
    var fast = 0u;
    for (var k = 0u; k < manifold.count; k++) {
        let at = MANIFOLD * c + k;
        let point = manifold_points[at];
        let found = places_of(manifold, k, point, a, b, rims);
        let s = dot(n, found.a - found.b);
        let on = beside(manifold, found);
        let x = a.position + weight * on.a + (1.0 - weight) * on.b;
        let closing = -dot(n, velocity_at(a, x) - velocity_at(b, x));
        let start = select(point.impulse, vec4f(), has_landed(point));
        manifold_points[at].impulse = start;
        manifold_points[at].approach = select(max(closing, 0.0), 0.0, start.w > 0.0);
        manifold_places[at] = vec4f(x, s);
        let given = start.w * n + start.xyz;
        impulse += given;
        moment_a += cross(x - a.position, given);
        moment_b += cross(x - b.position, given);
        acts = acts || start.w > 0.0 || s < sim.step * closing;
        fast += select(0u, 1u, closing > REBOUND_SPEED);
    }
    let heavier = max(a.inverse_mass, b.inverse_mass);
    acts = acts && heavier > 0.0 && !is_asleep(a) && !is_asleep(b);
    let force = vec4f(impulse, 1.0 / max(heavier, 1e-30));
    moment_a += manifold.rolling_impulse;
    moment_b += manifold.rolling_impulse;
    let power = power_of(impulse, moment_a, moment_b, a.velocity - b.velocity, a.spin, b.spin);
    let turn_a = vec4f(moment_a, select(0.0, 1.0, fast > 1u));
    let turn_b = vec4f(moment_b, 0.5 * power);
    wrenches[WRENCH_ROWS * c] = select(vec4f(), force, acts);
    wrenches[WRENCH_ROWS * c + 1u] = select(vec4f(), turn_a, acts);
    wrenches[WRENCH_ROWS * c + 2u] = select(vec4f(), turn_b, acts);
    return acts;
}

@compute @workgroup_size(64)
fn manifold_prepare(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let m = thread_index(group, lane, 64u);
    if lane == 0u {
        atomicStore(&acting_here, 0u);
        atomicStore(&idle_here, 0u);
    }
    workgroupBarrier();
    var c = NONE;
    if m < contact_lists[LIST_TOUCHED] {
        let touched = manifold_list[m];
        c = select(NONE, touched, prepare(touched));
    }
    var place = 0u;
    if c == NONE {
        place = 63u - atomicAdd(&idle_here, 1u);
    } else {
        place = atomicAdd(&acting_here, 1u);
    }
    acting[m - lane + place] = c;
}
