// coarse_solve: one thread per body. Newton's step of its motion as a whole: A t + B theta = F, B^T t + C theta = T, t
// eliminated first. A body with held particles stays where it is.
// Reads particles_out (the iterate), bodies, chunks, coarse_ranges, coarse_parts; writes coarse_motions.
#import shared/sim
#import shared/eigen

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(108) var<storage, read> coarse_parts: array<vec4f>;
@group(0) @binding(109) var<storage, read_write> coarse_motions: array<CoarseMotion>;
@group(0) @binding(186) var<storage, read> coarse_ranges: array<vec2u>;

// What rounding leaves of a pivot, as a part of the matrix: one particle has nothing to turn, two in a line not all.
const ROUNDING: f32 = 1e-6;

@compute @workgroup_size(64)
fn coarse_solve(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    let range = coarse_ranges[i];
    var s = CoarsePart(vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f());
    for (var c = 0u; c < range.y; c++) {
        let row = COARSE_ROWS * (range.x + c);
        s = CoarsePart(s.force + coarse_parts[row], s.torque + coarse_parts[row + 1u], s.diagonal + coarse_parts[row + 2u],
                       s.off + coarse_parts[row + 3u], s.mixed_x + coarse_parts[row + 4u],
                       s.mixed_y + coarse_parts[row + 5u], s.mixed_z + coarse_parts[row + 6u]);
    }
    if s.force.w > 0.0 || range.y == 0u {
        coarse_motions[i] = CoarseMotion(vec4f(), vec4f(), vec4f());
        return;
    }
    let turn = vec3f(s.mixed_x.w, s.mixed_y.w, s.mixed_z.w);
    let turn_off = vec3f(s.torque.w, s.diagonal.w, s.off.w);
    let least = max(ROUNDING * (s.diagonal.x + s.diagonal.y + s.diagonal.z), 1e-30);
    let pivots = max(symmetric_pivots(s.diagonal.xyz, s.off.xyz, least), vec3f(least));
    // A^-1 B, B^T A^-1 B and A^-1 F.
    let lead = mat3x3f(symmetric_solve(pivots, s.off.xyz, s.mixed_x.xyz),
                       symmetric_solve(pivots, s.off.xyz, s.mixed_y.xyz),
                       symmetric_solve(pivots, s.off.xyz, s.mixed_z.xyz));
    let back = transpose(mat3x3f(s.mixed_x.xyz, s.mixed_y.xyz, s.mixed_z.xyz));
    let taken = symmetric_part(back * lead);
    let straight = symmetric_solve(pivots, s.off.xyz, s.force.xyz);
    let d = turn - taken.d;
    let o = turn_off - taken.o;
    let least_turn = max(ROUNDING * (turn.x + turn.y + turn.z), 1e-30);
    let turns = max(symmetric_pivots(d, o, least_turn), vec3f(least_turn));
    let theta = symmetric_solve(turns, o, s.torque.xyz - back * straight);
    let t = straight - lead * theta;
    let origin = particles_out[chunks[bodies[i].chunk_first].first].position;
    coarse_motions[i] = CoarseMotion(vec4f(t, 0.0), vec4f(theta, 0.0), vec4f(origin, 0.0));
}
