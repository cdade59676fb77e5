//! One step of 1/60 s with more and more sweeps, against the step's solution.

use glam::DVec3;
use serde::Serialize;

use crate::Result;
use crate::gpu::Context;
use crate::reference::implicit;
use crate::scene::{Aabb, Body, Fem, Integrator, Kind, Mass, Scene, Springs, Step};
use crate::verify::start_system;
use crate::world::World;

/// Length of the step [s].
const STEP: f64 = 1.0 / 60.0;
/// Sweeps in the step.
const SWEEPS: [u32; 10] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
/// Length of a cell's edges [m].
const CELL: f64 = 0.2;
/// What is left of the reference's equation [m/s].
const EXACT: f64 = 1e-9;

/// Errors of a step by its sweeps.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// The body and its start.
    pub label: String,
    /// Its material and size.
    pub body: String,
    /// How it starts.
    pub start: &'static str,
    /// What the error is measured against: `f64`, the reference's Newton method, or `implicit_euler`, the device's.
    pub reference: &'static str,
    /// Points of the body.
    pub points: usize,
    /// Sweeps.
    pub iterations: Vec<u32>,
    /// Root mean square of the points' distances to where the solution has them, over that before the first sweep, of the
    /// points that fly on freely.
    pub error: Vec<f64>,
}

/// How a body starts.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// Stretched by half, flat by a fifth, turning.
    Stretched,
    /// Held at one end, let go as it was built.
    Hanging,
}

impl Start {
    fn name(self) -> &'static str {
        match self {
            Self::Stretched => "stretched",
            Self::Hanging => "let hang",
        }
    }
}

fn materials() -> [(&'static str, Kind); 3] {
    let springs = Springs::Moduli {
        young: Some(1e5),
        relaxation: Some(0.0),
    };
    [
        ("springs 0.1 MPa", springs.into()),
        ("fem 0.1 MPa", Fem::undamped(1e5, 0.3).into()),
        ("fem 10 MPa", Fem::undamped(1e7, 0.3).into()),
    ]
}

/// Measures all curves.
///
/// # Errors
/// When the device is lost, and when the reference comes to no solution.
pub fn measure(context: &Context) -> Result<Vec<Curve>> {
    let mut curves = Vec::new();
    for (cells, small) in [([2, 6, 2], true), ([10; 3], false)] {
        for (name, kind) in materials() {
            for start in [Start::Stretched, Start::Hanging] {
                let scene = scene(cells, &kind, start);
                let mut curve = if small {
                    by_reference(context, &scene, &SWEEPS)?
                } else {
                    by_newton(context, &scene, &SWEEPS)?
                };
                curve.body = format!("{name}, {} points", curve.points);
                curve.start = start.name();
                curve.label = format!("{}, {}", curve.body, curve.start);
                curves.push(curve);
            }
        }
    }
    Ok(curves)
}

fn scene(cells: [u32; 3], kind: &Kind, start: Start) -> Scene {
    let size = cells.map(|n| CELL * f64::from(n));
    let mut body = Body::lattice("bar", cells, size);
    body.kind = kind.clone();
    body.mass = Mass::Density(1000.0);
    match start {
        Start::Stretched => {
            body.stretch = [1.0, 1.5, 0.8];
            body.angular_velocity = [2.0, 0.5, -3.0];
        }
        Start::Hanging => {
            let [x, y, z] = size;
            body.pin = vec![Aabb {
                min: [-x, 0.49 * y, -z],
                max: [x, y, z],
            }];
        }
    }
    let mut scene = Scene {
        bodies: vec![body],
        ..Scene::default()
    };
    scene.world.step = Step::Fixed(STEP);
    scene
}

fn after(world: &mut World) -> Result<Vec<DVec3>> {
    world.step(1)?;
    let state = world.read()?;
    let positions = world.mesh_positions(&state, 0)?;
    Ok(positions.into_iter().map(|x| x.as_dvec3()).collect())
}

/// Against the reference in f64, of the numbers that the device has.
fn by_reference(context: &Context, scene: &Scene, sweeps: &[u32]) -> Result<Curve> {
    let world = sweeping(context, scene)?;
    let wanted = implicit::step(&start_system(&world)?, f64::from(STEP as f32), EXACT)?.position;
    let order = world.model().bodies[0].device_index.iter();
    let wanted: Vec<_> = order.map(|i| wanted[*i as usize]).collect();
    curve(world, sweeps, &wanted, "f64")
}

/// Against the device's own Newton method, as far as rounding lets it go.
fn by_newton(context: &Context, scene: &Scene, sweeps: &[u32]) -> Result<Curve> {
    let mut exact = scene.clone();
    exact.world.integrator = Integrator::ImplicitEuler;
    exact.world.iterations = Some(60);
    exact.world.tolerance = Some(1e-6);
    let wanted = after(&mut World::new(context, &exact)?)?;
    curve(sweeping(context, scene)?, sweeps, &wanted, "implicit_euler")
}

fn sweeping(context: &Context, scene: &Scene) -> Result<World> {
    let mut scene = scene.clone();
    scene.world.integrator = Integrator::Vbd;
    World::new(context, &scene)
}

/// The errors of a step with more and more sweeps, each from the same start.
fn curve(
    mut world: World,
    sweeps: &[u32],
    wanted: &[DVec3],
    reference: &'static str,
) -> Result<Curve> {
    let system = start_system(&world)?;
    let free = |i: &u32| {
        let i = *i as usize;
        let (x, v) = (system.position[i], system.velocity[i]);
        match system.pinned(i) {
            true => x,
            false => x + STEP * (v + STEP * system.gravity),
        }
    };
    let order = world.model().bodies[0].device_index.iter();
    let before = distance(&order.map(free).collect::<Vec<_>>(), wanted);
    let start = world.save()?;
    let error = sweeps.iter().map(|count| {
        world.restore(&start)?;
        world.set_iterations(*count);
        Ok(distance(&after(&mut world)?, wanted) / before)
    });
    Ok(Curve {
        label: String::new(),
        body: String::new(),
        start: "",
        reference,
        points: wanted.len(),
        iterations: sweeps.to_vec(),
        error: error.collect::<Result<_>>()?,
    })
}

/// Root mean square of the distances between two sets of points [m].
fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum();
    (sum / a.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn errors_fall_with_every_doubling_of_the_sweeps() {
        let context = Context::new().unwrap();
        for (name, kind) in materials() {
            for start in [Start::Stretched, Start::Hanging] {
                let scene = scene([2, 3, 2], &kind, start);
                let curve = by_reference(&context, &scene, &[1, 2, 4, 8, 16, 32, 64, 128]).unwrap();
                println!("{name}, {}: {:.6?}", start.name(), curve.error);
                // Rounding of the positions is a few times 1e-5 of what gravity does in a step.
                for pair in curve.error.windows(2).filter(|pair| pair[0] > 1e-3) {
                    assert!(pair[1] < 0.95 * pair[0], "{name}: {:?}", curve.error);
                }
                assert!(curve.error.iter().any(|error| *error < 1e-3), "{name}");
            }
        }
    }
}
