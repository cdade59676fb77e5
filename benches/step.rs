//! Criterion benches of whole substeps: free lattices by size and by how damping is done.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pliant::internals::Inside as _;
use pliant::scene::{Body, DampingMode, Mass, Scene, Springs, Step};
use pliant::{Context, World};

const STEPS: u64 = 20;

fn free_lattice(cubes: u32, mode: DampingMode) -> Scene {
    let mut scene = Scene::default();
    scene.world.gravity = [0.0; 3];
    scene.world.step = Step::Fixed(2e-4);
    let mut body = Body::lattice("lattice", [cubes; 3], [0.2 * f64::from(cubes); 3]);
    body.mass = Mass::Point(0.05);
    body.kind = Springs::Constants {
        distance: 60.0,
        volume: 20.0,
        damping: 2.0,
    }
    .into();
    body.damping_mode = Some(mode);
    scene.bodies.push(body);
    scene
}

fn substeps(criterion: &mut Criterion) {
    let context = Context::new().expect("an adapter");
    for mode in DampingMode::ALL {
        let mut group = criterion.benchmark_group(mode.name());
        for cubes in [5, 10, 20] {
            let mut world = World::new(&context, &free_lattice(cubes, mode)).expect("a world");
            group.throughput(Throughput::Elements(
                STEPS * world.model().tets.len() as u64,
            ));
            group.bench_function(BenchmarkId::from_parameter(cubes), |bencher| {
                bencher.iter(|| {
                    world.step(STEPS).expect("a step");
                    world.wait().expect("a step");
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, substeps);
criterion_main!(benches);
