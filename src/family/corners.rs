//! Slots in which elements leave what they do to each of their corners, and each particle finds it.

use glam::UVec2;

use crate::Result;
use crate::gpu::{Buffer, Context};

/// The slots of all corners.
#[derive(Debug)]
pub struct Corners {
    /// `fem_rows`, per particle: its first slot and how many it has.
    pub rows: Buffer<UVec2>,
    /// How many slots there are.
    pub slots: usize,
    /// How many elements.
    pub elements: usize,
}

impl Corners {
    /// Those of nothing.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn none(context: &Context) -> Result<Self> {
        Ok(Self { rows: Buffer::zeroed(context, "fem_rows", 0)?, slots: 0, elements: 0 })
    }

    /// The same for another holder.
    pub(crate) fn share(&self) -> Self {
        Self { rows: self.rows.share(), ..*self }
    }
}
