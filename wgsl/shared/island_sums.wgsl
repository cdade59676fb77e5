// Sums over the bodies of an island that no order of threads changes: of whole numbers. ISLAND_WORDS per label: the bits of the
// largest coordinate of a momentum and of the largest mass in it; whether it is held or in doubt; then of x, y, z and the mass
// three words each, the sums of the parts below 2^11, below 2^22 and above, of parts of 2^-30 of the power of two above the
// largest. A million bodies fit.
#import shared/tie_groups
#import shared/body_momentum

@group(0) @binding(110) var<storage, read> islands: array<u32>;

fn island_word(i: u32) -> u32 {
    return ISLAND_WORDS * (islands[tie_group(i)] - 1u);
}

// The exponent of the least power of two that is no less than a number with these bits, within what parts of it are floats of.
fn exponent_above(bits: u32) -> i32 {
    return clamp(i32((bits + 0x7fffffu) >> 23u) - 127, -90, 96);
}

fn power_of_two(exponent: i32) -> f32 {
    return bitcast<f32>(u32(exponent + 127) << 23u);
}
