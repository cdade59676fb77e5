//! Finite elements against their energies, Hooke's law, and what they must conserve.

use crate::extreme;
use glam::{DMat3, DVec3};

use super::forces::errors;
use super::lattice::{Random, largest, off, points, rotation, vectors};
use crate::family::fem::law::{symmetric, trace};
use crate::reference::System;
use crate::reference::fem::{
    Element, Lame, Law, damping_forces, damping_rate, force_changes, forces, shape_rate,
};

/// A random element of not too flat a shape, in random order of its corners.
pub fn element(random: &mut Random, law: Law) -> Element {
    let rest = loop {
        let rest = vectors(random, 4, 1.0);
        let volume = (rest[1] - rest[0]).dot((rest[2] - rest[0]).cross(rest[3] - rest[0]));
        if volume.abs() > 0.5 {
            break rest;
        }
    };
    let lame = Lame::new(1e3, 0.2 + 0.25 * random.between(-1.0, 1.0));
    let mut element = Element::new([2, 0, 3, 1], &rest, law, lame);
    element.relaxation = 0.03;
    element
}

/// A symmetric matrix of determinant 1 some way from I.
pub fn stretch(random: &mut Random) -> DMat3 {
    let turn = DMat3::from_quat(rotation(random));
    let [a, b] = [0, 1].map(|_| (0.4 * random.between(-1.0, 1.0)).exp());
    turn * DMat3::from_diagonal(DVec3::new(a, b, 1.0 / (a * b))) * turn.transpose()
}

/// Elements of all laws with and without plastic stretch, each with strongly deformed positions; a third of them
/// inverted.
fn states() -> Vec<(Element, Vec<DVec3>)> {
    let mut random = Random::new(31);
    let mut states = Vec::new();
    for law in Law::ALL {
        for k in 0..60 {
            let mut element = element(&mut random, law);
            if k % 2 == 0 {
                element.plastic = stretch(&mut random);
            }
            let x = loop {
                let x = vectors(&mut random, 4, 2.0);
                let volume = element.gradient(&x).determinant();
                // The corotated law is smooth only away from where the two least singular values cancel.
                if (volume < 0.0) == (k % 3 == 0) && volume.abs() > 0.05 && smooth(&element, &x) {
                    break x;
                }
            };
            states.push((element, x));
        }
    }
    states
}

/// Whether the rotation nearest to F S_p⁻¹ changes slowly.
fn smooth(element: &Element, x: &[DVec3]) -> bool {
    let f = element.elastic_gradient(x);
    let (r, _) = crate::family::fem::rotation::nearest_rotation(&f);
    let s = r.transpose() * f;
    let matrix = DMat3::IDENTITY * trace(&s) - s;
    matrix.determinant().abs() > 0.3
}

#[test]
fn forces_follow_from_the_energy() {
    let mut random = Random::new(32);
    for (element, x) in states() {
        let system = System { elements: vec![element], ..points(&x, &[DVec3::ZERO; 4], 1.0) };
        let found = errors(&system, &mut random);
        assert!(found[0] < 1e-6 && found[1] < 1e-6, "{:?}: {found:?}", element.law);
        assert!(found[2] < 1e-12, "{:?}: {found:?}", element.law);
    }
}

/// The sum of the spec's §3, whose ε is twice Green's strain: −V/2 Σ_j x_j Σ_kl B_jl B_ik σ_kl, with
/// σ = λ tr(ε) I + 2μ ε + φ tr(ν) I + 2ψ ν.
#[test]
fn st_venant_is_the_sum_of_the_source() {
    let mut random = Random::new(33);
    for _ in 0..20 {
        let element = element(&mut random, Law::StVenant);
        let (x, v) = (vectors(&mut random, 4, 2.0), vectors(&mut random, 4, 2.0));
        let (f, rate) = (element.gradient(&x), element.gradient(&v));
        let epsilon = f.transpose() * f - DMat3::IDENTITY;
        let nu = f.transpose() * rate + rate.transpose() * f;
        let Lame { lambda, mu } = element.lame;
        let law = |a: &DMat3| DMat3::IDENTITY * (lambda * trace(a)) + *a * (2.0 * mu);
        let sigma = law(&epsilon) + law(&nu) * element.relaxation;
        let b = element.gradients;
        let wanted: Vec<_> = (0..4)
            .map(|i| {
                let mut sum = DVec3::ZERO;
                for j in 0..4 {
                    for k in 0..3 {
                        for l in 0..3 {
                            sum += x[element.corners[j]] * (b[j][l] * b[i][k] * sigma.col(l)[k]);
                        }
                    }
                }
                -0.5 * element.volume * sum
            })
            .collect();
        let (elastic, viscous) = (forces(&element, &x), damping_forces(&element, &x, &v, 0.0));
        let got: Vec<_> = (0..4).map(|c| elastic[c] + viscous[c]).collect();
        assert!(off(&got, &wanted) < 1e-12);
    }
}

#[test]
fn all_laws_begin_as_hooke() {
    let mut random = Random::new(34);
    for law in Law::ALL {
        for poisson in [-0.5, 0.0, 0.3, 0.49] {
            let lame = Lame::new(1e3, poisson);
            assert!(law.energy(lame, &DMat3::IDENTITY).abs() < 1e-12);
            assert!(law.stress(lame, &DMat3::IDENTITY).abs_diff_eq(DMat3::ZERO, 1e-9));
            let columns = [(); 3].map(|()| random.vector(1.0));
            let h = DMat3::from_cols(columns[0], columns[1], columns[2]);
            let strain = symmetric(&h);
            let hooke = DMat3::IDENTITY * (lame.lambda * trace(&strain)) + strain * (2.0 * lame.mu);
            let got = law.stress_change(lame, &DMat3::IDENTITY, &h);
            assert!(got.abs_diff_eq(hooke, 1e-9 * lame.lambda.abs().max(lame.mu)), "{law:?}");
        }
    }
}

/// E and ν as a tensile test finds them.
#[test]
fn lame_constants_are_those_of_young_and_poisson() {
    let lame = Lame::new(2e5, 0.3);
    let strain = DVec3::new(1e-3, -0.3e-3, -0.3e-3);
    let stress = |k: usize| lame.lambda * strain.element_sum() + 2.0 * lame.mu * strain[k];
    assert!((stress(0) - 200.0).abs() < 1e-9 && stress(1).abs() < 1e-9);
}

#[test]
fn rigid_motion_has_no_forces() {
    let mut random = Random::new(35);
    for law in Law::ALL {
        for _ in 0..20 {
            let rest = vectors(&mut random, 4, 1.0);
            let mut element = Element::new([0, 1, 2, 3], &rest, law, Lame::new(1e3, 0.3));
            element.relaxation = 0.1;
            let (turn, shift) = (rotation(&mut random), random.vector(1.0));
            let x: Vec<_> = rest.iter().map(|x| turn * *x + shift).collect();
            let scale = largest(&force_changes(&element, &x, &vectors(&mut random, 4, 1.0)));
            assert!(largest(&forces(&element, &x)) < 1e-10 * scale);
            let (spin, speed) = (random.vector(1.0), random.vector(1.0));
            let v: Vec<_> = x.iter().map(|x| spin.cross(*x) + speed).collect();
            assert!(largest(&damping_forces(&element, &x, &v, 0.0)) < 1e-10 * scale);
            let (turned, chord) = (rotation(&mut random), 0.1);
            let v: Vec<_> = x.iter().map(|x| (*x - (turned * *x + speed)) / chord).collect();
            assert!(largest(&damping_forces(&element, &x, &v, chord)) < 1e-10 * scale);
        }
    }
}

/// W's only resting places: the rotations, and F = 0, where it is no minimum. Everywhere else some force acts.
#[test]
fn neo_hookean_pushes_back_from_everywhere() {
    let lame = Lame::new(1e3, 0.3);
    let at = |a: f64, b: f64, c: f64| DMat3::from_diagonal(DVec3::new(a, b, c));
    let law = Law::NeoHookean;
    assert!(law.energy(lame, &DMat3::ZERO).is_finite());
    assert_eq!(law.stress(lame, &DMat3::ZERO), DMat3::ZERO);
    for s in [1e-3, 1e-2, 0.1] {
        assert!(law.energy(lame, &at(s, s, s)) < law.energy(lame, &DMat3::ZERO));
    }
    // Flat, inverted and turned inside out: the least stretch is pushed up.
    for [a, b, c] in [[1.0, 1.0, 0.0], [1.0, 1.0, -1.0], [3.0, 0.2, -2.0], [-1.0, -1.0, -1.0]] {
        assert!(law.stress(lame, &at(a, b, c)).z_axis.z < 0.0, "{a} {b} {c}");
    }
    let mut random = Random::new(38);
    let mut least = f64::INFINITY;
    for _ in 0..20_000 {
        let columns = [(); 3].map(|()| 2.0 * random.vector(1.0));
        let f = DMat3::from_cols(columns[0], columns[1], columns[2]);
        let p = law.stress(lame, &f);
        assert!(law.energy(lame, &f) >= 0.0);
        let size = |a: &DMat3| a.to_cols_array().iter().map(|e| e * e).sum::<f64>().sqrt();
        let (r, _) = crate::family::fem::rotation::nearest_rotation(&f);
        least = extreme::least(least, size(&p) / size(&(f - r)).min(size(&f).powi(2)));
    }
    println!("least push {:.3} μ", least / lame.mu);
    assert!(least > 0.05 * lame.mu, "{least}");
}

#[test]
fn viscosity_only_dissipates_and_within_its_bound() {
    let mut random = Random::new(39);
    let mut tightest: f64 = 0.0;
    for (element, x) in states() {
        let masses: Vec<f64> = (0..4).map(|_| 0.3 + 0.2 * random.between(-1.0, 1.0)).collect();
        let mut inverse: Vec<f64> = masses.iter().map(|m| m.recip()).collect();
        inverse[0] = 0.0;
        let volumes: Vec<f64> =
            (0..4).map(|_| element.volume * (3.0 + 2.0 * random.between(-1.0, 1.0))).collect();
        let bound = damping_rate(&element, &x, shape_rate(&element, &volumes, &inverse));
        for _ in 0..50 {
            let mut v = vectors(&mut random, 4, 1.0);
            v[0] = DVec3::ZERO;
            let power: f64 = damping_forces(&element, &x, &v, 0.0)
                .iter()
                .zip(element.corners)
                .map(|(f, i)| f.dot(v[i]))
                .sum();
            let share = |i: usize| masses[i] * element.volume / volumes[i];
            let square: f64 = (1..4).map(|i| share(i) * v[i].length_squared()).sum();
            assert!(power <= 0.0);
            tightest = extreme::greatest(tightest, -power / (bound * square));
        }
    }
    println!("the bound is reached to {tightest:.3}");
    assert!(tightest <= 1.0 && tightest > 0.2, "{tightest}");
}

/// The eigenvalues of the damping matrix of a dilating element are known: nothing is lost by more than the sum's mix.
#[test]
fn damping_bound_of_a_regular_element_is_met_by_dilation() {
    let rest = [
        DVec3::ONE,
        DVec3::new(1.0, -1.0, -1.0),
        DVec3::new(-1.0, 1.0, -1.0),
        DVec3::new(-1.0, -1.0, 1.0),
    ];
    let mut element = Element::new([0, 1, 2, 3], &rest, Law::StVenant, Lame::new(1e3, 0.3));
    element.relaxation = 0.1;
    let (volume, inverse) = ([element.volume; 4], [2.0; 4]);
    let bound = damping_rate(&element, &rest, shape_rate(&element, &volume, &inverse));
    let force = damping_forces(&element, &rest, &rest, 0.0);
    for c in 0..4 {
        assert!((force[c] * 2.0 + rest[c] * bound).length() < 1e-9 * bound);
    }
}
