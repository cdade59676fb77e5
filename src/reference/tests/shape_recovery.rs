//! Shape matching over many steps: energy, and what any start returns to.

use crate::extreme;
use glam::DVec3;

use super::shape::{Body, ELASTIC, MODES, body, noise, scattered, vector};
use crate::reference::shape::Mode;

/// Energy stays below 10 times its start for every α and step, and does not grow for hω ≤ 0.5, ω² = α/h².
#[test]
fn no_step_is_too_long() {
    for mode in MODES {
        for beta in [0.4, 0.9] {
            for alpha in [0.01, 0.25, 1.0] {
                for (seed, h) in [(1, 0.001), (2, 1.0)] {
                    let body = body(mode, beta, ELASTIC);
                    let mut x = scattered(&body, seed, 0.03);
                    let mut noise = noise(seed);
                    let mut v: Vec<_> = x.iter().map(|_| vector(&mut noise) * (0.01 / h)).collect();
                    let mut kept = body.kept();
                    // The velocity at the time of x is the mean of those before and after it.
                    let energies: Vec<f64> = (0..240)
                        .map(|_| {
                            let (before, start) = (v.clone(), x.clone());
                            body.step(&mut x, &mut v, &mut kept, alpha, h);
                            let pairs = before.iter().zip(&v);
                            let mean: Vec<_> = pairs.map(|(a, b)| (*a + *b) * 0.5).collect();
                            body.energy(&start, &mean, &kept, alpha, h)
                        })
                        .collect();
                    let most = energies.iter().copied().fold(0.0, extreme::greatest);
                    let case = format!("{mode:?} beta {beta} alpha {alpha} h {h}");
                    assert!(most < 10.0 * energies[0], "{case}: {}", most / energies[0]);
                    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
                    let growth = mean(&energies[160..]) / mean(&energies[..80]);
                    assert!(alpha > 0.25 || growth < 1.02, "{case}: {growth}");
                }
            }
        }
    }
}

/// From a plane, a line, a point, inside out, a mirror image, and from anywhere.
#[test]
fn any_start_returns_to_shape() {
    let images: [fn(DVec3) -> DVec3; 7] = [
        |x| DVec3::new(x.x, x.y, 0.0),
        |x| DVec3::new(0.0, x.y, 0.0),
        |_| DVec3::ZERO,
        |x| DVec3::new(x.x, -x.y, x.z),
        |x| -x,
        |x| DVec3::new(x.x, -0.01 * x.y, x.z),
        |x| DVec3::new(x.x * 30.0, x.y, x.z * 0.01),
    ];
    for (mode, beta) in [
        (Mode::Rigid, 0.0),
        (Mode::Linear, 0.8),
        (Mode::Quadratic, 0.8),
    ] {
        let body = Body::whole(mode, beta);
        for (k, image) in images.iter().enumerate() {
            let mut x: Vec<_> = body.rest.iter().map(|x| image(*x)).collect();
            body.settle(&mut x, 400);
            assert!(
                body.deformed(&x) < 1e-6,
                "{mode:?} {k}: {}",
                body.deformed(&x)
            );
        }
        for seed in 0..10 {
            let mut x = scattered(&body, seed, 10.0);
            body.settle(&mut x, 400);
            assert!(
                body.deformed(&x) < 1e-6,
                "{mode:?} {seed}: {}",
                body.deformed(&x)
            );
        }
    }
}
