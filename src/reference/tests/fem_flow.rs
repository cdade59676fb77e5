//! Plastic flow of finite elements.

use super::fem::{element, stretch};
use super::lattice::{Random, rotation};
use crate::family::fem::law::trace;
use crate::reference::fem::{Element, Law, Plasticity, flow};
use glam::{DMat3, DQuat, DVec3};

const PLASTICITY: Plasticity = Plasticity { yield_strain: 0.1, creep: 20.0, most: 0.6 };

fn distance(a: &DMat3, b: &DMat3) -> f64 {
    (*a - *b).to_cols_array().iter().map(|e| e * e).sum::<f64>().sqrt()
}

#[test]
fn nothing_flows_below_the_yield_point() {
    let mut random = Random::new(40);
    for _ in 0..30 {
        let mut element = element(&mut random, Law::Corotated);
        element.plastic = stretch(&mut random);
        let turn = DMat3::from_quat(rotation(&mut random));
        let f = turn * DMat3::from_diagonal(DVec3::new(1.5, 1.45, 1.42)) * element.plastic;
        let x = deformed(&element, &f);
        assert_eq!(flow(&element, &x, PLASTICITY, 0.01), element.plastic);
        let f = turn * DMat3::from_diagonal(DVec3::new(1.2, 1.0, 1.0)) * element.plastic;
        let x = deformed(&element, &f);
        assert_ne!(flow(&element, &x, PLASTICITY, 0.01), element.plastic);
    }
}

/// Positions with the gradient F: any rest positions that have the element's gradients will do.
fn deformed(element: &Element, f: &DMat3) -> Vec<DVec3> {
    let [_, b, c, d] = element.gradients;
    // Rows b, c, d are the inverse of the edges from the first corner.
    let edges = DMat3::from_cols(b, c, d).transpose().inverse();
    let mut x = vec![DVec3::ZERO; 4];
    for (k, corner) in element.corners.into_iter().enumerate().skip(1) {
        x[corner] = *f * edges.col(k - 1);
    }
    assert!(distance(&element.gradient(&x), f) < 1e-9);
    x
}

#[test]
fn plastic_stretch_keeps_its_volume_and_its_bound() {
    let mut random = Random::new(41);
    for law in Law::ALL {
        for _ in 0..30 {
            let mut element = element(&mut random, law);
            let columns = [(); 3].map(|()| 3.0 * random.vector(1.0));
            let f = DMat3::from_cols(columns[0], columns[1], columns[2]);
            let x = deformed(&element, &f);
            for _ in 0..200 {
                element.plastic = flow(&element, &x, PLASTICITY, 0.01);
                assert!((element.plastic.determinant() - 1.0).abs() < 1e-12);
                assert!(distance(&element.plastic, &element.plastic.transpose()) < 1e-14);
                assert!(distance(&element.plastic, &DMat3::IDENTITY) < 0.6 + 1e-12);
            }
        }
    }
}

/// Held in a shear-free stretch below the cap, the strain relaxes to the yield point like e^(−creep t).
#[test]
fn held_strain_relaxes_to_the_yield_point() {
    let mut random = Random::new(42);
    let mut element = element(&mut random, Law::NeoHookean);
    let turn = DMat3::from_quat(DQuat::from_rotation_y(0.7));
    let f = turn * DMat3::from_diagonal(DVec3::new(1.3, 1.0 / 1.3, 1.0));
    let x = deformed(&element, &f);
    let excess = |element: &Element| {
        let e = turn.transpose() * element.elastic_gradient(&x) - DMat3::IDENTITY;
        distance(&e, &(DMat3::IDENTITY * (trace(&e) / 3.0))) - PLASTICITY.yield_strain
    };
    let (start, h) = (excess(&element), 1e-4);
    for _ in 0..500 {
        element.plastic = flow(&element, &x, PLASTICITY, h);
    }
    // 20/s over 0.05 s.
    let left = excess(&element) / start;
    assert!((left / (-1.0_f64).exp() - 1.0).abs() < 0.05, "{left}");
    for _ in 0..20_000 {
        element.plastic = flow(&element, &x, PLASTICITY, h);
    }
    assert!(excess(&element).abs() < 1e-6, "{}", excess(&element));
    assert!(distance(&element.plastic, &DMat3::IDENTITY) > 0.2);
}
