// solid_move: one thread per waypoint. Moved solids stand where their motions have brought them by the start of the step, and
// have their velocities.
// Reads waypoints; updates the solids in externals_out.
#import shared/sim

@group(0) @binding(112) var<storage, read_write> externals_out: Externals;
@group(0) @binding(140) var<storage, read> waypoints: array<Waypoint>;

@compute @workgroup_size(64)
fn solid_move(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= sim.waypoint_count {
        return;
    }
    let waypoint = waypoints[sim.slot * sim.waypoint_count + k];
    if waypoint.solid >= MAX_SOLIDS {
        return;
    }
    externals_out.solids[waypoint.solid].centre = waypoint.centre;
    externals_out.solids[waypoint.solid].velocity = waypoint.velocity;
    externals_out.solids[waypoint.solid].spin = waypoint.spin;
    if externals_out.solids[waypoint.solid].kind == SOLID_PLANE {
        externals_out.solids[waypoint.solid].extent = waypoint.rotation.xyz;
    } else {
        externals_out.solids[waypoint.solid].rotation = waypoint.rotation;
    }
}
