// What lacks of the momenta of parts of bodies in an implicit step, and the motion that makes up for it: the velocities of an island
// get t + theta x (x - c), c its centre of mass, and x moves on by h t. With u = v + t the step is x = x_n + h u, so that sum
// x x m u = sum x_n x m u; the lack of angular momentum about the old centre is what theta has to bring. Were x turned, too, it would
// move along its chord, and energy would grow.
#import shared/sim
#import shared/eigen

// What rounding leaves of a pivot, as a part of the matrix: one particle has nothing to turn, two in a line not all.
const INERTIA_ROUNDING: f32 = 1e-4;
// What theta may turn by in a step: where iterations are far from their solution, it would feed on what they leave.
const MOST_TURN: f32 = 0.1;
// And its speeds, as a part of those that the island moves with within itself, in the root of their energies: to what rests, or falls
// together, iterations owe nothing.
const MOST_SPEED: f32 = 0.25;

fn no_momentum(origin: vec3f) -> MomentumPart {
    return MomentumPart(vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(origin, 0.0));
}

fn held_momentum(origin: vec3f) -> MomentumPart {
    return MomentumPart(vec4f(0.0, 0.0, 0.0, -1.0), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(origin, 0.0));
}

fn is_held(part: MomentumPart) -> bool {
    return part.linear.w <= 0.0;
}

// Of the same origin.
fn add_momentum(a: MomentumPart, b: MomentumPart) -> MomentumPart {
    return MomentumPart(a.linear + b.linear, a.angular + b.angular, a.start + b.start, a.moment + b.moment,
                        a.inertia + b.inertia, a.motion + b.motion, a.origin);
}

// What a mass adds that lacks a momentum, was at r_n, is at r and moves at v.
fn momentum_at(start: vec3f, r: vec3f, v: vec3f, mass: f32, lack: vec3f, origin: vec3f) -> MomentumPart {
    let off = -mass * r.yzx * r.zxy;
    return MomentumPart(vec4f(lack, mass), vec4f(cross(start, lack), off.x), vec4f(mass * start, off.y), vec4f(mass * r, off.z),
                        vec4f(mass * (r.yzx * r.yzx + r.zxy * r.zxy), 0.0), mass * vec4f(v, dot(v, v)), vec4f(origin, 0.0));
}

// The same with r from elsewhere (Steiner's theorem).
fn momentum_about(part: MomentumPart, origin: vec3f) -> MomentumPart {
    let d = part.origin.xyz - origin;
    let mass = part.linear.w;
    let moment = part.moment.xyz;
    let all = moment + mass * d;
    let lead = 2.0 * dot(moment, d) + mass * dot(d, d);
    let beside = moment.yzx * d.zxy + d.yzx * all.zxy;
    return MomentumPart(part.linear, part.angular + vec4f(cross(d, part.linear.xyz), -beside.x),
                        part.start + vec4f(mass * d, -beside.y), vec4f(all, part.moment.w - beside.z),
                        part.inertia + vec4f(lead - d * (moment + all), 0.0), part.motion, vec4f(origin, 0.0));
}

// What makes up for all that an island lacks, or a body in none.
fn momentum_motion(part: MomentumPart) -> BodyMotion {
    let mass = part.linear.w;
    let lack = part.linear.xyz;
    let moment = part.moment.xyz;
    let centre = moment / mass;
    let d = part.inertia.xyz - (moment.yzx * centre.yzx + moment.zxy * centre.zxy);
    let o = vec3f(part.angular.w, part.start.w, part.moment.w) + moment.yzx * centre.zxy;
    let least = max(INERTIA_ROUNDING * (d.x + d.y + d.z), 1e-30);
    let pivots = max(symmetric_pivots(d, o, least), vec3f(least));
    let turning = part.angular.xyz - cross(part.start.xyz / mass, lack);
    let turn = symmetric_solve(pivots, o, turning);
    let speeds = max(0.0, part.motion.w - dot(part.motion.xyz, part.motion.xyz) / mass);
    let share = min(MOST_TURN / max(sim.step * length(turn), 1e-30), MOST_SPEED * sqrt(speeds / max(dot(turn, turning), 1e-30)));
    return BodyMotion(vec4f(lack / mass, 1.0), vec4f(min(1.0, share) * turn, 0.0), vec4f(part.origin.xyz + centre, 0.0));
}
