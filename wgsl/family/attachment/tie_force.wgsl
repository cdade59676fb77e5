// tie_force: one thread per tie of a list. The force on its point, of a damped spring to what it is tied to:
// d = sum w_j (x - x_j), or x - y of a place y that goes with its waypoint; f = -k d - c u, u the velocity of one against the
// other; of a tie with a length l along n = d/|d| alone, f = -(k (|d| - l) + c u.n) n. Beside it the share of k that acts
// across it, 1 - l/|d|, 0 where it is pressed together. Where it acts on poses, at the other end if that is made of particles: what
// brakes across d has no moment if both ends feel it in one place.
// Reads particles_in, ties, tie_list, waypoints; writes tie_forces, tie_points.
#import shared/sim
#import shared/turn

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(140) var<storage, read> waypoints: array<Waypoint>;
@group(0) @binding(158) var<storage, read> ties: array<Tie>;
@group(0) @binding(159) var<storage, read_write> tie_forces: array<vec4f>;
@group(0) @binding(227) var<storage, read> tie_list: array<u32>;
@group(0) @binding(230) var<storage, read_write> tie_points: array<vec4f>;

@compute @workgroup_size(64)
fn tie_force(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_index(group, lane, 64u);
    if thread >= arrayLength(&tie_list) {
        return;
    }
    let k = tie_list[thread];
    let tie = ties[k];
    let p = particles_in[tie.particle];
    var stretch = vec3f();
    var speed = vec3f();
    if tie.waypoint == TIE_TO_BODY {
        // Differences first: far from the origin the sum of places alone would be rounded.
        for (var j = 0u; j < 4u; j++) {
            let corner = particles_in[tie.corners[j]];
            stretch += tie.weights[j] * (p.position - corner.position);
            speed += tie.weights[j] * (p.velocity - corner.velocity);
        }
    } else if tie.waypoint == TIE_TO_PLACE {
        stretch = p.position - tie.anchor;
        speed = p.velocity;
    } else {
        let waypoint = waypoints[sim.slot * sim.waypoint_count + tie.waypoint];
        let arm = rotate(waypoint.rotation, tie.anchor);
        stretch = p.position - waypoint.centre - arm;
        speed = p.velocity - waypoint.velocity - cross(waypoint.spin, arm);
    }
    // What a pose carries has no mass of its own.
    tie_points[k] = vec4f(p.position - select(vec3f(), stretch, p.inverse_mass == 0.0), 0.0);
    var across = 1.0;
    if tie.length > 0.0 {
        let distance = length(stretch);
        let n = stretch / max(distance, 1e-30);
        across = max(0.0, 1.0 - tie.length / max(distance, 1e-30));
        stretch = (distance - tie.length) * n;
        speed = dot(speed, n) * n;
    }
    tie_forces[k] = vec4f(-tie.stiffness * stretch - tie.damping * speed, across);
}
