//! Contact of points, round ones with a radius too, with solids at rest or moved by something else: impulses before the move, a
//! gentle projection after it.
//!
//! Against a solid each point is on its own, so its impulse has a closed form and two sweeps over the solids settle a
//! corner. Impulses never come from the projection and the projection never enters a velocity: 1 mm of depth removed
//! in h = 0.05 ms would be 20 m/s.

use glam::DVec3;

use super::{Solid, SolidMotion, System};

/// The part of a depth that one projection removes.
const PROJECTION_SHARE: f64 = 0.2;
/// The speed a projection may reach \[m/s\].
const PROJECTION_SPEED: f64 = 0.1;
/// Rounds over the solids.
const SWEEPS: usize = 2;

/// Signed depth of `x` in the solid \[m\], positive inside, and the outward unit normal there. Outside a box the normal
/// points away from its nearest point (edges and corners are round), inside out of the nearest face. At a sphere's
/// centre, where every direction is as good, it is +Y.
pub fn depth(solid: &Solid, x: DVec3) -> (f64, DVec3) {
    match *solid {
        Solid::Plane { normal, offset } => (offset - normal.dot(x), normal),
        Solid::Sphere { centre, radius } => {
            let arm = x - centre;
            let distance = arm.length();
            let normal = if distance > 0.0 { arm / distance } else { DVec3::Y };
            (radius - distance, normal)
        }
        Solid::Box { centre, half_size, rotation } => {
            let local = rotation.transpose() * (x - centre);
            let (depth, normal) = depth_in_box(half_size, local);
            (depth, rotation * normal)
        }
    }
}

impl SolidMotion {
    /// The velocity \[m/s\] of the solid's material at `x`, a time `lead` \[s\] after the step's start, and where that
    /// material was then, to first order in the turn.
    pub fn at(&self, x: DVec3, lead: f64) -> (DVec3, DVec3) {
        let arm = x - (self.centre + lead * self.velocity);
        let velocity = self.velocity + self.spin.cross(arm);
        (velocity, x - lead * velocity)
    }
}

/// How solid `k` moves.
pub fn motion(system: &System, k: usize) -> SolidMotion {
    system.motions.get(k).copied().unwrap_or_default()
}

/// Coulomb's coefficient μ between point `i` and solid `k`: the geometric mean of both, or the point's own.
pub fn friction(system: &System, i: usize, k: usize) -> f64 {
    let own = system.material(i).friction;
    match system.solid_friction.get(k) {
        Some(Some(other)) => (own * other).sqrt(),
        _ => own,
    }
}

/// [`depth`] for a box about the origin, in its own axes.
fn depth_in_box(half_size: DVec3, x: DVec3) -> (f64, DVec3) {
    let arm = x - x.clamp(-half_size, half_size);
    let distance = arm.length();
    if distance > 0.0 {
        return (-distance, arm / distance);
    }
    let mut nearest = (f64::INFINITY, DVec3::ZERO);
    for (axis, unit) in DVec3::AXES.into_iter().enumerate() {
        for side in [1.0, -1.0] {
            let depth = half_size[axis] - side * x[axis];
            if depth < nearest.0 {
                nearest = (depth, side * unit);
            }
        }
    }
    nearest
}

/// What a solid did to a point in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// The solid.
    pub solid: usize,
    /// Impulse along the normal \[kg m/s\].
    pub normal: f64,
    /// Impulse, friction included \[kg m/s\].
    pub impulse: DVec3,
}

/// One solid that a point touches in this step, with its impulses per mass so far \[m/s\].
struct Contact {
    solid: usize,
    normal: DVec3,
    /// v*, the least speed along the normal, relative to the solid.
    target: f64,
    /// Of the solid's surface there.
    surface: DVec3,
    along: f64,
    across: DVec3,
}

/// Adds to the velocities what the solids push back in a step of `h` \[s\], and returns the pushes on each point by the solids
/// that it comes near. `position` are the points where `velocity`
/// will move them from.
///
/// All velocities are relative to the solid's surface. The gap is what is left of the distance from the solid less the point's radius. A contact acts where it is less than δ plus the approach in this step, so that a fast point is caught before it
/// passes. It leaves the speed v·r ≥ v*, v* = min(g, 0)/h (the gap may close but not more); friction holds the point as long as |λ_t| ≤ μ λ_n.
pub fn apply_impulses(
    system: &System,
    h: f64,
    position: &[DVec3],
    velocity: &mut [DVec3],
) -> Vec<Vec<Push>> {
    let mut pushes = vec![Vec::new(); velocity.len()];
    for i in (0..velocity.len()).filter(|&i| !system.pinned(i)) {
        let (material, mut contacts) = (system.material(i), Vec::new());
        for (solid, shape) in system.solids.iter().enumerate() {
            let (surface, seen) = motion(system, solid).at(position[i], 0.0);
            let (depth, normal) = depth(shape, seen);
            let depth = depth + material.radius;
            let approach = (surface - velocity[i]).dot(normal).max(0.0);
            if -depth < material.margin + h * approach {
                let (target, along, across) = (depth.min(0.0) / h, 0.0, DVec3::ZERO);
                contacts.push(Contact { solid, normal, target, surface, along, across });
            }
        }
        for _ in 0..SWEEPS {
            for contact in &mut contacts {
                let friction = friction(system, i, contact.solid);
                velocity[i] += contact.change(friction, velocity[i]);
            }
        }
        let push = |contact: &Contact| Push {
            solid: contact.solid,
            normal: system.mass(i) * contact.along,
            impulse: system.mass(i) * (contact.along * contact.normal + contact.across),
        };
        pushes[i].extend(contacts.iter().map(push));
    }
    pushes
}

impl Contact {
    /// Solves this contact alone at the present velocity: the accumulated impulses become what they must be, and the
    /// change of velocity is returned.
    fn change(&mut self, friction: f64, velocity: DVec3) -> DVec3 {
        let relative = velocity - self.surface;
        let normal_speed = relative.dot(self.normal);
        let sliding = relative - normal_speed * self.normal;
        let along = (self.along - (normal_speed - self.target)).max(0.0);
        let across = (self.across - sliding).clamp_length_max(friction * along);
        let change = (along - self.along) * self.normal + (across - self.across);
        self.along = along;
        self.across = across;
        change
    }
}

/// Moves points at the end of a step out of the solids by a part of their depth, min(0.2 g, 0.1 m/s · h), solid after solid.
pub fn project(system: &System, h: f64, position: &mut [DVec3]) {
    for (i, x) in position.iter_mut().enumerate() {
        if system.pinned(i) {
            continue;
        }
        for (k, solid) in system.solids.iter().enumerate() {
            let (_, seen) = motion(system, k).at(*x, h);
            let (depth, normal) = depth(solid, seen);
            let depth = depth + system.material(i).radius;
            let distance = (PROJECTION_SHARE * depth.max(0.0)).min(PROJECTION_SPEED * h);
            *x += distance * normal;
        }
    }
}
