//! The seam to the device: sizes, limits, empty worlds, the caller's device.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;
mod narrow;
mod prim;
mod rotation;

use glam::{UVec2, Vec4};
use pliant::internals::bind;
use pliant::internals::gpu::types::Sim;
use pliant::internals::gpu::{Buffer, Kernel, Recorder, Uniforms};
use pliant::scene::{Body, Mass, Step};
use pliant::{Error, Scene, World};

use common::*;

fn cube() -> Body {
    let cube = Body::lattice("cube", [2, 2, 2], [0.4, 0.4, 0.4]);
    Body { mass: Mass::Point(0.05), kind: constants(60.0, 20.0, 2.0), ..cube }
}

/// 65 535 groups of 64 threads are 4 194 240; more take a second dimension.
#[test]
fn dispatches_past_65535_groups_reach_every_element() {
    const COUNT: usize = 65_535 * 64 + 12_345;
    let context = new_device();
    let sim = Uniforms::new(&context, "sim", 1);
    sim.write(&context, &[Sim { skin_count: COUNT as u32, ..Sim::default() }]);
    let positions = Buffer::<Vec4>::zeroed(&context, "positions", COUNT).unwrap();
    let normals = Buffer::<Vec4>::zeroed(&context, "normals", COUNT).unwrap();
    let fans = Buffer::<UVec2>::zeroed(&context, "fans", COUNT).unwrap();
    let corners = Buffer::<UVec2>::zeroed(&context, "corners", 1).unwrap();
    let kernel = Kernel::new(&context, "skin_normals");
    let bound = kernel.bind(
        &context,
        &[
            sim.bind("sim"),
            bind(&positions, "skin_positions"),
            bind(&normals, "skin_normal"),
            bind(&fans, "skin_fans"),
            bind(&corners, "skin_corners"),
        ],
    );
    let mut recorder = Recorder::new(&context);
    recorder.dispatch(&bound, COUNT, 0);
    recorder.submit();
    // A vertex without triangles has the normal (0, 1, 0); untouched memory is 0.
    assert!(normals.read(&context).unwrap().iter().all(|normal| *normal == Vec4::Y));
}

#[test]
fn an_array_past_the_limit_is_named() {
    let context = new_device();
    let count = context.largest_buffer() / 16 + 1;
    let error = Buffer::<Vec4>::zeroed(&context, "things", count as usize).unwrap_err();
    assert!(matches!(&error, Error::TooLarge { array, .. } if array == "things"), "{error}");
}

#[test]
fn a_lattice_past_the_limit_is_refused_before_it_is_built() {
    let context = new_device();
    let scene = scene_of([Body::lattice("large", [250, 250, 250], [1.0; 3])]);
    let start = std::time::Instant::now();
    let error = World::new(&context, &scene).unwrap_err();
    assert!(matches!(&error, Error::TooLarge { array, .. } if array == "elements"), "{error}");
    assert!(error.to_string().contains("bytes"), "{error}");
    assert!(start.elapsed().as_secs() < 2);
}

#[test]
fn an_empty_world_runs() {
    let mut world = World::new(&new_device(), &Scene::default()).unwrap();
    world.step(10).unwrap();
    world.step_frame().unwrap();
    let state = world.read().unwrap();
    assert!(state.positions.is_empty() && state.steps == 11);
    let saved = world.save().unwrap();
    world.restore(&saved).unwrap();
    world.update_skin();
}

#[test]
fn steps_are_counted_whatever_the_batches() {
    let context = new_device();
    let mut scene = scene_of([cube()]);
    scene.world.step = Step::Fixed(1e-3);
    let mut world = World::new(&context, &scene).unwrap();
    world.step(700).unwrap();
    world.step(0).unwrap();
    assert_eq!(world.steps(), 700);
    assert_eq!(world.read().unwrap().steps, 700);
    assert!((world.time() - 0.7).abs() < 1e-12);
    assert_eq!(world.report().unwrap().steps, 700);
}

#[test]
fn a_poor_device_is_refused_with_the_limit() {
    let adapter = pliant::adapters().into_iter().next().unwrap();
    let descriptor = wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits::downlevel_defaults(),
        ..Default::default()
    };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    let error = World::with_device(&device, &queue, &Scene::default()).unwrap_err();
    assert!(error.to_string().contains("max_storage_buffers_per_shader_stage"), "{error}");
}

#[test]
fn two_worlds_share_a_device_and_outlive_each_other() {
    let context = new_device();
    let scene = scene_of([cube()]);
    let mut first = World::new(&context, &scene).unwrap();
    let (device, queue) = context.graphics().unwrap();
    let mut second = World::with_device(device, queue, &scene).unwrap();
    first.step(5).unwrap();
    second.step(5).unwrap();
    drop(first);
    drop(context);
    second.step(5).unwrap();
    assert!(second.read().unwrap().positions.iter().all(|x| x.is_finite()));
}
