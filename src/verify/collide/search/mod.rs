//! A search for contacts on the device, pass by pass, with what each left behind.

mod passes;
mod records;
mod scene;

use std::collections::BTreeMap;

use glam::UVec4;

pub use self::records::{exact, known};
use self::scene::scene;
use super::worlds::World;
use crate::Result;
use crate::collide::{Capacity, CollisionArrays};
use crate::gpu::types::{
    Body, Box, Contact, Edge, HIT_STRIDE, MAX_HITS, MAX_SPHERE_HITS, MAX_TRIANGLE_HITS, PatchShape,
    Penetration, Sim, Tested,
};
use crate::gpu::{Binding, Context, Kernel};
use crate::reference::contact::Scene;
use crate::scene::WorldSettings;
use crate::verify::Check;
use crate::verify::bench::Bench;
use crate::verify::errors::ErrorStats;

/// Propagation sweeps at the most.
const SWEEPS: usize = 16;

/// Workgroups that a search asks for: any numbers.
const PLAN: [u32; 6] = [3, 1, 1, 7, 2, 1];

/// Kernels by name.
pub type Kernels = BTreeMap<&'static str, Kernel>;

/// What the passes of a search wrote, in their order.
#[derive(Debug)]
pub struct Search<'a> {
    /// Kernels by name.
    kernels: &'a Kernels,
    /// The world.
    pub world: &'a World,
    /// Its arrays on the device.
    pub bench: Bench<'a>,
    /// Those of contact, as they are after the search.
    pub arrays: CollisionArrays,
    /// The world as the reference sees it.
    pub scene: Scene,
    /// Of `contact_begin` on the arrays' first contents.
    pub empty: Lists,
    /// Of `body_boxes`.
    pub boxes: Vec<u32>,
    /// Of `fold_patches`.
    pub patch_shapes: Vec<PatchShape>,
    /// Of `fold_pairs`.
    pub folds: Vec<u32>,
    /// Of `fold_pairs`: the least way to the next fold [m].
    pub fold_gap: f32,
    /// Of `body_pairs`.
    pub bodies: Vec<Body>,
    /// Of `body_pairs`.
    pub overlaps: Vec<Box>,
    /// Of `body_pairs`: whether any bodies meet.
    pub meet: bool,
    /// Of `grid_insert`.
    pub tested: Vec<Tested>,
    /// Of `grid_insert`.
    pub grid: Vec<u32>,
    /// Of `points_in_tets`, and of `self_in_tets` after it.
    pub hits: [Hits; 2],
    /// The sharp edges.
    pub edges: Vec<Edge>,
    /// Of `edge_insert`.
    pub edge_grid: Vec<u32>,
    /// Of `edges_in_tets`: of edges.
    pub edge_hits: Hits,
    /// What the search before it found.
    pub last: Vec<Contact>,
    /// Of `contact_match`: of particles, then of edges.
    pub recalled: Vec<Penetration>,
    /// The same for the source's response.
    pub recalled_by_source: Vec<Penetration>,
    /// Of spheres.
    pub recalled_of_spheres: Vec<Penetration>,
    /// Of `border_penetration`, and of each `propagate` after it.
    pub sweeps: Vec<Vec<Penetration>>,
    /// The last sweep that had something to do.
    pub last_sweep: u32,
    /// Surface triangles that spheres may touch: corners, body.
    pub triangles: Vec<UVec4>,
    /// Those of the reference's scene.
    pub surface_of: Vec<usize>,
    /// Of `sphere_insert`.
    pub sphere_grid: Vec<u32>,
    /// Of `sphere_find`: `SPHERE_STRIDE` words of each particle.
    pub found: Vec<u32>,
    /// The same after `sphere_count`.
    pub partners: Vec<u32>,
    /// Of `sphere_count`: how many records each particle has; 0 of those that are no spheres.
    pub partner_counts: Vec<u32>,
    /// Of `sphere_count`: what is left of the lists of tetrahedra that hold particles.
    pub left_hits: Vec<u32>,
    /// Of `contact_triangles`.
    pub contacts: Vec<Contact>,
    /// Of `sphere_contacts`.
    pub sphere_contacts: Vec<Contact>,
    /// Of `edge_contacts`.
    pub edge_contacts: Vec<Contact>,
}

/// The bodies that hold each particle, or that each edge passes through, and how many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// `HIT_STRIDE` words each.
    pub tets: Vec<u32>,
    /// One each.
    pub counts: Vec<u32>,
}

/// The arrays that a search begins with empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists {
    /// Lists of points by cell.
    pub grid: Vec<u32>,
    /// Lists of bodies by particle.
    pub hits: Hits,
    /// The box of each body.
    pub boxes: Vec<u32>,
    /// Lists of contacts by particle.
    pub rows: Vec<u32>,
}

impl<'a> Search<'a> {
    /// Runs all passes but the `idle` one. `kernels` by name.
    ///
    /// # Errors
    /// An array that is too large for one buffer; a lost device.
    pub fn new(
        context: &'a Context,
        world: &'a World,
        kernels: &'a Kernels,
        idle: Option<&'static str>,
    ) -> Result<Self> {
        let case = &world.case;
        let bench = Bench::new(context, case)?;
        bench.idle.set(idle);
        let capacity = Capacity {
            recorded: true,
            records: MAX_HITS as usize * case.model.springs.len()
                + (MAX_SPHERE_HITS + MAX_TRIANGLE_HITS) as usize * case.particles.len(),
            sweeps: SWEEPS as u32,
        };
        let settings = WorldSettings {
            self_contact: world.self_contact,
            ..WorldSettings::default()
        };
        let arrays = CollisionArrays::new(context, &case.model, &settings, capacity, &|_| {
            PLAN.to_vec()
        })?;
        let mut search = Self {
            kernels,
            world,
            scene: scene(
                &bench,
                world.self_contact,
                f64::from(arrays.constants.floor),
            ),
            bench,
            arrays,
            empty: Lists {
                grid: Vec::new(),
                hits: Hits::default(),
                boxes: Vec::new(),
                rows: Vec::new(),
            },
            boxes: Vec::new(),
            patch_shapes: Vec::new(),
            folds: Vec::new(),
            fold_gap: 0.0,
            bodies: Vec::new(),
            overlaps: Vec::new(),
            meet: false,
            tested: Vec::new(),
            grid: Vec::new(),
            hits: [0, 1].map(|_| Hits::default()),
            edges: Vec::new(),
            edge_grid: Vec::new(),
            edge_hits: Hits::default(),
            triangles: Vec::new(),
            surface_of: Vec::new(),
            sphere_grid: Vec::new(),
            found: Vec::new(),
            left_hits: Vec::new(),
            partners: Vec::new(),
            partner_counts: Vec::new(),
            last: Vec::new(),
            recalled: Vec::new(),
            recalled_by_source: Vec::new(),
            recalled_of_spheres: Vec::new(),
            sweeps: Vec::new(),
            last_sweep: 0,
            contacts: Vec::new(),
            sphere_contacts: Vec::new(),
            edge_contacts: Vec::new(),
        };
        search.run_all(kernels)?;
        Ok(search)
    }

    /// Compares what a kernel wrote, or what is there after it has been left out.
    ///
    /// # Errors
    /// Those of the check.
    pub fn compare(
        &self,
        check: Check,
        idle: Option<&'static str>,
        errors: &mut ErrorStats,
    ) -> Result<()> {
        match check {
            Check::Search(check) if idle.is_some() => {
                let context = self.bench.context;
                check(
                    &Search::new(context, self.world, self.kernels, idle)?,
                    errors,
                );
            }
            Check::Search(check) => check(self, errors),
            Check::After(check) => {
                self.bench.idle.set(idle);
                check(&self.kernels[errors.name()], self, errors)?;
                self.bench.idle.set(None);
            }
            Check::Trial(_) | Check::Case(_) => unreachable!("it has no search"),
        }
        Ok(())
    }

    /// Runs a kernel with so many threads; `from` is the array of penetrations that it reads.
    pub fn run(&self, kernel: &Kernel, threads: usize, from: usize) {
        self.run_with(kernel, threads, self.arrays.bindings(from));
    }

    fn run_with<'b>(&'b self, kernel: &Kernel, threads: usize, mut bindings: Vec<Binding<'b>>) {
        bindings.push(self.bench.buffers.chunks.bind("chunks"));
        let sim = Sim {
            chunk_count: self.bench.buffers.chunks.len() as u32,
            ..self.bench.case.sim
        };
        self.bench.dispatch(kernel, sim, threads, &bindings);
    }

    /// The arrays that `contact_begin` empties, as they are, without what `sphere_count` counts.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn lists(&self) -> Result<Lists> {
        let mut hits = self.read_hits()?.0;
        for (count, body) in hits.counts.iter_mut().zip(&self.scene.body) {
            if self.scene.bodies[*body].radius > 0.0 {
                *count = 0;
            }
        }
        Ok(Lists {
            grid: self.arrays.grid.read(self.bench.context)?,
            hits,
            boxes: self.arrays.boxes.read(self.bench.context)?,
            rows: self.arrays.sized.rows.read(self.bench.context)?,
        })
    }

    /// Those of the particles and those of the edges, as they are.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn read_hits(&self) -> Result<(Hits, Hits)> {
        let mut tets = self.arrays.hits.read(self.bench.context)?;
        let mut counts = self.arrays.counts.read(self.bench.context)?;
        let of_edges = Hits {
            tets: tets.split_off(HIT_STRIDE as usize * self.bench.len()),
            counts: counts.split_off(self.bench.len()),
        };
        Ok((Hits { tets, counts }, of_edges))
    }
}
