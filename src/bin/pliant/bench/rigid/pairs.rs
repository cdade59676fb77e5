//! Pairs of equal convex bodies that fly in a cube, as in table 7.1 of Ostroški (2010, "Rigid body collision detection"): thousands
//! at once, each narrow phase on the same ones.

use glam::{DQuat, DVec3, UVec2, Vec4};
use pliant::internals::bind;
use pliant::internals::collide::narrow_kernel;
use pliant::internals::gpu::types::{
    Collide, Collider, MANIFOLD, Manifold, ManifoldPoint, NONE, Pose, Sim,
};
use pliant::internals::gpu::{Buffer, Kernel, Recorder, Uniforms};
use pliant::internals::model::Model;
use pliant::internals::verify::Random;
use pliant::mesh::BoundingSphere;
use pliant::scene::{Body, Narrow, Scene, Shape};
use pliant::{Context, Error, Result};
use serde::Serialize;

use crate::bench::timing::{REPEATS, Timing, seconds};

/// What `pliant bench rigid-pairs` measures.
#[derive(Clone, Debug, Serialize)]
pub struct PairsBench {
    /// Pairs at once.
    pub pairs: usize,
    /// The share of them that touch, by number of triangles.
    pub touching: Vec<f64>,
    /// By method.
    pub methods: Vec<MethodBench>,
}

/// A narrow phase.
#[derive(Clone, Debug, Serialize)]
pub struct MethodBench {
    /// What it is called.
    pub name: &'static str,
    /// One look at one pair [s], by number of triangles; none of shapes that it does not know.
    pub query: Vec<Option<Timing>>,
    /// The published time of 10 000 steps of one pair, in a unit that is not given.
    pub published: Option<[f64; TRIANGLES.len()]>,
}

/// Pairs that are looked at by default.
pub const PAIRS: usize = 2048;
const MOST: usize = 1_000_000;
/// Triangles of each body: bipyramids.
const TRIANGLES: [u32; 10] = [8, 16, 24, 32, 40, 48, 56, 64, 72, 80];
/// How much larger the cube is than both bodies together.
const ROOM: f64 = 100.0;
/// Steps of a run, and their length [s].
const STEPS: f64 = 1e4;
const STEP: f64 = 2e-3;
/// How fast bodies fly and turn at the most, along each axis [m/s, rad/s].
const SPEED: f64 = 3.0;
/// Faces of a hull that is looked at by its axes, at the most (`wgsl/shared/hull_axes`).
const AXES_FACES: u32 = 48;

/// Which bounding spheres are looked at first, where any are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    Smallest,
    OfBox,
}

const METHODS: [(&str, Narrow, Bound); 5] = [
    ("triangles", Narrow::Triangles, Bound::Smallest),
    ("sphere of the box, then triangles", Narrow::SphereTriangles, Bound::OfBox),
    ("smallest sphere, then triangles", Narrow::SphereTriangles, Bound::Smallest),
    ("separating axes", Narrow::Sat, Bound::Smallest),
    ("GJK and EPA", Narrow::Gjk, Bound::Smallest),
];

/// Of METHODS; that of spheres does not say which.
fn published(narrow: Narrow) -> Option<[f64; TRIANGLES.len()]> {
    match narrow {
        Narrow::Triangles => {
            Some([11.35, 26.31, 48.89, 79.67, 117.54, 164.06, 216.99, 296.23, 403.87, 524.69])
        }
        Narrow::SphereTriangles => {
            Some([8.55, 15.81, 23.41, 36.65, 44.98, 64.38, 77.55, 102.74, 121.49, 150.34])
        }
        Narrow::Gjk => Some([8.62, 11.61, 13.67, 16.58, 19.59, 22.38, 25.67, 29.63, 32.07, 34.12]),
        Narrow::Sat => None,
    }
}

/// Measures.
///
/// # Errors
/// None, or too many of them; when the device is lost or has no room for them.
pub fn pairs(context: &Context, count: usize) -> Result<PairsBench> {
    if !(1..=MOST).contains(&count) {
        return Err(Error::value("--pairs", count, format!("1 to {MOST} pairs")));
    }
    let flights: Vec<_> =
        TRIANGLES.iter().map(|n| Flight::new(*n, count)).collect::<Result<_>>()?;
    let mut touching = vec![0.0; TRIANGLES.len()];
    let mut methods = Vec::new();
    for (name, narrow, bound) in METHODS {
        let kernel = Kernel::new(context, narrow_kernel(narrow));
        let mut query = Vec::new();
        for (k, flight) in flights.iter().enumerate() {
            let is_known = narrow != Narrow::Sat || TRIANGLES[k] <= AXES_FACES;
            query.push(match is_known {
                true => {
                    let (timing, hits) = flight.measure(context, &kernel, bound)?;
                    touching[k] = hits;
                    Some(timing)
                }
                false => None,
            });
        }
        methods.push(MethodBench { name, query, published: published(narrow) });
    }
    Ok(PairsBench { pairs: count, touching, methods })
}

/// A body on its way.
#[derive(Clone, Copy, Debug)]
struct Flying {
    position: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    spin: DVec3,
}

impl Flying {
    /// Anywhere in the cube.
    fn new(half: f64, random: &mut Random) -> Self {
        let spin = random.vector(SPEED);
        Self {
            position: random.vector(half),
            rotation: DQuat::from_scaled_axis(random.vector(2.0)),
            velocity: random.vector(SPEED),
            spin,
        }
    }

    /// A step later: it turns back at the sides of the cube.
    fn step(&mut self, half: f64) {
        self.position += STEP * self.velocity;
        for axis in 0..3 {
            if self.position[axis].abs() > half {
                self.velocity[axis] = -self.position[axis].signum() * self.velocity[axis].abs();
            }
        }
        self.rotation = (DQuat::from_scaled_axis(STEP * self.spin) * self.rotation).normalize();
    }

    fn pose(&self) -> Pose {
        Pose {
            position: self.position.as_vec3(),
            rotation: Vec4::from(self.rotation.as_quat()),
            ..Pose::default()
        }
    }
}

/// Pairs of bipyramids with a cube each. They pass through each other: what is measured is the search alone.
struct Flight {
    model: Model,
    /// As far as a centre goes along each axis [m].
    half: f64,
    bodies: Vec<Flying>,
}

impl Flight {
    fn new(triangles: u32, count: usize) -> Result<Self> {
        let body = Body::rigid("bipyramid", Shape::Bipyramid { triangles });
        let scene = Scene { bodies: vec![body], ..Scene::default() };
        let model = Model::new(&scene, "the host", u64::MAX)?;
        // Corners are a metre from the centre.
        let half = 0.5 * (ROOM * 2.0 * model.bodies[0].volume).cbrt() - 1.0;
        let mut random = Random::new(u64::from(triangles));
        let bodies = (0..2 * count).map(|_| Flying::new(half, &mut random)).collect();
        Ok(Self { model, half, bodies })
    }

    /// The collider of each body.
    fn colliders(&self, bound: Bound) -> Vec<Collider> {
        let own = self.model.colliders[0];
        let corners = self.model.hull_vertices[..own.vertex_count as usize].iter();
        let corners: Vec<_> = corners.map(|x| x.truncate().as_dvec3()).collect();
        let bound = match bound {
            Bound::Smallest => own.bound,
            Bound::OfBox => BoundingSphere::of_box(&corners).radius as f32,
        };
        let collider = |pose| Collider { pose: pose as u32, bound, ..own };
        (0..self.bodies.len()).map(collider).collect()
    }

    /// The time of a look at a pair, and the share of pairs that touch.
    fn measure(&self, context: &Context, kernel: &Kernel, bound: Bound) -> Result<(Timing, f64)> {
        let count = self.bodies.len() / 2;
        let pair = |k: usize| Manifold {
            colliders: UVec2::new(2 * k as u32, 2 * k as u32 + 1),
            last: NONE,
            ..Manifold::default()
        };
        let (sim, collide) =
            (Uniforms::new(context, "sim", 1), Uniforms::new(context, "collide", 1));
        sim.write(context, &[Sim::default()]);
        let constants = Collide { feature_count: 1, capacity: count as u32, ..Collide::default() };
        collide.write(context, &[constants]);
        let room = MANIFOLD as usize * count;
        let first = Buffer::new(context, "record_first", &[0, count as u32])?;
        let colliders = Buffer::new(context, "colliders", &self.colliders(bound))?;
        let vertices = Buffer::new(context, "hull_vertices", &self.model.hull_vertices)?;
        let faces = Buffer::new(context, "hull_faces", &self.model.hull_faces)?;
        let poses = Buffer::<Pose>::zeroed(context, "poses", self.bodies.len())?;
        let pairs: Vec<_> = (0..count).map(pair).collect();
        let manifolds = Buffer::new(context, "manifolds", &pairs)?;
        let points = Buffer::<ManifoldPoint>::zeroed(context, "manifold_points", room)?;
        let last = Buffer::<ManifoldPoint>::zeroed(context, "manifold_points_last", 1)?;
        let bound = kernel.bind(
            context,
            &[
                sim.binding(),
                collide.binding(),
                bind(&first, "record_first"),
                bind(&colliders, "colliders"),
                bind(&vertices, "hull_vertices"),
                bind(&faces, "hull_faces"),
                bind(&poses, "poses"),
                bind(&manifolds, "manifolds"),
                bind(&points, "manifold_points"),
                bind(&last, "manifold_points_last"),
            ],
        );
        let mut bodies = self.bodies.clone();
        let mut times = [0.0; REPEATS];
        let mut touching = 0;
        // The first step has no direction of one before.
        for step in 0..=REPEATS {
            bodies.iter_mut().for_each(|body| body.step(self.half));
            let now: Vec<_> = bodies.iter().map(Flying::pose).collect();
            poses.write(context, 0, &now);
            let time = seconds(|| {
                let mut recorder = Recorder::new(context);
                recorder.dispatch(&bound, count, 0);
                recorder.submit();
                context.wait()
            })?;
            if step > 0 {
                times[step - 1] = time;
                touching += manifolds.read(context)?.iter().filter(|m| m.count > 0).count();
            }
        }
        let share = touching as f64 / (REPEATS * count) as f64;
        Ok((Timing::new(&mut times).per(count as u64), share))
    }
}

/// Prints the tables.
pub fn print(bench: &PairsBench) {
    let row = |name: &str, cells: &[String]| {
        let cells = cells.iter().map(|cell| format!("{cell:>9}")).collect::<String>();
        say!("{name:<34}{cells}");
    };
    let cells = |query: &[Option<Timing>], of: fn(f64) -> f64, digits: usize| -> Vec<String> {
        let cell = |timing: &Option<Timing>| match timing {
            Some(timing) => format!("{:.digits$}", of(timing.median)),
            None => "–".to_owned(),
        };
        query.iter().map(cell).collect()
    };
    say!(
        "\n{} pairs of bipyramids at once, each pair in a cube of {ROOM} times its volume, steps of {} ms; median of {REPEATS}",
        bench.pairs,
        1e3 * STEP
    );
    say!("ms for 10 000 steps of one pair; below, the thesis (2010; the unit is not given)");
    row("triangles of a body", &TRIANGLES.map(|n| n.to_string()));
    for method in &bench.methods {
        row(method.name, &cells(&method.query, |time| 1e3 * STEPS * time, 2));
    }
    for narrow in [Narrow::Triangles, Narrow::SphereTriangles, Narrow::Gjk] {
        if let Some(times) = published(narrow) {
            row(&format!("  thesis: {}", narrow.name()), &times.map(|time| format!("{time:.2}")));
        }
    }
    let share = |share: &f64| format!("{:.2}", 100.0 * share);
    row("pairs that touch, %", &bench.touching.iter().map(share).collect::<Vec<_>>());
    say!("\nmillions of queries per second");
    for method in &bench.methods {
        row(method.name, &cells(&method.query, |time| 1e-6 / time, 3));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_stay_in_their_cubes() {
        let mut flight = Flight::new(8, 20).expect("a bipyramid is sound");
        assert!((flight.half - 2.218).abs() < 1e-3, "{}", flight.half);
        for _ in 0..5000 {
            for body in &mut flight.bodies {
                body.step(flight.half);
                assert!(body.position.abs().max_element() < flight.half + 1.1 * STEP * SPEED);
            }
        }
    }

    #[test]
    fn the_smallest_sphere_is_the_smaller_one() {
        for triangles in TRIANGLES {
            let flight = Flight::new(triangles, 1).expect("a bipyramid is sound");
            let [smallest, of_box] = [Bound::Smallest, Bound::OfBox]
                .map(|bound| f64::from(flight.colliders(bound)[1].bound));
            assert!((smallest - 1.0).abs() < 1e-6, "{smallest}");
            assert!((of_box - 3.0_f64.sqrt()).abs() < 1e-6, "{of_box}");
        }
    }
}
