//! Obstacles that bodies cannot move.

use serde::Serialize;

use super::Scene;
use crate::scene::fields::short;

/// What messages and references call the floor.
pub(crate) const FLOOR: &str = "floor";

/// An obstacle that bodies cannot move: one `[[solid]]` of a scene file. It is in all groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Solid {
    /// Its name, unique among the solids; empty, the default: `solid 1` for the first of them, and so on.
    #[serde(skip)]
    pub name: String,
    /// Its shape and size.
    pub shape: SolidShape,
    /// A point on the surface of a plane, otherwise the centre [m], default the origin.
    pub position: [f64; 3],
    /// Of a box: angles about the fixed x, then y, then z axis [rad], default none.
    pub rotation: [f64; 3],
    /// Coulomb friction coefficient, combined with that of the touching body by the geometric mean; `None`, the default: that of
    /// the touching body.
    pub friction: Option<f64>,
    /// Coefficient of restitution, default 0: the larger of this and that of the touching rigid body counts. Deformable bodies
    /// rebound by their elasticity.
    pub restitution: f64,
    /// Its colour: red, green, blue (sRGB); `None`, the default: one that suits the background.
    #[serde(skip)]
    pub color: Option<[u8; 3]>,
}

/// The shape and size of a [`Solid`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum SolidShape {
    /// A half-space.
    Plane {
        /// Outward direction, any length but zero.
        normal: [f64; 3],
    },
    /// A ball.
    Sphere {
        /// Its radius [m].
        radius: f64,
    },
    /// A box.
    Box {
        /// Its whole edge lengths [m].
        size: [f64; 3],
    },
}

impl Solid {
    fn new(shape: SolidShape, position: [f64; 3]) -> Self {
        Self {
            name: String::new(),
            shape,
            position,
            rotation: [0.0; 3],
            friction: None,
            restitution: 0.0,
            color: None,
        }
    }

    /// A half-space through this point [m] with this outward direction.
    #[must_use]
    pub fn plane(position: [f64; 3], normal: [f64; 3]) -> Self {
        Self::new(SolidShape::Plane { normal }, position)
    }

    /// A ball of this centre and radius [m].
    #[must_use]
    pub fn sphere(position: [f64; 3], radius: f64) -> Self {
        Self::new(SolidShape::Sphere { radius }, position)
    }

    /// A box of this centre and these whole edge lengths [m].
    #[must_use]
    pub fn cuboid(position: [f64; 3], size: [f64; 3]) -> Self {
        Self::new(SolidShape::Box { size }, position)
    }

    /// What messages call it, and errors about its fields; it has a name.
    pub(crate) fn label(&self) -> String {
        solid_label(&self.name)
    }
}

/// What messages call the solid of this name.
pub(in crate::scene) fn solid_label(name: &str) -> String {
    match name {
        FLOOR => "the floor".into(),
        numbered if numbered.starts_with("solid ") => short(numbered),
        name => format!("solid {:?}", short(name)),
    }
}

/// What the solid of this number is called, from 1, that has no other name.
pub(in crate::scene) fn numbered_solid(number: usize) -> String {
    format!("solid {number}")
}

impl Scene {
    /// The obstacles, each with its name: the floor, if there is one, then the solids; none without contact.
    #[must_use]
    pub fn obstacles(&self) -> Vec<Solid> {
        let floor = self.world.floor.map(|height| Solid {
            name: FLOOR.into(),
            ..Solid::plane([0.0, height, 0.0], [0.0, 1.0, 0.0])
        });
        let all = floor.into_iter().chain(self.named_solids());
        all.filter(|_| self.world.contact).collect()
    }

    /// The solids, those that have no name with their number.
    pub(crate) fn named_solids(&self) -> impl Iterator<Item = Solid> {
        self.solids.iter().enumerate().map(|(i, solid)| {
            let mut solid = solid.clone();
            if solid.name.is_empty() {
                solid.name = numbered_solid(i + 1);
            }
            solid
        })
    }
}
