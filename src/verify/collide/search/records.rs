//! What a search found, as the reference takes it.

use glam::{DVec3, Vec3};

use super::{Hits, Search};
use crate::gpu::types::{
    Box, CLEARED, Collide, FOLD_WORDS, HIT_STRIDE, MAX_HITS, MAX_OVERLAPS, NONE, OVERLAP_STRIDE,
    Penetration, Tested,
};
use crate::reference::contact::boxes::{Aabb, BodyPairs, agree};
use crate::reference::contact::{Record, Scene, penetration};
use crate::verify::Random;

/// Half of what inputs are shaken by, in mean edges, to see where the reference decides otherwise: sixteen f32 epsilons.
const SHAKE: f64 = 16.0 * f32::EPSILON as f64;

impl Search<'_> {
    /// Particles and edges.
    pub fn features(&self) -> usize {
        self.constants.feature_count as usize
    }

    /// Threads that begin a search.
    pub fn begin_threads(&self) -> usize {
        let of_points = self.constants.levels * self.constants.table;
        let lists = of_points.max(self.constants.edge_table) / CLEARED;
        (self.features() + 1).max(self.scene.bodies.len()).max(lists as usize)
    }

    /// Whether a particle is a sphere.
    pub fn is_round(&self, i: usize) -> bool {
        self.scene.bodies[self.scene.body[i]].radius > 0.0
    }

    /// What a body shares with each of those that it touches.
    pub fn shared(&self, body: usize) -> &[Box] {
        let touching = self.found.bodies[body].touching.min(MAX_OVERLAPS);
        &self.found.overlaps[OVERLAP_STRIDE as usize * body..][..touching as usize]
    }

    /// The records of spheres.
    pub fn sphere_records(&self) -> usize {
        self.found.partner_counts.iter().sum::<u32>() as usize
    }

    /// Where in the grid the words begin that tell which particles are fast.
    pub fn words_of_fast(&self) -> usize {
        let Collide { levels, table, .. } = self.constants;
        let lists = levels as usize * (2 * table as usize + self.bench.len());
        lists + FOLD_WORDS as usize * self.scene.bodies.len()
    }

    /// Of fast particles, as the kernels found them, where their ways begin, and all of them.
    pub fn ways(&self) -> Vec<Option<[DVec3; 2]>> {
        let way = |((ahead, fast), x): ((&Tested, &f32), &DVec3)| {
            let start = *x + f64::from(ahead.margin) * ahead.normal.as_dvec3();
            let way = f64::from(*fast) * (ahead.position.as_dvec3() - start);
            (*fast > 0.0).then_some([start, way])
        };
        self.found.ahead.iter().zip(&self.found.fast).zip(&self.scene.position).map(way).collect()
    }

    /// The positions ahead that the kernels found, exactly.
    pub fn ahead(&self) -> Vec<DVec3> {
        self.found.ahead.iter().map(|point| point.position.as_dvec3()).collect()
    }

    /// The tested positions that the kernels found, exactly.
    pub fn tested(&self) -> Vec<DVec3> {
        let exact = |point: &Tested| point.position.as_dvec3();
        self.found.tested.iter().map(exact).collect()
    }

    /// The records of particles that the kernels found.
    pub fn records(&self) -> Vec<Record> {
        let mut records = self.records_of(&self.found.hits, 0);
        records.retain(|record| !self.is_round(record.feature));
        records
    }

    /// And those of edges.
    pub fn edge_records(&self) -> Vec<Record> {
        self.records_of(&self.found.edge_hits, self.bench.len())
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
        let meet = |b: usize, o: usize| b != o && agree(&self.scene, b, o);
        let count = bodies.len();
        let touches = |b: usize| (0..count).filter(|&o| meet(b, o)).collect();
        BodyPairs {
            touches: (0..count).map(touches).collect(),
            touching: vec![true; count],
            overlap: vec![EVERYWHERE; count],
            ..BodyPairs::apart(count)
        }
    }

    /// The scene and the tested positions with every coordinate a little off, and off by as much in the opposite direction: of
    /// two such, one is on either side of a decision that a point is just at.
    pub fn shaken(&self, seed: u64) -> [(Scene, Vec<DVec3>); 2] {
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
const EVERYWHERE: Aabb = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };

/// Whether a penetration vector is known.
pub fn known(penetration: &Penetration) -> bool {
    penetration.direction != Vec3::ZERO
}

/// The penetration vector of a record of the device as the reference has it.
pub fn exact(penetration: &Penetration) -> Option<penetration::Penetration> {
    known(penetration).then(|| penetration::Penetration {
        depth: f64::from(penetration.depth),
        direction: penetration.direction.as_dvec3(),
    })
}
