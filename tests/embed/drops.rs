//! What a program drops in any order, with work under way, and after its device is lost.

use std::any::Any;

use glam::{Quat, Vec3, Vec4};
use pliant::Pending;
use pliant::inspect::{Field, Inspector};
use pliant::internals::Inside as _;
use pliant::query::{Aabb, Queries, RayOptions};
use pliant::render::{Camera, Look, Painter, Picture};
use pliant::scene::Integrator;
use pliant::world::{BodyId, PinMotion, PointerSpring, RigidMotion};
use pliant::{Buffer, Context, Error, Result, World};

use crate::support::*;

/// A world and all that a program may have beside it, with steps and answers under way.
fn everything(context: &Context) -> Result<Vec<Box<dyn Any + Send>>> {
    let mut world = World::new(context, &stack(Integrator::Verlet))?;
    let (device, queue) = context.graphics()?;
    let mut other = World::with_device(device, queue, &stack(Integrator::ImplicitEuler))?;
    world.set_contact_events(64)?;
    let mut queries = Queries::new(&world)?;
    let mut inspector = Inspector::new(&world);
    let mut painter = Painter::new(context, wgpu::TextureFormat::Rgba8Unorm)?;
    let mut picture = Picture::new(context, [64, 48], wgpu::TextureFormat::Rgba8Unorm)?;
    let size = 16 * world.particles().len() as u64;
    let forces = buffer(context, size, wgpu::BufferUsages::STORAGE);
    let forces = Buffer::of_device(context, "forces", &forces)?;
    world.set_forces(Some(&forces))?;
    world.set_pointer_spring(Some(PointerSpring { rate: 1.0, ..PointerSpring::default() }))?;
    world.move_solid(0, moving(Vec3::X))?;
    world.step(20)?;
    other.step_frame()?;
    inspector.field(&world, Field::Strain)?;
    inspector.begin_sums(&world)?;
    world.update_skin();
    let camera = Camera::frame(Vec3::splat(-1.0), Vec3::ONE, 1.0);
    let (view, size) = (picture.view(), picture.size());
    painter.draw(view, size, &camera, &Look::default(), &world.drawn())?;
    let image = picture.begin_read();
    let handed = world.hand_over()?;
    let bounds = Aabb { min: [0.0; 3], max: [1.0; 3] };
    let mut all: Vec<Box<dyn Any + Send>> = vec![
        Box::new(queries.rays(&world, &[down()], &RayOptions::default())?),
        Box::new(queries.points(&world, &[Vec3::Y], 1)?),
        Box::new(queries.boxes(&world, &[bounds], 1)?),
        Box::new(world.start_reading(0..world.particles().len())?),
        Box::new(inspector.read_sums(&world)?),
    ];
    world.step(20)?;
    other.step(2)?;
    let held: [Box<dyn Any + Send>; 10] = [
        Box::new(image),
        Box::new(handed),
        Box::new(forces),
        Box::new(world),
        Box::new(other),
        Box::new(queries),
        Box::new(inspector),
        Box::new(painter),
        Box::new(picture),
        Box::new(context.clone()),
    ];
    all.extend(held);
    Ok(all)
}

/// Whatever goes first, nothing panics and nothing hangs.
#[test]
fn everything_can_be_dropped_in_any_order() {
    let mut random = Random::new(1);
    let context = new_device();
    for _ in 0..3 {
        let mut all = everything(&context).unwrap();
        shuffle(&mut all, &mut random);
        ends("dropping", move || all.into_iter().for_each(drop));
    }
    let mut all = everything(&context).unwrap();
    drop(context);
    shuffle(&mut all, &mut random);
    // One by one in threads of their own.
    let threads: Vec<_> =
        all.into_iter().map(|one| std::thread::spawn(move || drop(one))).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

/// An answer outlives all that it is an answer of.
#[test]
fn answers_outlive_their_world() {
    let context = new_device();
    let mut world = World::new(&context, &stack(Integrator::Verlet)).unwrap();
    let mut queries = Queries::new(&world).unwrap();
    let mut inspector = Inspector::new(&world);
    world.step(8).unwrap();
    let mut hits = queries.rays(&world, &[down()], &RayOptions::default()).unwrap();
    let reading = world.start_reading(0..3).unwrap();
    let sums = inspector.read_sums(&world).unwrap();
    world.step(8).unwrap();
    drop((world, queries, inspector, context));
    let body = ends("waiting", move || {
        loop {
            if let Some(hits) = hits.poll().unwrap() {
                break hits[0].and_then(|hit| hit.body);
            }
        }
    });
    assert_eq!(body, Some(1));
    assert_eq!(reading.wait().unwrap().steps, 8);
    assert_eq!(sums.wait().unwrap().bodies.len(), 2);
}

/// A world goes on in another thread, while its answers come back in a third.
#[test]
fn a_world_is_stepped_in_another_thread() {
    let context = new_device();
    let mut here = World::new(&context, &stack(Integrator::Verlet)).unwrap();
    let mut there = World::new(&context, &stack(Integrator::Verlet)).unwrap();
    let (send, received) = std::sync::mpsc::channel::<Pending<_>>();
    let stepping = std::thread::spawn(move || {
        for _ in 0..10 {
            there.step_frame().unwrap();
            send.send(there.start_reading(0..1).unwrap()).unwrap();
        }
        there
    });
    // Another one on the same device meanwhile.
    frames(&mut here, 10);
    let times: Vec<f64> = received.iter().map(|reading| reading.wait().unwrap().time).collect();
    assert!(times.len() == 10 && times.is_sorted());
    let mut there = stepping.join().unwrap();
    assert_eq!(here.state_hash().unwrap(), there.state_hash().unwrap());
}

struct Program {
    world: World,
    queries: Queries,
    inspector: Inspector,
    painter: Painter,
    picture: Picture,
    forces: Buffer<Vec4>,
    saved: Vec<u8>,
}

impl Program {
    fn new(context: &Context, integrator: Integrator) -> Self {
        let mut scene = stack(integrator);
        if integrator == Integrator::Vbd {
            scene.bodies[0].kind = scene.bodies[1].kind.clone();
        }
        let mut world = World::new(context, &scene).unwrap();
        let mut inspector = Inspector::new(&world);
        inspector.field(&world, Field::Strain).unwrap();
        world.set_profiling(true);
        world.set_contact_events(16).unwrap();
        Self {
            queries: Queries::new(&world).unwrap(),
            inspector,
            painter: Painter::new(context, wgpu::TextureFormat::Rgba8Unorm).unwrap(),
            picture: Picture::new(context, [64, 48], wgpu::TextureFormat::Rgba8Unorm).unwrap(),
            forces: Buffer::zeroed(context, "forces", world.particles().len()).unwrap(),
            saved: world.save().unwrap(),
            world,
        }
    }

    /// Does something to the first body; where it was removed, waits.
    fn with_first(&mut self, deed: fn(&mut World, BodyId) -> Result<()>) -> Result<()> {
        match self.world.body_id(0) {
            Some(id) => deed(&mut self.world, id),
            None => self.world.wait(),
        }
    }

    fn point(&self) -> RigidMotion {
        RigidMotion { position: Vec3::Y, rotation: Quat::IDENTITY, ..RigidMotion::default() }
    }
}

/// All that a program may do to a world, each by its name; those that do not touch the device are left out.
const DEEDS: &[Deed<Program>] = deeds! { p =>
    "step" => p.world.step(3).and_then(|()| p.world.wait());
    "step_frame" => p.world.step_frame().and_then(|()| p.world.wait());
    "read" => p.world.read();
    "read_last_good" => p.world.read_last_good();
    "state_hash" => p.world.state_hash();
    "replica_hash" => p.world.replica_hash(0);
    "contact_records" => p.world.contact_records();
    "save" => p.world.save();
    "restore" => p.world.restore(&p.saved.clone());
    "hand_over" => p.world.hand_over();
    "change" => p.world.change(&p.world.scene().clone());
    "add" => p.world.add(&p.world.scene().bodies[0].clone());
    "reserve" => p.world.reserve(&p.world.scene().bodies[0].clone(), 3);
    "sleep" => p.with_first(World::sleep);
    "wake" => p.with_first(World::wake);
    "remove" => p.with_first(World::remove);
    "set_pointer_spring" => p.world.set_pointer_spring(Some(PointerSpring { rate: 1.0, ..PointerSpring::default() }));
    "move_solid" => p.world.move_solid(0, p.point());
    "move_pins" => p.world.move_pins(1, p.point());
    "pins to targets" => {
        let count = p.world.pins(1)?.len();
        p.world.move_pins(1, PinMotion::Targets { targets: &vec![Vec3::Y; count], steps: 10 })
    };
    "set_forces" => p.world.set_forces(Some(&p.forces));
    "no forces" => p.world.set_forces(None);
    "write_velocities" => {
        let count = p.world.model().bodies[1].particles.len();
        p.world.write_velocities(1, &vec![Vec3::X; count])
    };
    "write_positions" => {
        let count = p.world.model().bodies[1].particles.len();
        p.world.write_positions(1, &vec![Vec3::X; count])
    };
    "teleport" => p.world.teleport(1, p.point());
    "push" => p.world.push(&[(p.world.particle(1, 0)?, 1e-3 * Vec3::X)]);
    "set_contact_events" => p.world.set_contact_events(64);
    "contact_events" => p.world.contact_events();
    "start_reading" => p.world.start_reading(0..2)?.wait();
    "start_reading_body" => p.world.start_reading_body(1)?.wait();
    "rays" => p.queries.rays(&p.world, &[down()], &RayOptions::default())?.wait();
    "points" => p.queries.points(&p.world, &[Vec3::Y], 1)?.wait();
    "boxes" => {
        let all = Aabb { min: [0.0; 3], max: [1.0; 3] };
        p.queries.boxes(&p.world, &[all], 1)?.wait()
    };
    "new queries" => Queries::new(&p.world).map(|queries| p.queries = queries);
    "sums" => p.inspector.sums(&p.world);
    "begin_sums" => p.inspector.begin_sums(&p.world);
    "take_sums" => p.inspector.take_sums();
    "forces" => p.inspector.forces(&p.world, 1, 1.0);
    "penetrations" => p.inspector.penetrations(&p.world, 1, 1.0);
    "normals" => p.inspector.normals(&p.world, 1, 1.0);
    "colliders" => p.inspector.colliders(&p.world);
    "strain" => p.inspector.field(&p.world, Field::Strain);
    "pressure" => p.inspector.field(&p.world, Field::Pressure);
    "penetration" => p.inspector.field(&p.world, Field::Penetration);
    "update_skin" => { p.world.update_skin(); Ok(()) };
    "update_pointer_spring" => { p.world.update_pointer_spring(); Ok(()) };
    "set_profiling" => { p.world.set_profiling(true); Ok(()) };
    "draw" => {
        let camera = Camera::frame(Vec3::splat(-1.0), Vec3::ONE, 1.0);
        let size = p.picture.size();
        p.painter.draw(p.picture.view(), size, &camera, &Look::default(), &p.world.drawn())
    };
    "read a picture" => { let image = p.picture.begin_read(); p.picture.finish_read(image) };
    "new painter" => Painter::new(p.world.context(), wgpu::TextureFormat::Rgba8Unorm).map(|painter| p.painter = painter);
    "new world" => World::new(p.world.context(), &p.world.scene().clone()).map(|world| p.world = world);
};

/// Those that say nothing of a device that is lost: no answer of theirs could be wrong.
const SILENT: [&str; 5] =
    ["update_skin", "update_pointer_spring", "set_profiling", "contact_events", "take_sums"];

/// Everything that a program does after its device was lost is an error, in whatever order, and nothing panics or hangs.
#[test]
fn a_lost_device_is_an_error_whatever_is_done() {
    let mut random = Random::new(7);
    for integrator in
        [Integrator::Verlet, Integrator::Leapfrog, Integrator::ImplicitEuler, Integrator::Vbd]
    {
        let context = new_device();
        let mut program = Program::new(&context, integrator);
        let mut deeds = DEEDS.to_vec();
        shuffle(&mut deeds, &mut random);
        let (before, after) = deeds.split_at(random.index(0, 8));
        for (name, deed) in before {
            deed(&mut program).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        program.world.step(5).unwrap();
        let reading = program.world.start_reading(0..2).unwrap();
        context.graphics().unwrap().0.destroy();
        let after = after.to_vec();
        let failed = ends("what is done to a lost device", move || {
            let mut failed = Vec::new();
            for (name, deed) in after {
                println!("{integrator:?}: {name}");
                match deed(&mut program) {
                    Err(Error::Device(_)) => (),
                    Ok(()) if SILENT.contains(&name) => (),
                    other => failed.push((name, other.err().map(|error| error.to_string()))),
                }
            }
            drop(reading.wait());
            failed
        });
        assert!(failed.is_empty(), "{integrator:?}: {failed:?}");
    }
}
