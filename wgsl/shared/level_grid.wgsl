// Grids of cells whose widths double from level to level, for boxes of unlike sizes. A box stands in one cell: that of its
// middle, on the least level whose cells are as wide as it is long. The last level has a single cell for all that are longer
// still. Cells are hashed into lists. `inverse`: 1/width of the finest cells [1/m].
#import shared/grid

fn level_of(length: f32, inverse: f32) -> u32 {
    // The least whole number not below the binary logarithm, from the exponent.
    let bits = bitcast<u32>(max(length * inverse, 0.0));
    let exponent = i32((bits + 0x7fffffu) >> 23u) - 127;
    return u32(clamp(exponent, 0, i32(BODY_LEVELS) - 1));
}

// The cell of a point. So far out that floats would tell cells no longer apart the outermost one has all.
fn level_cell(q: vec3f, level: u32, inverse: f32) -> vec3i {
    let of_level = select(inverse / f32(1u << level), 0.0, level + 1u >= BODY_LEVELS);
    return vec3i(floor(clamp(q * of_level, vec3f(-BODY_CELLS), vec3f(BODY_CELLS))));
}

fn longest_side(low: vec3f, high: vec3f) -> f32 {
    let sides = high - low;
    return max(sides.x, max(sides.y, sides.z));
}

// Whether cell a comes before b.
fn is_lower(a: vec3i, b: vec3i) -> bool {
    return a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)));
}
