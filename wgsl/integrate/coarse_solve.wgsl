// coarse_solve: one thread per body. Newton's step of its motion as a whole: A t + B theta = F, B^T t + C theta = T, t
// eliminated first. A body with held particles stays where it is.
// Reads particles_out (the iterate), bodies, chunks, coarse_parts; writes coarse_motions.
#import shared/sim
#import shared/eigen

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(108) var<storage, read_write> coarse_parts: array<CoarsePart>;
@group(0) @binding(109) var<storage, read_write> coarse_motions: array<CoarseMotion>;

// What rounding leaves of a pivot, as a part of the matrix: one particle has nothing to turn, two in a line not all.
const ROUNDING: f32 = 1e-6;

@compute @workgroup_size(64)
fn coarse_solve(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    let first = bodies[i].chunk_first;
    let end = first + bodies[i].chunk_count;
    var s = CoarsePart(vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f());
    for (var c = first; c < end; c++) {
        let part = coarse_parts[c];
        s = CoarsePart(s.force + part.force, s.torque + part.torque, s.diagonal + part.diagonal, s.off + part.off,
                       s.mixed_x + part.mixed_x, s.mixed_y + part.mixed_y, s.mixed_z + part.mixed_z, s.turn + part.turn,
                       s.turn_off + part.turn_off);
    }
    if s.force.w > 0.0 || first >= end {
        coarse_motions[i] = CoarseMotion(vec4f(), vec4f(), vec4f());
        return;
    }
    let least = max(ROUNDING * (s.diagonal.x + s.diagonal.y + s.diagonal.z), 1e-30);
    let pivots = max(symmetric_pivots(s.diagonal.xyz, s.off.xyz, least), vec3f(least));
    // A^-1 B, B^T A^-1 B and A^-1 F.
    let lead = mat3x3f(symmetric_solve(pivots, s.off.xyz, s.mixed_x.xyz),
                       symmetric_solve(pivots, s.off.xyz, s.mixed_y.xyz),
                       symmetric_solve(pivots, s.off.xyz, s.mixed_z.xyz));
    let back = transpose(mat3x3f(s.mixed_x.xyz, s.mixed_y.xyz, s.mixed_z.xyz));
    let taken = symmetric_part(back * lead);
    let straight = symmetric_solve(pivots, s.off.xyz, s.force.xyz);
    let d = s.turn.xyz - taken.d;
    let o = s.turn_off.xyz - taken.o;
    let least_turn = max(ROUNDING * (s.turn.x + s.turn.y + s.turn.z), 1e-30);
    let turns = max(symmetric_pivots(d, o, least_turn), vec3f(least_turn));
    let theta = symmetric_solve(turns, o, s.torque.xyz - back * straight);
    let t = straight - lead * theta;
    coarse_motions[i] = CoarseMotion(vec4f(t, 0.0), vec4f(theta, 0.0), vec4f(particles_out[chunks[first].first].position, 0.0));
}
