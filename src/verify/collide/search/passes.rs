//! The passes of a search, in their order.

use glam::{UVec4, Vec3};

use super::{SWEEPS, Search, known};
use crate::Result;
use crate::gpu::Kernel;
use crate::gpu::types::{Collide, Contact, NONE, Penetration, SPHERE_STRIDE, WORKGROUP};
use crate::reference::scan::exclusive;
use crate::verify::collide::recall::LastSearch;
use crate::verify::trial::{Arrays, Written};

impl Search<'_> {
    pub(super) fn run_all(&mut self) -> Result<()> {
        self.broad()?;
        self.narrow()?;
        self.edges()?;
        self.spheres()?;
        let first = exclusive(&self.array::<u32>("counts")[..self.features()]);
        self.put("record_first", &first);
        self.recall()?;
        self.penetration_vectors()?;
        self.contacts()
    }

    /// Runs a kernel with so many threads and keeps what it leaves.
    fn run(&mut self, kernel: &'static str, threads: usize) -> Result<()> {
        let written = self.again(kernel, threads, &[])?;
        self.keep(kernel, written);
        Ok(())
    }

    fn keep(&mut self, kernel: &'static str, written: Written) {
        for resource in Kernel::new(self.bench.context, kernel).written() {
            let array = written.array(&resource.name);
            self.arrays.insert(resource.name.clone(), array);
        }
        self.passes.entry(kernel).or_default().push(written);
    }

    fn broad(&mut self) -> Result<()> {
        let (bodies, particles) = (self.bench.case.bodies.len(), self.bench.len());
        self.run("contact_begin", self.begin_threads())?;
        self.run("body_boxes", WORKGROUP as usize * self.bench.model().chunks.len())?;
        if self.world.self_contact {
            self.run("fold_patches", self.scene.patches.len())?;
            self.run("fold_pairs", self.scene.patches.len())?;
        }
        let before: Vec<_> = ["grid", "rows", "bodies", "overlaps"]
            .map(|name| (name, self.arrays[name].clone()))
            .into();
        self.cells(bodies)?;
        // What follows goes on from the pairs.
        self.arrays.extend(before.into_iter().map(|(name, array)| (name.to_owned(), array)));
        self.run("body_pairs", bodies)?;
        self.found.bodies = self.array("bodies");
        self.found.overlaps = self.array("overlaps");
        self.run("grid_insert", particles)?;
        self.found.ahead = self.array("tested");
        self.found.ahead.truncate(particles);
        let grid: Vec<u32> = self.array("grid");
        let fast = self.words_of_fast() + 3;
        self.found.fast = grid[fast..][..particles].iter().map(|x| f32::from_bits(*x)).collect();
        Ok(())
    }

    /// The grid of bodies.
    fn cells(&mut self, bodies: usize) -> Result<()> {
        self.run("cell_count", bodies)?;
        let first = exclusive(&self.array::<u32>("cell_counts"));
        self.put("cell_first", &first);
        for kernel in ["cell_fill", "cell_pairs", "cell_overlaps"] {
            self.run(kernel, bodies)?;
        }
        Ok(())
    }

    fn narrow(&mut self) -> Result<()> {
        let tets = self.bench.case.model.tets.len();
        self.run("points_in_tets", tets)?;
        [self.found.met, _] = self.split(self.array("hits"), self.array("counts"));
        self.run("way_end", self.bench.len())?;
        self.found.tested = self.array("tested");
        self.found.tested.truncate(self.bench.len());
        if self.world.self_contact {
            self.run("self_in_tets", tets)?;
        }
        let [of_particles, _] = self.split(self.array("hits"), self.array("counts"));
        self.found.hits = of_particles;
        Ok(())
    }

    fn edges(&mut self) -> Result<()> {
        let edges = self.constants.edge_count as usize;
        self.found.edges = self.array("edges");
        self.found.edges.truncate(edges);
        self.run("edge_insert", edges)?;
        self.run("edges_in_tets", self.bench.case.model.tets.len())?;
        let [_, of_edges] = self.split(self.array("hits"), self.array("counts"));
        self.found.edge_hits = of_edges;
        Ok(())
    }

    fn spheres(&mut self) -> Result<()> {
        let particles = self.bench.len();
        self.found.partners = vec![0; SPHERE_STRIDE as usize * particles];
        self.found.partner_counts = vec![0; particles];
        if self.constants.sphere_table == 0 {
            return Ok(());
        }
        let solid = |t: &usize| !self.is_round(self.scene.surface[*t][0]);
        self.found.surface_of = (0..self.scene.surface.len()).filter(solid).collect();
        let triangles = self.array::<UVec4>("triangles").into_iter().step_by(2);
        let count = self.constants.triangle_count as usize;
        self.found.triangles = triangles.take(count).collect();
        self.run("sphere_begin", self.constants.sphere_table as usize)?;
        self.run("sphere_insert", particles + count)?;
        self.run("sphere_find", particles)?;
        self.found.listed = self.array("sphere_hits");
        self.run("sphere_count", particles)?;
        self.found.partners = self.array("sphere_hits");
        let counts: Vec<u32> = self.array("counts");
        let own = |i: usize| if self.is_round(i) { counts[i] } else { 0 };
        self.found.partner_counts = (0..particles).map(own).collect();
        Ok(())
    }

    /// Gives the search one before it, and the records' array some contents.
    fn recall(&mut self) -> Result<()> {
        let records = [self.records(), self.edge_records()].concat();
        let LastSearch { mut contacts, first } = LastSearch::new(self, &records);
        contacts.resize(self.constants.capacity as usize, Contact::default());
        self.put("contacts", &contacts);
        self.put("record_first_last", &first);
        let stale =
            Penetration { direction: Vec3::ONE, depth: 7.0, sweep: 7, ..Penetration::default() };
        let stale = vec![stale; contacts.len()];
        for source in [1, 0] {
            let constants = Collide { source, ..self.constants };
            let given: &Arrays<'_> = &[("collide", &[constants]), ("penetrations_out", &stale)];
            let written = self.again("contact_match", self.features(), given)?;
            self.keep("contact_match", written);
        }
        let mut recalled: Vec<Penetration> = self.array("penetrations_out");
        recalled.truncate(records.len() + self.sphere_records());
        recalled.retain(|p| p.tet != NONE);
        self.found.recalled = recalled;
        Ok(())
    }

    fn penetration_vectors(&mut self) -> Result<()> {
        let records = self.records().len() + self.sphere_records();
        self.run("border_penetration", records)?;
        let mut sweeps = vec![self.swept(records)];
        let known = |p: &[Penetration]| p.iter().filter(|p| known(p)).count();
        for _ in 0..SWEEPS {
            self.swap();
            self.run("propagate", records)?;
            sweeps.push(self.swept(records));
            if known(&sweeps[sweeps.len() - 1]) == known(&sweeps[sweeps.len() - 2]) {
                break;
            }
        }
        self.swap();
        self.found.sweeps = sweeps;
        Ok(())
    }

    /// What was written is read next.
    fn swap(&mut self) {
        let [read, written] = ["penetrations_in", "penetrations_out"];
        let last = self.arrays.remove(written).expect("an array of a search");
        let free = self.arrays.insert(read.to_owned(), last);
        self.arrays.insert(written.to_owned(), free.expect("an array of a search"));
    }

    /// The penetration vectors of particles; those of spheres have none.
    fn swept(&self, records: usize) -> Vec<Penetration> {
        let mut swept: Vec<Penetration> = self.array("penetrations_out");
        swept.truncate(records);
        swept.retain(|p| p.tet != NONE);
        swept
    }

    fn contacts(&mut self) -> Result<()> {
        let records = self.records().len() + self.sphere_records();
        self.run("contact_triangles", records)?;
        self.found.contacts = self.contacts_of(&self.array("contacts")).0;
        // Edges have what was recalled of them in the first of the two arrays.
        if self.found.sweeps.len().is_multiple_of(2) {
            self.swap();
        }
        self.run("edge_contacts", self.edge_records().len())?;
        if self.constants.sphere_table > 0 {
            self.run("sphere_contacts", self.bench.len())?;
        }
        Ok(())
    }

    /// The contacts of particles, of spheres and of edges, by the features that the records are of.
    pub fn contacts_of(&self, all: &[Contact]) -> (Vec<Contact>, Vec<Contact>, Vec<Contact>) {
        let first: Vec<u32> = self.array("record_first");
        let (mut of_particles, mut of_spheres, mut of_edges) = Default::default();
        for (feature, range) in first.windows(2).enumerate() {
            let records = &all[range[0] as usize..range[1] as usize];
            let of_feature: &mut Vec<_> = match self.found.partner_counts.get(feature) {
                Some(0) => &mut of_particles,
                Some(_) => &mut of_spheres,
                None => &mut of_edges,
            };
            of_feature.extend_from_slice(records);
        }
        (of_particles, of_spheres, of_edges)
    }
}
