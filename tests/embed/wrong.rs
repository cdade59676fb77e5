//! What a program asks wrongly is an error that says what was wanted; the world goes on as it was.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use glam::{DVec3, Quat, Vec3, Vec4};
use pliant::inspect::Inspector;
use pliant::internals::Inside as _;
use pliant::mesh::{PointCloud, Surface, TetMesh};
use pliant::query::{Aabb, Queries, Ray, RayOptions};
use pliant::render::{Camera, Look, Painter, Picture};
use pliant::report::Measure;
use pliant::scene::{Body, Integrator, Kind, Mass, MeshSource, Scene, ShapeMatching, Solid, Step};
use pliant::world::{BodyId, PinMotion, PointerSpring, RigidMotion, Snapshot};
use pliant::{Buffer, Context, Error, Result, World};

use crate::support::*;

const NAN: Vec3 = Vec3::NAN;
const FAR: Vec3 = Vec3::splat(f32::MAX);

struct Program {
    world: World,
    /// Of other bodies, whose ids and states mean nothing here.
    other: World,
    /// Of the same scene, and so are its ids another's.
    twin: World,
    queries: Queries,
    inspector: Inspector,
    gone: BodyId,
}

impl Program {
    /// Moves the pins of the second body, of which there are some.
    fn move_to(&mut self, targets: &[Vec3], steps: u64) -> Result<()> {
        self.world.move_pins(1, PinMotion::Targets { targets, steps })
    }

    fn new(context: &Context, integrator: Integrator) -> Self {
        let scene = stack(integrator);
        let mut world = World::new(context, &scene).unwrap();
        let more = world.add(&scene.bodies[0]).unwrap();
        world.remove(more).unwrap();
        let mut large = scene.clone();
        large.bodies.push(Body::lattice("more", [5, 5, 5], [1.0; 3]));
        large.bodies.rotate_right(1);
        Self {
            queries: Queries::new(&world).unwrap(),
            inspector: Inspector::new(&world),
            other: World::new(context, &large).unwrap(),
            twin: World::new(context, &scene).unwrap(),
            gone: more,
            world,
        }
    }

    fn points(&self, body: usize) -> usize {
        self.world.model().bodies[body].particles.len()
    }

    fn forces(&self, size: u64, usage: wgpu::BufferUsages) -> pliant::Result<Buffer<Vec4>> {
        let buffer = buffer(self.world.context(), size, usage);
        Buffer::of_device(self.world.context(), "forces", &buffer)
    }
}

fn motion(position: Vec3, rotation: Quat) -> RigidMotion {
    RigidMotion { position, rotation, ..RigidMotion::default() }
}

fn pointer_spring(particle: usize, target: Vec3, rate: f32) -> Option<PointerSpring> {
    Some(PointerSpring { particle, target, rate, ..PointerSpring::default() })
}

fn ray(origin: Vec3, direction: Vec3) -> Ray {
    Ray { origin, direction }
}

fn reach(reach: f32) -> RayOptions {
    RayOptions { reach, ..RayOptions::default() }
}

/// What must be refused, by its name.
const WRONG: &[Deed<Program>] = deeds! { p =>
    "a reading past the end" => p.world.start_reading(3..usize::MAX);
    "a reading backwards" => p.world.start_reading(Range { start: 5, end: 2 });
    "a reading of no body" => p.world.start_reading_body(99);
    "a reading of a body that is gone" => p.world.start_reading_body(2);
    "nothing past the end" => {
        let past = p.world.particles().len() + 1;
        p.world.start_reading(past..past)
    };
    "places of no body" => p.world.write_positions(99, &[]);
    "places of a body that is gone" => p.world.write_positions(2, &[]);
    "too few places" => p.world.write_positions(0, &[Vec3::ZERO]);
    "places that are not finite" => p.world.write_positions(0, &vec![NAN; p.points(0)]);
    "places too far away" => p.world.write_positions(0, &vec![FAR; p.points(0)]);
    "too many velocities" => p.world.write_velocities(0, &vec![Vec3::ZERO; 1 + p.points(0)]);
    "velocities that are not finite" => p.world.write_velocities(0, &vec![NAN; p.points(0)]);
    "velocities that are too fast" => p.world.write_velocities(0, &vec![FAR; p.points(0)]);
    "a state of nothing" => p.world.write_state(&[], &[]);
    "a state of another world" => {
        let state = p.other.read()?;
        p.world.write_state(&state.positions, &state.velocities)
    };
    "a state that is too fast" => {
        let state = p.world.read()?;
        p.world.write_state(&state.positions, &vec![FAR; state.positions.len()])
    };
    "a jump of no body" => p.world.teleport(99, RigidMotion::default());
    "a jump to nowhere" => p.world.teleport(0, motion(NAN, Quat::IDENTITY));
    "a jump with no rotation" => p.world.teleport(0, motion(Vec3::Y, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)));
    "a jump with a rotation that is not finite" => p.world.teleport(0, motion(Vec3::Y, Quat::NAN));
    "a jump with a large spin" => p.world.teleport(0, RigidMotion { angular_velocity: FAR, ..RigidMotion::default() });
    "a jump that is too fast" => p.world.teleport(0, moving(FAR));
    "a push of no particle" => p.world.push(&[(usize::MAX, Vec3::X)]);
    "a push of what is held" => {
        let held = p.world.pins(1)?[0];
        p.world.push(&[(p.world.particle(1, held)?, Vec3::X)])
    };
    "a push that is not finite" => p.world.push(&[(0, NAN)]);
    "a push that is too strong" => p.world.push(&[(0, Vec3::X), (1, FAR)]);
    "a solid that is not there" => p.world.move_solid(7, RigidMotion::default());
    "where a solid is that is not there" => p.world.solid(usize::MAX);
    "a solid without a place" => p.world.move_solid(0, motion(NAN, Quat::IDENTITY));
    "a solid that is too fast" => p.world.move_solid(0, moving(1e4 * Vec3::X));
    "a solid with a velocity that is not finite" => p.world.move_solid(0, moving(NAN));
    "a solid with a rotation that is none" => p.world.move_solid(0, motion(Vec3::Y, Quat::from_xyzw(1.0, 1.0, 0.0, 0.0)));
    "a solid with a spin that is not finite" => p.world.move_solid(0, RigidMotion { angular_velocity: NAN, ..RigidMotion::default() });
    "pins of no body" => p.world.move_pins(99, RigidMotion::default());
    "pins of a body without" => p.world.move_pins(0, RigidMotion::default());
    "pins of a body that is gone" => p.world.pins(2);
    "pins to nowhere" => p.world.move_pins(1, motion(NAN, Quat::IDENTITY));
    "pins that are too fast" => p.world.move_pins(1, moving(1e4 * Vec3::X));
    "pins with a rotation that is none" => p.world.move_pins(1, motion(Vec3::Y, Quat::from_xyzw(1.0, 1.0, 0.0, 0.0)));
    "pins with a spin that is not finite" => p.world.move_pins(1, RigidMotion { angular_velocity: NAN, ..RigidMotion::default() });
    "no targets" => p.move_to(&[], 10);
    "targets that are not finite" => p.move_to(&vec![NAN; p.world.pins(1)?.len()], 5);
    "targets in no time" => p.move_to(&vec![Vec3::Y; p.world.pins(1)?.len()], 0);
    "targets too far in too short a time" => p.move_to(&vec![1e6 * Vec3::Y; p.world.pins(1)?.len()], 1);
    "a particle of no body" => p.world.particle(99, 0);
    "a particle of no point" => p.world.particle(0, usize::MAX);
    "a pull at no particle" => p.world.set_pointer_spring(pointer_spring(usize::MAX, Vec3::Y, 1.0));
    "a pull to nowhere" => p.world.set_pointer_spring(pointer_spring(0, NAN, 1.0));
    "a pull that is negative" => p.world.set_pointer_spring(pointer_spring(0, Vec3::Y, -1.0));
    "a pull that is infinite" => p.world.set_pointer_spring(pointer_spring(0, Vec3::Y, f32::INFINITY));
    "the limit of a pull at no particle" => p.world.pointer_spring_limit(usize::MAX);
    "forces in too small a buffer" => p.forces(16, wgpu::BufferUsages::STORAGE).and_then(|b| p.world.set_forces(Some(&b)));
    "forces in a buffer of another use" => p.forces(1 << 16, wgpu::BufferUsages::VERTEX).and_then(|b| p.world.set_forces(Some(&b)));
    "forces in a buffer that is destroyed" => {
        let buffer = buffer(p.world.context(), 1 << 16, wgpu::BufferUsages::STORAGE);
        buffer.destroy();
        let buffer = Buffer::of_device(p.world.context(), "forces", &buffer)?;
        p.world.set_forces(Some(&buffer))
    };
    "events without end" => p.world.set_contact_events(usize::MAX);
    "a body that is gone" => p.world.remove(p.gone);
    "sleep of a body that is gone" => p.world.sleep(p.gone);
    "a wake of a body that is gone" => p.world.wake(p.gone);
    "whether a body sleeps that is gone" => p.world.is_asleep(p.gone);
    "a body of another world" => p.other.body_id(1).map_or(Ok(()), |id| p.world.remove(id));
    "a body of a twin" => p.twin.body_id(1).map_or(Ok(()), |id| p.world.remove(id));
    "a body without a size" => p.world.add(&Body::lattice("no", [0, 1, 1], [1.0; 3]));
    "a body that is not finite" => p.world.add(&Body::lattice("nan", [1, 1, 1], [f64::NAN; 3]));
    "a body that is too large" => p.world.add(&Body::lattice("large", [4000, 4000, 4000], [1.0; 3]));
    "a body from no file" => p.world.add(&Body::from_file("file", "no/such.obj"));
    "room for nothing" => p.world.reserve(&Body::lattice("no", [0; 3], [1.0; 3]), 3);
    "room without end" => p.world.reserve(&p.world.scene().bodies[0].clone(), usize::MAX);
    "room for more than there is" => p.world.reserve(&p.world.scene().bodies[0].clone(), 1 << 22);
    "a body in no copy" => p.world.add_to(3, &p.world.scene().bodies[0].clone());
    "the hash of no copy" => p.world.replica_hash(1);
    "copies without end" => p.world.scene().replicate(usize::MAX);
    "the mesh of no body" => { let state = p.world.read()?; p.world.mesh_positions(&state, 99) };
    "the mesh of another world's state" => { let state = p.other.read()?; p.world.mesh_positions(&state, 0) };
    "damping of no state" => p.world.damping_share(&Snapshot::default());
    "a measure of another world's state" => Measure::new(&p.world, &p.other.read()?);
    "nothing to restore" => p.world.restore(&[]);
    "another world's save" => p.world.restore(&p.other.save()?);
    "half a save" => { let saved = p.world.save()?; p.world.restore(&saved[..saved.len() / 2]) };
    "a resume from nothing" => World::resume(p.world.context(), p.world.scene(), b"pliant");
    "a change to other bodies" => p.world.change(&p.other.scene().clone());
    "a change to nonsense" => {
        let mut scene = p.world.scene().clone();
        scene.world.gravity[1] = f64::NAN;
        p.world.change(&scene)
    };
    "a handover to other bodies" => {
        let handed = p.other.hand_over()?;
        World::take_over(p.world.context(), p.world.scene(), &handed)
    };
    "a ray to nowhere" => p.queries.rays(&p.world, &[ray(Vec3::Y, Vec3::ZERO)], &reach(1.0));
    "a ray from nowhere" => p.queries.rays(&p.world, &[ray(NAN, Vec3::X)], &reach(1.0));
    "a ray from far away" => p.queries.rays(&p.world, &[ray(FAR, Vec3::X)], &reach(1.0));
    "a ray of no reach" => p.queries.rays(&p.world, &[down()], &reach(f32::NAN));
    "a ray backwards" => p.queries.rays(&p.world, &[down()], &reach(-1.0));
    "a point that is none" => p.queries.points(&p.world, &[Vec3::Y, NAN], 1);
    "a box inside out" => p.queries.boxes(&p.world, &[Aabb { min: [1.0; 3], max: [0.0; 3] }], 1);
    "a box that is not finite" => p.queries.boxes(&p.world, &[Aabb { min: [0.0; 3], max: [f64::INFINITY; 3] }], 1);
    "forces of no body" => p.inspector.forces(&p.world, 99, 1.0);
    "forces of no length" => p.inspector.forces(&p.world, 0, f32::NAN);
    "penetration vectors of no body" => p.inspector.penetrations(&p.world, 99, 1.0);
    "penetration vectors of no length" => p.inspector.penetrations(&p.world, 0, f32::INFINITY);
    "normals of no body" => p.inspector.normals(&p.world, 99, 1.0);
    "normals of no length" => p.inspector.normals(&p.world, 0, f32::NAN);
    "a picture of nothing" => Picture::new(p.world.context(), [0, 4], wgpu::TextureFormat::Rgba8Unorm);
    "a picture of depths" => Picture::new(p.world.context(), [4, 4], wgpu::TextureFormat::Depth32Float);
};

/// What is odd, and answered: empty lists, worlds that were not asked about before, other ids than expected.
const ODD: &[Deed<Program>] = deeds! { p =>
    "no steps" => p.world.step(0);
    "no push" => p.world.push(&[]);
    "an empty reading" => p.world.start_reading(2..2)?.wait();
    "no rays" => p.queries.rays(&p.world, &[], &reach(1.0))?.wait();
    "no points" => p.queries.points(&p.world, &[], 0)?.wait();
    "no boxes" => p.queries.boxes(&p.world, &[], 0)?.wait();
    "rays in another world" => {
        let far = [ray(9.0 * Vec3::Y, Vec3::NEG_Y); 3];
        p.queries.rays(&p.other, &far, &reach(f32::INFINITY))?.wait()
    };
    "sums of another world" => {
        let bodies = p.inspector.sums(&p.other)?.bodies;
        assert!(bodies.len() == 3 && bodies.iter().all(|body| body.mass.is_finite()));
        let bodies = p.inspector.sums(&p.world)?.bodies;
        assert_eq!(bodies.len(), p.world.model().bodies.len());
        Ok(())
    };
    "the field of another world" => p.inspector.field(&p.other, pliant::inspect::Field::Pressure);
    "fields of no body" => {
        assert!(p.inspector.unavailable(&p.world, pliant::inspect::Field::Strain, 99));
        Ok(())
    };
    "targets in a long time" => {
        p.move_to(&vec![Vec3::Y; p.world.pins(1)?.len()], u64::MAX)?;
        p.world.move_pins(1, RigidMotion::default())
    };
    "frames without end" => { assert!(p.world.frame_step(u64::MAX) > p.world.frame_step(1)); Ok(()) };
};

#[test]
fn what_is_asked_wrongly_is_refused_and_changes_nothing() {
    let context = new_device();
    for integrator in [Integrator::Verlet, Integrator::ImplicitEuler] {
        let mut program = Program::new(&context, integrator);
        program.world.step(7).unwrap();
        let before = program.world.state_hash().unwrap();
        let mut failed = Vec::new();
        for (name, wrong) in WRONG {
            // Some with steps under way.
            let result = catch_unwind(AssertUnwindSafe(|| wrong(&mut program)));
            match result {
                Ok(Err(Error::Value { at, want, .. })) if !at.is_empty() && !want.is_empty() => (),
                Ok(Err(Error::Io { .. } | Error::File { .. } | Error::TooLarge { .. })) => (),
                Ok(other) => {
                    failed.push(format!("{name}: {:?}", other.map_err(|error| error.to_string())))
                }
                Err(_) => failed.push(format!("{name}: panicked")),
            }
        }
        assert!(failed.is_empty(), "{integrator:?}: {failed:#?}");
        assert_eq!(program.world.state_hash().unwrap(), before, "{integrator:?}");
        for (name, odd) in ODD {
            println!("{integrator:?}: {name}");
            odd(&mut program).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        program.world.step(7).unwrap();
        program.world.read().unwrap();
    }
}

/// Scenes that only code can say: `good` with one change each, by what is wrong.
macro_rules! wrong_scenes {
    ($good:expr, $scene:ident => $($name:literal => $change:expr;)*) => {
        [$(($name, { let mut $scene = $good.clone(); $change; $scene })),*]
    };
}

#[test]
fn wrong_scenes_are_refused() {
    let good = scene_of([Body::lattice("body", [1; 3], [1.0; 3])]);
    let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let tets = |tets: &[[u32; 4]]| {
        let mut mesh = TetMesh::new(corners.clone(), vec![[0, 1, 2, 3]]).unwrap();
        mesh.tets = tets.to_vec();
        MeshSource::Tets(mesh)
    };
    let surface = |triangles: &[[u32; 3]]| {
        let mut surface = Surface::new(corners.clone(), vec![[0, 1, 2]], None).unwrap();
        surface.triangles = triangles.to_vec();
        MeshSource::Surface { surface, cells: 4 }
    };
    let shape = Kind::from(ShapeMatching::default());
    let ball = Solid::sphere([0.0; 3], 1.0);
    let wrong = wrong_scenes! { good, s =>
        "tets 1" => s.bodies[0].mesh = tets(&[[0, 1, 2, 9]]);
        "tets 2" => s.bodies[0].mesh = tets(&[]);
        "tets 3" => s.bodies[0].mesh = tets(&[[0, 1, 1, 2]]);
        "surface 1" => s.bodies[0].mesh = surface(&[[0, 1, 9]]);
        "surface 2" => s.bodies[0].mesh = surface(&[]);
        "surface 3" => s.bodies[0].mesh = surface(&[[0, 1, 2]]);
        "points 1" => (s.bodies[0].mesh, s.bodies[0].kind) = (MeshSource::Points(Vec::new()), shape.clone());
        "points 2" => (s.bodies[0].mesh, s.bodies[0].kind) = (MeshSource::Points(vec![DVec3::NAN; 9]), shape.clone());
        "points 3" => s.bodies[0].mesh = MeshSource::Points(corners.clone());
        "mass" => s.bodies[0].mass = Mass::Density(0.0);
        "distance" => s.bodies[0].kind = constants(-1.0, 0.0, 0.0);
        "position" => s.bodies[0].position = [f64::INFINITY, 0.0, 0.0];
        "velocity" => s.bodies[0].velocity = [f64::NAN; 3];
        "friction" => s.bodies[0].friction = Some(-0.1);
        "name" => s.bodies[0].name = String::new();
        "no/such.obj" => s.bodies[0].skin = Some("no/such.obj".into());
        "fps" => s.world.fps = 0.0;
        "fps" => s.world.fps = 1e300;
        "step" => s.world.step = Step::Fixed(0.0);
        "step" => s.world.step = Step::Fixed(-1.0);
        "step_error" => s.world.step = Step::Adaptive(Some(0.0));
        "floor" => s.world.floor = Some(f64::NAN);
        "solids" => s.solids = vec![ball.clone(); 300];
        "iterations" => (s.world.integrator, s.world.iterations) = (Integrator::Vbd, Some(u32::MAX));
    };
    for (name, scene) in wrong {
        assert!(World::new(context(), &scene).is_err(), "taken: {name}");
    }
}

/// Meshes and files that are none.
#[test]
fn wrong_meshes_are_refused() {
    let nowhere = Path::new("no/such/file.obj");
    let points = || vec![DVec3::ZERO, DVec3::X, DVec3::Y];
    let refused = [
        Surface::new(points(), vec![[0, 1, 7]], None).is_err(),
        Surface::new(vec![DVec3::NAN; 3], vec![[0, 1, 2]], None).is_err(),
        TetMesh::new(points(), vec![[0, 1, 2, 3]]).is_err(),
        TetMesh::lattice([0; 3], DVec3::ONE).is_err(),
        TetMesh::lattice([u32::MAX; 3], DVec3::ONE).is_err(),
        PointCloud::new(Vec::new()).is_err(),
        pliant::mesh::read(nowhere).is_err(),
        pliant::mesh::Format::from_path(Path::new("mesh")).is_err(),
        Scene::load(nowhere).is_err(),
        Scene::parse("", nowhere).is_err(),
        Camera::parse("1,2:3").is_err(),
    ];
    assert_eq!(refused, [true; 11]);
}

/// Targets that do not fit are refused, and not drawn into.
#[test]
fn wrong_pictures_are_refused() {
    let context = new_device();
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let camera = Camera::frame(Vec3::splat(-1.0), Vec3::ONE, 1.0);
    let mut painter = Painter::new(&context, format).unwrap();
    let mut small = Picture::new(&context, [16, 16], format).unwrap();
    let mut large = Picture::new(&context, [64, 16], format).unwrap();
    let other = Picture::new(&context, [16, 16], wgpu::TextureFormat::Bgra8Unorm).unwrap();
    let mut draw = |picture: &Picture, size| {
        painter.draw(picture.view(), size, &camera, &Look::default(), &[])
    };
    assert!(draw(&small, [0, 0]).is_err());
    assert!(draw(&small, [64, 16]).is_err(), "a size that is not the view's");
    assert!(draw(&other, [16, 16]).is_err(), "another format");
    draw(&small, [16, 16]).unwrap();
    let image = large.begin_read();
    assert!(small.finish_read(image).is_err(), "another picture's");
    assert!(Painter::new(&context, wgpu::TextureFormat::Depth32Float).is_err());
}
