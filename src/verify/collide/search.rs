//! A search for contacts on the device, pass by pass, with what each left behind.

use std::collections::BTreeMap;

use glam::{DVec3, UVec4, Vec3};

use super::super::bench::Bench;
use super::super::case::Random;
use super::super::touch::uniform;
use super::recall::LastSearch;
use super::worlds::World;
use crate::Result;
use crate::collide::{Capacity, CollisionArrays};
use crate::gpu::types::{
    Body, Box, Collide, Contact, Edge, HIT_STRIDE, MAX_HITS, MAX_SPHERE_HITS, MAX_TRIANGLE_HITS,
    NONE, Penetration, SPHERE_STRIDE, Sim, TALLY_SWEEPS, Tested,
};
use crate::gpu::{Binding, Context, Kernel, Recorder};
use crate::prim::Scan;
use crate::reference::contact::boxes::{Aabb, BodyPairs};
use crate::reference::contact::{BodyContact, Record, Scene, penetration};
use crate::scene::WorldSettings;

/// Propagation sweeps at the most.
const SWEEPS: usize = 16;
/// Half of what inputs are shaken by, in mean edges, to see where the reference decides otherwise: sixteen f32 epsilons.
const SHAKE: f64 = 16.0 * f32::EPSILON as f64;
/// Workgroups that a search asks for: any numbers.
const PLAN: [u32; 6] = [3, 1, 1, 7, 2, 1];

/// Kernels by name.
pub type Kernels = BTreeMap<&'static str, Kernel>;

/// What the passes of a search wrote, in their order.
#[derive(Debug)]
pub struct Search<'a> {
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
    /// Of `contact_recall`: of particles, then of edges.
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
        kernels: &Kernels,
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
        let settings = WorldSettings::default();
        let arrays = CollisionArrays::new(context, &case.model, &settings, capacity, &|_| {
            PLAN.to_vec()
        })?;
        let mut search = Self {
            world,
            scene: scene(&bench, f64::from(arrays.constants.floor)),
            bench,
            arrays,
            empty: Lists {
                grid: Vec::new(),
                hits: Hits::default(),
                boxes: Vec::new(),
                rows: Vec::new(),
            },
            boxes: Vec::new(),
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
        search.broad(kernels)?;
        search.narrow(kernels)?;
        search.edges(kernels)?;
        search.spheres(kernels)?;
        search.scan()?;
        search.recall(kernels)?;
        search.ways_out(kernels)?;
        Ok(search)
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
        self.bench.run(kernel, sim, threads, &bindings);
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

    fn broad(&mut self, kernels: &Kernels) -> Result<()> {
        let context = self.bench.context;
        self.run(&kernels["contact_begin"], self.features() + 1, 0);
        self.empty = self.lists()?;
        self.run(
            &kernels["body_boxes"],
            16 * self.bench.buffers.chunks.len(),
            0,
        );
        self.boxes = self.arrays.boxes.read(context)?;
        self.run(&kernels["body_pairs"], self.bench.case.bodies.len(), 0);
        self.bodies = self.bench.buffers.bodies.read(context)?;
        self.overlaps = self.arrays.overlaps.read(context)?;
        let rows = self.arrays.sized.rows.read(context)?;
        self.meet = rows[2 * self.bench.len() + 1] != 0;
        self.run(&kernels["grid_insert"], self.bench.len(), 0);
        self.tested = self.arrays.tested.read(context)?;
        self.grid = self.arrays.grid.read(context)?;
        Ok(())
    }

    fn narrow(&mut self, kernels: &Kernels) -> Result<()> {
        let tets = self.bench.case.model.tets.len();
        self.run(&kernels["points_in_tets"], tets, 0);
        self.hits[0] = self.read_hits()?.0;
        if self.world.self_contact {
            self.run(&kernels["self_in_tets"], tets, 0);
        }
        self.hits[1] = self.read_hits()?.0;
        Ok(())
    }

    fn edges(&mut self, kernels: &Kernels) -> Result<()> {
        let (context, constants) = (self.bench.context, &self.arrays.constants);
        let (edges, lists) = (constants.edge_count as usize, constants.edge_table as usize);
        self.edges = self.arrays.edges.read(context)?;
        self.run(&kernels["edge_begin"], lists, 0);
        self.run(&kernels["edge_insert"], edges, 0);
        self.edge_grid = self.arrays.edge_grid.read(context)?;
        let tets = self.bench.case.model.tets.len();
        self.run(&kernels["edges_in_tets"], tets, 0);
        self.edge_hits = self.read_hits()?.1;
        Ok(())
    }

    fn spheres(&mut self, kernels: &Kernels) -> Result<()> {
        let (context, constants) = (self.bench.context, &self.arrays.constants);
        let particles = self.bench.len();
        self.partners = vec![0; SPHERE_STRIDE as usize * particles];
        self.partner_counts = vec![0; particles];
        if constants.sphere_table == 0 {
            return Ok(());
        }
        let solid =
            |t: &usize| self.scene.bodies[self.scene.body[self.scene.surface[*t][0]]].radius == 0.0;
        self.surface_of = (0..self.scene.surface.len()).filter(solid).collect();
        let triangles = self.arrays.triangles.read(context)?;
        self.triangles = triangles.iter().step_by(2).copied().collect();
        let threads = particles + constants.triangle_count as usize;
        self.run(&kernels["sphere_begin"], constants.sphere_table as usize, 0);
        self.run(&kernels["sphere_insert"], threads, 0);
        self.sphere_grid = self.arrays.sphere_grid.read(context)?;
        self.run(&kernels["sphere_find"], particles, 0);
        self.found = self.arrays.sphere_hits.read(context)?;
        self.run(&kernels["sphere_count"], particles, 0);
        self.left_hits = self.read_hits()?.0.tets;
        self.partners = self.arrays.sphere_hits.read(context)?;
        let counts = self.arrays.counts.read(context)?;
        for (i, count) in self.partner_counts.iter_mut().enumerate() {
            if self.scene.bodies[self.scene.body[i]].radius > 0.0 {
                *count = counts[i];
            }
        }
        Ok(())
    }

    /// The records of spheres.
    pub fn sphere_records(&self) -> usize {
        self.partner_counts.iter().sum::<u32>() as usize
    }

    fn scan(&self) -> Result<()> {
        let (counts, first) = (&self.arrays.counts, &self.arrays.record_first);
        let mut recorder = Recorder::new(self.bench.context);
        Scan::new(self.bench.context, counts, first)?.record(&mut recorder);
        recorder.submit();
        Ok(())
    }

    /// Gives the search one before it, and the records' array some contents.
    fn recall(&mut self, kernels: &Kernels) -> Result<()> {
        let records = [self.records(), self.edge_records()].concat();
        let (context, last) = (self.bench.context, LastSearch::new(self, &records));
        let (sized, first) = (&self.arrays.sized, &self.arrays.record_first_last);
        sized.contacts.write(context, 0, &last.contacts);
        first.write(context, 0, &last.first);
        let stale = Penetration {
            direction: Vec3::ONE,
            depth: 7.0,
            sweep: 7,
            ..Penetration::default()
        };
        let penetrations = &sized.penetrations[0];
        let recalled = |source: u32| {
            penetrations.write(context, 0, &vec![stale; penetrations.len()]);
            let constants = Collide {
                source,
                ..self.arrays.constants
            };
            let collide = uniform(context, constants);
            let mut bindings = vec![collide.bind("collide")];
            bindings.extend(self.arrays.bindings(1));
            self.run_with(&kernels["contact_recall"], self.features(), bindings);
            let mut recalled = penetrations.read(context)?;
            recalled.truncate(records.len() + self.sphere_records());
            let of_spheres = |p: &Penetration| p.tet == NONE;
            let (of_spheres, of_others) = recalled.into_iter().partition(of_spheres);
            Ok::<(Vec<_>, Vec<_>), crate::Error>((of_spheres, of_others))
        };
        let (_, of_source) = recalled(1)?;
        let (of_spheres, recalled) = recalled(0)?;
        self.recalled_of_spheres = of_spheres;
        (self.last, self.recalled_by_source, self.recalled) = (last.contacts, of_source, recalled);
        Ok(())
    }

    fn ways_out(&mut self, kernels: &Kernels) -> Result<()> {
        let (context, sized) = (self.bench.context, &self.arrays.sized);
        let records = self.records().len() + self.sphere_records();
        let read = |array: usize| {
            let mut penetrations = sized.penetrations[array].read(context)?;
            penetrations.truncate(records);
            // Those of spheres have no way out.
            penetrations.retain(|p| p.tet != NONE);
            Ok::<_, crate::Error>(penetrations)
        };
        let known = |p: &[Penetration]| p.iter().filter(|p| known(p)).count();
        self.run(&kernels["border_penetration"], self.bench.len(), 1);
        let mut sweeps = vec![read(0)?];
        for from in (0..SWEEPS).map(|sweep| sweep % 2) {
            self.run(&kernels["propagate"], records, from);
            sweeps.push(read(1 - from)?);
            if known(&sweeps[sweeps.len() - 1]) == known(&sweeps[sweeps.len() - 2]) {
                break;
            }
        }
        let status = self.bench.status.read(context)?;
        let last_sweep = status[self.bench.tally_word() + TALLY_SWEEPS as usize];
        let from = (sweeps.len() - 1) % 2;
        self.run(&kernels["contact_triangles"], records, from);
        self.run(&kernels["edge_contacts"], self.edges.len(), 0);
        if self.arrays.constants.sphere_table > 0 {
            self.run(&kernels["sphere_contacts"], self.bench.len(), 0);
        }
        let mut contacts = sized.contacts.read(context)?;
        contacts.truncate(records + self.edge_records().len());
        self.edge_contacts = contacts.split_off(records);
        let of_sphere = |c: &Contact| {
            let count = self.partner_counts.get(c.feature as usize);
            count.is_some_and(|count| *count > 0)
        };
        let (of_spheres, contacts) = contacts.into_iter().partition(of_sphere);
        self.sphere_contacts = of_spheres;
        (self.sweeps, self.last_sweep, self.contacts) = (sweeps, last_sweep, contacts);
        Ok(())
    }

    /// Particles and edges.
    pub fn features(&self) -> usize {
        self.arrays.constants.feature_count as usize
    }

    /// The tested positions that the kernels found, exactly.
    pub fn tested(&self) -> Vec<DVec3> {
        let exact = |point: &Tested| point.position.as_dvec3();
        self.tested.iter().map(exact).collect()
    }

    /// The records of particles that the kernels found.
    pub fn records(&self) -> Vec<Record> {
        let mut records = self.records_of(&self.hits[1], 0);
        records.retain(|record| self.scene.bodies[self.scene.body[record.feature]].radius == 0.0);
        records
    }

    /// And those of edges.
    pub fn edge_records(&self) -> Vec<Record> {
        self.records_of(&self.edge_hits, self.bench.len())
    }

    fn records_of(&self, hits: &Hits, first: usize) -> Vec<Record> {
        let mut records = Vec::new();
        let lists = hits.tets.chunks_exact(HIT_STRIDE as usize);
        for (feature, list) in (first..).zip(lists) {
            let held = list[..MAX_HITS as usize].iter().filter(|t| **t != NONE);
            records.extend(held.map(|&tet| Record {
                feature,
                body: self.scene.body[self.scene.tets[tet as usize][0]],
                tet: tet as usize,
                along: 0.0,
            }));
        }
        records
    }

    /// Bodies that may touch, whatever their boxes.
    pub fn all_pairs(&self) -> BodyPairs {
        let bodies = &self.scene.bodies;
        let meet = |b: usize, o: usize| {
            b != o && bodies[b].group & bodies[o].mask != 0 && bodies[o].group & bodies[b].mask != 0
        };
        let count = bodies.len();
        let touches = |b: usize| (0..count).filter(|&o| meet(b, o)).collect();
        BodyPairs {
            touches: (0..count).map(touches).collect(),
            touching: vec![true; count],
            overlap: vec![EVERYWHERE; count],
            shared: vec![Vec::new(); count],
            speeds: vec![Aabb::EMPTY; count],
        }
    }

    /// The scene and the tested positions with every coordinate a little off.
    pub fn shaken(&self, seed: u64) -> (Scene, Vec<DVec3>) {
        self.moved(seed, SHAKE)
    }

    /// The same off by as much in the opposite directions, too: of two such, one is on either side of a decision that a
    /// point is just at.
    pub fn shaken_both_ways(&self, seed: u64) -> [(Scene, Vec<DVec3>); 2] {
        [SHAKE, -SHAKE].map(|shake| self.moved(seed, shake))
    }

    fn moved(&self, seed: u64, by: f64) -> (Scene, Vec<DVec3>) {
        let mut random = Random::new(seed);
        let mut shake = |i: usize| {
            let edge = self.scene.bodies[self.scene.body[i]].edge;
            by * edge * random.vector(1.0)
        };
        let mut scene = self.scene.clone();
        let mut tested = self.tested();
        for (i, q) in tested.iter_mut().enumerate() {
            let by = shake(i);
            scene.position[i] += by;
            *q += by + shake(i);
        }
        (scene, tested)
    }
}

/// Holds every point.
const EVERYWHERE: Aabb = Aabb {
    min: DVec3::NEG_INFINITY,
    max: DVec3::INFINITY,
};

/// Whether a way out is known.
pub fn known(penetration: &Penetration) -> bool {
    penetration.direction != Vec3::ZERO
}

/// The way out of a record of the device as the reference has it.
pub fn exact(penetration: &Penetration) -> Option<penetration::Penetration> {
    known(penetration).then(|| penetration::Penetration {
        depth: f64::from(penetration.depth),
        direction: penetration.direction.as_dvec3(),
    })
}

/// A bench's world as the reference sees it.
fn scene(bench: &Bench<'_>, floor: f64) -> Scene {
    let case = bench.case;
    let index = |i: &u32| *i as usize;
    let body = |b: usize| vec![b; case.model.bodies[b].particles.len()];
    let particles = &case.particles;
    Scene {
        position: particles.iter().map(|p| p.position.as_dvec3()).collect(),
        velocity: particles.iter().map(|p| p.velocity.as_dvec3()).collect(),
        inverse_mass: particles
            .iter()
            .map(|p| f64::from(p.inverse_mass))
            .collect(),
        body: (0..case.bodies.len()).flat_map(body).collect(),
        edges: case
            .model
            .springs
            .iter()
            .map(|s| s.points.map(|i| index(&i)))
            .collect(),
        tets: case
            .model
            .tets
            .iter()
            .map(|t| t.corners.map(|i| index(&i)))
            .collect(),
        surface: case
            .model
            .triangles
            .iter()
            .map(|t| t.map(|i| index(&i)))
            .collect(),
        bodies: case.bodies.iter().map(body_contact).collect(),
        step: f64::from(case.sim.step),
        restitution_speed: f64::from(case.sim.restitution_speed),
        floor,
    }
}

fn body_contact(body: &Body) -> BodyContact {
    BodyContact {
        margin: f64::from(body.margin),
        edge: f64::from(body.edge),
        radius: f64::from(body.radius),
        friction: f64::from(body.friction),
        restitution: f64::from(body.restitution),
        group: body.group,
        mask: body.mask,
        self_contact: body.self_contact != 0,
    }
}
