//! Slow plastic flow: a body that is held in another shape flows by as much as in f64, however little it is in a step.

use glam::DMat3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::internals::reference::fem;
use pliant::internals::reference::shape::Kept;
use pliant::scene::{Clusters, Fem, Integrator, Kind, Law, Mode, Plasticity, ShapeMatching, Step};

use crate::support::*;

const STRETCH: f64 = 1.05;
const STEP: f64 = 1e-4;
const STEPS: u64 = 2000;
const SLOW: Plasticity = Plasticity { yield_strain: 0.01, creep: 0.001, most: 1.0 };

/// A cube that is 5 % too long, all of whose points are held.
fn held(kind: Kind) -> World {
    let mut body = lattice("cube", [2; 3], [1.0; 3], 1000.0, kind);
    (body.stretch, body.pin) = ([STRETCH, 1.0, 1.0], vec![EVERYWHERE]);
    let scene = floating(body, Integrator::SymplecticEuler, Step::Fixed(STEP));
    let mut world = world(&scene);
    world.step(STEPS).unwrap();
    world
}

/// Compares what flowed with `wanted`, by its largest part.
fn compare(name: &str, got: &[DMat3], wanted: &DMat3) {
    let size = |x: DMat3| (0..3).map(|k| x.col(k).length()).fold(0.0, extreme::greatest);
    let flown = size(*wanted - DMat3::IDENTITY);
    let off = got.iter().map(|got| size(*got - *wanted) / flown);
    let off = off.fold(0.0, extreme::greatest);
    assert!(!got.is_empty() && flown > 1e-6);
    assert!(off < 3e-4, "{name}: {off}");
}

#[test]
fn slow_creep_of_clusters_is_not_lost() {
    for (mode, clusters) in [
        (Mode::Rigid, Clusters::Whole),
        (Mode::Linear, Clusters::Tets),
        (Mode::Quadratic, Clusters::Whole),
    ] {
        let shape = ShapeMatching { mode, clusters, plasticity: SLOW, ..ShapeMatching::default() };
        let mut world = held(Kind::Shape(shape.clone()));
        let got = world.read().unwrap().cluster_plastic;
        let x = system(&world).position;
        let wanted = crate::shape_support::clusters(&world, 0, &shape);
        assert_eq!(got.len(), wanted.len());
        for (cluster, got) in wanted.iter().zip(got).take(4) {
            let mut kept = Kept::default();
            for _ in 0..STEPS {
                (_, kept) = cluster.advance(&world.model().rest_positions, &x, &kept, STEP);
            }
            compare(&format!("{mode:?}"), &[got], &kept.plastic);
        }
    }
}

#[test]
fn slow_creep_of_finite_elements_is_not_lost() {
    let plasticity =
        fem::Plasticity { yield_strain: SLOW.yield_strain, creep: SLOW.creep, most: SLOW.most };
    for law in Law::ALL {
        let mut world = held(Kind::Fem(Fem { law, plasticity: SLOW, ..Fem::undamped(1e5, 0.3) }));
        let got = world.read().unwrap().plastic;
        let system = system(&world);
        let mut element = system.elements[0];
        for _ in 0..STEPS {
            element.plastic = fem::flow(&element, &system.position, plasticity, STEP);
        }
        compare(law.name(), &got, &element.plastic);
    }
}
