//! Deformed surfaces on the device: what is drawn.

use glam::Vec4;

use crate::Result;
use crate::gpu::{Bound, Buffer, Kernel, Recorder};
use crate::integrate::Arrays;
use crate::model::State;

/// Deformed vertices and normals of all drawn surfaces, usable as vertex buffers.
#[derive(Debug)]
pub struct SkinBuffers {
    /// Position of each vertex [m], w = 1: where its tetrahedron carries it. A vertex that stands out of its tetrahedron into a
    /// solid is pressed back, out of the solid or as far as the tetrahedron.
    pub positions: Buffer<Vec4>,
    /// Unit normal of each vertex, w = 0.
    pub normals: Buffer<Vec4>,
    points: [Bound; 2],
    normal: Bound,
}

impl SkinBuffers {
    /// Room for the model's surfaces, and the passes that fill it.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub(crate) fn new(arrays: &Arrays<'_>) -> Result<Self> {
        let count = arrays.model.skin.len();
        let positions = Buffer::drawable(arrays.context, "skin_positions", count)?;
        let normals = Buffer::drawable(arrays.context, "skin_normals", count)?;
        let others = [
            arrays.model.skin.binding(),
            arrays.model.skin_fans.binding(),
            arrays.model.skin_corners.binding(),
            positions.binding(),
            normals.bind("skin_normal"),
        ];
        let points = arrays.bind_both("skin_points", &others);
        let normal = arrays.bind(&Kernel::new(arrays.context, "skin_normals"), &others);
        Ok(Self { positions, normals, points, normal })
    }

    /// Records the passes, for the state's present particles.
    pub(crate) fn update(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        recorder.dispatch(&self.points[state.current], self.positions.len(), slot);
        recorder.dispatch(&self.normal, self.positions.len(), slot);
    }
}
