// pin_move: one thread per held particle that is moved. Where it is at the end of the step, and how fast: x = c + R a + v t,
// V + w x (R a) + v, with its place a about the centre and its own velocity v, which it may have come to the end of. A held pose,
// numbered behind the particles, gets before its own move the velocity that takes its centre there within the step, and the mean angular velocity.
// Reads pins, waypoints, points; updates particles_out, half_velocity, poses; writes status.
#import shared/sim
#import shared/turn
#import shared/status
#import content

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(9) var<storage, read_write> half_velocity: array<vec4f>;
@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(140) var<storage, read> waypoints: array<Waypoint>;
@group(0) @binding(141) var<storage, read> pins: array<Pin>;

@compute @workgroup_size(64)
fn pin_move(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&pins) {
        return;
    }
    let pin = pins[k];
    let waypoint = waypoints[sim.slot * sim.waypoint_count + pin.waypoint];
    let i = pin.particle;
    let arm = rotate(waypoint.rotation, pin.anchor);
    let x = waypoint.centre + arm + waypoint.elapsed * pin.velocity;
    if HAS_POSES && i >= sim.particle_count {
        let p = i - sim.particle_count;
        poses[p].velocity = (x - poses[p].position) / sim.step;
        poses[p].spin = waypoint.turn;
        return;
    }
    let v = waypoint.velocity + cross(waypoint.spin, arm) + waypoint.going * pin.velocity;
    let way = x - particles_out[i].position;
    particles_out[i].position = x;
    particles_out[i].velocity = v;
    half_velocity[i] = vec4f(v, half_velocity[i].w);
    status_check(points[i].body, x, v);
    status_way(STATUS_TRAVEL, way);
}
