//! Constraints C of a few points, each with the energy ½ k C²: of springs, volumes and areas.

use glam::DVec3;

use super::{Area, Spring, System, Tet, areas, springs, tets};

/// A constraint and its stiffness.
#[derive(Debug, Clone, Copy)]
pub struct Constraint<'a> {
    kind: Kind<'a>,
    /// k \[J\]
    pub stiffness: f64,
}

#[derive(Debug, Clone, Copy)]
enum Kind<'a> {
    Spring(&'a Spring),
    Tet(&'a Tet),
    Area(&'a Area),
}

impl System {
    /// All constraints: springs, tetrahedra, triangles.
    pub fn constraints(&self) -> impl Iterator<Item = Constraint<'_>> {
        let springs = self.springs.iter().map(|s| (Kind::Spring(s), s.stiffness));
        let tets = self.tets.iter().map(|tet| (Kind::Tet(tet), tet.stiffness));
        let areas = self.areas.iter().map(|area| (Kind::Area(area), area.stiffness));
        let all = springs.chain(tets).chain(areas);
        all.map(|(kind, stiffness)| Constraint { kind, stiffness })
    }
}

impl<'a> Constraint<'a> {
    /// Its points.
    pub fn points(&self) -> &'a [usize] {
        match self.kind {
            Kind::Spring(spring) => &spring.points,
            Kind::Tet(tet) => &tet.corners,
            Kind::Area(area) => &area.corners,
        }
    }

    /// What C is measured in: l0, 6 V0 (the triple product of the edges) or A0, \[m\] to the power of the dimension.
    pub fn rest(&self) -> f64 {
        match self.kind {
            Kind::Spring(spring) => spring.rest,
            Kind::Tet(tet) => 6.0 * tet.rest_volume,
            Kind::Area(area) => area.rest,
        }
    }

    /// C
    pub fn value(&self, x: &[DVec3]) -> f64 {
        match self.kind {
            Kind::Spring(spring) => springs::direction(spring, x).1 / spring.rest - 1.0,
            Kind::Tet(tet) => tets::volume(tet.corners, x) / tet.rest_volume - 1.0,
            Kind::Area(area) => areas::area(area.corners, x) / area.rest - 1.0,
        }
    }

    /// ∂C/∂x for its points \[1/m\], 0 behind the last.
    pub fn gradients(&self, x: &[DVec3]) -> [DVec3; 4] {
        match self.kind {
            Kind::Spring(spring) => padded(springs::gradients(spring, x)),
            Kind::Tet(tet) => tets::gradients(tet, x),
            Kind::Area(area) => padded(areas::gradients(area, x)),
        }
    }

    /// Energy ½ k C² \[J\].
    pub fn energy(&self, x: &[DVec3]) -> f64 {
        0.5 * self.stiffness * self.value(x).powi(2)
    }

    /// Adds the forces −k C ∂C/∂x \[N\].
    pub fn add_forces(&self, x: &[DVec3], sum: &mut [DVec3]) {
        let scale = -self.stiffness * self.value(x);
        for (i, gradient) in self.points().iter().zip(self.gradients(x)) {
            sum[*i] += scale * gradient;
        }
    }

    /// (Σ ∂C/∂x · w), the change of C when the points move by `w`, to first order.
    pub fn change(&self, x: &[DVec3], w: &[DVec3]) -> f64 {
        let terms = self.points().iter().zip(self.gradients(x));
        terms.map(|(i, gradient)| gradient.dot(w[*i])).sum()
    }

    /// Adds the changes of the forces when the points move by `w`, to first order \[N per unit of w\]:
    /// −k ((Σ ∂C/∂x · w) ∂C/∂x + C d(∂C/∂x)).
    pub fn add_force_changes(&self, x: &[DVec3], w: &[DVec3], sum: &mut [DVec3]) {
        let (value, value_change) = (self.value(x), self.change(x, w));
        let changes = match self.kind {
            Kind::Spring(spring) => padded(springs::gradient_changes(spring, x, w)),
            Kind::Tet(tet) => tets::gradient_changes(tet, x, w),
            Kind::Area(area) => padded(areas::gradient_changes(area, x, w)),
        };
        let gradients = self.gradients(x).into_iter().zip(changes);
        for (i, (gradient, change)) in self.points().iter().zip(gradients) {
            sum[*i] -= self.stiffness * (value_change * gradient + value * change);
        }
    }
}

fn padded<const N: usize>(gradients: [DVec3; N]) -> [DVec3; 4] {
    std::array::from_fn(|k| gradients.get(k).copied().unwrap_or_default())
}
