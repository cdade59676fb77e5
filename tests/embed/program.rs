//! A program that does something or other with its world, by a seed: bodies added and removed, pokes, questions.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _};

use glam::{DVec3, Quat, Vec3};
use pliant::Pending;
use pliant::inspect::{Field, Inspector};
use pliant::internals::Inside as _;
use pliant::mesh::PointCloud;
use pliant::query::{Aabb, Queries, Ray, RayOptions};
use pliant::scene::{
    AttachedPoints, AttachedTo, Attachment, Body, Fem, Kind, Mass, MeshSource, Pull, ShapeMatching,
    Solid, Step,
};
use pliant::world::{AttachmentId, BodyId, PointerSpring, RigidMotion};
use pliant::{Context, Scene, World};

use crate::support::*;

/// Bodies in the box at the most.
const MOST: usize = 6;
/// Steps of a submission.
const BATCH: u64 = 8;
/// From the middle of the box to its sides [m].
const HALF: f64 = 0.7;
/// Nothing leaves the room around the box [m].
const ROOM: Vec3 = Vec3::new(2.0, 4.0, 2.0);

/// Some place in the box.
fn place(random: &mut Random) -> Vec3 {
    0.5 * random.vector(1.0).as_vec3() + 0.9 * Vec3::Y
}

/// A block of springs, a bar of finite elements, or a cloud that matches its shape.
fn body(random: &mut Random) -> Body {
    let mut body = match random.index(0, 3) {
        0 => lattice("block", [2, 2, 2], [0.3, 0.3, 0.3], 400.0, springs(2e4, 0.03)),
        1 => lattice("bar", [3, 1, 1], [0.45, 0.15, 0.15], 400.0, fem(2e4, 0.3, 0.03)),
        _ => {
            let place =
                |i: usize| 0.12 * DVec3::new((i % 3) as f64, (i / 3 % 3) as f64, (i / 9) as f64);
            let cloud = PointCloud::new((0..18).map(place).collect()).unwrap();
            let mut grains = Body::new("grains", MeshSource::Points(cloud.points));
            (grains.kind, grains.mass) = (ShapeMatching::default().into(), Mass::Point(0.3));
            grains
        }
    };
    body.position = (place(random).as_dvec3() + DVec3::Y).to_array();
    body.rotation = random.vector(1.0).to_array();
    body.velocity = random.vector(1.0).to_array();
    body
}

/// A box without a lid, with a ball in it that the program moves.
fn scene(random: &mut Random) -> Scene {
    let mut scene = Scene::default();
    scene.world.floor = Some(0.0);
    scene.world.drag = 0.5;
    scene.world.step = Step::Fixed(1.0 / 480.0);
    scene.solids.push(Solid::sphere([0.0, 0.2, 0.0], 0.2));
    for normal in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]] {
        scene.solids.push(Solid::plane((-HALF * DVec3::from(normal)).to_array(), normal));
    }
    scene.bodies = (0..3).map(|_| body(random)).collect();
    for (index, body) in scene.bodies.iter_mut().enumerate() {
        body.name += &index.to_string();
    }
    scene
}

/// A program with a world: everything that it keeps, and what it does.
pub struct Program {
    pub instance: wgpu::Instance,
    pub context: Context,
    pub world: World,
    queries: Queries,
    inspector: Inspector,
    /// Asked, and neither taken nor dropped yet.
    under_way: VecDeque<Box<dyn Answer>>,
    random: Random,
    pub hasher: DefaultHasher,
    ties: Vec<AttachmentId>,
    pub done: [u64; DEEDS],
}

/// Kinds of what a program does.
const DEEDS: usize = 23;

/// An answer of any type.
trait Answer {
    fn poll(&mut self);
    fn wait(self: Box<Self>, hasher: &mut DefaultHasher);
}

impl<T: std::fmt::Debug> Answer for Pending<T> {
    fn poll(&mut self) {
        Pending::poll(self).unwrap();
    }

    fn wait(self: Box<Self>, hasher: &mut DefaultHasher) {
        // One that was polled before may have been given.
        if let Ok(answer) = (*self).wait() {
            format!("{answer:?}").hash(hasher);
        }
    }
}

impl Program {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let instance = wgpu::Instance::default();
        let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
        let (device, queue) =
            pollster::block_on(adapter.request_device(&Default::default())).unwrap();
        let context = Context::with_device(&device, &queue);
        let mut world = World::new(&context, &scene(&mut random)).unwrap();
        world.set_contact_events(256).unwrap();
        Self {
            instance,
            queries: Queries::new(&world).unwrap(),
            inspector: Inspector::new(&world),
            context,
            world,
            under_way: VecDeque::new(),
            random,
            hasher: DefaultHasher::new(),
            ties: Vec::new(),
            done: [0; DEEDS],
        }
    }

    /// A body that is there.
    fn any(&mut self) -> Option<(BodyId, usize)> {
        let bodies: Vec<_> = self.world.bodies().collect();
        match bodies.len() {
            0 => None,
            count => Some(bodies[self.random.index(0, count)]),
        }
    }

    fn keep(&mut self, answer: impl Answer + 'static) {
        self.under_way.push_back(Box::new(answer));
        // A program that forgets all of them would hold ever more of them.
        if self.under_way.len() > 12 {
            self.under_way.pop_front();
        }
    }

    /// Something or other, then some steps.
    pub fn act(&mut self) {
        let deed = self.random.index(0, DEEDS);
        self.done[deed] += 1;
        let random = &mut self.random;
        match deed {
            0 | 1 if self.world.bodies().count() < MOST => {
                let body = body(random);
                self.world.add(&body).unwrap();
            }
            0..=2 => {
                if let Some((id, _)) = self.any() {
                    self.world.remove(id).unwrap();
                    assert!(self.world.body_index(id).is_err());
                }
            }
            _ => self.poke(deed),
        }
        self.world.step(BATCH).unwrap();
    }

    /// Something with one of the bodies.
    fn poke(&mut self, deed: usize) {
        let Some((id, body)) = self.any() else {
            return;
        };
        match deed {
            3..=8 => self.shove(deed, body),
            9 => self.world.sleep(id).unwrap(),
            10 => self.world.wake(id).unwrap(),
            11..=16 => self.ask(deed, body),
            17 => self.under_way.iter_mut().for_each(|answer| answer.poll()),
            18 => self.forget(),
            19 | 20 => self.tie(deed, body),
            21 => self.set_material(id, body),
            _ => self.look(),
        }
    }

    fn shove(&mut self, deed: usize, body: usize) {
        let random = &mut self.random;
        let world = &mut self.world;
        let points = world.model().bodies[body].particles.clone();
        match deed {
            3 => {
                let impulse = 0.05 * random.vector(1.0).as_vec3();
                world.push(&[(points.start, impulse)]).ok();
            }
            4 => {
                let particle = points.start + random.index(0, points.len());
                let most = world.pointer_spring_limit(particle).unwrap();
                let target = place(random);
                let spring = PointerSpring { particle, target, rate: 20.0, damping: 0.5, most };
                world.set_pointer_spring(Some(spring)).unwrap();
            }
            5 => world.set_pointer_spring(None).unwrap(),
            6 => {
                let motion = RigidMotion {
                    position: place(random) + Vec3::Y,
                    rotation: Quat::from_scaled_axis(random.vector(1.0).as_vec3()),
                    velocity: random.vector(1.0).as_vec3(),
                    angular_velocity: random.vector(1.0).as_vec3(),
                };
                world.teleport(body, motion).unwrap();
            }
            7 => {
                let velocity = random.vector(1.0).as_vec3();
                let all = vec![velocity; points.len()];
                world.write_velocities(body, &all).unwrap();
            }
            _ => {
                let mut on_floor = |reach: f64| random.vector(reach).as_vec3().with_y(0.0);
                let motion = RigidMotion {
                    position: on_floor(0.5) + 0.2 * Vec3::Y,
                    velocity: on_floor(0.2),
                    angular_velocity: random.vector(1.0).as_vec3(),
                    ..RigidMotion::default()
                };
                world.move_solid(1, motion).unwrap();
            }
        }
    }

    fn ask(&mut self, deed: usize, body: usize) {
        let random = &mut self.random;
        let world = &mut self.world;
        match deed {
            11 => {
                let mut ray = |_| Ray {
                    origin: 3.0 * place(random),
                    direction: random.vector(1.0).as_vec3() + 1e-3 * Vec3::X,
                };
                let rays: Vec<_> = (0..5).map(&mut ray).collect();
                let options = RayOptions { solids: true, ..RayOptions::default() };
                let hits = self.queries.rays(world, &rays, &options).unwrap();
                self.keep(hits);
            }
            12 => {
                let places: Vec<_> = (0..7).map(|_| place(random)).collect();
                let held = self.queries.points(world, &places, u32::MAX).unwrap();
                self.keep(held);
            }
            13 => {
                let low = place(random).as_dvec3();
                let bounds = Aabb { min: low.to_array(), max: (low + 0.5).to_array() };
                let inside = self.queries.boxes(world, &[bounds], u32::MAX).unwrap();
                self.keep(inside);
            }
            14 => {
                let reading = world.start_reading_body(body).unwrap();
                self.keep(reading);
            }
            15 => {
                let sums = self.inspector.read_sums(world).unwrap();
                self.keep(sums);
            }
            _ => drop(self.inspector.field(world, Field::Strain).unwrap()),
        }
    }

    /// Drops some of what is under way, and takes the events that are there.
    fn forget(&mut self) {
        for _ in 0..self.under_way.len().min(2) {
            // The one that has waited longest, or the newest.
            let newest = self.random.index(0, 2) == 0;
            let answer = match newest {
                true => self.under_way.pop_back(),
                false => self.under_way.pop_front(),
            };
            drop(answer);
        }
        self.world.contact_events().unwrap();
    }

    fn tie(&mut self, deed: usize, body: usize) {
        let random = &mut self.random;
        let world = &mut self.world;
        match deed {
            19 => {
                let to = match random.index(0, 2) {
                    0 => AttachedTo::Solid(1),
                    _ => AttachedTo::Place,
                };
                let name = &world.scene().bodies[body].name;
                let tie = Attachment::new(name, AttachedPoints::Listed(vec![1]), to);
                self.ties.push(world.attach(&tie).unwrap());
            }
            _ => {
                if !self.ties.is_empty() {
                    let tie = self.ties.swap_remove(random.index(0, self.ties.len()));
                    // It may have ended with its body.
                    let holds = world.attachments().any(|(id, _)| id == tie);
                    assert_eq!(world.detach(tie).is_ok(), holds);
                }
            }
        }
    }

    fn set_material(&mut self, id: BodyId, body: usize) {
        let share = 0.75 + 0.25 * f64::from(self.random.between(-1.0, 1.0) as f32);
        let kind: Kind = match &self.world.scene().bodies[body].kind {
            Kind::Fem(fem) => Fem { young: Some(2e4 * share), ..*fem }.into(),
            Kind::Shape(shape) => {
                ShapeMatching { pull: Pull::Frequency(5.0 * share), ..shape.clone() }.into()
            }
            _ => springs(2e4 * share, 0.03),
        };
        self.world.set_material(id, kind).unwrap();
    }

    /// Waits, and looks at all.
    fn look(&mut self) {
        let world = &mut self.world;
        world.wait().unwrap();
        if let Some(answer) = self.under_way.pop_back() {
            answer.wait(&mut self.hasher);
        }
        world.state_hash().unwrap().hash(&mut self.hasher);
        let state = world.read().unwrap();
        let outside = |x: &&Vec3| x.abs().cmpgt(ROOM).any() || x.y < -0.5;
        assert_eq!(state.positions.iter().find(outside), None);
    }
}
