// Sums over the bodies of an island that no order of threads changes: of whole numbers. ISLAND_WORDS per label: the bits of the
// largest coordinate in it of each row of MomentumPart, of the largest mass and the largest energy; whether it is held or in doubt; then of each of
// ISLAND_NUMBERS numbers three words, the sums of the parts below 2^11, below 2^22 and above, of parts of 2^-30 of the power of two
// above the largest of its kind. A million bodies fit. r begins where it does in the body whose number the label is.
#import shared/tie_groups
#import shared/body_momentum

@group(0) @binding(110) var<storage, read> islands: array<u32>;

// Words of a label before those of its numbers.
const ISLAND_HEAD: u32 = ISLAND_WORDS - 3u * ISLAND_NUMBERS;

fn island_label(i: u32) -> u32 {
    return islands[tie_group(i)] - 1u;
}

fn island_momentum(i: u32) -> MomentumPart {
    return momentum_about(body_momentum(i), body_origin(island_label(i)));
}

// Number k of a part, in the order of its rows, and which of the largest it is compared with.
fn momentum_number(part: MomentumPart, k: u32) -> f32 {
    let row = k / 4u;
    var numbers = part.motion;
    numbers = select(numbers, part.inertia, row == 4u);
    numbers = select(numbers, part.moment, row == 3u);
    numbers = select(numbers, part.start, row == 2u);
    numbers = select(numbers, part.angular, row == 1u);
    numbers = select(numbers, part.linear, row == 0u);
    return numbers[k % 4u];
}

// Of each row, what stands in w with inertias, but the mass and the energy, which are the last.
fn momentum_kind(k: u32) -> u32 {
    let of_row = select(k / 4u, 4u, k % 4u == 3u);
    return select(select(of_row, 6u, k == 3u), 7u, k == ISLAND_NUMBERS - 1u);
}

// The exponent of the least power of two that is no less than a number with these bits, within what parts of it are floats of.
fn exponent_above(bits: u32) -> i32 {
    return clamp(i32((bits + 0x7fffffu) >> 23u) - 127, -90, 96);
}

fn power_of_two(exponent: i32) -> f32 {
    return bitcast<f32>(u32(exponent + 127) << 23u);
}
