//! The passes of a search, in their order.

use glam::Vec3;

use super::{Kernels, SWEEPS, Search, known};
use crate::Result;
use crate::gpu::Recorder;
use crate::gpu::types::{Collide, Contact, NONE, Penetration, SPHERE_STRIDE, TALLY_SWEEPS};
use crate::prim::Scan;
use crate::verify::collide::recall::LastSearch;
use crate::verify::touch::uniform;

impl Search<'_> {
    pub(super) fn run_all(&mut self, kernels: &Kernels) -> Result<()> {
        self.broad(kernels)?;
        self.narrow(kernels)?;
        self.edges(kernels)?;
        self.spheres(kernels)?;
        self.scan()?;
        self.recall(kernels)?;
        self.ways_out(kernels)
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
        if self.world.self_contact {
            let patches = self.arrays.patches.len();
            self.run(&kernels["fold_patches"], patches, 0);
            self.patch_shapes = self.arrays.patch_shapes.read(context)?;
            self.run(&kernels["fold_pairs"], patches, 0);
            self.folds = self.arrays.folds.read(context)?;
            let rows = self.arrays.sized.rows.read(context)?;
            self.fold_gap = f32::from_bits(rows[2 * self.bench.len() + 2]);
        }
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
            self.run_with(&kernels["contact_match"], self.features(), bindings);
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
}
