//! Random elements to ask about.

use std::ops::Range;

use glam::{DVec3, UVec4};

use crate::Result;
use crate::gpu::types::{Box as GpuBox, Query, QueryPiece};
use crate::reference::Solid;
use crate::verify::trial::{Arrays, Written};
use crate::verify::{Bench, Random};

/// Bodies that pieces are of: more than one word has bits.
const BODIES: usize = 40;
/// Groups that are asked about.
const MASK: u32 = 0b101;
/// Words of bits of all bodies.
pub const WORDS: usize = BODIES.div_ceil(32);
/// Farther than anything.
pub const FAR: f32 = 3e38;

/// Random elements of a case's particles, in pieces of ascending bodies.
pub struct World<'a> {
    bench: &'a Bench<'a>,
    pub x: Vec<DVec3>,
    pub solids: Vec<Solid>,
    pub pieces: Vec<QueryPiece>,
    elements: Vec<UVec4>,
    groups: Vec<u32>,
}

impl<'a> World<'a> {
    /// Triangles where `corners` is 3, else tetrahedra; and spheres.
    pub fn new(bench: &'a Bench<'a>, corners: usize, random: &mut Random) -> Self {
        let count = if bench.len() > 3 { bench.len() } else { 0 };
        let element = |random: &mut Random| {
            let [a, b, c, d] = random.distinct(0, count);
            UVec4::new(a, b, c, if corners == 3 { c } else { d })
        };
        let mut elements: Vec<_> = (0..count).map(|_| element(random)).collect();
        // Without area or volume: on a line, at a point.
        for e in elements.iter_mut().step_by(11) {
            (e.z, e.w) = (e.y, e.y);
        }
        for e in elements.iter_mut().step_by(13) {
            *e = UVec4::splat(e.x);
        }
        let mut pieces = Vec::new();
        for (count, radius) in [(elements.len(), 0.0), (bench.len(), 0.1)] {
            let mut first = 0;
            while first < count {
                let end = (first + random.index(0, 60)).min(count);
                pieces.push(QueryPiece {
                    first: first as u32,
                    end: end as u32,
                    body: 0,
                    radius: radius * random.between(0.5, 2.0) as f32,
                });
                first = end;
            }
        }
        let mut body = 0;
        for (k, piece) in pieces.iter_mut().enumerate() {
            // A body is of one kind; the spheres' begin one of their own.
            body = (body + usize::from(k % 3 == 1 || piece.radius > 0.0)).min(BODIES - 1);
            piece.body = body as u32;
        }
        let groups = (0..BODIES).map(|_| 1 << random.index(0, 4)).collect();
        let system = bench.oracle().system;
        Self { bench, x: system.position, solids: system.solids, pieces, elements, groups }
    }

    pub fn corners(&self, e: usize) -> [DVec3; 4] {
        self.elements[e].to_array().map(|i| self.x[i as usize])
    }

    /// The pieces that are asked about, with their elements.
    pub fn asked(&self) -> impl Iterator<Item = (&QueryPiece, Range<usize>)> {
        let asked = |piece: &&QueryPiece| self.groups[piece.body as usize] & MASK != 0;
        let pieces = self.pieces.iter().filter(asked);
        pieces.map(|piece| (piece, piece.first as usize..piece.end as usize))
    }

    /// The box around a piece's elements.
    pub fn bounds(&self, piece: &QueryPiece) -> [DVec3; 2] {
        let mut bounds = [DVec3::splat(f64::from(FAR)), DVec3::splat(-f64::from(FAR))];
        let radius = DVec3::splat(f64::from(piece.radius));
        for e in piece.first as usize..piece.end as usize {
            let places = match piece.radius > 0.0 {
                true => vec![self.x[e]],
                false => self.corners(e).to_vec(),
            };
            for x in places {
                bounds = [bounds[0].min(x - radius), bounds[1].max(x + radius)];
            }
        }
        bounds
    }

    /// Asks `count` questions, each in a thread of its own.
    pub fn ask(&self, count: usize, given: &Arrays<'_>) -> Result<Written> {
        let query = Query {
            count: count as u32,
            piece_count: self.pieces.len() as u32,
            solid_count: self.bench.case.sim.solid_count,
            words: WORDS as u32,
            mask: MASK,
        };
        let gpu = |piece: &QueryPiece| {
            let [low, high] = self.bounds(piece).map(|x| x.as_vec3());
            let (a, b) = (piece.body, 0);
            GpuBox { low, a, high, b }
        };
        let bounds: Vec<_> = self.pieces.iter().map(gpu).collect();
        let own: &Arrays<'_> = &[
            ("query", &[query]),
            ("query_pieces", &self.pieces),
            ("query_elements", &self.elements),
            ("query_bounds", &bounds),
            ("query_groups", &self.groups),
        ];
        let arrays = [own, given].concat();
        self.bench.run(self.bench.case.sim, count, &arrays)
    }
}
