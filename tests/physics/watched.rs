//! Whole steps on watched CPU threads: no kernel has a race, and none asks for what its arrays have not.

use glam::Vec3;
use pliant::query::{Queries, Ray, RayOptions};
use pliant::scene::{Aabb, Integrator};
use pliant::{Context, World};

use crate::common::scene_file;

/// Steps of a scene in which bodies touch each other, and then each kind of question.
fn run(file: &str, integrator: Integrator, steps: u64) {
    let mut world = free(file, integrator, steps);
    world.read().unwrap();
    assert!(world.contacts().contacts > 0, "{file}: nothing touches");
    let mut queries = Queries::new(&world).unwrap();
    let ray = Ray { origin: Vec3::new(0.0, 5.0, 0.0), direction: Vec3::NEG_Y };
    let options = RayOptions { solids: true, ..RayOptions::default() };
    queries.rays(&world, &[ray; 3], &options).unwrap().wait().unwrap();
    queries.points(&world, &[Vec3::Y; 3], u32::MAX).unwrap().wait().unwrap();
    let near = Aabb { min: [-1.0; 3], max: [1.0; 3] };
    queries.boxes(&world, &[near; 3], u32::MAX).unwrap().wait().unwrap();
}

/// Steps of any scene.
fn free(file: &str, integrator: Integrator, steps: u64) -> World {
    let context = Context::cpu(Some(1)).unwrap().with_checked_shaders(true);
    let mut scene = scene_file(file);
    scene.world.integrator = integrator;
    let mut world = World::new(&context, &scene).unwrap();
    world.step(steps).unwrap();
    world
}

#[test]
fn springs() {
    run("soft_bullet.toml", Integrator::Verlet, 100);
    run("soft_three_cubes.toml", Integrator::ImplicitEuler, 10);
    free("soft_cube.toml", Integrator::Rk4, 10);
}

#[test]
fn finite_elements() {
    free("fem_core.toml", Integrator::Leapfrog, 20);
    free("fem_plastic.toml", Integrator::ImplicitEuler, 10);
    free("fem_laws.toml", Integrator::Vbd, 10);
}

#[test]
fn shape_matching() {
    free("shape_plastic.toml", Integrator::Verlet, 20);
    free("shape_modes.toml", Integrator::ImplicitEuler, 10);
}

#[test]
fn rigid_bodies() {
    run("rigid_pyramid.toml", Integrator::Verlet, 50);
    run("rigid_on_soft.toml", Integrator::Verlet, 50);
    run("rigid_on_soft.toml", Integrator::ImplicitEuler, 10);
}

#[test]
fn ties() {
    run("soft_crane.toml", Integrator::Verlet, 50);
    run("soft_crane.toml", Integrator::ImplicitEuler, 5);
}
