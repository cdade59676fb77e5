// What parts of bodies feel as they move as a whole: COARSE_ROWS rows per chunk, those of CoarsePart, and behind those of all chunks
// one part for each body of more than FEW_PARTS.
#import shared/rigid_motion

@group(0) @binding(108) var<storage, read_write> coarse_parts: array<vec4f>;

fn no_part() -> CoarsePart {
    return CoarsePart(vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f(), vec4f());
}

fn add_part(s: CoarsePart, part: u32) -> CoarsePart {
    let row = COARSE_ROWS * part;
    return CoarsePart(s.force + coarse_parts[row], s.torque + coarse_parts[row + 1u], s.diagonal + coarse_parts[row + 2u],
                      s.off + coarse_parts[row + 3u], s.mixed_x + coarse_parts[row + 4u],
                      s.mixed_y + coarse_parts[row + 5u], s.mixed_z + coarse_parts[row + 6u]);
}
