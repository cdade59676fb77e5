//! Fields of a world whose bodies have touched, against their definitions.

use crate::extreme::greatest;
use glam::DVec3;

use super::{all_kinds, context, settled};
use crate::World;
use crate::gpu::types::Particle;
use crate::inspect::{Field, Inspector};
use crate::reference::inspect::field as reference;
use crate::reference::{Spring, Tet};
use crate::scene::Kind;

fn read(world: &World) -> Vec<Particle> {
    world.particles().read(context()).unwrap()
}

/// The values of a field at particles and at vertices, which follow from those.
fn values(world: &World, inspector: &mut Inspector, field: Field) -> Vec<f32> {
    let buffers = inspector.field(world, field).unwrap();
    let values = buffers.particle_values.read(context()).unwrap();
    let drawn = buffers.skin_values.read(context()).unwrap();
    assert!(buffers.skin_values.is_drawable() && buffers.particle_values.is_drawable());
    let skin = &world.model().skin;
    assert_eq!(drawn.len(), skin.corners.len());
    let most = values.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
    for ((corners, weights), drawn) in skin.corners.iter().zip(&skin.weights).zip(drawn) {
        let value = |k: usize| weights[k] * f64::from(values[corners[k] as usize]);
        let wanted: f64 = (0..4).map(value).sum();
        assert!((f64::from(drawn) - wanted).abs() <= 1e-5 * f64::from(most));
    }
    values
}

pub fn strains_are_those_of_the_edges(world: &World) {
    let mut inspector = Inspector::new(world);
    let got = values(world, &mut inspector, Field::Strain);
    let x: Vec<DVec3> = read(world).iter().map(|p| p.position.as_dvec3()).collect();
    let model = world.model();
    for (index, body) in model.bodies.iter().enumerate() {
        let edge = |s: &crate::model::Spring| Spring {
            points: s.points.map(|i| i as usize),
            rest: s.rest,
            stiffness: s.distance,
            damping: s.damping,
        };
        let edges: Vec<_> = model.springs[body.springs.clone()].iter().map(edge).collect();
        let mut most = 0.0_f64;
        for i in body.particles.clone() {
            let wanted = reference::strain(i, &edges, &x);
            most = greatest(most, wanted.abs());
            let error = (f64::from(got[i]) - wanted).abs();
            // Of two edges that are alike but for rounding either may be taken.
            let other = (f64::from(got[i]) + wanted).abs();
            assert!(error.min(other) < 1e-5, "{}: {} of {wanted}", body.name, got[i]);
        }
        let unavailable = inspector.unavailable(world, Field::Strain, index);
        assert_eq!(unavailable, most == 0.0, "{}", body.name);
        assert_eq!(unavailable, body.name == "cloud");
    }
}

pub fn pressures_are_those_of_the_volumes(world: &World) {
    let mut inspector = Inspector::new(world);
    let got = values(world, &mut inspector, Field::Pressure);
    let x: Vec<DVec3> = read(world).iter().map(|p| p.position.as_dvec3()).collect();
    let model = world.model();
    for (index, body) in model.bodies.iter().enumerate() {
        let tet = |t: &crate::model::Tet| Tet {
            corners: t.corners.map(|i| i as usize),
            rest_volume: t.rest,
            stiffness: t.volume,
        };
        let tets: Vec<_> = model.tets[body.tets.clone()].iter().map(tet).collect();
        let modulus = match &world.scene().bodies[index].kind {
            _ if tets.is_empty() => 0.0,
            Kind::Fem(_) => 3e5 / (3.0 * (1.0 - 2.0 * 0.4)),
            Kind::Springs(_) => {
                let springs = model.springs[body.springs.clone()].iter();
                let springs: f64 = springs.map(|spring| spring.distance).sum();
                let volumes = model.tets[body.tets.clone()].iter();
                let volumes: f64 = volumes.map(|tet| tet.volume).sum();
                let rest = tets.iter().map(|tet| tet.rest_volume).sum();
                reference::bulk_modulus(springs, volumes, 0.0, rest)
            }
            _ => 0.0,
        };
        let mut most = 0.0_f64;
        for i in body.particles.clone() {
            let wanted = reference::pressure(i, modulus, &tets, &x);
            most = greatest(most, wanted.abs());
            let error = (f64::from(got[i]) - wanted).abs();
            assert!(error <= 2e-5 * modulus, "{}: {} of {wanted}", body.name, got[i]);
        }
        let unavailable = inspector.unavailable(world, Field::Pressure, index);
        assert_eq!(unavailable, modulus == 0.0, "{}", body.name);
        assert!(unavailable || most > 1e-3 * modulus);
    }
}

/// And 0 where nothing touches.
pub fn depths_are_those_of_the_contacts(world: &mut World) {
    let mut inspector = Inspector::new(world);
    let got = values(world, &mut inspector, Field::Penetration);
    let contacts = world.read_contacts().unwrap();
    let mut deep = 0;
    for (i, (got, way)) in got.iter().zip(&contacts.penetrations).enumerate() {
        let wanted = way.length();
        assert!((got - wanted).abs() <= 1e-6 * wanted, "{i}: {got} of {wanted}");
        deep += usize::from(*got > 0.0);
    }
    assert!(deep > 3);
    assert!(!inspector.unavailable(world, Field::Penetration, 0));
    assert!(inspector.unavailable(world, Field::Penetration, 99));
    // Alone nothing touches; another field's values do not stay.
    let mut scene = all_kinds();
    scene.bodies.truncate(1);
    let alone = settled(&scene, 1);
    let mut inspector = Inspector::new(&alone);
    assert!(inspector.unavailable(&alone, Field::Penetration, 0));
    assert!(values(&alone, &mut inspector, Field::Strain).iter().any(|v| *v != 0.0));
    let none = values(&alone, &mut inspector, Field::Penetration);
    assert!(none.iter().all(|value| *value == 0.0));
}
