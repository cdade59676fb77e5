//! Colouring by values: scales of colours, on the host and for the shaders.

use encase::ShaderType as _;
use glam::Vec3;

use super::color::{encoded, linear};
use super::groups::Groups;
use crate::gpu::types::{COLOR_ENTRIES, SIM_STRIDE, ValueLook};
use crate::gpu::{Buffer, Context, Uniforms};
use crate::{Error, Result};

/// Colours along a scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorMap {
    /// From dark violet over blue and green to light yellow: for magnitudes.
    #[default]
    Sequential,
    /// From blue over grey to red: for values on both sides of the middle of the range.
    Diverging,
}

/// Entries of a map.
pub(super) const ENTRIES: usize = COLOR_ENTRIES as usize;

impl ColorMap {
    /// sRGB at equal distances from the low end to the high one, laid out in OKLab (Ottosson 2020): the sequential map
    /// in equal steps of lightness from 0.33 to 0.93 along a falling hue, the diverging one symmetric in lightness.
    pub(super) const fn table(self) -> &'static [[u8; 3]; ENTRIES] {
        match self {
            Self::Sequential => &[
                [59, 26, 122],
                [52, 45, 138],
                [40, 64, 149],
                [22, 82, 153],
                [9, 99, 152],
                [12, 114, 152],
                [15, 128, 154],
                [19, 142, 156],
                [21, 156, 157],
                [25, 171, 155],
                [43, 185, 149],
                [75, 198, 138],
                [114, 208, 125],
                [154, 216, 113],
                [191, 222, 107],
                [225, 228, 112],
                [254, 233, 129],
            ],
            Self::Diverging => &[
                [6, 97, 188],
                [28, 112, 206],
                [62, 128, 210],
                [88, 144, 214],
                [113, 159, 217],
                [138, 173, 218],
                [162, 186, 218],
                [185, 199, 216],
                [209, 209, 209],
                [215, 191, 187],
                [216, 172, 166],
                [214, 152, 144],
                [210, 132, 122],
                [205, 110, 101],
                [198, 88, 79],
                [190, 63, 57],
                [181, 31, 31],
            ],
        }
    }

    fn linear(self) -> [Vec3; ENTRIES] {
        self.table().map(|color| Vec3::from(color.map(linear)))
    }
}

/// Which value has which colour. Values outside have those of the ends; of a scale without width all below `low` have
/// the first colour and all above it the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorScale {
    /// The colours.
    pub map: ColorMap,
    /// The value of the first colour, in the values' unit.
    pub low: f32,
    /// The value of the last colour; not below `low`.
    pub high: f32,
}

/// What values that are not finite are drawn in, before light falls on it (sRGB).
const WRONG: [u8; 3] = [255, 0, 255];
/// Ends of scales beyond this are refused: the shaders' differences must stay finite.
const LARGEST: f32 = 1e30;

impl ColorScale {
    /// sRGB of a value, before light falls on it: what the shaders draw, for a legend.
    #[must_use]
    pub fn color(&self, value: f32) -> [u8; 3] {
        if !value.is_finite() {
            return WRONG;
        }
        let look = self.look(true);
        let place = (value.clamp(look.least, look.most) - look.low) * look.per_value;
        let along = place.clamp(0.0, (ENTRIES - 1) as f32);
        let entry = (along as usize).min(ENTRIES - 2);
        let [low, high] = [entry, entry + 1].map(|entry| look.table[entry].truncate());
        low.lerp(high, along - entry as f32).to_array().map(encoded)
    }

    /// Refuses a scale that is none.
    fn check(&self) -> Result<()> {
        let fit = |value: f32| value.abs() <= LARGEST;
        if fit(self.low) && fit(self.high) && self.low <= self.high {
            return Ok(());
        }
        let got = format!("{} to {}", self.low, self.high);
        let want = "a range that does not end before it begins, within ±1e30";
        Err(Error::value("scale of colours", got, want))
    }

    fn look(&self, used: bool) -> ValueLook {
        let largest = self.low.abs().max(self.high.abs());
        // Narrower ones would be lost in the rounding of values.
        let width = (self.high - self.low).max(1e-7 * largest).max(1e-30);
        ValueLook {
            table: self.map.linear().map(|color| color.extend(1.0)),
            low: self.low,
            per_value: (ENTRIES - 1) as f32 / width,
            least: self.low - 100.0 * width,
            most: self.low + 100.0 * width,
            used: used.into(),
        }
    }
}

/// What a body is coloured by, instead of its own colour.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// A value per drawn vertex (of surfaces) or per particle (of wires and points), all bodies' together. One that is
    /// not finite is drawn magenta.
    pub values: &'a Buffer<f32>,
    /// Their colours.
    pub scale: ColorScale,
}

impl Values<'_> {
    /// Refuses values for fewer than `count` vertices, and scales that are none.
    pub(super) fn check(&self, count: usize) -> Result<()> {
        self.scale.check()?;
        if self.values.len() < count {
            let want = format!("{count} of them");
            return Err(Error::value(self.values.label(), self.values.len(), want));
        }
        Ok(())
    }
}

const UNUSED: ColorScale = ColorScale { map: ColorMap::Sequential, low: 0.0, high: 1.0 };

/// The scales of one picture, and values for those without.
#[derive(Debug)]
pub(super) struct Scales {
    looks: Uniforms<ValueLook>,
    none: Buffer<f32>,
}

impl Scales {
    pub fn new(context: &Context) -> Result<Self> {
        Ok(Self {
            looks: Uniforms::new(context, "scales", 4),
            none: Buffer::zeroed(context, "no values", 1)?,
        })
    }

    /// A bind group for each of these.
    pub fn prepare(
        &mut self,
        context: &Context,
        layout: &wgpu::BindGroupLayout,
        wanted: &[Option<Values<'_>>],
    ) -> Vec<wgpu::BindGroup> {
        let mut scales: Vec<Option<ColorScale>> = Vec::new();
        let places: Vec<usize> = wanted
            .iter()
            .map(|values| {
                let scale = values.map(|values| values.scale);
                let known = scales.iter().position(|known| *known == scale);
                known.unwrap_or_else(|| {
                    scales.push(scale);
                    scales.len() - 1
                })
            })
            .collect();
        if self.looks.slots() < scales.len() {
            self.looks = Uniforms::new(context, "scales", scales.len().next_power_of_two());
        }
        let look = |scale: &Option<ColorScale>| scale.unwrap_or(UNUSED).look(scale.is_some());
        let looks: Vec<_> = scales.iter().map(look).collect();
        self.looks.write(context, &looks);
        let device = context.executor.device();
        let looks_at = self.looks.at(device);
        let mut groups = Groups::new(context, "values", layout);
        let stride = ValueLook::min_size().get().next_multiple_of(SIM_STRIDE);
        let group = |(values, place): (&Option<Values<'_>>, &usize)| {
            let values = values.map_or(&self.none, |values| values.values);
            let look = wgpu::BufferBinding {
                buffer: &looks_at,
                offset: stride * *place as u64,
                size: Some(ValueLook::min_size()),
            };
            groups.of(&[values.at(device).as_entire_buffer_binding(), look])
        };
        wanted.iter().zip(&places).map(group).collect()
    }
}
