//! What a stage is made of, whatever it is encoded as.

use glam::{Quat, Vec3};
use std::ops::Range;

/// All of a file.
pub struct Stage {
    /// Frames per second.
    pub fps: f64,
    /// The numbers of the first and of the last frame.
    pub frames: [u64; 2],
    /// The one prim that holds all others.
    pub root: Prim,
}

/// A prim and what is below it.
pub struct Prim {
    /// Its schema.
    pub kind: &'static str,
    /// An identifier.
    pub name: String,
    /// What it is called where the identifier had to differ.
    pub display_name: Option<String>,
    /// Schemas that are applied to it.
    pub schemas: &'static [&'static str],
    pub properties: Vec<Property>,
    pub children: Vec<Prim>,
}

/// An attribute or a relationship.
pub struct Property {
    /// Its type by the format's names; of a relationship `rel`.
    pub kind: &'static str,
    pub name: &'static str,
    /// Whether it cannot change with time.
    pub is_uniform: bool,
    /// What an element of it belongs to, where that must be said.
    pub interpolation: Option<&'static str>,
    pub value: Value,
}

/// What a property is.
pub enum Value {
    Bool(bool),
    Float(f32),
    Pair([f32; 2]),
    Vector(Vec3),
    /// A vector in double precision.
    Place(Vec3),
    Rotation(Quat),
    Token(&'static str),
    Tokens(&'static [&'static str]),
    Ints(Vec<i32>),
    Floats(Vec<f32>),
    Pairs(Vec<[f32; 2]>),
    Vectors(Vec<Vec3>),
    /// Where a relationship leads, or what an attribute is connected to.
    Path(String),
    /// No value of its own.
    Nothing,
    /// One value per frame.
    Samples(Sample),
}

/// What is recorded per frame.
pub enum Sample {
    /// Positions of these of all points shown.
    Points(Range<usize>),
    /// Their normals.
    Normals(Range<usize>),
    /// The box around them, each as thick as this radius.
    Extent(Range<usize>, f32),
    /// Where the rigid thing of this number is.
    Centre(usize),
    /// How it is turned.
    Rotation(usize),
}

impl Prim {
    pub fn new(kind: &'static str, name: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
            display_name: None,
            schemas: &[],
            properties: Vec::new(),
            children: Vec::new(),
        }
    }

    pub fn with(mut self, kind: &'static str, name: &'static str, value: Value) -> Self {
        self.properties.push(Property {
            kind,
            name,
            is_uniform: false,
            interpolation: None,
            value,
        });
        self
    }

    /// The property that was added last cannot change with time.
    pub fn uniform(mut self) -> Self {
        self.properties.iter_mut().next_back().expect("one was added").is_uniform = true;
        self
    }

    /// Says what the elements of the property that was added last belong to.
    pub fn per(mut self, interpolation: &'static str) -> Self {
        let last = self.properties.iter_mut().next_back().expect("one was added");
        last.interpolation = Some(interpolation);
        self
    }
}
