//! Batched queries of a running world, answered on the device: what rays hit, what contains points, what is in boxes. They use
//! the simulated surfaces, tetrahedra and spheres, not the drawn ones. This module knows a world's arrays; no world must know of
//! it.
//!
//! ```
//! use glam::Vec3;
//! use pliant::query::{Queries, Ray, RayOptions};
//! use pliant::scene::{Body, Scene};
//! use pliant::{Context, World};
//!
//! # fn main() -> pliant::Result<()> {
//! let scene = Scene { bodies: vec![Body::lattice("cube", [4, 4, 4], [1.0, 1.0, 1.0])], ..Scene::default() };
//! let world = World::new(&Context::new()?, &scene)?;
//! let mut queries = Queries::new(&world)?;
//! let ray = Ray { origin: Vec3::new(0.1, 3.0, 0.2), direction: -Vec3::Y };
//! let mut hits = queries.rays(&world, &[ray], &RayOptions::default())?;
//! let held = queries.points(&world, &[Vec3::ZERO], u32::MAX)?.wait()?;
//! assert_eq!(held[0].map(|hit| hit.body), Some(0));
//! let hits = loop {
//!     // … steps, drawing: whatever else there is to do
//!     if let Some(hits) = hits.poll()? {
//!         break hits;
//!     }
//! };
//! assert!(hits[0].is_some_and(|hit| (hit.distance - 2.5).abs() < 1e-5));
//! # Ok(())
//! # }
//! ```

mod answers;
mod pieces;
mod ray;
#[cfg(test)]
mod tests;

use glam::{DVec3, Vec3};

pub use answers::{Met, Part, PointHit, RayHit};

pub use crate::scene::Aabb;
pub use ray::Ray;

use answers::{bits, point_hit, ray_hit};
use pieces::Pieces;

use crate::gpu::types::{Box as GpuBox, Externals, PointAnswer, Query, RayAnswer};
use crate::gpu::{Binding, Buffer, Bytes, Context, Kernel, Pending};
use crate::gpu::{Recorder, Shared, Uniforms, elements};
use crate::model::BodyRanges;
use crate::world::Revision;
use crate::{Error, Result, World};

/// Coordinates beyond this [m] would overflow in products of three.
const FARTHEST: f32 = 1e12;

/// Options of ray queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayOptions {
    /// Rays hit bodies for which (group & mask) is not 0.
    pub mask: u32,
    /// Length of the rays [m]; may be infinite.
    pub reach: f32,
    /// Whether rays hit solids: the floor, planes, spheres, boxes.
    pub solids: bool,
}

impl Default for RayOptions {
    fn default() -> Self {
        Self { mask: u32::MAX, reach: f32::INFINITY, solids: false }
    }
}

/// Passes and arrays for queries of a world; rebuilt automatically for another or a rebuilt world.
///
/// A query looks at the last submitted state, and its answer comes back without waiting. Later steps do not affect it. If that
/// submission has to be repeated with more room for contacts, the answer is that of the first attempt: call [`World::wait`]
/// before a query to avoid this. After a fault the state is the last good one, as soon as the world knows of the fault.
#[derive(Debug)]
pub struct Queries {
    of: Revision,
    context: Context,
    surfaces: Pieces,
    insides: Pieces,
    groups: Buffer<u32>,
    replica: Option<usize>,
    /// What [`Self::set_groups`] gave.
    own_groups: Option<Vec<u32>>,
    bound: Kernel,
    ray: Kernel,
    point: Kernel,
    inside: Kernel,
    uniform: Uniforms<Query>,
    /// Solids at the time of asking: in the world's own they are where the last step found them.
    externals: Uniforms<Externals>,
}

impl Queries {
    /// For this world's bodies.
    ///
    /// # Errors
    /// An array that is too large for one buffer; a lost device.
    pub fn new(world: &World) -> Result<Self> {
        world.context().catch_loss(|| Self::make(world))
    }

    fn make(world: &World) -> Result<Self> {
        let (context, model) = (world.context(), world.model());
        let kernel = |name| Kernel::new(context, name);
        Ok(Self {
            of: world.revision(),
            context: context.clone(),
            surfaces: Pieces::surfaces(context, model)?,
            insides: Pieces::insides(context, model)?,
            groups: Buffer::zeroed(context, "query_groups", model.bodies.len())?,
            replica: None,
            own_groups: None,
            bound: kernel("query_bound"),
            ray: kernel("query_ray"),
            point: kernel("query_point"),
            inside: kernel("query_box"),
            uniform: Uniforms::new(context, "query", 1),
            externals: Uniforms::new(context, "externals", 1),
        })
    }

    /// Restricts further queries to one replica of a [replicated](crate::Scene::replicate) scene, or lifts that with `None` (the
    /// default: all bodies; as replicas overlap, the first one answers). If there is no such replica, queries fail.
    pub fn set_replica(&mut self, replica: Option<usize>) {
        self.replica = replica;
    }

    /// Uses these groups in further queries, one per body and 0 for missing ones, or with `None`, the default, those of the
    /// scene. Contact is not affected.
    pub fn set_groups(&mut self, groups: Option<Vec<u32>>) {
        self.own_groups = groups;
    }

    /// The nearest hit of each ray: triangles of the coarse surfaces of bodies and shells, from both sides; spheres of clouds,
    /// from inside at their far side; and solids if requested. At equal distances the lowest body wins, then the lowest index;
    /// solids come last. A ray in the plane of a triangle may hit it or not.
    ///
    /// # Errors
    /// Rays without a direction, with coordinates that are not finite or beyond 10¹² m; a reach below 0 or none; no memory.
    pub fn rays(
        &mut self,
        world: &World,
        rays: &[Ray],
        options: &RayOptions,
    ) -> Result<Pending<Vec<Option<RayHit>>>> {
        if options.reach.is_nan() || options.reach < 0.0 {
            return Err(Error::value("reach", options.reach, "a length from 0 [m]"));
        }
        let rays = rays.iter().enumerate();
        let rays = rays.map(|(index, ray)| ray.with_axes(options.reach, &format!("ray {index}")));
        let rays = rays.collect::<Result<Vec<_>>>()?;
        world.context().catch_loss(|| {
            self.follow(world)?;
            let rays = Buffer::new(&self.context, "query_rays", &rays)?;
            let answers = Buffer::<RayAnswer>::zeroed(&self.context, "ray_answers", rays.len())?;
            let query = Query {
                count: rays.len() as u32,
                solid_count: if options.solids { world.present_sim().solid_count } else { 0 },
                mask: options.mask,
                ..Query::default()
            };
            let others = [rays.binding(), answers.binding()];
            let spheres = self.surfaces.spheres.clone();
            let asked = (&self.surfaces, &self.ray, query);
            self.ask(world, asked, &others, &answers, move |answers| {
                answers.iter().map(|a| ray_hit(a, &spheres)).collect()
            })
        })
    }

    /// What contains each point: the first body that does; of its tetrahedra the one whose least weight is greatest, of its
    /// spheres the one that it is deepest in. A point on a face of the surface counts as inside.
    ///
    /// # Errors
    /// Coordinates that are not finite or beyond 10¹² m; no memory.
    pub fn points(
        &mut self,
        world: &World,
        points: &[Vec3],
        mask: u32,
    ) -> Result<Pending<Vec<Option<PointHit>>>> {
        for (index, point) in points.iter().enumerate() {
            check(*point, &format!("point {index}"))?;
        }
        world.context().catch_loss(|| {
            self.follow(world)?;
            let points: Vec<_> = points.iter().map(|x| x.extend(0.0)).collect();
            let points = Buffer::new(&self.context, "query_points", &points)?;
            let answers =
                Buffer::<PointAnswer>::zeroed(&self.context, "point_answers", points.len())?;
            let query = Query { count: points.len() as u32, mask, ..Query::default() };
            let others = [points.binding(), answers.binding()];
            let spheres = self.insides.spheres.clone();
            let asked = (&self.insides, &self.point, query);
            self.ask(world, asked, &others, &answers, move |answers| {
                answers.iter().map(|a| point_hit(a, &spheres)).collect()
            })
        })
    }

    /// The bodies in each box, in ascending order: those with a tetrahedron, or in clouds and shells a sphere, that overlaps it,
    /// borders included.
    ///
    /// # Errors
    /// Coordinates that are not finite or beyond 10¹² m; a box whose least coordinates are above its greatest; no memory.
    pub fn boxes(
        &mut self,
        world: &World,
        boxes: &[Aabb],
        mask: u32,
    ) -> Result<Pending<Vec<Vec<usize>>>> {
        let gpu = |(index, bounds): (usize, &Aabb)| {
            let [low, high] = [bounds.min, bounds.max].map(|x| DVec3::from(x).as_vec3());
            check(low, &format!("box {index}: min"))?;
            check(high, &format!("box {index}: max"))?;
            if low.cmpgt(high).any() {
                let want = format!("at most its max {high}");
                return Err(Error::value(format!("box {index}: min"), low, want));
            }
            Ok(GpuBox { low, high, ..GpuBox::default() })
        };
        let count = boxes.len();
        let boxes = boxes.iter().enumerate().map(gpu).collect::<Result<Vec<_>>>()?;
        world.context().catch_loss(|| {
            self.follow(world)?;
            let boxes = Buffer::new(&self.context, "query_boxes", &boxes)?;
            let words = self.groups.len().div_ceil(32);
            let answers = Buffer::<u32>::zeroed(&self.context, "box_answers", words * count)?;
            let query =
                Query { count: count as u32, words: words as u32, mask, ..Query::default() };
            let others = [boxes.binding(), answers.binding()];
            let asked = (&self.insides, &self.inside, query);
            self.ask(world, asked, &others, &answers, move |answers| {
                let held = |own: &[u32]| bits(own).collect::<Vec<_>>();
                match words {
                    0 => vec![Vec::new(); count],
                    _ => answers.chunks_exact(words).map(held).collect(),
                }
            })
        })
    }

    /// Submits a dispatch and the copy of its answers.
    fn ask<A: Shared + 'static, T>(
        &self,
        world: &World,
        (pieces, kernel, query): (&Pieces, &Kernel, Query),
        others: &[Binding<'_>],
        answers: &Buffer<A>,
        decode: impl FnOnce(Vec<A>) -> T + Send + Sync + 'static,
    ) -> Result<Pending<T>>
    where
        Vec<A>: encase::ShaderType + encase::internal::CreateFrom,
    {
        let context = world.context();
        self.groups.write(context, 0, &self.groups(world)?);
        let query = Query { piece_count: pieces.pieces.len() as u32, ..query };
        self.uniform.write(context, &[query]);
        if query.solid_count > 0 {
            let solids = world.solids();
            let mut externals = Externals::default();
            externals.solids[..solids.len()].copy_from_slice(&solids);
            self.externals.write(context, &[externals]);
        }
        let mut bindings = others.to_vec();
        bindings.extend([
            self.externals.binding(),
            self.uniform.binding(),
            self.groups.binding(),
            world.particles().bind("particles_in"),
            pieces.pieces.binding(),
            pieces.elements.binding(),
            pieces.bounds.binding(),
        ]);
        let mut recorder = Recorder::new(context);
        let bound = self.bound.bind(context, &bindings);
        recorder.dispatch(&bound, pieces.pieces.len(), 0);
        let kernel = kernel.bind(context, &bindings);
        recorder.dispatch(&kernel, query.count as usize, 0);
        let count = answers.len();
        let size = if count > 0 { answers.size() } else { 0 };
        let parts: [(&dyn Bytes, _); 1] = [(answers, 0..size)];
        let pending = Pending::record(&mut recorder, &parts, move |bytes| {
            Ok(decode(elements(bytes, count)?))
        });
        recorder.submit();
        Ok(pending)
    }

    /// The groups of each body, as far as it is asked about: none of one that is absent, or in another copy of the scene.
    /// Whatever leaves a body out does it here.
    fn groups(&self, world: &World) -> Result<Vec<u32>> {
        let (scene, model) = (world.scene(), world.model());
        let asked = match self.replica {
            Some(replica) => scene.replica_bodies(replica)?,
            None => 0..scene.bodies.len(),
        };
        let group = |(index, ranges): (usize, &BodyRanges)| match &self.own_groups {
            _ if ranges.absent || !asked.contains(&index) => 0,
            Some(own) => own.get(index).copied().unwrap_or(0),
            None => scene.bodies[index].group,
        };
        Ok(model.bodies.iter().enumerate().map(group).collect())
    }

    /// Makes everything anew for a world of other bodies or on another device.
    fn follow(&mut self, world: &World) -> Result<()> {
        if self.of != world.revision() {
            *self = Self {
                replica: self.replica,
                own_groups: self.own_groups.take(),
                ..Self::new(world)?
            };
        }
        Ok(())
    }
}

/// Refuses a place whose products overflow.
fn check(x: Vec3, at: &str) -> Result<()> {
    if x.is_finite() && x.abs().max_element() <= FARTHEST {
        return Ok(());
    }
    Err(Error::value(at, x, "finite coordinates, at most 1e12 m"))
}
