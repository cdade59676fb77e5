//! Impacts of bodies that move as wholes: Newton's law of restitution and Coulomb's of friction at one point (Brach 1991,
//! *Mechanical Impact Dynamics*, ch. 6), from the six generalised momenta of each body.

use glam::{DMat3, DVec3};

use super::dense::{Matrix, solve};

/// A number for each of the six motions: t along x, y, z, θ about x, y, z, all about one point.
pub type Six = [f64; 6];

/// What moves as a whole, seen from a point.
#[derive(Clone, Debug)]
pub struct Whole {
    /// Σ m w_k·w_l of the velocities w by the unit motions; none: held.
    pub mass: Option<[Six; 6]>,
    /// Σ m w_k·v; of what is held its velocity t and spin θ.
    pub momentum: Six,
}

/// The velocity by unit motion `k` at r from the point.
fn unit(k: usize, r: DVec3) -> DVec3 {
    match k {
        0..3 => DVec3::AXES[k],
        _ => DVec3::AXES[k - 3].cross(r),
    }
}

impl Whole {
    /// Of free points: mass \[kg\], place from the point that they are seen from \[m\], velocity \[m/s\].
    pub fn of(points: &[(f64, DVec3, DVec3)]) -> Self {
        let (mut mass, mut momentum) = ([[0.0; 6]; 6], [0.0; 6]);
        for (m, r, v) in points {
            for k in 0..6 {
                momentum[k] += m * unit(k, *r).dot(*v);
                for (l, entry) in mass[k].iter_mut().enumerate() {
                    *entry += m * unit(k, *r).dot(unit(l, *r));
                }
            }
        }
        Self {
            mass: Some(mass),
            momentum,
        }
    }

    /// What is held, and moves with this velocity.
    pub fn held(velocity: DVec3) -> Self {
        let [x, y, z] = velocity.to_array();
        Self {
            mass: None,
            momentum: [x, y, z, 0.0, 0.0, 0.0],
        }
    }

    /// The motion that these momenta are of. A turn that moves no point is none.
    fn motion_of(&self, momentum: Six) -> Six {
        let Some(mass) = &self.mass else {
            return [0.0; 6];
        };
        let mut whole = Matrix::zero(6);
        for k in 0..6 {
            for l in 0..6 {
                whole[(k, l)] = mass[k][l];
            }
        }
        let turns = mass[3][3] + mass[4][4] + mass[5][5];
        for k in 3..6 {
            whole[(k, k)] += if turns > 0.0 { 1e-13 * turns } else { 1.0 };
        }
        let motion = solve(whole, momentum.to_vec()).unwrap_or(vec![0.0; 6]);
        std::array::from_fn(|k| motion[k])
    }

    /// Its velocity and its spin.
    pub fn motion(&self) -> Six {
        match self.mass {
            Some(_) => self.motion_of(self.momentum),
            None => self.momentum,
        }
    }

    /// The change of its motion by an impulse \[N s\] at r.
    pub fn given(&self, r: DVec3, impulse: DVec3) -> Six {
        self.motion_of(std::array::from_fn(|k| unit(k, r).dot(impulse)))
    }

    /// W at r: the change of velocity there by unit impulses there.
    fn mobility(&self, r: DVec3) -> DMat3 {
        let column = |axis: DVec3| at(&self.given(r, axis), r);
        DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
    }
}

/// The velocity of a motion at r.
pub fn at(motion: &Six, r: DVec3) -> DVec3 {
    (0..6).map(|k| motion[k] * unit(k, r)).sum()
}

/// One impact.
#[derive(Clone, Copy, Debug)]
pub struct Impact {
    /// Where, from the point that the bodies are seen from \[m\].
    pub place: DVec3,
    /// Towards the first body.
    pub normal: DVec3,
    /// e
    pub restitution: f64,
    /// μ
    pub friction: f64,
}

/// The impulse \[N s\] that the first body gets and the second gives. Each takes part in so many impacts, and in this one
/// with an equal part of its mass.
pub fn impulse(bodies: [&Whole; 2], impact: &Impact, shares: [f64; 2]) -> DVec3 {
    let Impact {
        place: r,
        normal: n,
        restitution,
        friction,
    } = *impact;
    let [first, second] = bodies.map(|body| at(&body.motion(), r));
    let u = first - second;
    let w = shares[0] * bodies[0].mobility(r) + shares[1] * bodies[1].mobility(r);
    let across = n.dot(w * n);
    if across <= 0.0 {
        return DVec3::ZERO;
    }
    let size = (-(1.0 + restitution) * u.dot(n) / across).max(0.0);
    let after = u + size * (w * n);
    let slip = after - after.dot(n) * n;
    let Some(t) = slip.try_normalize() else {
        return size * n;
    };
    let brake = (slip.length() / t.dot(w * t)).min(friction * size);
    size * n - brake * t
}

/// ½ m v² of all that moves as a whole \[J\].
pub fn energy(body: &Whole) -> f64 {
    let motion = body.motion();
    0.5 * (0..6).map(|k| motion[k] * body.momentum[k]).sum::<f64>()
}

/// The speed of a body's waves \[m/s\]: that of a chain of masses at its mean edge along each of three axes, whose fastest
/// vibration in all three at once is ω = √12 c/edge; with the diagonals of our lattices about 6 c/edge.
pub fn wave_speed(edge: f64, stiffness_rate: f64) -> f64 {
    edge * stiffness_rate.sqrt() / 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::Random;

    fn cloud(random: &mut Random, count: usize) -> Vec<(f64, DVec3, DVec3)> {
        let mut point = |_| {
            (
                random.between(0.5, 2.0),
                random.vector(1.0),
                random.vector(2.0),
            )
        };
        (0..count).map(&mut point).collect()
    }

    /// Without friction an impact takes (1 − e²) (u·n)²/(2 n·W n), with friction more, however bodies share it.
    #[test]
    fn an_impact_takes_what_newton_says() {
        let mut random = Random::new(1);
        for trial in 0..200 {
            let [a, b] = [0; 2].map(|_| Whole::of(&cloud(&mut random, 3 + trial % 5)));
            let normal = random.vector(1.0).normalize();
            let place = random.vector(1.0);
            let restitution = random.between(0.0, 1.0);
            let before = energy(&a) + energy(&b);
            let u = at(&a.motion(), place) - at(&b.motion(), place);
            for (friction, shares) in [(0.0, [1.0; 2]), (0.7, [1.0; 2]), (0.7, [2.0, 3.0])] {
                let impact = Impact {
                    place,
                    normal,
                    restitution,
                    friction,
                };
                let j = impulse([&a, &b], &impact, shares);
                let kicked = |body: &Whole, j: DVec3| {
                    let momentum =
                        std::array::from_fn(|k| body.momentum[k] + unit(k, place).dot(j));
                    Whole {
                        momentum,
                        ..body.clone()
                    }
                };
                let [one, other] = [kicked(&a, j), kicked(&b, -j)];
                let lost = before - energy(&one) - energy(&other);
                let w = a.mobility(place) + b.mobility(place);
                let closing = (-u.dot(normal)).max(0.0);
                let newton = 0.5 * (1.0 - restitution * restitution) * closing * closing
                    / normal.dot(w * normal);
                if friction == 0.0 {
                    assert!((lost - newton).abs() < 1e-9 * before, "{lost} {newton}");
                    let after = at(&one.motion(), place) - at(&other.motion(), place);
                    let wanted = u.dot(normal).max(restitution * closing);
                    assert!((after.dot(normal) - wanted).abs() < 1e-6 * u.length());
                }
                assert!(lost > -1e-9 * before, "{lost}");
            }
        }
    }

    /// A rod of two masses that falls level and meets a step with one end turns about its centre (a rigid body's closed form):
    /// J = (1 + e) v/(1/m + r²/I).
    #[test]
    fn a_rod_that_meets_a_step_turns() {
        let v = DVec3::NEG_Y;
        let rod = Whole::of(&[(1.0, DVec3::X, v), (1.0, DVec3::NEG_X, v)]);
        let floor = Whole::held(DVec3::ZERO);
        let impact = Impact {
            place: DVec3::X,
            normal: DVec3::Y,
            restitution: 0.5,
            friction: 0.0,
        };
        let j = impulse([&rod, &floor], &impact, [1.0; 2]);
        assert!((j - 1.5 * DVec3::Y).length() < 1e-6, "{j}");
        let change = rod.given(DVec3::X, j);
        assert!((at(&change, DVec3::X) - 1.5 * DVec3::Y).length() < 1e-6);
        assert!(at(&change, DVec3::NEG_X).length() < 1e-6);
    }
}
