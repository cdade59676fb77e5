//! Pictures: what one of four dogs on each other costs, and its parts.

use std::path::Path;

use pliant::Result;
use pliant::internals::Inside as _;
use pliant::internals::gpu::{Buffer, Context};
use pliant::mesh::Bounds;
use pliant::render::{
    Camera, ColorMap, ColorScale, Drawn, DrawnSurface, Look, Parts, Renderer, SurfaceStyle, Values,
    Wires,
};
use pliant::scene::Scene;
use pliant::world::World;
use serde::Serialize;

use super::timing::{Timing, seconds};

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
    /// A frame of simulation, 1/60 s, of the last before the pictures [s].
    pub simulation: Timing,
    /// The drawn surfaces' vertices and normals [s].
    pub skin: Timing,
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
    let mut frames = Vec::new();
    while world.time() < SIMULATED {
        frames.push(seconds(|| {
            world.step_frame()?;
            world.wait()
        })?);
    }
    let last = frames.len() - PICTURES;
    let simulation = Timing::new(&mut frames[last..]);
    let mut skins = [0.0; PICTURES];
    for skin in &mut skins {
        *skin = seconds(|| {
            world.update_skin();
            context.wait()
        })?;
    }
    Ok(RenderBench {
        size: SIZE,
        triangles: world.model().skin.triangles.len(),
        simulation,
        skin: Timing::new(&mut skins),
        pictures: pictures(&world)?,
    })
}

/// The times of all kinds of pictures of the world as it is.
fn pictures(world: &World) -> Result<Vec<PictureBench>> {
    let context = world.context();
    let heights = world.skin().0.positions.read(context)?;
    let heights: Vec<_> = heights.iter().map(|x| x.y).collect();
    let values = Buffer::new(context, "heights", &heights)?;
    let wires = Wires::new(world)?;
    let smooth = world.drawn();
    let mut with_wires = smooth.clone();
    for body in 0..wires.ranges.len() {
        let drawn = wires.drawn(body, world.particles(), [30, 60, 120]);
        with_wires.push(Drawn::Wires(drawn));
    }
    let styled = |style, values| styled(&smooth, style, values);
    let kinds = [
        ("the floor alone", Vec::new()),
        ("flat", styled(SurfaceStyle::Flat, None)),
        ("flat with edges", styled(SurfaceStyle::Edges, None)),
        ("coloured by height", styled(SurfaceStyle::Smooth, Some(&values))),
        ("smooth with wires", with_wires),
        ("smooth", smooth.clone()),
    ];
    let shown = Bounds { min: [-1.0, 0.0, -1.0].into(), max: [1.0, 1.8, 1.0].into() };
    let mut artist = Artist::new(world, SIZE, shown)?;
    let picture = |(what, bodies): (&'static str, Vec<Drawn<'_>>)| {
        Ok(PictureBench {
            what,
            shadow: artist.time(&bodies, Parts::Shadow)?,
            picture: artist.time(&bodies, Parts::Picture)?,
            total: artist.time(&bodies, Parts::All)?,
        })
    };
    kinds.into_iter().map(picture).collect()
}

/// Draws without writing the pictures.
pub struct Artist {
    context: Context,
    renderer: Renderer,
    camera: Camera,
    look: Look,
}

impl Artist {
    /// Pictures of this size [pixels] with this box [m] in view.
    pub fn new(world: &World, [width, height]: [u32; 2], shown: Bounds) -> Result<Self> {
        let (low, high) = (shown.min.as_vec3(), shown.max.as_vec3());
        Ok(Self {
            context: world.context().clone(),
            renderer: Renderer::new(world.context(), width, height)?,
            camera: Camera::frame(low, high, width as f32 / height as f32),
            look: Look {
                floor: world.scene().world.floor.map(|height| height as f32),
                ..Look::default()
            },
        })
    }

    /// Draws, and waits.
    pub fn draw(&mut self, bodies: &[Drawn<'_>], parts: Parts) -> Result<()> {
        let (camera, look) = (&self.camera, &self.look);
        self.renderer.draw_parts(camera, look, bodies, parts)?;
        self.context.wait()
    }

    fn time(&mut self, bodies: &[Drawn<'_>], parts: Parts) -> Result<Timing> {
        let mut times = [0.0; PICTURES];
        // The first picture compiles.
        for k in 0..=PICTURES {
            let time = seconds(|| self.draw(bodies, parts))?;
            if k > 0 {
                times[k - 1] = time;
            }
        }
        Ok(Timing::new(&mut times))
    }
}

/// The same surfaces in a style, and coloured from 0 to 1.6 m.
fn styled<'a>(
    bodies: &[Drawn<'a>],
    style: SurfaceStyle,
    values: Option<&'a Buffer<f32>>,
) -> Vec<Drawn<'a>> {
    let scale = ColorScale { map: ColorMap::Sequential, low: 0.0, high: 1.6 };
    let styled = |body: &Drawn<'a>| match body {
        Drawn::Surface(surface) => Drawn::Surface(DrawnSurface {
            style,
            values: values.map(|values| Values { values, scale }),
            ..surface.clone()
        }),
        other => other.clone(),
    };
    bodies.iter().map(styled).collect()
}

/// Prints it.
pub fn print(bench: &RenderBench) {
    let [width, height] = bench.size;
    say!(
        "\npictures of {width} × {height} pixels, four samples each, {} triangles; wall clock with a wait, ms, median (min to max) of 21",
        bench.triangles
    );
    for (what, time) in
        [("1/60 s of simulation", &bench.simulation), ("vertices and normals", &bench.skin)]
    {
        say!("{what:<24} {:>26} {:>26} {:>26}", "", "", time.millis());
    }
    say!("{:<24} {:>26} {:>26} {:>26}", "what", "shadow", "picture", "both");
    for row in &bench.pictures {
        say!(
            "{:<24} {:>26} {:>26} {:>26}",
            row.what,
            row.shadow.millis(),
            row.picture.millis(),
            row.total.millis()
        );
    }
}
