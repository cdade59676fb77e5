//! What the integrators are given: a cube that starts stretched along x and is let go, free and without gravity.
//!
//! Its damping acts as the force law says, so that all integrators solve the same equations, and is strong enough that
//! each of them has a stable step.

use pliant::Context;
use pliant::Result;
use pliant::internals::Inside as _;
use pliant::internals::setup;
use pliant::scene::{Body, DampingMode, Integrator, Mass, Scene, Springs, Step};
use pliant::world::World;
use serde::Serialize;

use super::Settings;

/// Length of a cube's edges [m].
const SPACING: f64 = 0.2;
/// Mass of a point [kg].
const MASS: f64 = 0.05;
/// k_D [J]
const DISTANCE: f64 = 60.0;
/// k_V [J]
const VOLUME: f64 = 20.0;
/// d_C [J s]
const DAMPING: f64 = 0.1;
/// Length along x at the start over that at rest.
const STRETCH: f64 = 1.1;
/// Simulated time after which errors are measured [s]: about one period of the cube's longest vibration.
pub const DURATION: f64 = 0.1;
/// A step that is short for all of them [s].
pub const SHORT: f64 = 1e-5;

/// The lattice and its motion.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CubeBench {
    /// Points.
    pub points: usize,
    /// Springs.
    pub springs: usize,
    /// Tetrahedra.
    pub tets: usize,
    /// Length of a cube's edges [m].
    pub spacing: f64,
    /// Mass of a point [kg].
    pub mass: f64,
    /// k_D [J]
    pub distance: f64,
    /// k_V [J]
    pub volume: f64,
    /// d_C [J s]
    pub damping: f64,
    /// Length along x at the start over that at rest.
    pub stretch: f64,
    /// Simulated time after which errors are measured [s].
    pub duration: f64,
}

/// An integrator and how it treats the damping.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub integrator: Integrator,
    /// None: as in a scene that says nothing of it.
    pub mode: Option<DampingMode>,
}

impl Case {
    /// Every integrator with damping as it is, so that all solve the same equations; then what scenes have that name neither,
    /// unless it is one of those.
    pub fn all() -> Vec<Self> {
        let explicit = |integrator: Integrator| Self {
            integrator,
            mode: (!integrator.is_implicit()).then_some(DampingMode::Explicit),
        };
        let default = Self { integrator: Integrator::default(), mode: None };
        let default = Some(default).filter(|case| case.mode() != DampingMode::Explicit);
        let cases = Integrator::ALL.into_iter().map(explicit);
        cases.chain(default).collect()
    }

    fn mode(&self) -> DampingMode {
        setup::damping_mode(self.integrator, self.mode)
    }

    /// How its damping is treated.
    pub fn damping(&self) -> &'static str {
        match self.integrator.is_implicit() {
            true => "implicit",
            false => self.mode().name(),
        }
    }
}

/// A world of the cube.
pub fn world(context: &Context, settings: &Settings, case: Case, step: f64) -> Result<World> {
    World::new(context, &scene(settings.cubes, case, step))
}

fn scene(cubes: u32, case: Case, step: f64) -> Scene {
    let mut scene = Scene::default();
    scene.world.integrator = case.integrator;
    scene.world.gravity = [0.0; 3];
    scene.world.step = Step::Fixed(step);
    let mut body = Body::lattice("cube", [cubes; 3], [SPACING * f64::from(cubes); 3]);
    body.mass = Mass::Point(MASS);
    body.kind = Springs::Constants { distance: DISTANCE, volume: VOLUME, damping: DAMPING }.into();
    body.stretch = [STRETCH, 1.0, 1.0];
    body.damping_mode = case.mode;
    scene.bodies.push(body);
    scene
}

/// What there is of it.
pub fn describe(context: &Context, settings: &Settings) -> Result<CubeBench> {
    let world = world(context, settings, Case::all()[0], SHORT)?;
    let model = world.model();
    Ok(CubeBench {
        points: model.positions.len(),
        springs: model.springs.len(),
        tets: model.tets.len(),
        spacing: SPACING,
        mass: MASS,
        distance: DISTANCE,
        volume: VOLUME,
        damping: DAMPING,
        stretch: STRETCH,
        duration: DURATION,
    })
}
