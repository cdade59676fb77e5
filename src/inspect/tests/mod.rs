mod field;
mod lines;
mod marks;
mod pointer_spring;
mod sums;

use std::path::Path;

use crate::scene::Scene;
use crate::{Context, World};

fn context() -> &'static Context {
    Context::of_tests()
}

fn scene_file(name: &str) -> Scene {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    Scene::load(&folder.join(name)).unwrap()
}

/// A scene in TOML as one of the files in `scenes/`.
fn scene(text: &str) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/test.toml");
    Scene::parse(text, &path).unwrap()
}

/// Springs, finite elements, clusters and a cloud on each other, a shell, and a fine skin in a lattice, which falls on it.
fn all_kinds() -> Scene {
    let stack = include_str!("../../../scenes/models_stack.toml");
    let more = r#"
        [[body]]
        name = "sheet"
        mesh = { file = "../assets/sheet.ply" }
        shell = true
        radius = 0.01
        position = [2.0, 0.4, 0.0]
        rotation = [-1.5707963, 0.0, 0.0]
        density = 1000.0
        young = 1e5
        relaxation = 0.02
        area = 2.0
        pin = [{ box = [[-0.7, -0.11, -1], [-0.49, 0.1, 1]] }]
        [[body]]
        name = "dog"
        mesh = { file = "../assets/dog.obj", cells = 5 }
        position = [2.1, 1.2, 0.1]
        density = 300.0
        young = 1e5
        relaxation = 0.02
    "#;
    scene(&format!("{stack}{more}"))
}

fn world(scene: &Scene) -> World {
    World::new(context(), scene).unwrap()
}

/// One world of bodies of springs, finite elements, clusters, points and triangles, some hundred steps after they have touched.
#[test]
fn what_is_shown_of_bodies_that_touch() {
    let mut world = settled(&all_kinds(), 30);
    assert!(world.steps() > 200, "{} steps", world.steps());
    field::strains_are_those_of_the_edges(&world);
    field::pressures_are_those_of_the_volumes(&world);
    field::depths_are_those_of_the_contacts(&mut world);
    lines::penetration_vectors_are_those_of_the_records(&mut world);
    sums::sums_are_those_of_the_report(&mut world);
    sums::sums_arrive_without_waiting_and_know_the_last_field(&mut world);
}

/// A world after so many frames.
fn settled(scene: &Scene, frames: usize) -> World {
    let mut world = world(scene);
    for _ in 0..frames {
        world.step_frame().unwrap();
    }
    world
}
