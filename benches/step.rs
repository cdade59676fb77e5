//! Whole substeps of free lattices by size and by how damping is done: `cargo bench`. The median of eleven runs of 20 steps.

use std::time::Instant;

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
    body.kind = Springs::Constants { distance: 60.0, volume: 20.0, damping: 2.0 }.into();
    body.damping_mode = Some(mode);
    scene.bodies.push(body);
    scene
}

fn main() -> pliant::Result<()> {
    let context = Context::new()?;
    println!("damping   cubes  a step [ms]  tetrahedra a second");
    for mode in DampingMode::ALL {
        for cubes in [5, 10, 20] {
            let mut world = World::new(&context, &free_lattice(cubes, mode))?;
            let mut times = [0.0; 11];
            for time in &mut times {
                let start = Instant::now();
                world.step(STEPS)?;
                world.wait()?;
                *time = start.elapsed().as_secs_f64() / STEPS as f64;
            }
            times.sort_by(f64::total_cmp);
            let (time, rate) = (times[5], world.model().tets.len() as f64 / times[5]);
            println!("{:<8} {cubes:>6}  {:>11.3}  {rate:>19.3e}", mode.name(), 1e3 * time);
        }
    }
    Ok(())
}
