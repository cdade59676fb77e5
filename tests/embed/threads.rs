//! What may go to other threads, and be looked at by several: all that a program keeps.

use pliant::inspect::{FieldBuffers, Inspector, Lines, Sums};
use pliant::internals::gpu::types::Particle;
use pliant::internals::gpu::{
    Binding, Bound, Buffer, Kernel, Pending, Profiler, Readback, Recorder, Uniforms,
};
use pliant::internals::model::Model;
use pliant::mesh::{PointCloud, Surface, TetMesh, WindingTree};
use pliant::output::Output;
use pliant::query::{PointHit, Queries, RayHit};
use pliant::render::{
    Camera, Drawn, Image, Look, MeshBuffers, Orbit, Painter, PendingImage, Picture, Renderer, Wires,
};
use pliant::report::{Fault, Measure, RunReport, StepReport};
use pliant::scene::Body;
use pliant::world::{
    BodyId, ContactEvents, Contacts, Handover, PointerSpring, Reading, RigidMotion, Snapshot,
};
use pliant::{Context, Error, Scene, World};

/// Fails to compile where a type is not both.
macro_rules! shared {
    ($($type:ty),* $(,)?) => {
        const _: () = {
            const fn shared<T: Send + Sync>() {}
            $(shared::<$type>();)*
        };
    };
}

shared!(World, Context, Scene, Body, BodyId, Handover, Error);
shared!(Queries, Inspector, Pending<Vec<Option<RayHit>>>, Pending<Reading>, Pending<Sums>);
shared!(
    Snapshot,
    Reading,
    ContactEvents,
    Contacts,
    RigidMotion,
    PointerSpring,
    RayHit,
    PointHit,
    Sums
);
shared!(MeshBuffers, Lines<'static>, FieldBuffers<'static>, Drawn<'static>);
shared!(Model, TetMesh, Surface, PointCloud, WindingTree);
shared!(Fault, Measure, StepReport, RunReport);
shared!(Output, Painter, Picture, PendingImage, Renderer, Image, Camera, Look, Orbit, Wires);
shared!(
    Buffer<Particle>,
    Uniforms<Particle>,
    Kernel,
    Bound,
    Binding<'static>,
    Readback,
    Profiler,
    Recorder<'static>
);

#[test]
fn several_threads_ask_one_world() {
    use crate::support::{down, stack};
    use pliant::query::RayOptions;

    let context = crate::common::new_device();
    let mut world = World::new(&context, &stack(pliant::scene::Integrator::Verlet)).unwrap();
    world.step_frame().unwrap();
    let ask = |world: &World| {
        let mut queries = Queries::new(world).unwrap();
        let hits = queries.rays(world, &[down(); 5], &RayOptions::default()).unwrap();
        hits.wait().unwrap()
    };
    let alone = ask(&world);
    assert!(alone[0].is_some());
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..4).map(|_| scope.spawn(|| ask(&world))).collect();
        for asked in asked {
            assert_eq!(asked.join().unwrap(), alone);
        }
    });
}
