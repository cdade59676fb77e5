//! Whole steps on watched CPU threads: no kernel has a race, and none asks for what its arrays have not.

use std::panic::{AssertUnwindSafe, catch_unwind};

use glam::{UVec2, Vec3, Vec4};
use pliant::internals::bind;
use pliant::internals::gpu::types::Sim;
use pliant::internals::gpu::{Buffer, Kernel, Recorder, Uniforms};
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

/// A real kernel that is told of more vertices than there are: what it panics with.
fn told_too_much(checked: bool) -> Option<String> {
    let context = Context::cpu(None).unwrap().with_checked_shaders(checked);
    let sim = Uniforms::new(&context, "sim", 1);
    sim.write(&context, &[Sim { skin_count: 1000, ..Sim::default() }]);
    let positions = Buffer::<Vec4>::zeroed(&context, "skin_positions", 1000).unwrap();
    let normals = Buffer::<Vec4>::zeroed(&context, "skin_normal", 900).unwrap();
    let fans = Buffer::<UVec2>::zeroed(&context, "skin_fans", 1000).unwrap();
    let corners = Buffer::<UVec2>::zeroed(&context, "skin_corners", 1).unwrap();
    let bindings = [
        sim.bind("sim"),
        bind(&positions, "skin_positions"),
        bind(&normals, "skin_normal"),
        bind(&fans, "skin_fans"),
        bind(&corners, "skin_corners"),
    ];
    let bound = Kernel::new(&context, "skin_normals").bind(&context, &bindings);
    let mut recorder = Recorder::new(&context);
    recorder.dispatch(&bound, 1000, 0);
    let panic = catch_unwind(AssertUnwindSafe(|| recorder.submit())).err()?;
    Some(panic.downcast_ref::<String>().unwrap().clone())
}

/// Whatever the number of threads: 900 vectors are 3600 words.
#[test]
fn kernels_are_watched_where_it_is_asked_for() {
    assert_eq!(told_too_much(false), None);
    let found = told_too_much(true).unwrap();
    let place = "skin_normals, wgsl/body/skin_normals.wgsl:";
    let what = "skin_normal: invocation 4 of workgroup 14 asks for word 3603 of 3600";
    assert!(found.starts_with(place) && found.ends_with(what), "{found}");
}

#[test]
fn springs() {
    run("soft_three_cubes.toml", Integrator::Verlet, 20);
    run("soft_three_cubes.toml", Integrator::ImplicitEuler, 5);
    free("soft_cube.toml", Integrator::Rk4, 10);
}

#[test]
fn finite_elements() {
    free("fem_core.toml", Integrator::Leapfrog, 20);
    free("fem_plastic.toml", Integrator::ImplicitEuler, 10);
    free("fem_core.toml", Integrator::Vbd, 10);
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
    run("soft_crane.toml", Integrator::Verlet, 20);
    run("soft_crane.toml", Integrator::ImplicitEuler, 2);
}
