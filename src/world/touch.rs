//! A body and what it touched: sums of both sides of a pair, made one.

use glam::Vec3;

use crate::gpu::types::{TOUCH_SOLID, TouchSum};

/// What a body touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Partner {
    /// Another body.
    Body(usize),
    /// A solid: the floor first if there is one, then the scene's ([`World::solids`]).
    Solid(usize),
}

/// A body and what it touched in a call of `step`: its particles' contacts with a solid, or the contacts between two bodies
/// (points, sharp edges and spheres, in both directions) that pushed or penetrated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The body; of two bodies the one with the smaller number.
    pub body: usize,
    /// The other.
    pub partner: Partner,
    /// Whether they did not touch in the previous call.
    pub begins: bool,
    /// Position of the deepest contact at the end of its step [m].
    pub position: Vec3,
    /// Its unit normal, in the direction in which the body is pushed.
    pub normal: Vec3,
    /// Its penetration depth [m]; 0 if the bodies only touched.
    pub depth: f32,
    /// Sum of the impulses on the body over the steps of the call [N s], friction included; the other body gets the opposite.
    /// Divided by [`ContactEvents::span`] it is the mean force.
    pub impulse: Vec3,
    /// Sum of the magnitudes of the normal impulses [N s].
    pub normal_impulse: f32,
    /// Number of contacts, summed over the steps.
    pub contacts: u32,
    /// Number of steps of the call in which they touched; each of two bodies counts for itself, and this is the larger count.
    pub steps: u32,
}

impl Touch {
    /// Whether a body is one of the two.
    #[must_use]
    pub fn involves(&self, body: usize) -> bool {
        self.body == body || self.partner == Partner::Body(body)
    }

    pub(super) fn pair(&self) -> (usize, Partner) {
        (self.body, self.partner)
    }
}

/// Whose sum this is: of two bodies the one with the smaller number first.
fn pair(sum: &TouchSum) -> (usize, Partner) {
    let (body, other) = (sum.body as usize, sum.other as usize);
    match sum.other & TOUCH_SOLID {
        0 => (body.min(other), Partner::Body(body.max(other))),
        _ => (body, Partner::Solid((sum.other & !TOUCH_SOLID) as usize)),
    }
}

/// What the sums of each pair add up to; `before`: the pairs of the submission before, in ascending order.
pub(super) fn pairs(sums: &[TouchSum], before: &[(usize, Partner)]) -> Vec<Touch> {
    let mut touching: Vec<Touch> = Vec::new();
    let mut own: Vec<_> = sums.iter().collect();
    own.sort_by_key(|sum| (pair(sum), sum.body));
    for sum in own {
        let (body, partner) = pair(sum);
        let side = if sum.body as usize == body { 1.0 } else { -1.0 };
        let touch = Touch {
            body,
            partner,
            begins: before.binary_search(&(body, partner)).is_err(),
            position: sum.place,
            normal: side * sum.normal,
            depth: sum.depth.max(0.0),
            impulse: side * sum.impulse,
            normal_impulse: sum.normal_impulse,
            contacts: sum.contacts,
            steps: sum.steps,
        };
        match touching.last_mut().filter(|last| last.pair() == touch.pair()) {
            Some(last) => {
                let deepest = if touch.depth > last.depth { touch } else { *last };
                *last = Touch {
                    impulse: last.impulse + touch.impulse,
                    normal_impulse: last.normal_impulse + touch.normal_impulse,
                    contacts: last.contacts + touch.contacts,
                    steps: last.steps.max(touch.steps),
                    ..deepest
                };
            }
            None => touching.push(touch),
        }
    }
    touching
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(body: u32, other: u32, depth: f32) -> TouchSum {
        TouchSum {
            impulse: Vec3::new(1.0, depth, 0.0),
            normal_impulse: 2.0,
            place: Vec3::splat(depth),
            depth,
            normal: Vec3::Y,
            contacts: 3,
            body,
            other,
            steps: body + 1,
            last: 1,
        }
    }

    /// The second body's side is turned about; the deeper side says where. A solid has no side, and is another one than the body
    /// of the same number.
    #[test]
    fn both_sides_make_one_touch() {
        let of_solid = sum(2, TOUCH_SOLID | 1, 0.4);
        let sums = [of_solid, sum(0, 2, 0.1), sum(1, 0, -0.2), sum(2, 0, 0.3)];
        let [one, two, three] = pairs(&sums, &[(0, Partner::Body(2)), (2, Partner::Body(1))])[..]
        else {
            panic!("three pairs");
        };
        assert_eq!((three.pair(), three.begins), ((2, Partner::Solid(1)), true));
        assert_eq!(
            (three.depth, three.normal, three.impulse),
            (0.4, Vec3::Y, Vec3::new(1.0, 0.4, 0.0))
        );
        assert_eq!((one.pair(), one.begins), ((0, Partner::Body(1)), true));
        assert_eq!(
            (one.depth, one.normal, one.impulse),
            (0.0, -Vec3::Y, Vec3::new(-1.0, 0.2, 0.0))
        );
        assert_eq!((two.pair(), two.begins), ((0, Partner::Body(2)), false));
        assert_eq!((two.depth, two.normal, two.position), (0.3, -Vec3::Y, Vec3::splat(0.3)));
        assert!(two.impulse.distance(Vec3::new(0.0, -0.2, 0.0)) < 1e-6);
        assert_eq!((two.normal_impulse, two.contacts, two.steps), (4.0, 6, 3));
    }
}
