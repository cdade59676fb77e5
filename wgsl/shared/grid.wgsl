// The hash grid: a list of points per cell and body; bodies with the same bit share one. In this order:
// - a table per level: the first point of each list;
// - a table per level: the bits of the bodies in each cell, so that lists of bodies that are not there, or not to be touched,
//   are passed over;
// - n words per level, word i the point after point i;
// - FOLD_WORDS per body: the box in which it may touch itself, low > high where there is none;
// - the largest components of the ways of fast points (their bits), 0 where there are none;
// - n words, word i how many times as far point i goes as it is tested ahead (its bits); 0: it is not fast.
// Cells of level l are 2^l times as wide as those of level 0.
// [Teschner et al. 2003, section 3.2: the hash]
#import shared/collide

fn grid_inverse_cell(level: u32) -> f32 {
    return collide.inverse_cell / f32(1u << level);
}

fn grid_cell(q: vec3f, level: u32) -> vec3i {
    return vec3i(floor(clamp(q * grid_inverse_cell(level), vec3f(-1e9), vec3f(1e9))));
}

// Points of different replicas, which may be in the same place, are in different lists.
fn grid_hash(cell: vec3i, level: u32, owner: u32) -> u32 {
    let c = vec3u(cell);
    let key = (c.x * 73856093u) ^ (c.y * 19349663u) ^ (c.z * 83492791u) ^ (level * 2654435761u)
        ^ (owner * 2246822519u);
    return key ^ (key >> 15u);
}

// The number that the lists of body b, and of all with its bit in its replica, are kept under.
fn grid_owner(b: u32) -> u32 {
    return grid_owner_of_bit(b, b % BODY_BITS);
}

// The same for another bit in its replica.
fn grid_owner_of_bit(b: u32, bit: u32) -> u32 {
    return replica(b) * BODY_BITS + bit;
}

fn grid_slot(cell: vec3i, level: u32, owner: u32) -> u32 {
    return level * collide.table + (grid_hash(cell, level, owner) & (collide.table - 1u));
}

// The word with the bits of what is in a cell.
fn grid_bits(cell: vec3i, level: u32, b: u32) -> u32 {
    return (collide.levels + level) * collide.table + (grid_hash(cell, level, replica(b)) & (collide.table - 1u));
}

fn grid_fold(b: u32) -> u32 {
    return collide.levels * (2u * collide.table + sim.particle_count) + FOLD_WORDS * b;
}

fn grid_next(level: u32, i: u32) -> u32 {
    return 2u * collide.levels * collide.table + level * sim.particle_count + i;
}

fn grid_longest() -> u32 {
    return grid_fold(sim.body_count);
}

fn grid_fast(i: u32) -> u32 {
    return grid_longest() + 3u + i;
}
