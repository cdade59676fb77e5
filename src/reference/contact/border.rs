//! The penetration vector of particles next to the border of a body.
//!
//! A particle outside looks at the face between it and its tested position; one that was in contact before keeps its way
//! out; others look at the faces that the edges between them and particles outside go through (Heidelberger et al. 2004,
//! eq. 1 to 3; with unit normals of faces where those interpolate vertex normals).

use std::collections::BTreeMap;

use glam::DVec3;

use super::boxes::lifts;
use super::geometry::{Exits, barycentric};
use super::inside::start;
use super::penetration::{Mean, Penetration, index, weight};
use super::triangles::looks_against;
use super::{Record, Scene, weighted};

/// A particle that came in is looked for this many steps back.
const STEPS_BACK: f64 = 1.5;

/// A place on the way from a colliding particle to one outside where the surface is crossed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intersection {
    /// The record, an index.
    pub record: usize,
    /// The neighbour outside; None for the way the particle came.
    pub outside: Option<usize>,
    /// The surface triangle.
    pub triangle: usize,
    /// x_e − q_i \[m\], from where the line begins.
    pub arm: DVec3,
    /// n_e, its unit normal, outwards.
    pub normal: DVec3,
}

impl Intersection {
    /// Depth and direction along the face's normal.
    fn penetration(&self) -> Penetration {
        Penetration { depth: self.arm.dot(self.normal), direction: self.normal }
    }

    /// The penetration vector along it alone.
    fn alone(self, rule: Rule, outside: bool) -> Border {
        let penetration = Some(self.penetration());
        Border { rule, outside, places: vec![self], penetration }
    }
}

/// Margins by which the mean has to be longer than twice the way in and the way that the particle is tested ahead, where that
/// face does not look against the particle.
const FROM_BEHIND: f64 = 8.0;

/// Which rule gave a record its penetration vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The particle is outside: the face between it and where the lines begin.
    Between,
    /// The contact of the last search.
    Memory,
    /// The mean over the intersections.
    Mean,
    /// The face that it came in by, because the mean is far longer.
    Came,
}

/// The penetration vector of a record at the border.
#[derive(Debug, Clone, PartialEq)]
pub struct Border {
    /// Where it is from.
    pub rule: Rule,
    /// Whether the particle is outside, only its tested position inside.
    pub outside: bool,
    /// What it was found from: all intersections of a mean, else one, of a memory none.
    pub places: Vec<Intersection>,
    /// None where there are no intersections, or where their normals cancel.
    pub penetration: Option<Penetration>,
}

/// The lines that lead from the particles of records out of the bodies that they are in.
struct Lines<'a> {
    scene: &'a Scene,
    tested: &'a [DVec3],
    records: &'a [Record],
    neighbours: Vec<Vec<usize>>,
    recorded: BTreeMap<(usize, usize), usize>,
    exits: Exits<'a>,
    lifts: Vec<DVec3>,
}

impl<'a> Lines<'a> {
    fn new(scene: &'a Scene, tested: &'a [DVec3], records: &'a [Record]) -> Self {
        let of_tet = |r: &Record| scene.body[scene.tets[r.tet][0]] == r.body;
        assert!(records.iter().all(of_tet));
        Self {
            scene,
            tested,
            records,
            neighbours: scene.neighbours(),
            recorded: index(records),
            exits: Exits::new(scene),
            lifts: lifts(scene),
        }
    }

    /// Where the lines of a record begin.
    fn start(&self, index: usize) -> DVec3 {
        let record = &self.records[index];
        start(self.scene, record.tet, self.tested[record.feature])
    }

    /// The first exit of the segment along `direction`, through any face.
    fn exit(&self, index: usize, outside: Option<usize>, direction: DVec3) -> Option<Intersection> {
        let record = &self.records[index];
        let from = self.start(index);
        let exit = self.exits.first_of_record(record, from, direction, 1.0)?;
        Some(Intersection {
            record: index,
            outside,
            triangle: exit.triangle,
            arm: exit.t * direction,
            normal: exit.normal,
        })
    }

    /// Where the way that the particle came by leaves the body, through any face.
    fn came(&self, index: usize) -> Option<Intersection> {
        let record = &self.records[index];
        let back = way_back(self.scene, self.tested[record.feature], record);
        let long = back.length() > self.scene.floor;
        long.then(|| self.exit(index, None, back)).flatten()
    }

    /// Whether the face looks against the particle.
    fn counts(&self, place: &Intersection) -> bool {
        let particle = self.records[place.record].feature;
        looks_against(place.normal, self.lifts[particle].normalize_or_zero())
    }

    /// See [`intersections`].
    fn intersections(&self, index: usize) -> Vec<Intersection> {
        let Record { feature, body, .. } = self.records[index];
        let from = self.start(index);
        let outside = self.neighbours[feature].iter().copied();
        let outside = outside.filter(|&j| !self.recorded.contains_key(&(j, body)));
        outside
            .filter_map(|j| self.exit(index, Some(j), self.tested[j] - from))
            .chain(self.came(index))
            .filter(|place| self.counts(place))
            .collect()
    }

    /// By the mean over the intersections, or by the way the particle came.
    fn by_border(&self, index: usize) -> Border {
        let particle = self.records[index].feature;
        let places = self.intersections(index);
        let mut mean = Mean::default();
        for place in &places {
            let Penetration { depth, direction } = place.penetration();
            mean.add(weight(self.scene, place.arm), depth, direction);
        }
        let penetration = mean.penetration();
        let depth = penetration.map_or(0.0, |p| p.depth);
        let reach = self.tested[particle].distance(self.scene.position[particle]);
        let nearer = |came: &Intersection| {
            let margins = if self.counts(came) { 0.0 } else { FROM_BEHIND };
            depth > 2.0 * came.penetration().depth + reach + margins * self.lifts[particle].length()
        };
        match self.came(index).filter(nearer) {
            Some(came) => came.alone(Rule::Came, false),
            None => Border { rule: Rule::Mean, outside: false, places, penetration },
        }
    }

    /// See [`border`](fn@border).
    fn border(&self, index: usize, remembered: Option<Penetration>) -> Border {
        let x = self.scene.position[self.records[index].feature];
        let between = self.exit(index, None, x - self.start(index));
        let outside = between.is_some();
        if let Some(place) = between.filter(|place| self.counts(place)) {
            return place.alone(Rule::Between, outside);
        }
        let found = match remembered {
            Some(_) => {
                Border { rule: Rule::Memory, outside, places: Vec::new(), penetration: remembered }
            }
            None => self.by_border(index),
        };
        let depth = |p: Penetration| if outside { 0.0 } else { p.depth };
        Border {
            outside,
            penetration: found.penetration.map(|p| Penetration { depth: depth(p), ..p }),
            ..found
        }
    }
}

/// The intersections of every record (i, B) of a particle: of each edge from i to a neighbour that is not recorded
/// inside B the first exit out of B, seen from q_i (or from [`start`] where that is a little outside); then that of the
/// way i came, to where it was 1.5 steps ago in the frame of the recorded tetrahedron, unless that is shorter than
/// the floor. Only faces that [look against](looks_against) the particle count; n_i is 0 and every face counts for
/// particles inside their body.
///
/// # Panics
/// Where a record's body is not that of its tetrahedron.
pub fn intersections(scene: &Scene, tested: &[DVec3], records: &[Record]) -> Vec<Intersection> {
    let lines = Lines::new(scene, tested, records);
    (0..records.len()).flat_map(|r| lines.intersections(r)).collect()
}

/// x_i − q − (v_i − v_B(q)) h · 1.5 \[m\], from the tested position to where the particle was; v_B the velocity of the
/// recorded tetrahedron at `q`.
fn way_back(scene: &Scene, q: DVec3, record: &Record) -> DVec3 {
    let corners = scene.tets[record.tet];
    let Some(shares) = barycentric(q, scene.corners(corners)) else {
        return DVec3::ZERO;
    };
    let parts: Vec<(usize, f64)> = corners.into_iter().zip(shares).collect();
    let relative = scene.velocity[record.feature] - weighted(&parts, &scene.velocity);
    scene.position[record.feature] - q - STEPS_BACK * scene.step * relative
}

/// The penetration vectors of particles next to a border, s where their lines begin, x_i where the particle is, and m = |q_i − x_i|:
/// - Where the segment from s to x_i leaves B through a face that looks against i, that face's normal n, and (x_e − s)·n.
/// - Else what is `remembered`, one per record.
/// - Else with w = 1/|x_e − s|² over the [`intersections`] r = Σ w n_e normalised and h = Σ w (x_e − s)·n_e / Σ w. Where
///   the way that i came leaves B through any face, with n and d = (x_e − s)·n, and h > 2 d + m (h = 0 without any
///   intersection), r = n and h = d.
/// - Of these last two h = 0 where x_i is outside of B.
///
/// # Panics
/// Where a record's body is not that of its tetrahedron.
pub fn border(
    scene: &Scene,
    tested: &[DVec3],
    records: &[Record],
    remembered: &[Option<Penetration>],
) -> Vec<Border> {
    let lines = Lines::new(scene, tested, records);
    let remembered = remembered.iter().enumerate();
    remembered.map(|(index, known)| lines.border(index, *known)).collect()
}

/// The penetrations of [`border`](fn@border).
pub fn border_penetration(
    scene: &Scene,
    tested: &[DVec3],
    records: &[Record],
    remembered: &[Option<Penetration>],
) -> Vec<Option<Penetration>> {
    let borders = border(scene, tested, records, remembered);
    borders.into_iter().map(|b| b.penetration).collect()
}
