//! Scalars as bits and as other scalars.

/// Conversions between scalars.
pub trait Convert: Copy {
    /// To the nearest; of booleans 0 or 1.
    fn to_f32(self) -> f32;
    /// Of floating point towards 0, to the nearest that there is; of integers the same bits.
    fn to_i32(self) -> i32;
    /// The same.
    fn to_u32(self) -> u32;
    /// Whether it is not 0.
    fn to_bool(self) -> bool;
}

macro_rules! convert {
    ($($type:ident: $through:ident, $zero:expr;)*) => {
        $(impl Convert for $type {
            #[inline(always)]
            fn to_f32(self) -> f32 {
                self as $through as f32
            }

            #[inline(always)]
            fn to_i32(self) -> i32 {
                self as $through as i32
            }

            #[inline(always)]
            fn to_u32(self) -> u32 {
                self as $through as u32
            }

            #[inline(always)]
            fn to_bool(self) -> bool {
                self != $zero
            }
        })*
    };
}
convert! {
    f32: f32, 0.0;
    i32: i32, 0;
    u32: u32, 0;
    bool: u32, false;
}

/// Integers as rows of bits.
pub trait Bits: Copy {
    /// The same bits.
    fn of(bits: u32) -> Self;
    /// The same bits.
    fn bits(self) -> u32;
    /// Shifted by fewer than 32; the sign goes on.
    fn down(self, count: u32) -> Self;
    /// See [`super::first_leading_bit`].
    fn first_leading_bit(self) -> Self;

    /// See [`super::first_trailing_bit`].
    #[inline(always)]
    fn first_trailing_bit(self) -> Self {
        let bits = self.bits();
        Self::of(if bits == 0 { u32::MAX } else { bits.trailing_zeros() })
    }
}

impl Bits for u32 {
    #[inline(always)]
    fn of(bits: u32) -> Self {
        bits
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self
    }

    #[inline(always)]
    fn down(self, count: u32) -> Self {
        self >> count
    }

    #[inline(always)]
    fn first_leading_bit(self) -> Self {
        31_u32.wrapping_sub(self.leading_zeros())
    }
}

impl Bits for i32 {
    #[inline(always)]
    fn of(bits: u32) -> Self {
        bits as Self
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self as u32
    }

    #[inline(always)]
    fn down(self, count: u32) -> Self {
        self >> count
    }

    #[inline(always)]
    fn first_leading_bit(self) -> Self {
        let bits = if self < 0 { !self } else { self } as u32;
        31_u32.wrapping_sub(bits.leading_zeros()) as Self
    }
}
