//! The reference on the numbers that the kernels read, and the scales of its results.
//!
//! The scale of a force is the sum of the magnitudes of its terms: of a spring k_D/l0 (l/l0 + 1) + c φ |w_j − w_i|, because
//! its strain l/l0 − 1 is rounded where it is small; of a tetrahedron with longest edge L likewise
//! k_V (L³/(6V0) + 1) L²/(6V0). A velocity's is |v| + h·(scale of its acceleration), a position's |x| + h·(scale of its
//! velocity). Where a solid acts, the distance from it enters both, as d/h and d: the velocity that just closes a gap is
//! as uncertain as the gap.

use glam::{DVec3, Vec3};

use super::case::Case;
use super::fem;
use super::matched;
use super::system::system;
use crate::gpu::types::{DAMPING_EXACT, DAMPING_EXPLICIT, Particle, Sim};
use crate::reference::constraint::Constraint;
use crate::reference::contact::geometry;
use crate::reference::force::{damping_forces, per_mass, undamped_acceleration};
use crate::reference::{Material, Solid, System, damping, solids, springs};

/// Vectors with the scale of each.
#[derive(Clone, Debug)]
pub struct Scaled {
    /// The vectors.
    pub value: Vec<DVec3>,
    /// What their errors are measured by.
    pub scale: Vec<f64>,
}

impl Scaled {
    /// Vectors that are exact; their own lengths are their scales.
    pub fn exact(value: Vec<DVec3>) -> Self {
        let scale = value.iter().map(|v| v.length()).collect();
        Self { value, scale }
    }

    /// self + factor·other.
    pub fn plus(&self, factor: f64, other: &Self) -> Self {
        let value = self.value.iter().zip(&other.value).map(|(a, b)| *a + factor * *b);
        let scale = self.scale.iter().zip(&other.scale).map(|(a, b)| a + factor.abs() * b);
        Self { value: value.collect(), scale: scale.collect() }
    }
}

/// The reference's system of a case, with each body's own damping.
#[derive(Debug)]
pub struct Oracle<'a> {
    case: &'a Case,
    /// The system: inputs exactly as the kernels read them.
    pub system: System,
    /// θ of every body.
    pub theta: Vec<f64>,
    /// h [s]
    pub h: f64,
    /// s
    pub damping_stages: u32,
}

impl<'a> Oracle<'a> {
    /// The system with the given uniform and state.
    pub fn new(case: &'a Case, sim: &Sim, particles: &[Particle]) -> Self {
        let system = system(case, sim, particles);
        let h = f64::from(sim.step);
        let share = f64::from(sim.theta_scale);
        let theta = |body: &Material| damping::theta(share, h, body.omega, system.drag);
        let theta = system.bodies.iter().map(theta).collect();
        Self { case, theta, h, damping_stages: sim.damping_stages, system }
    }

    /// The same with another system.
    pub fn of(&self, system: System) -> Self {
        Self { system, theta: self.theta.clone(), ..*self }
    }

    /// The same without friction.
    pub fn slippery(&self) -> Self {
        let mut system = self.system.clone();
        for body in &mut system.bodies {
            body.friction = 0.0;
        }
        self.of(system)
    }

    /// Whether the sweeps of exact damping have a point's springs in their care.
    pub fn swept(&self, point: usize) -> bool {
        self.mode(point) == DAMPING_EXACT && self.damping_stages > 1
    }

    /// Whether solids may push a point.
    pub fn pushable(&self, point: usize) -> bool {
        !self.system.pinned(point) && !self.system.solids.is_empty()
    }

    fn mode(&self, point: usize) -> u32 {
        self.case.bodies[self.system.body[point]].damping_mode
    }

    /// Whether a point's springs are damped as they are.
    pub fn explicit(&self, point: usize) -> bool {
        self.mode(point) == DAMPING_EXPLICIT
    }

    /// The part of each spring's and then each finite element's damping that acts as a force: all, the capped part, or none
    /// where sweeps have it.
    fn factors(&self) -> Vec<f64> {
        let capped = damping::factors(&self.system, &self.system.position, &self.theta, 1, self.h);
        let springs = self.system.springs.iter().map(|spring| spring.points[0]);
        let elements = self.system.elements.iter();
        let points = springs.chain(elements.map(|element| element.corners[0]));
        let factor = |(point, capped): (usize, f64)| match point {
            i if self.swept(i) => 0.0,
            i if self.explicit(i) => 1.0,
            _ => capped,
        };
        points.zip(capped).map(factor).collect()
    }

    /// m (v* − v − h drag (v − wind)), what is left of a point's momentum \[kg m/s\] without its elements, with its scale.
    pub fn left(&self, point: usize, start: DVec3) -> (DVec3, f64) {
        let (system, v) = (&self.system, self.system.velocity[point]);
        let (mass, brake) = (system.mass(point), self.h * system.drag);
        let size = start.length() + v.length() + brake * (v.length() + system.wind.length());
        let left = start - v - brake * (v - system.wind);
        (mass * left, mass * size)
    }

    /// m (1/h + drag)/h, how it answers a move \[N/m\].
    pub fn inertia(&self, point: usize) -> f64 {
        self.system.mass(point) * (1.0 / self.h + self.system.drag) / self.h
    }

    /// v of every point.
    pub fn speed(&self) -> Scaled {
        Scaled::exact(self.system.velocity.clone())
    }

    /// a(x, v) of every point.
    pub fn slope(&self) -> Scaled {
        self.acceleration(&self.system.position, &self.system.velocity)
    }

    /// The same elsewhere.
    pub fn acceleration(&self, x: &[DVec3], v: &[DVec3]) -> Scaled {
        let factors = self.factors();
        let damped = per_mass(&self.system, &damping_forces(&self.system, x, v, &factors));
        let undamped = undamped_acceleration(&self.system, x, v);
        let mut scale = self.elastic_scale(x);
        for (sum, damping) in scale.iter_mut().zip(self.damping_scale(x, v, &factors)) {
            *sum += damping;
        }
        for pull in &self.system.pulls {
            scale[pull.point] += pull.force.length();
        }
        let matched = matched::scales(&self.system, x, v);
        for (i, scale) in scale.iter_mut().enumerate() {
            let air = self.system.drag * (v[i].length() + self.system.wind.length());
            let free = f64::from(u8::from(!self.system.pinned(i)));
            let load = self.system.loads.get(i).map_or(0.0, |load| load.length());
            *scale = *scale * self.system.inverse_mass[i]
                + free * (self.system.gravity.length() + air + load + matched[i]);
        }
        let value = damped.iter().zip(undamped).map(|(d, u)| *d + u).collect();
        Scaled { value, scale }
    }

    /// Scale of the elastic force on every point [N].
    pub fn elastic_scale(&self, x: &[DVec3]) -> Vec<f64> {
        let mut scale = vec![0.0; x.len()];
        for constraint in self.system.constraints() {
            let [gradient, value] = terms(&constraint, x);
            for i in constraint.points() {
                scale[*i] += constraint.stiffness * gradient * value;
            }
        }
        for element in &self.system.elements {
            for i in element.corners {
                scale[i] += fem::elastic_scale(element, x);
            }
        }
        scale
    }

    /// Scale of the damping forces on every point [N], each spring and then each finite element weakened by its factor.
    pub fn damping_scale(&self, x: &[DVec3], v: &[DVec3], factors: &[f64]) -> Vec<f64> {
        let mut scale = vec![0.0; v.len()];
        for (spring, factor) in self.system.springs.iter().zip(factors) {
            let [i, j] = spring.points;
            let c = springs::damping_coefficient(spring);
            let force = c * factor * v[i].distance(v[j]);
            scale[i] += force;
            scale[j] += force;
        }
        let factors = factors.iter().skip(self.system.springs.len());
        for (element, factor) in self.system.elements.iter().zip(factors) {
            for i in element.corners {
                scale[i] += factor * fem::viscous_scale(element, x, v, self.system.chord);
            }
        }
        scale
    }

    /// σ that a pass stores with the state: 0 where damping is explicit or the point is held, the stored one where
    /// sweeps have renewed it, else that of positions `x`. With scales.
    pub fn rates(&self, x: &[DVec3]) -> Vec<(f64, f64)> {
        let present = self.present_rates(x);
        let rate = |i: usize| match i {
            _ if self.system.pinned(i) || self.explicit(i) => (0.0, 0.0),
            _ if self.swept(i) => (self.system.damping_rate[i], self.system.damping_rate[i]),
            _ => present[i],
        };
        (0..x.len()).map(rate).collect()
    }

    /// σ of positions `x`, whatever the mode; its scale is the trace that it is a part of.
    pub fn present_rates(&self, x: &[DVec3]) -> Vec<(f64, f64)> {
        let matrices = damping::point_matrices(&self.system, x);
        let traces = matrices.iter().map(|g| g.diagonal().element_sum());
        let bounds = damping::rate_bounds(&self.system, x);
        bounds
            .into_iter()
            .zip(traces.zip(&self.system.inverse_mass))
            .map(|(b, (t, w))| (b, t * w))
            .collect()
    }

    /// The velocities after the solids at positions `x`.
    pub fn push(&self, x: &[DVec3], v: Scaled) -> Scaled {
        let mut pushed = v.clone();
        let (system, velocities) = (&self.system, &mut pushed.value);
        solids::apply_impulses(system, self.h, x, velocities);
        for (i, scale) in pushed.scale.iter_mut().enumerate() {
            if pushed.value[i] != v.value[i] {
                *scale += self.contact_scale(i, x[i], v.value[i]);
            }
        }
        pushed
    }

    /// What rounding of the distances from the solids does to the velocity `v` of a point at `x` [m/s]. Of those that it
    /// may touch, the ones that it has yet to reach let it close the gap, and all of them push along their normals.
    /// Near a sphere's centre and a box's edges these are as uncertain as the arm that they are the direction of is short.
    pub fn contact_scale(&self, point: usize, x: DVec3, v: DVec3) -> f64 {
        let material = self.system.material(point);
        let scale = |(k, solid): (usize, &Solid)| {
            let (surface, x) = solids::motion(&self.system, k).at(x, 0.0);
            let speed = v.length() + surface.length();
            let near = material.margin + 2.0 * self.h * speed;
            let (reach, away) = (reach(solid, x) + material.radius, -solids::depth(solid, x).0);
            let gap = away - material.radius;
            if gap > near {
                return 0.0;
            }
            let closing = if gap > -1e-6 * reach { reach / self.h } else { 0.0 };
            // How much further its normal turns than the point moves.
            let turn = match *solid {
                Solid::Sphere { centre, .. } => reach / x.distance(centre),
                Solid::Box { .. } if away > 0.0 => reach / away,
                _ => 1.0,
            };
            closing + turn * speed + surface.length()
        };
        self.system.solids.iter().enumerate().map(scale).sum()
    }

    /// The positions x + dt·v, held points where they were, then the solids' projection.
    pub fn advance(&self, x: &[DVec3], dt: f64, v: &Scaled) -> Scaled {
        let mut moved = Scaled::exact(x.to_vec()).plus(dt, v);
        let before = moved.value.clone();
        solids::project(&self.system, self.h, &mut moved.value);
        let reaches = |x, radius: f64| {
            let of = |(k, solid): (usize, &Solid)| {
                let (surface, seen) = solids::motion(&self.system, k).at(x, self.h);
                reach(solid, seen) + self.h * surface.length() + radius
            };
            self.system.solids.iter().enumerate().map(of).sum::<f64>()
        };
        for (i, scale) in moved.scale.iter_mut().enumerate() {
            if moved.value[i] != before[i] {
                *scale += reaches(before[i], self.system.material(i).radius);
            }
        }
        moved
    }
}

/// What a constraint's gradient and its value are added up from, with its longest edge L: L^(d−1) and L^d over the rest
/// length, area or six times the volume, of dimension d; and 1.
pub fn terms(constraint: &Constraint<'_>, x: &[DVec3]) -> [f64; 2] {
    let (edge, rest) = (longest_edge(constraint.points(), x), constraint.rest());
    let dimension = constraint.points().len() as i32 - 1;
    [edge.powi(dimension - 1) / rest, edge.powi(dimension) / rest + 1.0]
}

/// The longest way from one of these points to another [m].
pub fn longest_edge(points: &[usize], x: &[DVec3]) -> f64 {
    geometry::longest_edge(&points.iter().map(|i| x[*i]).collect::<Vec<_>>())
}

/// The numbers that a distance from a solid is added up from [m].
fn reach(solid: &Solid, x: DVec3) -> f64 {
    match *solid {
        Solid::Plane { normal, offset } => x.distance(offset * normal),
        Solid::Sphere { centre, radius } => x.distance(centre) + radius,
        Solid::Box { centre, half_size, .. } => x.distance(centre) + half_size.length(),
    }
}

/// Places in f64 \[m\].
pub fn positions(particles: &[Particle]) -> Vec<DVec3> {
    exact(particles.iter().map(|p| p.position))
}

/// Velocities in f64 \[m/s\].
pub fn velocities(particles: &[Particle]) -> Vec<DVec3> {
    exact(particles.iter().map(|p| p.velocity))
}

/// Vectors in f64.
pub fn exact(vectors: impl IntoIterator<Item = Vec3>) -> Vec<DVec3> {
    vectors.into_iter().map(|v| v.as_dvec3()).collect()
}
