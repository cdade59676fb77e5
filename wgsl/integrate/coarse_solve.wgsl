// coarse_solve: one thread per body. Newton's step of its motion as a whole [shared/rigid_motion]. A body with held particles stays where it is.
// Reads particles_out (the iterate), bodies, chunks, coarse_ranges, coarse_parts; writes coarse_motions.
#import shared/sim
#import shared/rigid_motion

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(108) var<storage, read> coarse_parts: array<vec4f>;
@group(0) @binding(109) var<storage, read_write> coarse_motions: array<CoarseMotion>;
@group(0) @binding(186) var<storage, read> coarse_ranges: array<vec2u>;

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
    let motion = rigid_motion(s);
    let origin = particles_out[chunks[bodies[i].chunk_first].first].position;
    coarse_motions[i] = CoarseMotion(vec4f(motion.shift, 0.0), vec4f(motion.turn, 0.0), vec4f(origin, 0.0));
}
