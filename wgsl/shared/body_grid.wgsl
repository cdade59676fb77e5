// The grid of bodies, for worlds of many: of their widened boxes [shared/level_grid]. A list is a run of `cell_bodies`.
// `meetings` has, first, the length of the longest box of each level, as bits of a float, 0 where it has none, and then
// MEETING_WORDS per body: how many it meets; the numbers of the first MAX_MEETINGS that were noted, in no order; and of those
// noted after these the box that they share with it and that of their velocities, as ordered words, and their bits.
#import shared/level_grid

fn body_level(length: f32) -> u32 {
    return level_of(length, collide.inverse_body_cell);
}

fn body_cell(q: vec3f, level: u32) -> vec3i {
    return level_cell(q, level, collide.inverse_body_cell);
}

fn body_list(cell: vec3i, level: u32, replica: u32) -> u32 {
    return grid_hash(cell, level, replica) & (collide.body_table - 1u);
}

fn meeting(b: u32) -> u32 {
    return BODY_LEVELS + MEETING_WORDS * b;
}

// The words of those that are too many.
fn meeting_rest(b: u32) -> u32 {
    return meeting(b) + 1u + MAX_MEETINGS;
}
