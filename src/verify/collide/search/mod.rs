//! A search for contacts on the device, pass by pass, with what each left behind.

mod passes;
mod records;
mod scene;

use std::collections::BTreeMap;
use std::rc::Rc;

use encase::{ShaderType, internal::CreateFrom};
use glam::UVec4;

pub use self::records::{exact, known};
use self::scene::scene;
use super::worlds::World;
use crate::Result;
use crate::collide::{BodyBroadPhase, BroadPlan, Capacity, CollisionArrays};
use crate::gpu::types::{
    Body, Box, Collide, Contact, Edge, HIT_STRIDE, MAX_HITS, MAX_SPHERE_HITS, MAX_TRIANGLE_HITS,
    Penetration, Sim, Tested,
};
use crate::gpu::{Context, Shared};
use crate::reference::contact::Scene;
use crate::scene::WorldSettings;
use crate::verify::trial::{Array, Arrays, Encoded, Written};
use crate::verify::{Bench, ErrorStats};

/// Propagation sweeps at the most.
const SWEEPS: usize = 16;

/// Workgroups that a search asks for: any numbers.
const PLAN: [u32; 6] = [3, 1, 1, 7, 2, 1];

/// What a check of a kernel of the search compares.
pub type Check = fn(&Search<'_>, &mut ErrorStats) -> Result<()>;

/// What the passes of a search wrote, in their order.
#[derive(Debug)]
pub struct Search<'a> {
    /// The world.
    pub world: &'a World,
    /// Its other arrays.
    pub bench: Bench<'a>,
    /// What holds for all passes.
    pub constants: Collide,
    /// The arrays of contact, as they are after the search.
    arrays: BTreeMap<String, Rc<Encoded>>,
    /// What each kernel left, of some in several passes.
    passes: BTreeMap<&'static str, Vec<Written>>,
    /// The world as the reference sees it.
    pub scene: Scene,
    /// What the passes found, for the checks of those that go on from it.
    pub found: Found,
}

/// What the passes of a search found.
#[derive(Debug, Default)]
pub struct Found {
    /// Of `body_pairs`.
    pub bodies: Vec<Body>,
    /// Of `body_pairs`.
    pub overlaps: Vec<Box>,
    /// Of `grid_insert`.
    pub ahead: Vec<Tested>,
    /// Of `grid_insert`: how many times as far each particle goes.
    pub fast: Vec<f32>,
    /// Of `points_in_tets`.
    pub met: Hits,
    /// Of `way_end`.
    pub tested: Vec<Tested>,
    /// Of these and `self_in_tets`.
    pub hits: Hits,
    /// The sharp edges.
    pub edges: Vec<Edge>,
    /// Of `edges_in_tets`.
    pub edge_hits: Hits,
    /// Surface triangles that spheres may touch: corners, body.
    pub triangles: Vec<UVec4>,
    /// Those of the reference's scene.
    pub surface_of: Vec<usize>,
    /// Of `sphere_find`: `SPHERE_STRIDE` words of each particle.
    pub listed: Vec<u32>,
    /// The same after `sphere_count`.
    pub partners: Vec<u32>,
    /// Of `sphere_count`: how many records each particle has; 0 of those that are no spheres.
    pub partner_counts: Vec<u32>,
    /// Of `contact_match`: of particles, then of edges.
    pub recalled: Vec<Penetration>,
    /// Of `border_penetration`, and of each `propagate` after it.
    pub sweeps: Vec<Vec<Penetration>>,
    /// Of `contact_triangles`.
    pub contacts: Vec<Contact>,
}

/// The bodies that hold each particle, or that each edge passes through, and how many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// `HIT_STRIDE` words each.
    pub tets: Vec<u32>,
    /// One each.
    pub counts: Vec<u32>,
}

impl<'a> Search<'a> {
    /// Runs all passes but the `idle` one.
    pub fn new(context: &'a Context, world: &'a World, idle: Option<&'static str>) -> Result<Self> {
        let case = &world.case;
        let bench = Bench::new(context, case)?;
        bench.idle.set(idle);
        let of_spheres = (MAX_SPHERE_HITS + MAX_TRIANGLE_HITS) as usize * case.particles.len();
        let records = MAX_HITS as usize * case.model.springs.len() + of_spheres;
        let capacity = Capacity::with(records, SWEEPS as u32);
        let settings =
            WorldSettings { self_contact: world.self_contact, ..WorldSettings::default() };
        let plan = |_: &_| PLAN.to_vec();
        let search: BroadPlan<'_> = (BodyBroadPhase::Grid, &plan);
        let made = CollisionArrays::new(context, &case.model, &settings, capacity, search)?;
        let constants = made.constants;
        let mut search = Self {
            world,
            scene: scene(&bench, world.self_contact, f64::from(constants.floor)),
            bench,
            constants,
            arrays: BTreeMap::new(),
            passes: BTreeMap::new(),
            found: Found::default(),
        };
        for binding in made.bindings(0) {
            if binding.name() != "collide" {
                let (bytes, stride) = binding.read(context)?;
                let array = Rc::new(Encoded::of(bytes, stride));
                search.arrays.insert(binding.name().to_owned(), array);
            }
        }
        search.put("collide", &[constants]);
        search.put("bodies", &case.bodies);
        let status = search.bench.status();
        search.put("status", &status);
        search.run_all()?;
        Ok(search)
    }

    /// Compares what a kernel wrote, or what is there after it has been left out; what the check does not look at must be as
    /// it was.
    pub fn compare(
        &self,
        check: Check,
        idle: Option<&'static str>,
        errors: &mut ErrorStats,
    ) -> Result<()> {
        if idle.is_some() && self.bench.idle.get() != idle {
            let without = Search::new(self.bench.context, self.world, idle)?;
            return without.compare(check, idle, errors);
        }
        let round = self.constants.sphere_table > 0;
        let lacking = match errors.name() {
            "fold_patches" | "fold_pairs" | "self_in_tets" => !self.world.self_contact,
            name => name.starts_with("sphere_") && !round,
        };
        if lacking {
            errors.cases(1);
            return Ok(());
        }
        let before = self.bench.runs();
        check(self, errors)?;
        let own = self.passes.get(errors.name());
        errors.holds(own.into_iter().flatten().all(Written::is_seen));
        errors.holds(self.bench.all_seen(before));
        errors.cases((self.bench.runs() - before).max(1));
        Ok(())
    }

    /// Replaces an array.
    fn put<T: Array>(&mut self, name: &str, array: &T) {
        self.arrays.insert(name.to_owned(), array.encode());
    }

    /// An array as it is after the search, one element more where it has none.
    pub fn array<T: Shared>(&self, name: &str) -> Vec<T>
    where
        Vec<T>: ShaderType + CreateFrom,
    {
        self.arrays[name].decode()
    }

    /// What a kernel left of its arrays, in its last pass.
    pub fn after(&self, kernel: &str) -> &Written {
        self.passes[kernel].last().expect("a pass")
    }

    /// What a kernel left in each of its passes.
    pub fn passes(&self, kernel: &str) -> &[Written] {
        &self.passes[kernel]
    }

    /// Runs a kernel once more on the arrays as they are after the search, and on those that are given.
    pub fn again(&self, kernel: &str, threads: usize, given: &Arrays<'_>) -> Result<Written> {
        self.again_in(self.bench.case.sim, kernel, threads, given)
    }

    /// The same with another uniform.
    pub fn again_in(
        &self,
        sim: Sim,
        kernel: &str,
        threads: usize,
        given: &Arrays<'_>,
    ) -> Result<Written> {
        let sim = Sim { chunk_count: self.bench.model().chunks.len() as u32, ..sim };
        let own = self.arrays.iter();
        let own: Vec<_> = own.map(|(name, array)| (&**name, array as _)).collect();
        let arrays = [&own, given].concat();
        self.bench.run_other(kernel, sim, threads, &arrays)
    }

    /// The tetrahedra that hold particles, and those that edges pass through.
    pub fn hits_of(&self, after: &Written) -> [Hits; 2] {
        self.split(after.get("hits"), after.get("counts"))
    }

    fn split(&self, mut tets: Vec<u32>, mut counts: Vec<u32>) -> [Hits; 2] {
        tets.truncate(HIT_STRIDE as usize * self.features());
        counts.truncate(self.features());
        let of_edges = Hits {
            tets: tets.split_off(HIT_STRIDE as usize * self.bench.len()),
            counts: counts.split_off(self.bench.len()),
        };
        [Hits { tets, counts }, of_edges]
    }
}
