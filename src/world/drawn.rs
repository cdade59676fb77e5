//! The bodies' surfaces as they are drawn.

use std::ops::Range;

use super::World;
use crate::body::skin::SkinBuffers;
use crate::gpu::{Buffer, Recorder};
use crate::model::{BodyRanges, SkinRanges};
use crate::render::{Drawn, DrawnPoints, DrawnSurface, SurfaceStyle};

impl World {
    /// Deforms the drawn surfaces to the present state and returns their buffers.
    pub fn update_skin(&mut self) -> &SkinBuffers {
        self.device.sim.write(&self.context, &[self.common]);
        let mut recorder = Recorder::new(&self.context);
        self.skin.update(&mut recorder, &self.device.state, 0);
        recorder.submit();
        &self.skin
    }

    /// The drawn surfaces as [`Self::update_skin`] left them, and their triangles as indices into their vertices.
    #[must_use]
    pub fn skin(&self) -> (&SkinBuffers, &Buffer<u32>) {
        (&self.skin, &self.device.buffers.skin_indices)
    }

    /// The same as [`Self::skin`], body by body, for a [`Painter`](crate::render::Painter): nothing of those that are absent.
    #[must_use]
    pub fn drawn(&self) -> Vec<Drawn<'_>> {
        let (skin, indices) = self.skin();
        let drawn = |(body, shown): (&BodyRanges, &SkinRanges)| {
            let seen = |range: &Range<usize>, each: u32| match body.absent {
                true => 0..0,
                false => each * range.start as u32..each * range.end as u32,
            };
            if body.radius > 0.0 && shown.triangles.is_empty() {
                return Drawn::Points(DrawnPoints {
                    particles: self.particles(),
                    range: seen(&body.particles, 1),
                    radius: body.radius as f32,
                    color: shown.color,
                    values: None,
                    active: false,
                });
            }
            Drawn::Surface(DrawnSurface {
                positions: &skin.positions,
                normals: &skin.normals,
                indices,
                index_range: seen(&shown.triangles, 3),
                color: shown.color,
                closed: shown.closed,
                style: SurfaceStyle::default(),
                values: None,
                active: false,
            })
        };
        let bodies = self.model.bodies.iter().zip(&self.model.skin.bodies);
        bodies.map(drawn).collect()
    }
}
