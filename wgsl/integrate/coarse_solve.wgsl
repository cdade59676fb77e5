// coarse_solve: one thread per body, which has FEW_PARTS parts at the most. Newton's step of its motion as a whole
// [shared/rigid_motion]; of a first iterate the way of the centre, and the turn. A body with held particles stays where it is.
// Reads particles_out (the iterate), bodies, chunks, part_ranges, coarse_parts; writes coarse_motions.
#import shared/sim
#import shared/coarse_parts
#import shared/part_ranges

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(109) var<storage, read_write> coarse_motions: array<BodyMotion>;

@compute @workgroup_size(64)
fn coarse_solve(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    let range = part_ranges[i];
    var s = no_part();
    for (var c = 0u; c < range.y; c++) {
        s = add_part(s, range.x + c);
    }
    if s.force.w > 0.0 || range.y == 0u {
        coarse_motions[i] = BodyMotion(vec4f(), vec4f(), vec4f());
        return;
    }
    let motion = rigid_motion(s);
    let origin = particles_out[chunks[bodies[i].chunk_first].first].position;
    let shift = select(motion.shift, s.force.xyz / s.diagonal.x, sim.implicit == IMPLICIT_GUESS);
    coarse_motions[i] = BodyMotion(vec4f(shift, 0.0), vec4f(motion.turn, 0.0), vec4f(origin, 0.0));
}
