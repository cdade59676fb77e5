// pose_move: one thread per pose, after the contacts. x += h v; L += I (omega - omega_0) by what contacts changed of the spin;
// q' = omega q/2 with omega = I^-1 L, L constant over the step, by Kutta's method of order 4, in parts where it turns fast, or by
// Euler's step, q += h omega q/2, of unit length again; omega = omega_0 = I^-1 L. What nothing pushes but has a velocity or a spin
// goes on with these. Notes where a point of it may have come, or it turned, further than contacts were looked for, or where it has
// left its place since these have become old: what was fast then and stands now would lie for ever on what it has left. Notes for how
// long it has been as good as at rest; whether anything is awake, asleep or about to fall asleep. What sleeps stays. Leaves no
// island disturbed.
// Updates poses, searched; writes status, disturbed.
#import shared/pose
#import shared/sleep
#import shared/status

@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(199) var<storage, read_write> searched: array<Searched>;
@group(0) @binding(211) var<storage, read_write> disturbed: array<atomic<u32>>;

// Angle [rad] up to which Kutta's method turns in one part, and their number at the most: a box that turns by 0.3 rad in a step lost
// 0.2 % of its energy in 5 s.
const PART_TURN: f32 = 0.1;
const MOST_PARTS: f32 = 16.0;
// Contacts are old after this time [s]. Twice that which they are looked for ahead, so that what keeps its speed is looked for as
// often as that asks for.
const OLD: f32 = 2.0 * LOOK_AHEAD;

// omega q/2 at a rotation that may not be of unit length.
fn rate(pose: Pose, q: vec4f) -> vec4f {
    var at = pose;
    at.rotation = q / length(q);
    var spin = inverse_inertia_times(at, pose.momentum);
    if pose.inverse_mass == 0.0 {
        spin = pose.spin;
    }
    return 0.5 * vec4f(q.w * spin + cross(spin, q.xyz), -dot(spin, q.xyz));
}

// The rotation after a time h.
fn turned(pose: Pose, h: f32) -> vec4f {
    let q = pose.rotation;
    let k1 = rate(pose, q);
    // Both, without a branch: lavapipe makes a kernel that branches by a uniform anew at each dispatch, in 1 ms.
    let k2 = rate(pose, q + 0.5 * h * k1);
    let k3 = rate(pose, q + 0.5 * h * k2);
    let k4 = rate(pose, q + h * k3);
    let turned = q + select(h * k1, (h / 6.0) * (k1 + 2.0 * (k2 + k3) + k4), sim.turn_order > 1u);
    return turned / length(turned);
}

// Most find that others have noted it.
fn note(word: u32, value: u32) {
    if atomicLoad(&status[word]) < value {
        atomicMax(&status[word], value);
    }
}

@compute @workgroup_size(64)
fn pose_move(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    var pose = poses[p];
    if pose.body < sim.body_count {
        atomicStore(&disturbed[pose.body], 0u);
    }
    if is_asleep(pose) {
        note(STATUS_ASLEEP, 1u);
        return;
    }
    pose.momentum += inertia_times(pose, pose.spin - inverse_inertia_times(pose, pose.momentum));
    let h = sim.step;
    let parts = select(1.0, clamp(ceil(h * length(pose.spin) / PART_TURN), 1.0, MOST_PARTS), sim.turn_order > 1u);
    for (var part = 0u; part < u32(parts); part++) {
        pose.rotation = turned(pose, h / parts);
    }
    if pose.inverse_mass > 0.0 {
        pose.spin = inverse_inertia_times(pose, pose.momentum);
    }
    pose.position += sim.step * pose.velocity;
    pose.still = select(0.0, pose.still + h, sim.sleep > 0u && pose.inverse_mass > 0.0 && is_slow(pose));
    poses[p] = pose;
    if is_awake(pose) {
        note(STATUS_AWAKE, sim.slot + 1u);
    }
    if has_settled(pose) {
        note(STATUS_SETTLED, 1u);
    }
    if pose.body < sim.body_count {
        status_check(pose.body, pose.position, pose.velocity + pose.bound * pose.spin);
    }
    // The chord of its turn, 2 sin(angle/2), and what the next step adds.
    let last = searched[p];
    let way = quaternion_product(pose.rotation, vec4f(-last.rotation.xyz, last.rotation.w));
    let turn = 2.0 * length(way.xyz) + h * length(pose.spin);
    let gone = distance(pose.position, last.position) + h * length(pose.velocity);
    let age = last.age + h;
    searched[p].age = age;
    let farthest = gone + turn * pose.bound;
    if farthest > last.reach || turn > pose.turn || (age > OLD && farthest > 0.5 * pose.margin) {
        atomicStore(&status[STATUS_STRAYED], 1u);
    }
}
