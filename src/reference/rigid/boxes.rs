//! Which convex colliders may touch: all pairs whose boxes, each widened by its own reach, meet.

use glam::{DQuat, DVec3};

use crate::reference::contact::boxes::Aabb;

/// What of a collider is rounded.
#[derive(Debug, Clone, PartialEq)]
pub enum Core {
    /// The hull of these points \[m\].
    Points(Vec<DVec3>),
    /// All between two discs about y.
    Cylinder {
        /// \[m\]
        radius: f64,
        /// Half of its length \[m\].
        half: f64,
    },
    /// All below y = 0.
    HalfSpace,
}

impl Core {
    /// How far it reaches along a unit vector \[m\].
    pub fn reach(&self, d: DVec3) -> f64 {
        match self {
            Self::Points(points) => {
                points.iter().map(|x| x.dot(d)).fold(f64::NEG_INFINITY, f64::max)
            }
            Self::Cylinder { radius, half } => radius * d.with_y(0.0).length() + half * d.y.abs(),
            Self::HalfSpace => f64::INFINITY,
        }
    }
}

/// A collider where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// Its core.
    pub core: Core,
    /// Of its origin \[m\].
    pub position: DVec3,
    /// Turns its axes into the world's.
    pub rotation: DQuat,
    /// How far around its core it looks: its radius, and what it looks around \[m\].
    pub reach: f64,
    /// Its pose.
    pub pose: usize,
    /// Whether anything moves it.
    pub moves: bool,
    /// Its copy of a scene, its groups, and those that it touches; none of an obstacle, which touches all.
    pub groups: Option<[u32; 3]>,
}

impl Placed {
    /// The box around it, widened.
    pub fn widened(&self) -> Aabb {
        let reach = |d: DVec3| self.core.reach(self.rotation.inverse() * d) + self.reach;
        let most = DVec3::from_array(DVec3::AXES.map(reach));
        let least = DVec3::from_array(DVec3::AXES.map(|axis| reach(-axis)));
        Aabb { min: self.position - least, max: self.position + most }
    }

    /// Whether it and another may touch, wherever they are.
    pub fn may(&self, other: &Self) -> bool {
        let agree = match (self.groups, other.groups) {
            (Some([r, group, mask]), Some([s, of, to])) => {
                r == s && group & to != 0 && of & mask != 0
            }
            (Some([_, group, mask]), None) | (None, Some([_, group, mask])) => {
                group != 0 && mask != 0
            }
            (None, None) => false,
        };
        agree && self.pose != other.pose && (self.moves || other.moves)
    }

    /// How far what the two boxes need to meet is missing, or how far they are in each other if negative \[m\].
    pub fn apart(&self, other: &Self) -> f64 {
        match (&self.core, &other.core) {
            (_, Core::HalfSpace) => other.above(&self.widened()),
            (Core::HalfSpace, _) => self.above(&other.widened()),
            _ => {
                let [a, b] = [self.widened(), other.widened()];
                (a.min.max(b.min) - a.max.min(b.max)).max_element()
            }
        }
    }

    /// How far a box is above the widened border of a half space: its lowest corner.
    fn above(&self, held: &Aabb) -> f64 {
        let n = self.rotation * DVec3::Y;
        let corner = |k: u32| {
            let side = |axis: usize| [held.min, held.max][(k >> axis) as usize & 1][axis];
            n.dot(DVec3::new(side(0), side(1), side(2)) - self.position)
        };
        (0..8).map(corner).fold(f64::INFINITY, f64::min) - self.reach
    }
}
