//! How a picture looks, apart from the bodies in it.

use glam::Vec3;

use crate::gpu::types::Solid;

/// Shade of the background and everything that follows from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// Near white, for print and README.
    #[default]
    Light,
    /// Dark grey, for viewing.
    Dark,
}

/// What stands still in a picture, and its light.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Height of the floor [m]; none is drawn without one.
    pub floor: Option<f32>,
    /// Obstacles, each in its colour: planes get a grid like the floor's, spheres and boxes are shaded like bodies.
    pub solids: Vec<Solid>,
    /// Shade of the background.
    pub background: Background,
    /// Towards the light; any length.
    pub light: Vec3,
    /// Pixels per point, for the widths of lines: above 1 on screens of high density.
    pub scale: f32,
    /// Columns of the target at its left that are something else's [pixels]: all that they get is a colour, and the picture
    /// is that of the columns beside them.
    pub left: u32,
    /// That colour, sRGB.
    pub left_color: [u8; 3],
}

impl Default for Look {
    fn default() -> Self {
        Self {
            floor: None,
            solids: Vec::new(),
            background: Background::Light,
            light: Vec3::new(-0.45, 1.0, 0.5),
            scale: 1.0,
            left: 0,
            left_color: [0; 3],
        }
    }
}

impl Look {
    /// Width and height of the picture in a target of `size` [pixels]; a column at least.
    #[must_use]
    pub fn area(&self, size: [u32; 2]) -> [u32; 2] {
        [size[0].saturating_sub(self.left).max(1), size[1]]
    }

    /// `scale` where it is one; else 1.
    pub(super) fn line_scale(&self) -> f32 {
        if self.scale > 0.0 && self.scale.is_finite() { self.scale.min(16.0) } else { 1.0 }
    }
}

/// Linear RGB of everything that the background decides.
pub(super) struct Palette {
    pub sky_top: Vec3,
    pub sky_bottom: Vec3,
    pub ground: Vec3,
    pub line_strength: f32,
    pub shadow_strength: f32,
    pub ambient_from_above: Vec3,
    pub ambient_from_below: Vec3,
    pub sun: Vec3,
    /// sRGB of spheres and boxes that have no colour of their own.
    pub solid: [u8; 3],
}

impl Background {
    pub(super) fn palette(self) -> Palette {
        match self {
            Self::Light => Palette {
                sky_top: Vec3::new(0.62, 0.68, 0.75),
                sky_bottom: Vec3::new(0.90, 0.90, 0.89),
                ground: Vec3::new(0.84, 0.84, 0.83),
                line_strength: 0.26,
                shadow_strength: 0.62,
                ambient_from_above: Vec3::new(0.40, 0.43, 0.48),
                ambient_from_below: Vec3::new(0.24, 0.22, 0.20),
                sun: Vec3::new(0.80, 0.77, 0.72),
                solid: [176, 180, 186],
            },
            Self::Dark => Palette {
                sky_top: Vec3::new(0.010, 0.012, 0.016),
                sky_bottom: Vec3::new(0.040, 0.043, 0.048),
                ground: Vec3::new(0.060, 0.063, 0.068),
                line_strength: -0.9,
                shadow_strength: 0.75,
                ambient_from_above: Vec3::new(0.26, 0.29, 0.34),
                ambient_from_below: Vec3::new(0.10, 0.09, 0.09),
                sun: Vec3::new(0.86, 0.82, 0.76),
                solid: [120, 124, 130],
            },
        }
    }
}
