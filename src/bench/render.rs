//! Pictures: what one of four dogs on each other costs, and its parts.

use std::path::Path;

use serde::Serialize;

use super::{Timing, seconds};
use crate::Result;
use crate::gpu::Context;
use crate::render::{Camera, Look, Parts, Renderer};
use crate::scene::Scene;
use crate::world::World;

/// Pictures of each kind; the median counts.
const PICTURES: usize = 21;
/// Width and height [pixels].
const SIZE: [u32; 2] = [1280, 720];
/// How long the dogs fall before [s]: the first ones lie on each other then.
const SIMULATED: f64 = 1.0;

/// What `pliant bench render` measures: wall clock of a picture of [`RenderBench::size`] with a wait.
#[derive(Clone, Debug, Serialize)]
pub struct RenderBench {
    /// Width and height [pixels].
    pub size: [u32; 2],
    /// Triangles in the picture.
    pub triangles: usize,
    /// What was drawn, and its times [s].
    pub pictures: Vec<PictureBench>,
}

/// The times of one kind of picture.
#[derive(Clone, Debug, Serialize)]
pub struct PictureBench {
    /// What is drawn.
    pub what: &'static str,
    /// The shadow map alone [s].
    pub shadow: Timing,
    /// What is seen, without the shadow map [s].
    pub picture: Timing,
    /// Both [s].
    pub total: Timing,
}

/// Measures pictures of `soft_four_dogs.toml` in this folder.
///
/// # Errors
/// A scene that cannot be read; a lost device.
pub fn render(context: &Context, folder: &Path) -> Result<RenderBench> {
    let scene = Scene::load(&folder.join("soft_four_dogs.toml"))?;
    let mut world = World::new(context, &scene)?;
    while world.time() < SIMULATED {
        world.step_frame()?;
    }
    world.update_skin();
    world.wait()?;
    let [width, height] = SIZE;
    let look = Look {
        floor: scene.world.floor.map(|height| height as f32),
        ..Look::default()
    };
    let (low, high) = ([-1.0, 0.0, -1.0].into(), [1.0, 1.8, 1.0].into());
    let camera = Camera::frame(low, high, width as f32 / height as f32);
    let mut renderer = Renderer::new(context, width, height)?;
    let bodies = world.drawn();
    let mut pictures = Vec::new();
    for (what, bodies) in [("the floor alone", &bodies[..0]), ("smooth", &bodies[..])] {
        let mut time = |parts| {
            let mut times = [0.0; PICTURES];
            // The first picture compiles.
            for k in 0..=PICTURES {
                let time = seconds(|| {
                    renderer.draw_parts(&camera, &look, bodies, parts)?;
                    context.wait()
                })?;
                if k > 0 {
                    times[k - 1] = time;
                }
            }
            Ok::<_, crate::Error>(Timing::new(&mut times))
        };
        pictures.push(PictureBench {
            what,
            shadow: time(Parts::Shadow)?,
            picture: time(Parts::Picture)?,
            total: time(Parts::All)?,
        });
    }
    Ok(RenderBench {
        size: SIZE,
        triangles: world.model().skin.triangles.len(),
        pictures,
    })
}
