//! The scenes, and what Kratochvíl (2007) published of his: of the same size, not the same.

use std::path::Path;

use pliant::Result;
use pliant::mesh::{Format, Mesh, read_bytes};
use pliant::scene::{MeshSource, Scene, Solid};
use serde::Serialize;

use super::stages::Stage;

/// What the published figures were measured on.
pub const HARDWARE: &str = "Pentium 4, 1.8 GHz";

const CUBES: &str = include_str!("../../../../../scenes/soft_three_cubes.toml");
const DOGS: &str = include_str!("../../../../../scenes/soft_four_dogs.toml");
const DOG: &[u8] = include_bytes!("../../../../../assets/dog.obj");

/// A scene with published figures.
#[derive(Debug)]
pub struct ThesisScene {
    pub name: &'static str,
    pub scene: Scene,
    pub published: Figures,
    /// The longest that each stage took [ms].
    pub worst_ms: fn(Stage) -> Option<f64>,
}

/// A scene's size and speed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Particles.
    pub points: usize,
    /// Springs.
    pub edges: usize,
    /// Of the surfaces that touch.
    pub triangles: usize,
    /// Tetrahedra.
    pub tets: usize,
    /// Pictures per second, of two steps each.
    pub fps_mean: f64,
    /// The slowest.
    pub fps_min: f64,
    /// Points inside another body or within its margin.
    pub colliding_points_mean: f64,
    /// The most in a step.
    pub colliding_points_max: u64,
    /// Surface triangles with a colliding corner or one of a tetrahedron that holds a point.
    pub colliding_triangles_mean: f64,
    /// The most in a step.
    pub colliding_triangles_max: u64,
}

/// The scenes.
///
/// # Errors
/// None: they are part of the crate.
pub fn scenes() -> Result<[ThesisScene; 2]> {
    let dog = read_bytes(Format::Obj, DOG, Path::new("dog.obj"))?;
    let mut dogs = Scene::parse(DOGS, Path::new("soft_four_dogs.toml"))?;
    for body in &mut dogs.bodies {
        // In cubes, as there.
        body.fitted = false;
        if let (&MeshSource::File { cells, .. }, Mesh::Surface(surface)) = (&body.mesh, &dog) {
            let surface = surface.clone();
            body.mesh = MeshSource::Surface { surface, cells };
        }
    }
    dogs.solids = pit();
    let cubes = ThesisScene {
        name: "3 cubes",
        scene: Scene::parse(CUBES, Path::new("soft_three_cubes.toml"))?,
        published: Figures {
            points: 648,
            edges: 2970,
            triangles: 900,
            tets: 1875,
            fps_mean: 31.0,
            fps_min: 29.0,
            colliding_points_mean: 92.0,
            colliding_points_max: 147,
            colliding_triangles_mean: 370.0,
            colliding_triangles_max: 575,
        },
        worst_ms: cubes_ms,
    };
    let dogs = ThesisScene {
        name: "4 dogs",
        scene: dogs,
        published: Figures {
            points: 452,
            edges: 1804,
            triangles: 864,
            tets: 928,
            fps_mean: 30.0,
            fps_min: 25.0,
            colliding_points_mean: 105.0,
            colliding_points_max: 142,
            colliding_triangles_mean: 451.0,
            colliding_triangles_max: 596,
        },
        worst_ms: dogs_ms,
    };
    Ok([cubes, dogs])
}

/// Walls 0.6 m from the axis, so that the dogs stay on each other.
fn pit() -> Vec<Solid> {
    let wall = |position, size| Solid::cuboid(position, size);
    let walls = [1.1, -1.1]
        .map(|x| [wall([x, 2.0, 0.0], [1.0, 8.0, 4.0]), wall([0.0, 2.0, x], [4.0, 8.0, 1.0])]);
    walls.concat()
}

fn cubes_ms(stage: Stage) -> Option<f64> {
    Some(match stage {
        // Internal forces and integration, which here are one pass.
        Stage::Forces => 16.0 + 32.0,
        Stage::Detect => 32.0,
        Stage::Gather => 16.0,
        Stage::Penetration => 16.0,
        Stage::Resolve => 47.0,
        Stage::FineMesh => 16.0,
        Stage::Draw => 47.0,
    })
}

fn dogs_ms(stage: Stage) -> Option<f64> {
    match stage {
        Stage::Forces => Some(16.0 + 16.0),
        Stage::Detect | Stage::Gather | Stage::Penetration | Stage::Resolve => Some(16.0),
        Stage::FineMesh => None,
        Stage::Draw => Some(63.0),
    }
}

#[cfg(test)]
mod tests {
    use super::scenes;
    use pliant::internals::model::Model;

    #[test]
    fn scenes_are_as_large_as_the_published_ones() {
        for thesis in scenes().expect("scenes of the crate") {
            let model = Model::new(&thesis.scene, "none", u64::MAX).expect("a model");
            let published = thesis.published;
            for (got, want) in [
                (model.positions.len(), published.points),
                (model.springs.len(), published.edges),
                (model.triangles.len(), published.triangles),
                (model.tets.len(), published.tets),
            ] {
                let ratio = got as f64 / want as f64;
                assert!((0.9..1.1).contains(&ratio), "{}: {got}, {want}", thesis.name);
            }
        }
    }
}
