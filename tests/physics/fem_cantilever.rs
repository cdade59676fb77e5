//! The cantilever on the device: with few cells by waiting until it rests, with many by whether it would.

use std::f64::consts::PI;

use glam::DVec3;
use pliant::internals::Inside as _;
use pliant::internals::reference::fem::forces;
use pliant::scene::{Fem, Integrator, Scene, Step};

use crate::bar_support::{layer, pull, settled};
use crate::fem_material::{DENSITY, balance, bar, loads, total};
use crate::support::*;

const YOUNG: f64 = 1e6;
const HEIGHT: f64 = 1.0;
/// L/H
const RATIO: u32 = 20;
const LENGTH: f64 = HEIGHT * RATIO as f64;
/// At the root, by the theory of beams.
const STRAIN: f64 = 1e-3;

/// A beam of so many cells over the height and one across, ν = 0, with a load at its end; that load [N].
fn cantilever(cells: u32) -> (Scene, f64) {
    let cell = HEIGHT / f64::from(cells);
    let cubes = [RATIO * cells, cells, 1];
    let force = STRAIN * 2.0 * YOUNG * inertia(cell) / (LENGTH * HEIGHT);
    let mut scene = bar(cubes, cell, Fem::undamped(YOUNG, 0.0));
    pull(&mut scene, -DVec3::Y * force);
    (scene, force)
}

/// I of a beam `width` across [m⁴].
fn inertia(width: f64) -> f64 {
    width * HEIGHT.powi(3) / 12.0
}

/// F L³/3EI [m], whatever the width.
fn beam() -> f64 {
    STRAIN * 2.0 * LENGTH * LENGTH / (3.0 * HEIGHT)
}

/// What the device does at the reference's equilibrium. Deflections over F L³/3EI.
struct Found {
    /// Where the reference is in balance.
    reference: f64,
    /// Where the device is, by the work of what is out of balance along the reference's deflection.
    by_work: f64,
    /// The same, by the reference's answer to what is out of balance.
    by_field: f64,
    /// How far any particle of the device's equilibrium is from the reference's, over the largest deflection.
    apart: f64,
    /// By how much the forces of the elements on a particle differ from the reference's at the same positions, over
    /// what 1 % more strain would add to the single elements' (root mean squares).
    forces: f64,
}

/// Loads the reference's deflection on to a device with Young's modulus `young` \[Pa\].
///
/// The first step from rest, symplectic Euler's, gives v = h a, so that m v/h = r is what is out of balance. With the
/// reference in balance, K u = F to first order, u the deflection: the device's own changes by K⁻¹r, and the work of
/// the load along that is F·K⁻¹r = u·r. r itself is mostly what rounding positions does, which has no part in u or
/// K⁻¹r.
fn found(cells: u32, young: f64) -> Found {
    let (mut scene, _) = cantilever(cells);
    scene.world.integrator = Integrator::SymplecticEuler;
    scene.world.step = Step::Fixed(1e-4);
    let soft = world(&scene);
    let mut system = system(&soft);
    let (start, load) = (system.position.clone(), loads(&soft));
    let tolerance = 1e-8 * total(&load);
    let wanted = balance(&system, &load, &start, tolerance);
    scene.bodies[0].kind = Fem::undamped(young, 0.0).into();
    let mut unbalanced = || {
        let mut device = world(&scene);
        system.position = wanted.iter().map(|x| x.as_vec3().as_dvec3()).collect();
        start_from(&device, &mut system);
        device.step(1).unwrap();
        let v = doubles(&device.read().unwrap().velocities);
        let h = device.stepping().step;
        let r = (0..v.len()).map(|i| v[i] * (device.model().masses[i] / h));
        (system.position.clone(), r.collect::<Vec<_>>())
    };
    let (x, r) = unbalanced();
    let work = |f: &[DVec3]| (0..f.len()).map(|i| f[i].dot(x[i] - start[i])).sum::<f64>();
    let tip = |x: &[DVec3]| layer(&start, LENGTH, |i| start[i].y - x[i].y) / beam();
    // The load that the device's forces are in balance with, and where the reference's are.
    let carried: Vec<_> = load.iter().zip(&r).map(|(f, r)| *f - *r).collect();
    let answer = balance(&system, &carried, &x, tolerance);
    let (mut off, mut parts) = (r.clone(), vec![0.0; r.len()]);
    off.iter_mut().zip(&load).for_each(|(off, f)| *off -= *f);
    for element in &system.elements {
        for (corner, force) in element.corners.into_iter().zip(forces(element, &x)) {
            off[corner] -= force;
            parts[corner] += 0.01 * force.length();
        }
    }
    let free = || (0..off.len()).filter(|i| !system.pinned(*i));
    let sum = |square: &dyn Fn(usize) -> f64| free().map(square).sum::<f64>().sqrt();
    Found {
        reference: tip(&wanted),
        by_work: tip(&x) * (1.0 + work(&r) / work(&load)),
        by_field: 2.0 * tip(&wanted) - tip(&answer),
        apart: apart(&answer, &x) / apart(&start, &wanted),
        forces: sum(&|i| off[i].length_squared()) / sum(&|i| parts[i] * parts[i]),
    }
}

/// The device is in balance where the reference is, with so many cells; its deflection over F L³/3EI.
fn agrees(cells: u32) -> f64 {
    let found = found(cells, YOUNG);
    for device in [found.by_work, found.by_field] {
        assert!((device / found.reference - 1.0).abs() < 2e-3, "{device}");
    }
    assert!(found.apart < 1e-4, "{}", found.apart);
    assert!(found.forces < 0.1, "{}", found.forces);
    found.by_work
}

/// L/H = 20, ν = 0, strain 1e-3: the device's deflection comes to F L³/3EI by the square of the cells.
#[test]
fn fem_cantilever_converges_to_the_beam() {
    let errors = [2, 4, 8].map(|cells| 1.0 - agrees(cells));
    assert!((errors[1] / errors[2]).log2() > 1.7, "{errors:?}");
}

#[test]
fn fem_cantilever_of_sixteen_cells_bends_as_the_beam() {
    let deflection = agrees(16);
    assert!((deflection - 1.0).abs() < 0.02, "{deflection}");
}

/// A device that were 3 % too stiff would be found out, without waiting for it.
#[test]
fn fem_cantilever_that_is_too_stiff_is_seen() {
    for cells in [2, 8] {
        let found = found(cells, 1.03 * YOUNG);
        for device in [found.by_work, found.by_field] {
            let ratio = device / found.reference;
            assert!((ratio - 0.97).abs() < 2e-3, "{ratio}");
        }
    }
}

/// Two cells, until it rests: where it comes to is where it was said to be in balance.
#[test]
fn fem_cantilever_settles_where_it_is_in_balance() {
    let (mut scene, force) = cantilever(2);
    let section = 0.5 * HEIGHT;
    let omega = 3.516 * (YOUNG * inertia(0.5) / (DENSITY * section)).sqrt() / (LENGTH * LENGTH);
    assert!((force * LENGTH.powi(3) / (3.0 * YOUNG * inertia(0.5)) / beam() - 1.0).abs() < 1e-12);
    let (_, start, x) = settled(&mut scene, omega, 14.0);
    let sunk = layer(&start, LENGTH, |i| start[i].y - x[i].y) / beam();
    let found = found(2, YOUNG);
    println!("at rest {sunk:.4} of FL³/3EI, {:.1} s each way", PI / omega);
    assert!((sunk / found.by_work - 1.0).abs() < 1e-3, "{sunk}");
}
