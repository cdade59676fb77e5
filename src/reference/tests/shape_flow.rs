//! Shape matching: plastic flow, brakes, and which rotation is taken.

use crate::extreme;
use glam::{DMat3, DQuat, DVec3};

use super::lattice::Random;
use super::shape::{ELASTIC, body, scattered};
use crate::reference::shape::{Mode, Plasticity, brakes, flow, rotation_from, spectral, strain};

#[test]
fn plastic_flow_yields_is_capped_and_keeps_the_volume() {
    let plasticity = Plasticity { yield_strain: 0.1, creep: 5.0, most: 0.4 };
    let stretch = |s: f64| DMat3::from_diagonal(DVec3::new(s, -s / 2.0, -s / 2.0));
    let start = DMat3::IDENTITY;
    assert_eq!(flow(&start, &stretch(0.099), 0.1, &plasticity), start);
    // A share of the strain, the whole of it at the most.
    let little = flow(&start, &stretch(0.2), 0.01, &plasticity);
    assert!((little.x_axis.x - 1.01).abs() < 1e-3);
    let whole = flow(&start, &stretch(0.2), 10.0, &plasticity);
    assert!((whole.x_axis.x - 1.2).abs() < 0.02);
    let mut plastic = start;
    let mut noise = Random::new(7);
    for k in 0..1000 {
        let [a, b, c] = [(); 3].map(|()| noise.vector(1.0) * 0.6);
        let any = DMat3::from_cols(a, b, c);
        plastic = flow(&plastic, &((any + any.transpose()) * 0.5), 0.1, &plasticity);
        assert!(spectral(&(plastic - DMat3::IDENTITY)) < 0.4 + 1e-12, "{k}");
        let skew = plastic - plastic.transpose();
        assert!((0..3).all(|k| skew.col(k).length() < 1e-15), "{k}");
        // The second cap takes some of the volume back.
        assert!((plastic.determinant() - 1.0).abs() < 0.2, "{k}: {}", plastic.determinant());
    }
    assert!(spectral(&(plastic - start)) > 0.1);
}

/// A body that was held stretched keeps a part of it, and is then at rest as it is.
#[test]
fn the_plastic_rest_shape_is_one() {
    let plasticity = Plasticity { yield_strain: 0.05, creep: 10.0, most: 1.0 };
    let mut body = body(Mode::Linear, 0.3, plasticity);
    body.clusters.drain(..2);
    body.clusters[0].weights = body.masses.clone();
    let long = DMat3::from_diagonal(DVec3::new(1.5, 1.0 / 1.5_f64.sqrt(), 1.0 / 1.5_f64.sqrt()));
    let x: Vec<_> = body.rest.iter().map(|x| long * *x).collect();
    let mut kept = body.kept();
    for _ in 0..200 {
        body.fits(&x, &mut kept, 0.01);
    }
    let fit = &body.fits(&x, &mut kept, 0.01)[0];
    // It flows until the strain left is at the yield.
    let left = spectral(&strain(fit));
    assert!(left < 0.05 + 1e-9 && left > 0.03, "{left}");
    assert!((kept[0].plastic.x_axis.x - 1.45).abs() < 0.05);
    // Of volume 1, and the same body: what is q at rest is at its goal.
    let rest: Vec<_> = body.rest.iter().map(|x| kept[0].plastic * *x).collect();
    let fit = &body.fits(&rest, &mut kept.clone(), 0.01)[0];
    let ways = fit.goals.iter().zip(&rest).map(|(g, x)| g.distance(*x));
    assert!(ways.fold(0.0, extreme::greatest) < 1e-12);
}

#[test]
fn of_equally_near_rotations_the_last_stays() {
    let last = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 2.0);
    assert!(rotation_from(&DMat3::ZERO, last).dot(last).abs() > 1.0 - 1e-12);
    let line = DMat3::from_cols(last * DVec3::X, DVec3::ZERO, DVec3::ZERO);
    assert!(rotation_from(&line, last).dot(last).abs() > 1.0 - 1e-12);
}

/// Brakes keep momentum and angular momentum, leave rigid motion alone, and never add energy.
#[test]
fn brakes_act_on_what_is_not_rigid() {
    let body = body(Mode::Linear, 0.5, ELASTIC);
    let x = scattered(&body, 4, 0.03);
    let mut noise = Random::new(9);
    let v: Vec<_> = x.iter().map(|_| noise.vector(1.0)).collect();
    let brakes_of = |v: &[DVec3]| brakes(&body.clusters, &x, v, 0.0, 0.3, 0.01);
    let forces: Vec<_> = brakes_of(&v).iter().zip(&body.masses).map(|(a, m)| *a * *m).collect();
    assert!(forces.iter().sum::<DVec3>().length() < 1e-12);
    let turns = forces.iter().zip(&x).map(|(f, x)| x.cross(*f));
    assert!(turns.sum::<DVec3>().length() < 1e-12);
    assert!(forces.iter().zip(&v).map(|(f, v)| f.dot(*v)).sum::<f64>() < -1.0);
    let spinning: Vec<_> =
        x.iter().map(|x| DVec3::X + DVec3::new(1.0, -2.0, 3.0).cross(*x)).collect();
    assert!(brakes_of(&spinning).iter().all(|a| a.length() < 1e-10));
}
