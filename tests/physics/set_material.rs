//! Bodies that become of another material while the world runs.

use pliant::World;
use pliant::scene::{Integrator, Kind};

use crate::support::*;

/// How far the lower end of the body hangs below where it starts \[m\], once it is at rest.
fn sag(world: &mut World) -> f64 {
    frames(world, 90);
    let state = world.read().unwrap();
    let places = world.mesh_positions(&state, 0).unwrap();
    -0.5 - lowest(&places)
}

/// A column hangs ρ g L²/2E below its support: half as stiff twice as far, stiff again as before.
#[test]
fn a_column_hangs_as_far_as_its_modulus_lets_it() {
    let by_springs: fn(f64) -> Kind = |young| springs(young, 0.05);
    let by_fem: fn(f64) -> Kind = |young| fem(young, 0.0, 0.05);
    for (integrator, kind) in [
        (Integrator::Verlet, by_springs),
        (Integrator::Verlet, by_fem),
        (Integrator::Vbd, by_springs),
        (Integrator::ImplicitEuler, by_fem),
    ] {
        let mut column = lattice("column", [1, 6, 1], [0.2, 1.0, 0.2], 1000.0, kind(1e5));
        column.pin = vec![within([-1.0, 0.49, -1.0], [1.0, 0.51, 1.0])];
        let mut scene = scene_of(vec![column]);
        (scene.world.integrator, scene.world.gravity) = (integrator, [0.0, -1.0, 0.0]);
        let mut world = world(&scene);
        let id = world.body_id(0).unwrap();
        let step = world.stepping().step;
        let stiff = sag(&mut world);
        world.set_material(id, kind(0.5e5)).unwrap();
        let soft = sag(&mut world);
        world.set_material(id, kind(1e5)).unwrap();
        let again = sag(&mut world);
        let name = (integrator.name(), scene.bodies[0].kind.name());
        let wanted = 1000.0 / (2.0 * 1e5);
        assert!((stiff / wanted - 1.0).abs() < 0.15, "{name:?}: {stiff}");
        assert!((soft / stiff - 2.0).abs() < 0.02, "{name:?}: {stiff} {soft}");
        assert!((again / stiff - 1.0).abs() < 0.002, "{name:?}: {again}");
        assert_eq!(world.stepping().step, step);
    }
}
