// The grid of bodies, for worlds of many. Cells of level l are 2^l times as wide as those of level 0. A body stands in one
// cell: that of the middle of its widened box, on the least level whose cells are as wide as the box is long. The last level
// has a single cell for all that are longer still. Cells are hashed into lists; a list is a run of `cell_bodies`.
// `meetings` has, first, the length of the longest box of each level, as bits of a float, 0 where it has none, and then
// MEETING_WORDS per body: how many it meets; the numbers of the first MAX_MEETINGS that were noted, in no order; and of those
// noted after these the box that they share with it and that of their velocities, as ordered words, and their bits.
#import shared/grid

fn body_level(length: f32) -> u32 {
    // The least whole number not below the binary logarithm, from the exponent.
    let bits = bitcast<u32>(max(length * collide.inverse_body_cell, 0.0));
    let exponent = i32((bits + 0x7fffffu) >> 23u) - 127;
    return u32(clamp(exponent, 0, i32(BODY_LEVELS) - 1));
}

// The cell of a point. So far out that floats would tell cells no longer apart the outermost one has all.
fn body_cell(q: vec3f, level: u32) -> vec3i {
    let inverse = select(collide.inverse_body_cell / f32(1u << level), 0.0, level + 1u >= BODY_LEVELS);
    return vec3i(floor(clamp(q * inverse, vec3f(-BODY_CELLS), vec3f(BODY_CELLS))));
}

fn body_list(cell: vec3i, level: u32, replica: u32) -> u32 {
    return grid_hash(cell, level, replica) & (collide.body_table - 1u);
}

fn longest_side(low: vec3f, high: vec3f) -> f32 {
    let sides = high - low;
    return max(sides.x, max(sides.y, sides.z));
}

fn meeting(b: u32) -> u32 {
    return BODY_LEVELS + MEETING_WORDS * b;
}

// The words of those that are too many.
fn meeting_rest(b: u32) -> u32 {
    return meeting(b) + 1u + MAX_MEETINGS;
}
