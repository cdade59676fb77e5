//! Finite elements: what a tetrahedron of an elastic material is made of.

use std::collections::HashMap;

use glam::{DMat3, DVec3};

use super::law::{Lame, eigenvalue_bound, outer, symmetric};
use crate::model::{Part, Tet};
use crate::scene::{Constant, Law};

/// Share of its volume down to which stress is told by the present one.
const FLATTEST: f64 = 1e-3;

/// A linear tetrahedron at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FemElement {
    /// Its corners.
    pub corners: [u32; 4],
    /// ∇N_c of each corner [1/m]: the gradient of the linear function that is 1 there and 0 at the others.
    pub gradients: [DVec3; 4],
    /// V0 [m³], of what is stiff in it.
    pub volume: f64,
    /// How stress follows from the deformation.
    pub law: Law,
    /// Its constants.
    pub lame: Lame,
    /// Viscous over elastic moduli [s].
    pub relaxation: f64,
    /// γ [1/(kg m)]: V0 |Ḟ|² is at most γ Σ m'_c |v_c|² over the corners, m'_c the part of its mass that falls to this
    /// element of all around it, by volume.
    pub shape_rate: f64,
}

/// What an element is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FemMaterial {
    /// How stress follows from the deformation.
    pub law: Law,
    /// E [Pa]
    pub young: f64,
    /// ν
    pub poisson: f64,
    /// Viscous over elastic moduli [s].
    pub relaxation: f64,
}

impl FemElement {
    /// From the places of its corners at rest [m], positively oriented.
    #[must_use]
    pub fn new(corners: [u32; 4], rest: [DVec3; 4], material: FemMaterial) -> Self {
        let [a, b, c, d] = rest;
        let edges = DMat3::from_cols(b - a, c - a, d - a);
        // The rows of the inverse are dual to the edges.
        let rows = edges.inverse().transpose();
        let FemMaterial { law, young, poisson, relaxation } = material;
        Self {
            corners,
            gradients: [
                -(rows.x_axis + rows.y_axis + rows.z_axis),
                rows.x_axis,
                rows.y_axis,
                rows.z_axis,
            ],
            volume: edges.determinant() / 6.0,
            law,
            lame: Lame::new(young, poisson),
            relaxation,
            shape_rate: 0.0,
        }
    }

    /// F = Σ x_c ⊗ ∇N_c for corners at `x` [m].
    #[must_use]
    pub fn deformation(&self, x: [DVec3; 4]) -> DMat3 {
        x.iter().zip(self.gradients).map(|(x, g)| outer(*x, g)).sum()
    }

    /// Elastic energy [J] for corners at `x` [m], the rest shape stretched by S_p.
    #[must_use]
    pub fn energy(&self, x: [DVec3; 4], plastic: DMat3) -> f64 {
        let elastic = self.deformation(x) * plastic.inverse();
        self.volume * self.law.energy(self.lame, &elastic)
    }

    /// Elastic Cauchy stress [Pa] about the world's axes for corners at `x` [m], the rest shape stretched by S_p; of one
    /// that is pressed flatter than [`FLATTEST`] as if it were not.
    #[must_use]
    pub fn stress(&self, x: [DVec3; 4], plastic: DMat3) -> DMat3 {
        let deformation = self.deformation(x);
        let elastic = deformation * plastic.inverse();
        // Inverted ones have a volume, too.
        let volume = deformation.determinant().abs().max(FLATTEST);
        symmetric(&(self.law.stress(self.lame, &elastic) * elastic.transpose())) * volume.recip()
    }

    /// Sets γ. `per_mass`: of each corner the volume of the elements around it over its mass [m³/kg], 0 where it is
    /// held. It is the largest eigenvalue of Σ `per_mass` ∇N_c ∇N_cᵀ, by the closed solution of the characteristic
    /// cubic (Smith 1961).
    pub fn set_shape_rate(&mut self, per_mass: [f64; 4]) {
        let mut sum = DMat3::ZERO;
        for (g, w) in self.gradients.iter().zip(per_mass) {
            sum += outer(*g, *g) * w;
        }
        let q = (sum.x_axis.x + sum.y_axis.y + sum.z_axis.z) / 3.0;
        let away = sum - DMat3::IDENTITY * q;
        let square: f64 = away.to_cols_array().iter().map(|e| e * e).sum();
        let p = (square / 6.0).sqrt();
        self.shape_rate = if p == 0.0 {
            q
        } else {
            let cosine = (away * p.recip()).determinant() / 2.0;
            q + 2.0 * p * (cosine.clamp(-1.0, 1.0).acos() / 3.0).cos()
        };
    }

    /// A bound [1/s] of the element's largest damping rate with corners at `x` [m]. The largest eigenvalue of FᵀF is
    /// bounded by its mean and twice the deviation from it.
    #[must_use]
    pub fn damping_rate(&self, x: [DVec3; 4]) -> f64 {
        let f = self.deformation(x);
        let stretch = eigenvalue_bound(&(f.transpose() * f));
        let modulus = (2.0 * self.lame.mu).max(3.0 * self.lame.lambda + 2.0 * self.lame.mu);
        self.relaxation * modulus * stretch * self.shape_rate
    }

    /// See [`Model::stiffest`](crate::model::Model::stiffest) [1/s²], with corners at `x` [m].
    pub(crate) fn stiffness_rate(&self, x: [DVec3; 4]) -> f64 {
        self.shape_rate * self.law.stiffness_bound(self.lame, &self.deformation(x))
    }
}

/// The elements of a body of this material: its tetrahedra in their rest shape, `tets` as the device numbers their corners.
/// `inverse_mass` per particle of all bodies [1/kg], 0 where it is held.
pub(super) fn elements(
    own: FemMaterial,
    part: &Part<'_>,
    tets: &[Tet],
    inverse_mass: impl Fn(u32) -> f64,
) -> Vec<FemElement> {
    let (rest, fields) = (&part.scaled, &part.fields);
    let element = |(i, (corners, tet)): (usize, (&[u32; 4], &Tet))| {
        let material = FemMaterial {
            law: own.law,
            young: fields.get(Constant::Young, i, own.young),
            poisson: fields.get(Constant::Poisson, i, own.poisson),
            relaxation: fields.get(Constant::Relaxation, i, own.relaxation),
        };
        let places = corners.map(|i| rest.points[i as usize]);
        let mut made = FemElement::new(tet.corners, places, material);
        made.volume *= part.rest.part(i).stiff;
        made
    };
    let pairs = rest.tets.iter().zip(tets).enumerate();
    let mut elements: Vec<_> = pairs.map(element).collect();
    let mut around: HashMap<u32, f64> = HashMap::new();
    for element in &elements {
        for corner in element.corners {
            *around.entry(corner).or_default() += element.volume;
        }
    }
    for element in &mut elements {
        element.set_shape_rate(element.corners.map(|i| around[&i] * inverse_mass(i)));
    }
    elements
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::fem::{self, Element, Lame};

    /// Against the oracle, for an arbitrary tetrahedron of arbitrary masses, one corner held.
    #[test]
    fn constants_are_those_of_the_reference() {
        let rest = [
            DVec3::new(0.1, 0.2, -0.1),
            DVec3::new(1.3, 0.1, 0.2),
            DVec3::new(0.2, 0.9, 0.1),
            DVec3::new(0.4, 0.3, 1.1),
        ];
        let material =
            FemMaterial { law: Law::NeoHookean, young: 2e5, poisson: 0.3, relaxation: 0.02 };
        let mut made = FemElement::new([0, 1, 2, 3], rest, material);
        let lame = Lame::new(material.young, material.poisson);
        let mut wanted = Element::new([0, 1, 2, 3], &rest, fem::Law::NeoHookean, lame);
        wanted.relaxation = material.relaxation;
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12 * b.abs();
        assert!(near(made.volume, wanted.volume));
        assert!(near(made.lame.lambda, lame.lambda) && near(made.lame.mu, lame.mu));
        for (a, b) in made.gradients.iter().zip(wanted.gradients) {
            assert!(a.distance(b) < 1e-12);
        }
        let (volume, inverse_mass) = ([0.3, 0.7, 1.1, 0.4], [0.0, 2.0, 1.0, 3.0]);
        let per_mass = [0, 1, 2, 3].map(|c| volume[c] * inverse_mass[c]);
        made.set_shape_rate(per_mass);
        assert!(near(made.shape_rate, fem::shape_rate(&wanted, &volume, &inverse_mass)));
        let x = rest.map(|x| DVec3::new(1.4 * x.x + 0.2 * x.y, 0.7 * x.y, x.z - 0.3 * x.x));
        let bound = fem::damping_rate(&wanted, &x, made.shape_rate);
        let found = made.damping_rate(x);
        assert!(near(found, bound), "{found} {bound}");
        let energy = fem::energy(&wanted, &x);
        assert!(near(made.energy(x, DMat3::IDENTITY), energy) && energy > 0.0);
        // A regular shape has three equal eigenvalues.
        let regular = [
            DVec3::ONE,
            DVec3::new(1.0, -1.0, -1.0),
            DVec3::new(-1.0, 1.0, -1.0),
            DVec3::new(-1.0, -1.0, 1.0),
        ];
        let mut regular = FemElement::new([0, 1, 2, 3], regular, material);
        regular.set_shape_rate([1.0; 4]);
        assert!(near(regular.shape_rate, 0.25));
    }
}
