//! What the tests share: one device, worlds, and the same system in f64.

use std::path::Path;

use glam::{DVec3, UVec3};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme::{greatest, least};
use pliant::internals::gpu::types::Particle;
use pliant::internals::reference::{self, Damping, Scheme, System};
use pliant::mesh::{Lattice, TetMesh};
use pliant::scene::{Body, DampingMode, Integrator, Mass, MeshSource, Scene, Step};
use pliant::world::Snapshot;

pub use crate::common::*;

/// A scene with one body, without gravity.
pub fn floating(body: Body, integrator: Integrator, step: Step) -> Scene {
    let mut scene = scene_of(vec![body]);
    if integrator.is_implicit() {
        // Theirs is whole, and takes no mode.
        scene.bodies[0].damping_mode = None;
    }
    scene.world.gravity = [0.0; 3];
    scene.world.integrator = integrator;
    scene.world.step = step;
    scene
}

/// The block of the spec's tables: n³ cubes of `cell` [m], k_D = 60 J, k_V = 20 J, 0.05 kg per point.
pub fn block(n: u32, cell: f64, damping: f64) -> Body {
    let mut body = Body::lattice("block", [n; 3], [f64::from(n) * cell; 3]);
    body.kind = constants(60.0, 20.0, damping);
    body.mass = Mass::Point(0.05);
    body
}

pub fn asset(name: &str) -> Body {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
    Body::from_file("part", path)
}

/// A lattice whose points are moved by up to `jitter` cells and of whose cubes a share is left out at random.
pub fn random_mesh(cubes: [u32; 3], jitter: f64, left_out: f64, seed: u64) -> TetMesh {
    let mut random = Random::new(seed);
    let size = UVec3::from(cubes).as_dvec3();
    let lattice = Lattice::new(cubes, -0.5 * size, size).unwrap();
    let points = lattice.points().map(|x| x + jitter * random.vector(1.0)).collect();
    let kept =
        |i: &usize, random: &mut Random| *i == 0 || random.between(-1.0, 1.0).abs() >= left_out;
    let tets = lattice
        .cubes()
        .enumerate()
        .filter(|(i, _)| kept(i, &mut random))
        .flat_map(|(_, cube)| lattice.tets(cube));
    TetMesh::new(points, tets.collect()).unwrap()
}

/// Of the thesis's defaults: 1 kg per point, k_D = 20 J, k_V = 10 J, d_C = 1 J s.
pub fn from_mesh(mesh: TetMesh) -> Body {
    let mut body = Body::new("random", MeshSource::Tets(mesh));
    body.mass = Mass::Point(1.0);
    body.kind = constants(20.0, 10.0, 1.0);
    body
}

/// A world's system at its start, in f64, from the values that the device has.
pub fn system(world: &World) -> System {
    let (model, scene) = (world.model(), world.scene());
    let particles = world.particles().read(world.context()).unwrap();
    let mut system = System {
        position: particles.iter().map(|p| p.position.as_dvec3()).collect(),
        velocity: model.velocities.iter().map(|v| v.as_vec3().as_dvec3()).collect(),
        inverse_mass: particles.iter().map(|p| f64::from(p.inverse_mass)).collect(),
        body: vec![0; particles.len()],
        gravity: scene.world.gravity.into(),
        drag: scene.world.drag,
        damping_rate: vec![0.0; particles.len()],
        half_velocity: vec![DVec3::ZERO; particles.len()],
        ..System::default()
    };
    for (index, body) in model.bodies.iter().enumerate() {
        system.body[body.particles.clone()].fill(index);
        system.bodies.push(reference::Material::default());
        let area = |a: &pliant::internals::model::Area| reference::Area {
            corners: a.corners.map(|i| i as usize),
            rest: a.rest,
            stiffness: body.material.area,
        };
        system.areas.extend(model.areas[body.areas.clone()].iter().map(area));
    }
    let spring = |s: &pliant::internals::model::Spring| reference::Spring {
        points: s.points.map(|i| i as usize),
        rest: s.rest,
        stiffness: s.distance,
        damping: s.damping,
    };
    system.springs = model.springs.iter().map(spring).collect();
    let tet = |t: &pliant::internals::model::Tet| reference::Tet {
        corners: t.corners.map(|i| i as usize),
        rest_volume: t.rest,
        stiffness: t.volume,
    };
    system.tets = model.tets.iter().map(tet).collect();
    system.elements = model.elements.iter().map(element).collect();
    system.shape_rates = model.elements.iter().map(|e| e.shape_rate).collect();
    system
}

fn element(element: &pliant::internals::family::fem::FemElement) -> reference::fem::Element {
    reference::fem::Element {
        corners: element.corners.map(|i| i as usize),
        gradients: element.gradients,
        volume: element.volume,
        law: element.law,
        lame: element.lame,
        relaxation: element.relaxation,
        plastic: glam::DMat3::IDENTITY,
    }
}

/// The system with the largest angular frequencies that the world works with.
pub fn system_with_stiffness(world: &mut World) -> System {
    let mut system = system(world);
    let stiffness = world.report().unwrap().stiffness.clone();
    for (body, omega) in system.bodies.iter_mut().zip(stiffness) {
        body.omega = f64::from(pliant::internals::gpu::types::PROBE_MARGIN) * omega;
    }
    system
}

/// Starts a world anew from the system's positions and velocities, which are turned into the integrator's own. Leapfrog
/// keeps another velocity beside, which only a scene's own start can set.
pub fn start_from(world: &World, system: &mut System) {
    assert_ne!(world.scene().world.integrator, Integrator::Leapfrog);
    if !world.scene().world.integrator.is_implicit() {
        explicit(world).start(system);
    }
    let particles: Vec<_> = (0..system.position.len())
        .map(|i| Particle {
            position: system.position[i].as_vec3(),
            inverse_mass: system.inverse_mass[i] as f32,
            velocity: system.velocity[i].as_vec3(),
            damping_rate: system.damping_rate[i] as f32,
        })
        .collect();
    world.particles().write(world.context(), 0, &particles);
}

/// The world's integrator in f64, with explicit damping.
pub fn explicit(world: &World) -> Scheme {
    let step = f64::from(world.stepping().step as f32);
    scheme(world.scene().world.integrator, Damping::Explicit, step)
}

pub fn scheme(integrator: Integrator, damping: Damping, step: f64) -> Scheme {
    Scheme::new(integrator, damping, step).unwrap()
}

/// The scene with implicit steps solved as well as f32 lets them.
pub fn solved_well(mut scene: Scene) -> Scene {
    match scene.world.integrator {
        Integrator::ImplicitEuler => scene.world.tolerance = Some(1e-6),
        Integrator::Vbd => scene.world.iterations = Some(60),
        _ => (),
    }
    scene
}

/// Integrators of which the reference has a step of its own.
pub const EXPLICIT: [Integrator; 6] = [
    Integrator::Euler,
    Integrator::SymplecticEuler,
    Integrator::Verlet,
    Integrator::Leapfrog,
    Integrator::Midpoint,
    Integrator::Rk4,
];

pub fn order(integrator: Integrator) -> i32 {
    match integrator {
        Integrator::Euler
        | Integrator::SymplecticEuler
        | Integrator::ImplicitEuler
        | Integrator::Vbd => 1,
        Integrator::Verlet | Integrator::Leapfrog | Integrator::Midpoint => 2,
        Integrator::Rk4 => 4,
    }
}

pub fn modes(integrator: Integrator) -> &'static [DampingMode] {
    match integrator {
        Integrator::SymplecticEuler | Integrator::Verlet | Integrator::Leapfrog => {
            &DampingMode::ALL
        }
        _ => &[DampingMode::Explicit],
    }
}

pub fn doubles(vectors: &[glam::Vec3]) -> Vec<DVec3> {
    vectors.iter().map(|v| v.as_dvec3()).collect()
}

/// Energies of a snapshot in f64.
pub fn energies(system: &System, snapshot: &Snapshot) -> reference::force::Energies {
    reference::force::energies(
        system,
        &doubles(&snapshot.positions),
        &doubles(&snapshot.velocities),
    )
}

/// Mean of the positions or velocities, all points weighing the same [m, m/s].
pub fn mean(vectors: &[glam::Vec3]) -> DVec3 {
    doubles(vectors).into_iter().sum::<DVec3>() / vectors.len() as f64
}

pub fn rms(vectors: &[glam::Vec3]) -> f64 {
    (doubles(vectors).iter().map(|v| v.length_squared()).sum::<f64>() / vectors.len() as f64).sqrt()
}

/// Of a body's points: the mean position, all weighing the same [m].
pub fn centre(world: &World, snapshot: &Snapshot, body: usize) -> DVec3 {
    mean(&snapshot.positions[world.model().bodies[body].particles.clone()])
}

/// Of a body's points: the mean velocity [m/s].
pub fn drift(world: &World, snapshot: &Snapshot, body: usize) -> DVec3 {
    mean(&snapshot.velocities[world.model().bodies[body].particles.clone()])
}

/// The least height of these points [m].
pub fn lowest(positions: &[glam::Vec3]) -> f64 {
    positions.iter().map(|x| f64::from(x.y)).fold(f64::INFINITY, least)
}

/// The greatest height of these points [m].
pub fn highest(positions: &[glam::Vec3]) -> f64 {
    positions.iter().map(|x| f64::from(x.y)).fold(f64::NEG_INFINITY, greatest)
}

/// The largest distance of two states of points.
pub fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, greatest)
}

/// The largest length.
pub fn longest(vectors: &[DVec3]) -> f64 {
    vectors.iter().map(|v| v.length()).fold(0.0, greatest)
}

/// Positions and velocities of a world.
pub fn read(world: &mut World) -> [Vec<DVec3>; 2] {
    let snapshot = world.read().unwrap();
    [doubles(&snapshot.positions), doubles(&snapshot.velocities)]
}

/// Positions of the meshes' points in their own order, whatever the device's: integrators sort as suits them.
pub fn places(world: &mut World) -> Vec<DVec3> {
    let [x, _] = read(world);
    in_mesh_order(world, &x)
}

/// What particles have, in the order of the meshes' points.
pub fn in_mesh_order(world: &World, of_particles: &[DVec3]) -> Vec<DVec3> {
    let bodies = world.model().bodies.iter();
    let order = bodies.flat_map(|body| {
        let first = body.particles.start;
        body.device_index.iter().map(move |i| first + *i as usize)
    });
    order.map(|i| of_particles[i]).collect()
}

/// Sums over the particles of a world.
#[derive(Clone, Copy, Debug)]
pub struct Momenta {
    /// Σ m v, and Σ m x × v about the centre of mass.
    pub linear: DVec3,
    pub angular: DVec3,
    /// Σ m |v|, and Σ m |x − centre| |v|.
    pub speed: f64,
    pub turning: f64,
    /// ½ Σ m v²
    pub kinetic: f64,
}

pub fn momenta(world: &mut World) -> Momenta {
    let [x, v] = read(world);
    let m = &world.model().masses;
    let mass: f64 = m.iter().sum();
    let centre = x.iter().zip(m).map(|(x, m)| *x * *m).sum::<DVec3>() / mass;
    let all = || (0..x.len()).map(|i| (x[i] - centre, v[i] * m[i]));
    Momenta {
        linear: all().map(|(_, p)| p).sum(),
        angular: all().map(|(x, p)| x.cross(p)).sum(),
        speed: all().map(|(_, p)| p.length()).sum(),
        turning: all().map(|(x, p)| x.length() * p.length()).sum(),
        kinetic: v.iter().zip(m).map(|(v, m)| 0.5 * m * v.length_squared()).sum(),
    }
}

impl Momenta {
    /// What has changed since the start: |ΔP|/Σ m|v| and |ΔL|/|L|.
    pub fn off(&self, start: &Self) -> [f64; 2] {
        let turned = self.angular.distance(start.angular);
        [self.linear.distance(start.linear) / start.speed, turned / start.angular.length()]
    }
}

/// A scene has the same bits after all of these parts, however they are submitted, read, drawn, saved and gone on from.
/// Returns the world.
pub fn assert_repeats(name: &str, scene: &Scene, parts: &[u64]) -> World {
    let [mut whole, mut cut] = [world(scene), world(scene)];
    whole.step(parts.iter().sum()).unwrap();
    let wanted = (whole.state_hash().unwrap(), whole.steps());
    let mut saved = Vec::new();
    for (k, part) in parts.iter().enumerate() {
        cut.step(*part).unwrap();
        cut.read().unwrap();
        cut.update_skin();
        if k == 0 {
            saved = cut.save().unwrap();
        }
    }
    assert_eq!((cut.state_hash().unwrap(), cut.steps()), wanted, "{name}, in parts");
    // In a world that is elsewhere, and in a new one, whose lists are as small as at the start.
    cut.restore(&saved).unwrap();
    let mut resumed = World::resume(context(), scene, &saved).unwrap();
    for (how, world) in [("restored", &mut cut), ("resumed", &mut resumed)] {
        world.step(parts[1..].iter().sum()).unwrap();
        assert_eq!((world.state_hash().unwrap(), world.steps()), wanted, "{name}, {how}");
    }
    whole
}

/// A point at the origin, of mass 1, on a spring of length 1 along y. The tetrahedron's other springs are 100 times longer
/// and stand across: they add less than 1e-8 of a force along y, so that y'' = −k y − c y' − g, exactly linear.
pub fn oscillator(stiffness: f64, damping: f64) -> Body {
    let points = vec![DVec3::ZERO, DVec3::Y, 100.0 * DVec3::X, 100.0 * DVec3::Z];
    let mut body = from_mesh(TetMesh::new(points, vec![[0, 1, 2, 3]]).unwrap());
    body.mass = Mass::Point(1.0);
    body.kind = constants(stiffness, 0.0, damping);
    body.pin = vec![
        within([-1.0, 0.5, -1.0], [1.0, 2.0, 1.0]),
        within([50.0, -1.0, -1.0], [200.0, 1.0, 1.0]),
        within([-1.0, -1.0, 50.0], [1.0, 1.0, 200.0]),
    ];
    body
}
