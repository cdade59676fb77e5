//! What bodies that touch do to each other, and solids to them, added up by pairs.

use crate::extreme;
use glam::DVec3;

use super::impulse::Impulse;
use super::triangles::Contact;
use crate::reference::solids::Push;

/// What contacts of one body's features with another body, or with a solid, did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The features' body, and the other, or the solid.
    pub bodies: [usize; 2],
    /// Σ λ_n r + λ_t \[kg m/s\], on the first.
    pub impulse: DVec3,
    /// Σ λ_n \[kg m/s\]
    pub normal_impulse: f64,
    /// Where the deepest contact is \[m\].
    pub place: DVec3,
    /// Its depth \[m\].
    pub depth: f64,
    /// Its r.
    pub direction: DVec3,
    /// How many contacts.
    pub contacts: usize,
}

/// What one contact did: where it pushes or is inside, and is not of a body with itself. Its place is its feature's; of a
/// sphere on its border.
pub fn touch(
    contact: &Contact,
    impulse: &Impulse,
    bodies: [usize; 2],
    radius: f64,
    x: &[DVec3],
) -> Option<Touch> {
    if bodies[0] == bodies[1] || (contact.depth <= 0.0 && impulse.normal <= 0.0) {
        return None;
    }
    let feature: DVec3 = contact.points.iter().map(|(i, w)| *w * x[*i]).sum();
    let border = if contact.reach > 0.0 { radius } else { 0.0 };
    Some(Touch {
        bodies,
        impulse: impulse.normal * contact.direction + impulse.tangential,
        normal_impulse: impulse.normal,
        place: feature - border * contact.direction,
        depth: contact.depth,
        direction: contact.direction,
        contacts: 1,
    })
}

/// What one push of a solid on a point of a body at `x` did: where it pushed, or has the point inside after the step. `depth` and
/// `normal` are the solid's there; its place is on the border of a point with a radius.
pub fn touch_solid(
    push: &Push,
    body: usize,
    radius: f64,
    x: DVec3,
    (depth, normal): (f64, DVec3),
) -> Option<Touch> {
    let depth = depth + radius;
    if depth <= 0.0 && push.normal <= 0.0 {
        return None;
    }
    Some(Touch {
        bodies: [body, push.solid],
        impulse: push.impulse,
        normal_impulse: push.normal,
        place: x - radius * normal,
        depth,
        direction: normal,
        contacts: 1,
    })
}

/// The sums of each pair, in the order in which the pairs come first. The deepest is the first of equal ones.
pub fn add_up(touches: &[Touch]) -> Vec<Touch> {
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    for touch in touches {
        if !pairs.contains(&touch.bodies) {
            pairs.push(touch.bodies);
        }
    }
    let sum = |pair: &[usize; 2]| {
        let own = || touches.iter().filter(|touch| touch.bodies == *pair);
        let greatest = own().map(|touch| touch.depth).fold(f64::NEG_INFINITY, extreme::greatest);
        let deepest = own().find(|touch| touch.depth == greatest).copied()?;
        Some(Touch {
            impulse: own().map(|touch| touch.impulse).sum(),
            normal_impulse: own().map(|touch| touch.normal_impulse).sum(),
            contacts: own().map(|touch| touch.contacts).sum(),
            ..deepest
        })
    };
    pairs.iter().filter_map(sum).collect()
}
