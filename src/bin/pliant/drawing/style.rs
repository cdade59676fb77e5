//! How bodies are drawn, as the command line says it.

use clap::ValueEnum;
use pliant::inspect::{Field, Sums};
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::render::{Background, Camera, ColorMap, ColorScale, Look, SurfaceStyle};
use pliant::{Error, Result, World};

/// Options of all commands that draw.
#[derive(clap::Args)]
pub struct StyleArguments {
    /// Camera and target, each x,y,z in metres [default: everything in view]
    #[arg(long, value_name = "EYE:TARGET", allow_hyphen_values = true)]
    pub camera: Option<String>,
    /// Name of the body for the camera to follow
    #[arg(long, value_name = "NAME")]
    follow: Option<String>,
    /// Drawing style of surfaces
    #[arg(long, value_enum, default_value_t = Surface::Smooth)]
    surface: Surface,
    /// What to colour the bodies by
    #[arg(long, value_enum, default_value_t = Coloring::Body)]
    color: Coloring,
    /// Background
    #[arg(long, value_enum, default_value_t = Shade::Dark)]
    background: Shade,
}

/// How surfaces are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Surface {
    /// Smooth normals
    Smooth,
    /// One normal per triangle
    Flat,
    /// Flat, with the edges of the triangles
    Edges,
    /// Wireframe of the simulated mesh; for rigid bodies, of their colliders
    Wireframe,
}

/// What bodies are coloured by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Coloring {
    /// Each body in its own colour
    #[default]
    Body,
    /// Largest relative change of length of the adjacent edges
    Strain,
    /// Pressure
    Pressure,
    /// Penetration depth in other bodies
    Penetration,
}

/// Shade of the background.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shade {
    /// Near white
    Light,
    /// Dark grey
    Dark,
}

/// How bodies are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub surface: SurfaceStyle,
    /// The simulated meshes instead of the surfaces.
    pub wireframe: bool,
    pub coloring: Coloring,
    pub background: Background,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            surface: SurfaceStyle::Smooth,
            wireframe: false,
            coloring: Coloring::Body,
            background: Background::Dark,
        }
    }
}

impl Style {
    /// Which value has which colour. Nothing is grey, in the middle, of fields without a sign, too: then what there is stands out
    /// from it.
    pub fn scale(self, extent: Extent) -> ColorScale {
        let high = extent.0.max(self.coloring.least());
        match self.coloring {
            Coloring::Body => ColorScale { map: ColorMap::Sequential, low: 0.0, high },
            Coloring::Strain | Coloring::Pressure | Coloring::Penetration => {
                ColorScale { map: ColorMap::Diverging, low: -high, high }
            }
        }
    }
}

impl StyleArguments {
    /// How bodies are drawn.
    pub fn style(&self) -> Style {
        Style {
            surface: match self.surface {
                Surface::Flat => SurfaceStyle::Flat,
                Surface::Edges => SurfaceStyle::Edges,
                Surface::Smooth | Surface::Wireframe => SurfaceStyle::Smooth,
            },
            wireframe: self.surface == Surface::Wireframe,
            coloring: self.color,
            background: match self.background {
                Shade::Light => Background::Light,
                Shade::Dark => Background::Dark,
            },
        }
    }

    /// The options that differ from their defaults.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        let options = [
            ("--camera", self.camera.is_some()),
            ("--follow", self.follow.is_some()),
            ("--surface", self.surface != Surface::Smooth),
            ("--color", self.color != Coloring::Body),
            ("--background", self.background != Shade::Dark),
        ];
        options.into_iter().filter_map(|(option, given)| given.then_some(option))
    }

    /// The camera that was asked for.
    pub fn camera(&self) -> Result<Option<Camera>> {
        let camera = self.camera.as_deref().map(Camera::parse).transpose();
        camera.map_err(|error| match error {
            Error::Value { got, want, .. } => Error::value("--camera", got, want),
            other => other,
        })
    }

    /// The body that the camera moves along with.
    pub fn follow(&self, world: &World) -> Result<Option<usize>> {
        self.follow.as_ref().map(|name| body("--follow", name, world)).transpose()
    }
}

/// The body of this name, which `option` gives.
///
/// # Errors
/// When there is none.
pub fn body(option: &str, name: &str, world: &World) -> Result<usize> {
    let found = world.model().bodies.iter().position(|body| body.name == *name);
    found.ok_or_else(|| {
        Error::value(option, format!("\"{name}\""), "the name of a body of the scene")
    })
}

impl Coloring {
    /// The lowest value that a field can have, of the scale's.
    #[cfg(feature = "viewer")]
    pub fn lowest(self, scale: ColorScale) -> f32 {
        match self {
            Self::Penetration => 0.0,
            _ => scale.low,
        }
    }

    /// Values up to this [the field's unit] are nothing but rounding.
    pub fn least(self) -> f32 {
        match self {
            Self::Body => 1.0,
            Self::Strain => 1e-4,
            Self::Pressure => 1.0,
            Self::Penetration => 1e-6,
        }
    }

    /// The field that it shows.
    pub fn field(self) -> Option<Field> {
        match self {
            Self::Body => None,
            Self::Strain => Some(Field::Strain),
            Self::Pressure => Some(Field::Pressure),
            Self::Penetration => Some(Field::Penetration),
        }
    }
}

/// The largest magnitude of the field that is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent(pub f32);

impl Extent {
    /// The largest in a state's sums, if they are of that field.
    pub fn of(sums: &Sums, coloring: Coloring) -> Option<Self> {
        let field = coloring.field()?;
        (sums.field == Some(field)).then(|| {
            let ends = sums.bodies.iter().flat_map(|body| body.field);
            let finite = ends.map(f32::abs).filter(|end| end.is_finite());
            Self(finite.fold(0.0, extreme::greatest))
        })
    }
}

/// The solids around the bodies, as they are at the start.
pub fn look(world: &World, background: Background) -> Look {
    let scene = world.scene();
    let solids = if scene.world.contact { scene.solids.as_slice() } else { &[] };
    Look {
        floor: scene.world.floor.filter(|_| scene.world.contact).map(|height| height as f32),
        solids: solids.iter().map(pliant::internals::setup::gpu_solid).collect(),
        background,
        ..Look::default()
    }
}
