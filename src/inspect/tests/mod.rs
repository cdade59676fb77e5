mod field;
mod lines;
mod pointer_spring;
mod sums;

use std::path::Path;
use std::sync::OnceLock;

use crate::scene::Scene;
use crate::{Context, World};

fn context() -> &'static Context {
    static CONTEXT: OnceLock<Context> = OnceLock::new();
    CONTEXT.get_or_init(|| Context::new().unwrap())
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

/// A world after so many frames.
fn settled(scene: &Scene, frames: usize) -> World {
    let mut world = world(scene);
    for _ in 0..frames {
        world.step_frame().unwrap();
    }
    world
}
