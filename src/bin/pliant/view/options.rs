//! What of a world is shown, and how.

use pliant::inspect::Field;
use pliant::render::{Background, SurfaceStyle};

/// What is shown, and how.
#[derive(Clone, Debug)]
pub struct Options {
    pub surface: SurfaceStyle,
    /// The coarse meshes instead of the surfaces.
    pub wireframe: bool,
    pub forces: bool,
    pub penetrations: bool,
    pub coloring: Coloring,
    pub background: Background,
    pub panel: bool,
    /// The active body's name and how time goes.
    pub label: bool,
    pub help: bool,
}

/// What bodies are coloured by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Coloring {
    /// Each in its own colour
    #[default]
    Body,
    /// The largest relative change of the length of an edge around
    Strain,
    /// Pressure
    Pressure,
    /// How deep points are in other bodies
    Penetration,
}

impl Coloring {
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

impl Default for Options {
    fn default() -> Self {
        Self {
            surface: SurfaceStyle::Smooth,
            wireframe: false,
            forces: false,
            penetrations: false,
            coloring: Coloring::Body,
            background: Background::Dark,
            panel: true,
            label: true,
            help: false,
        }
    }
}
