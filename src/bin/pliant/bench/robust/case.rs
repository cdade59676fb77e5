//! One random scene: its numbers, simpler ones beside it, and how it is run.

use glam::DVec3;
use pliant::Context;
use pliant::Result;
use pliant::internals::extreme;
use pliant::internals::model::placing;
use pliant::internals::verify::Random;
use pliant::mesh::Surface;
use pliant::scene::SAG;
use pliant::scene::{
    Body, Fem, Integrator, Kind, Law, Mass, MeshSource, Preset, Properties, Scene, Solid, Springs,
};

use super::{Choice, Outcome, shapes};

/// What a body's rest shape is, with a longest side of 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A block of cubes with these sides over the longest.
    Block([f64; 3]),
    /// A ball.
    Ball,
    /// A torus.
    Torus,
    /// A ball with limbs along the axes.
    Jack,
    /// A ball with bumps.
    Bumps,
}

/// What a body is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Material {
    /// It names nothing.
    Nothing,
    /// Springs of a preset.
    Preset(Preset),
    /// Springs of this ρ g L/E.
    Springs(f64),
    /// Neo-Hookean finite elements of this ρ g L/E and Poisson's ratio.
    Fem(f64, f64),
    /// The same of corotated ones.
    Corotated(f64, f64),
}

/// A body that falls on a floor, a step or a ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its rest shape.
    pub shape: Shape,
    /// Its longest side L [m].
    pub size: f64,
    /// Cubes along that.
    pub cells: u32,
    /// What it is made of.
    pub material: Material,
    /// [kg/m³]
    pub density: f64,
    /// Relaxation time over √(L/g); `None`: it names none.
    pub relaxation: Option<f64>,
    /// Angles about x, y and z [rad].
    pub tilt: [f64; 3],
    /// Height of its lowest point over L.
    pub drop: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// What lies under it beside the floor: nothing, a box under one half, a ball.
    pub obstacle: u32,
    /// A second one like it falls after it.
    pub pair: bool,
    /// What integrates it.
    pub integrator: Choice,
}

/// Most cubes times steps of an explicit integrator, so that a run ends in seconds and five hundred in an hour or two.
const MOST_WORK: f64 = 1.5e6;
/// Such a step over the time that sound takes along an edge of the cubes, about.
const COURANT: f64 = 0.4;
/// [m/s²]
pub(super) const GRAVITY: f64 = 9.81;

impl Case {
    /// Scene `index` of a seed.
    #[must_use]
    pub fn random(seed: u64, index: usize) -> Self {
        let mut random =
            Random::new(seed.wrapping_add(1) ^ (index as u64).wrapping_mul(0x2545_f491_4f6c_dd1d));
        // The first numbers of near seeds are near.
        for _ in 0..8 {
            random.between(0.0, 1.0);
        }
        let logarithmic =
            |random: &mut Random, low: f64, high: f64| random.between(low.ln(), high.ln()).exp();
        let shape = match random.index(0, 8) {
            0..4 => {
                let mut sides = [1.0; 3];
                sides[random.index(0, 3)] = random.between(0.3, 1.0);
                sides[random.index(0, 3)] = random.between(0.5, 1.0);
                let longest = sides.iter().copied().fold(0.0, extreme::greatest);
                Shape::Block(sides.map(|side| side / longest))
            }
            4 => Shape::Ball,
            5 => Shape::Torus,
            6 => Shape::Jack,
            _ => Shape::Bumps,
        };
        let softness = logarithmic(&mut random, 2e-3, 0.2);
        let poisson = random.between(0.0, 0.45);
        let size = logarithmic(&mut random, 0.01, 10.0);
        let preset = Preset::ALL[random.index(0, Preset::ALL.len())];
        let Properties { density, young, .. } = preset.properties();
        let material = match random.index(0, 9) {
            0 | 1 => Material::Nothing,
            // Nobody builds a house of jelly.
            2 if density * GRAVITY * size > 0.2 * young => Material::Nothing,
            2 => Material::Preset(preset),
            3..6 => Material::Springs(softness),
            6 | 7 => Material::Fem(softness, poisson),
            _ => Material::Corotated(softness, poisson.min(0.4)),
        };
        let level = random.index(0, 3) == 0;
        let tilt = [(); 3].map(|()| random.between(-1.6, 1.6));
        Self {
            shape,
            size,
            cells: logarithmic(&mut random, 3.0, 24.99) as u32,
            material,
            density: logarithmic(&mut random, 100.0, 3000.0),
            relaxation: (random.index(0, 3) == 0).then(|| logarithmic(&mut random, 0.1, 0.4)),
            tilt: if level { [0.0; 3] } else { tilt },
            drop: random.between(0.0, 5.0),
            friction: random.between(0.1, 1.0),
            obstacle: random.index(0, 6) as u32,
            pair: random.index(0, 6) == 0,
            integrator: Choice::Open,
        }
        .bounded()
    }

    /// With no more cubes than a run bears.
    fn bounded(mut self) -> Self {
        while self.cells > 3 && self.work() > MOST_WORK {
            self.cells -= 1;
        }
        self
    }

    /// Cubes times steps, about.
    fn work(&self) -> f64 {
        let share = match self.shape {
            Shape::Block(sides) => sides.iter().product(),
            Shape::Ball | Shape::Bumps => 0.6,
            Shape::Torus | Shape::Jack => 0.35,
        };
        let bodies = if self.pair { 2.0 } else { 1.0 };
        let cells = f64::from(self.cells);
        // E/ρ
        let stiffness = match self.material {
            Material::Nothing => GRAVITY * self.size / (2.0 * SAG),
            Material::Preset(preset) => preset.properties().young / preset.properties().density,
            Material::Springs(softness)
            | Material::Fem(softness, _)
            | Material::Corotated(softness, _) => GRAVITY * self.size / softness,
        };
        let step = COURANT * self.size / (cells * stiffness.sqrt());
        bodies * share * cells.powi(3) * self.longest() / step
    }

    /// Is run with this integrator. Vertex block descent takes neo-Hookean elements where it would have corotated ones.
    pub fn take(&mut self, integrator: Choice) {
        self.integrator = integrator;
        if integrator == Choice::Named(Integrator::Vbd)
            && let Material::Corotated(softness, poisson) = self.material
        {
            self.material = Material::Fem(softness, poisson);
        }
    }

    /// The scene: what it leaves out is left out there.
    ///
    /// # Errors
    /// A shape that makes no surface.
    pub fn scene(&self) -> Result<Scene> {
        let mut scene = Scene::default();
        scene.world.floor = Some(0.0);
        scene.world.friction = self.friction;
        match self.integrator {
            Choice::Open => {}
            Choice::Auto => scene.world.auto_integrator = true,
            Choice::Named(integrator) => scene.world.integrator = integrator,
        }
        let mut body = self.body("body")?;
        let top = self.put_obstacle(&mut scene);
        let low = self.lowest(&body)?;
        body.position[1] = top + self.drop * self.size - low;
        let mut bodies = vec![body];
        if self.pair {
            let mut second = self.body("second")?;
            second.position = bodies[0].position;
            second.position[0] += 0.2 * self.size;
            second.position[1] += 2.0 * self.size;
            bodies.push(second);
        }
        scene.bodies = bodies;
        Ok(scene)
    }

    /// How far a place is from the floor and what lies on it [m].
    pub(super) fn gap(&self, x: DVec3) -> f64 {
        let size = self.size;
        let beyond = |x: DVec3, half: DVec3| (x.abs() - half).max(DVec3::ZERO).length();
        let obstacle = match self.obstacle {
            4 => beyond(x - DVec3::X * 0.6 * size, size * DVec3::new(0.5, 0.25, 1.5)),
            5 => (x - size * DVec3::new(0.1, 0.0, 0.05)).length() - 0.5 * size,
            _ => f64::INFINITY,
        };
        obstacle.min(x.y)
    }

    /// The height that bodies fall from above of.
    fn put_obstacle(&self, scene: &mut Scene) -> f64 {
        let size = self.size;
        match self.obstacle {
            4 => {
                scene
                    .solids
                    .push(Solid::cuboid([0.6 * size, 0.0, 0.0], [size, 0.5 * size, 3.0 * size]));
                0.25 * size
            }
            5 => {
                scene.solids.push(Solid::sphere([0.1 * size, 0.0, 0.05 * size], 0.5 * size));
                0.5 * size
            }
            _ => 0.0,
        }
    }

    fn surface(&self) -> Result<Option<Surface>> {
        Ok(Some(match self.shape {
            Shape::Block(_) => return Ok(None),
            Shape::Ball => shapes::star(|_| 1.0)?,
            Shape::Torus => shapes::torus()?,
            Shape::Jack => shapes::star(|d| 0.45 + 0.55 * (d * d * d * d).max_element())?,
            Shape::Bumps => shapes::star(|d| {
                1.0 + 0.15 * (6.0 * d.x).sin() * (5.0 * d.y).cos() * (6.0 * d.z + 1.0).sin()
            })?,
        }))
    }

    fn body(&self, name: &str) -> Result<Body> {
        let (size, cells) = (self.size, self.cells);
        let mesh = match self.surface()? {
            Some(surface) => MeshSource::Surface { surface, cells },
            None => {
                let sides = match self.shape {
                    Shape::Block(sides) => sides,
                    _ => [1.0; 3],
                };
                let cubes = sides.map(|side| (side * f64::from(cells)).round().max(1.0) as u32);
                // Cubes stay cubes: the sides are rounded with them.
                let side = cubes.map(|count| f64::from(count) / f64::from(cells));
                MeshSource::Lattice { cubes, size: side }
            }
        };
        let mut body = Body::new(name, mesh);
        body.scale = [size; 3];
        body.rotation = self.tilt;
        let modulus = |softness: f64| self.density * GRAVITY * size / softness;
        let relaxation = self.relaxation.map(|part| part * (size / GRAVITY).sqrt());
        let fem = |softness, poisson, law| {
            Kind::from(Fem { relaxation, law, ..Fem::new(modulus(softness), poisson) })
        };
        match self.material {
            Material::Nothing => return Ok(body),
            Material::Preset(preset) => {
                (body.mass, body.kind) = (preset.mass(), preset.springs().into());
                return Ok(body);
            }
            Material::Springs(softness) => {
                body.kind = Springs::Moduli { young: Some(modulus(softness)), relaxation }.into();
            }
            Material::Fem(softness, poisson) => body.kind = fem(softness, poisson, Law::NeoHookean),
            Material::Corotated(softness, poisson) => {
                body.kind = fem(softness, poisson, Law::Corotated);
            }
        }
        body.mass = Mass::Density(self.density);
        Ok(body)
    }

    /// The height of its lowest point over its origin [m], a cube's width below an embedded surface.
    fn lowest(&self, body: &Body) -> Result<f64> {
        let points: Vec<DVec3> = match (self.surface()?, &body.mesh) {
            (Some(surface), _) => surface.points,
            (None, MeshSource::Lattice { size, .. }) => {
                let half = 0.5 * DVec3::from(*size);
                let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
                let corner = |k: u32| half * DVec3::new(sign(k & 1), sign(k & 2), sign(k & 4));
                (0..8).map(corner).collect()
            }
            (None, _) => Vec::new(),
        };
        let (scale, rotation) = placing(body);
        let lowest = points.iter().map(|x| (rotation * (scale * *x)).y);
        let lowest = lowest.fold(f64::INFINITY, extreme::least);
        let cube = match self.shape {
            Shape::Block(_) => 0.0,
            _ => self.size / f64::from(self.cells),
        };
        Ok(lowest - cube)
    }

    /// How long it is followed at most [s]: its fall, and four seconds times √(L/m).
    #[must_use]
    pub fn longest(&self) -> f64 {
        let height = self.drop + if self.pair { 2.0 } else { 0.0 };
        let fall = (2.0 * height * self.size / GRAVITY).sqrt();
        1.5 * fall + 4.0 * self.size.sqrt()
    }

    /// Runs it to its end.
    ///
    /// # Errors
    /// A lost device; a scene that cannot be built.
    pub fn run(&self, context: &Context) -> Result<Outcome> {
        Outcome::of(context, self)
    }
}
