//! sRGB's transfer function (IEC 61966-2-1).

/// Linear light of an sRGB channel.
pub(crate) fn linear(encoded: u8) -> f32 {
    let c = f32::from(encoded) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// An sRGB channel from 0 to 1.
pub(super) fn encode(linear: f32) -> f32 {
    let c = linear.clamp(0.0, 1.0);
    if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// The nearest sRGB channel.
pub(super) fn encoded(linear: f32) -> u8 {
    (255.0 * encode(linear)).round() as u8
}
