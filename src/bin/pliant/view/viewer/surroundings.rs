//! What stands around the viewer's bodies.

use pliant::World;
use pliant::render::{Background, Look};

/// What stands still around a world.
pub(super) fn look(world: &World) -> Look {
    let scene = world.scene();
    let solids = if scene.world.contact { scene.solids.as_slice() } else { &[] };
    Look {
        floor: scene.world.floor.filter(|_| scene.world.contact).map(|height| height as f32),
        solids: solids.iter().map(pliant::internals::setup::gpu_solid).collect(),
        background: Background::Dark,
        ..Look::default()
    }
}
