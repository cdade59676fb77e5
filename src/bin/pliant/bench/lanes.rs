//! Kernels that may run eight invocations at a time on CPU threads, beside the same one invocation after the other.

use std::collections::BTreeMap;
use std::iter;

use pliant::internals::set_lanes;
use pliant::scene::{Body, BroadPhase, Fem, Integrator, Kind, Law, Mode, Scene, Springs};
use pliant::world::World;
use pliant::{Context, Result};
use serde::Serialize;

use super::timing::{Timing, steps};
use super::{kernels, rigid, shape, soft};

/// Cubes along the sides of lattices in free flight, of those that fall on a floor, and of those in implicit steps.
const CUBES: [u32; 3] = [20, 16, 12];
/// Bodies in the heap of rigid ones, and in that of soft ones.
const HEAP: usize = 1000;
const SOFT_HEAP: usize = 125;
/// Clusters along the sides of a block.
const CLUSTERS: u32 = 2;
/// Simulated time before the first step that is measured [s], so that bodies touch.
const BEFORE: f64 = 0.4;
/// Steps that are measured one way before as many are the other way, a frame of rigid bodies; by themselves, as the first of a
/// submission is timed.
const TURN: u64 = 16;
/// Times that each way is measured.
const TURNS: usize = 7;

/// What `pliant bench lanes` measures.
#[derive(Clone, Debug, Serialize)]
pub struct LanesBench {
    /// Those that ran both ways, the slowest first. Those that do not run in lanes show how much is noise.
    pub kernels: Vec<KernelBench>,
}

/// A kernel, in the scene where it takes longest.
#[derive(Clone, Debug, Serialize)]
pub struct KernelBench {
    /// Its name.
    pub name: &'static str,
    /// Median of the mean times of turns, one invocation after the other [µs].
    pub one_by_one_us: f64,
    /// The same eight at a time, where it may.
    pub lanes_us: f64,
    /// The scene.
    pub scene: String,
}

/// Measures.
///
/// # Errors
/// A context on a device; no memory left.
pub fn lanes(context: &Context) -> Result<LanesBench> {
    let mut kernels: BTreeMap<&'static str, KernelBench> = BTreeMap::new();
    for (name_of_scene, scene) in scenes() {
        for (name, [one_by_one_us, lanes_us]) in measured(context, &scene)? {
            let scene = name_of_scene.clone();
            let bench = KernelBench { name, one_by_one_us, lanes_us, scene };
            let longest = kernels.entry(name).or_insert_with(|| bench.clone());
            if longest.one_by_one_us < one_by_one_us {
                *longest = bench;
            }
        }
    }
    let mut kernels: Vec<_> = kernels.into_values().collect();
    kernels.sort_by(|a, b| b.one_by_one_us.total_cmp(&a.one_by_one_us));
    Ok(LanesBench { kernels })
}

/// Lattices of springs and of finite elements with every integrator, blocks of clusters, and heaps.
fn scenes() -> Vec<(String, Scene)> {
    let [free, fallen, implicit] = CUBES;
    let springs = kernels::CASES.map(|(integrator, mode)| {
        let name = format!("springs, {}, {} damping", integrator.name(), mode.name());
        (name, kernels::free_lattice(free, integrator, mode))
    });
    let laws = Law::ALL.map(|law| {
        let mut scene = on_a_floor(Integrator::Verlet);
        scene.bodies.push(elements(law, fallen, 0.0));
        (format!("elements, {}", law.name()), scene)
    });
    let solved = [Integrator::ImplicitEuler, Integrator::Vbd].map(|integrator| {
        let mut scene = on_a_floor(integrator);
        let mut jelly = standing("springs", implicit, 2.0);
        jelly.kind = Springs::Moduli { young: Some(YOUNG), relaxation: None }.into();
        scene.bodies.extend([jelly, elements(Law::default(), implicit, 0.0)]);
        (format!("both, {}", integrator.name()), scene)
    });
    let clusters = [Mode::Linear, Mode::Quadratic]
        .map(|mode| (format!("{} clusters", mode.name()), shape::block_scene(mode, [CLUSTERS; 3])));
    let heaps = [
        ("heap of rigid bodies".to_owned(), rigid::heap(HEAP, BroadPhase::Grid)),
        ("heap of soft bodies".to_owned(), soft::heap(SOFT_HEAP)),
        ("many clusters".to_owned(), shape::many()),
    ];
    let lattices = springs.into_iter().chain(laws).chain(solved);
    lattices.chain(clusters).chain(heaps).collect()
}

/// Young's modulus [Pa].
const YOUNG: f64 = 1e6;

fn on_a_floor(integrator: Integrator) -> Scene {
    let mut scene = Scene::default();
    scene.world.floor = Some(0.0);
    scene.world.integrator = integrator;
    scene
}

fn elements(law: Law, cubes: u32, x: f64) -> Body {
    let mut body = standing("elements", cubes, x);
    body.kind = Kind::from(Fem { law, ..Fem::new(YOUNG, 0.3) });
    body
}

/// A cube of 1 m that touches the floor.
fn standing(name: &str, cubes: u32, x: f64) -> Body {
    let mut body = Body::lattice(name, [cubes; 3], [1.0; 3]);
    body.position = [x, 0.5, 0.0];
    body
}

/// The times of each kernel of a scene's steps [µs], one by one, and eight at a time.
fn measured(context: &Context, scene: &Scene) -> Result<BTreeMap<&'static str, [f64; 2]>> {
    let mut world = World::new(context, scene)?;
    let before = BEFORE / world.stepping().step;
    steps(&mut world, before.round() as u64)?;
    let mut times: BTreeMap<_, [Vec<f64>; 2]> = BTreeMap::new();
    for way in iter::repeat([0, 1, 1, 0]).flatten().take(2 * TURNS) {
        set_lanes(context, way == 1)?;
        world.set_profiling(true);
        for _ in 0..TURN {
            steps(&mut world, 1)?;
        }
        for (name, _, time) in world.passes() {
            times.entry(name).or_default()[way].extend(time.map(|time| time.mean()));
        }
        world.set_profiling(false);
    }
    set_lanes(context, true)?;
    times.retain(|_, ways| ways.iter().all(|way| !way.is_empty()));
    let median = |mut way: Vec<f64>| Timing::new(&mut way).median;
    Ok(times.into_iter().map(|(name, ways)| (name, ways.map(median))).collect())
}

/// Prints a table.
pub fn print(bench: &LanesBench) {
    println!(
        "kernels on CPU threads; µs of a pass, median of the means of {TURNS} turns, in the scene where it takes longest"
    );
    println!("{:24} {:>11} {:>11} {:>6}  scene", "kernel", "one by one", "lanes", "times");
    for KernelBench { name, one_by_one_us, lanes_us, scene } in &bench.kernels {
        let times = one_by_one_us / lanes_us;
        println!("{name:24} {one_by_one_us:11.1} {lanes_us:11.1} {times:6.2}  {scene}");
    }
}
