//! The kernels of the grid of bodies, on boxes whose coordinates f32 has exactly, as it has all that comes of them: what meets
//! what is no matter of rounding then.

use std::collections::BTreeSet;

use glam::DVec3;

use super::broad::{ordered, unordered};
use super::edges::{bit, hash};
use crate::Result;
use crate::gpu::types::{
    BODY_CELLS, BODY_LEVELS, BOX_WORDS, Body, BodyCell, Collide, LIST_GAP, LIST_LOADS,
    LOOK_FURTHER, MAX_MEETINGS, MEETING_WORDS, NONE, Sim,
};
use crate::reference::contact::boxes::{self, Aabb};
use crate::reference::scan::exclusive;
use crate::verify::trial::{Arrays, Written};
use crate::verify::{Bench, ErrorStats, Random};

/// What coordinates are multiples of [m].
const UNIT: f64 = 1.0 / 32.0;
/// Width of the finest cells [m].
const CELL: f64 = 0.25;
/// Bodies of a replica, where there are some.
const REPLICA: usize = 7;

/// How the boxes of a trial lie.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Of sizes from 1 to 50, some of them far out, and one in a hundred larger than any cell.
    Anyhow,
    /// Of one size, closely packed; of some two the faces coincide.
    Alike,
    /// A quarter in one place, so that each of them meets more than are noted one by one.
    Heaped,
    /// In replicas that are all in the same place.
    Copied,
    /// Each far from all others.
    Apart,
}

const KINDS: [Kind; 5] = [Kind::Anyhow, Kind::Alike, Kind::Heaped, Kind::Copied, Kind::Apart];

/// Bodies by their boxes alone.
struct Crowd {
    kind: Kind,
    boxes: Vec<Aabb>,
    speeds: Vec<Aabb>,
    bodies: Vec<Body>,
    collide: Collide,
    sim: Sim,
}

impl Crowd {
    fn new(bench: &Bench<'_>, kind: Kind) -> Self {
        let count = bench.len();
        let mut random = Random::new(310 + kind as u64);
        let mut crowd = Self {
            kind,
            boxes: Vec::new(),
            speeds: Vec::new(),
            bodies: Vec::new(),
            collide: Collide {
                margin: UNIT as f32,
                inverse_body_cell: (1.0 / CELL) as f32,
                body_table: count.next_power_of_two().max(64) as u32,
                replica_size: if kind == Kind::Copied { REPLICA as u32 } else { 0 },
                ..Collide::default()
            },
            sim: Sim { body_count: count as u32, step: UNIT as f32, ..bench.case.sim },
        };
        for b in 0..count {
            crowd.add(b, &mut random);
        }
        crowd
    }

    fn add(&mut self, b: usize, random: &mut Random) {
        let count = self.sim.body_count as usize;
        let place = |reach: f64, random: &mut Random| (random.vector(reach) / UNIT).floor() * UNIT;
        let wide = 0.6 * (count as f64).cbrt();
        let size = |longest: f64, random: &mut Random| {
            let size = (longest.ln() * random.between(0.0, 1.0)).exp();
            (0.5 * size * DVec3::ONE / UNIT).ceil() * UNIT
        };
        let (mut low, mut size) = match self.kind {
            Kind::Anyhow => (place(3.0 * wide, random), size(50.0, random)),
            Kind::Alike => (place(wide, random), size(1.0, random)),
            Kind::Heaped if b.is_multiple_of(4) => (place(0.25, random), size(1.0, random)),
            Kind::Heaped => (place(10.0 * wide, random), size(4.0, random)),
            Kind::Copied => (place(1.5, random), size(2.0, random)),
            Kind::Apart => (40.0 * DVec3::new(b as f64, 0.0, 0.0), size(4.0, random)),
        };
        match (self.kind, random.index(0, 100)) {
            (Kind::Anyhow, 0) => {
                (low, size) = (DVec3::splat(-2.0_f64.powi(24)), DVec3::splat(2.0_f64.powi(25)))
            }
            // Beyond the outermost cells.
            (Kind::Anyhow, 1..5) => low += DVec3::new(-7e4, 7e4, 7e4),
            _ => {}
        }
        // A whole number [m/s].
        let mut speed = || random.vector(3.0).floor();
        let [from, to] = [speed(), speed()];
        self.boxes.push(Aabb { min: low, max: low + size });
        self.speeds.push(Aabb { min: from.min(to), max: from.max(to) });
        let round = random.index(0, 2) == 0;
        let [group, mask] = match random.index(0, 8) {
            0 => [0, 3],
            1 => [1, 2],
            2 => [2, 1],
            _ => [3, 3],
        };
        let radius = if round { UNIT as f32 } else { 0.0 };
        let rigid = u32::from(random.index(0, 3) == 0);
        self.bodies.push(Body {
            radius,
            group,
            mask,
            rigid,
            thickness: UNIT as f32,
            ..Body::default()
        });
    }

    fn replica(&self, b: usize) -> usize {
        b.checked_div(self.collide.replica_size as usize).unwrap_or(0)
    }

    fn may(&self, b: usize, o: usize) -> bool {
        let [of, to] = [&self.bodies[b], &self.bodies[o]];
        let deforms = of.rigid + to.rigid < 2;
        deforms
            && self.replica(b) == self.replica(o)
            && of.group & to.mask != 0
            && to.group & of.mask != 0
    }

    /// The boxes, widened by the radius, twice the margin and the way that the body and the fastest come at each other.
    fn widened(&self) -> Vec<Aabb> {
        let fastest = |speeds: Aabb| speeds.min.abs().max(speeds.max.abs());
        let all = fastest(self.all_speeds());
        let reach = |b: usize| {
            f64::from(self.bodies[b].radius) + 2.0 * UNIT + UNIT * (fastest(self.speeds[b]) + all)
        };
        // Of the largest f32 has not all digits.
        let rounded = |own: Aabb| Aabb {
            min: own.min.as_vec3().as_dvec3(),
            max: own.max.as_vec3().as_dvec3(),
        };
        (0..self.boxes.len()).map(|b| rounded(self.boxes[b].widened(reach(b)))).collect()
    }

    fn all_speeds(&self) -> Aabb {
        self.speeds.iter().copied().fold(Aabb { min: DVec3::ZERO, max: DVec3::ZERO }, Aabb::union)
    }

    /// As `body_boxes` leaves them.
    fn words(&self) -> Vec<u32> {
        let own = self.boxes.iter().zip(&self.speeds).flat_map(|(x, v)| [*x, *v]);
        let words = own.chain([Aabb::EMPTY, self.all_speeds()]).flat_map(words);
        words.collect()
    }

    /// The bodies as they stand in the grid; no other than one of them is longer than the cells of the level before the last.
    fn placed(&self) -> Vec<BodyCell> {
        let constants = [CELL, f64::from(BODY_CELLS)];
        let place = |(b, own): (usize, Aabb)| {
            let (level, cell) = boxes::cell_of(own, constants, BODY_LEVELS as usize);
            let (cell, level) = (cell.as_ivec3(), level as u32);
            let list = hash(cell, level, self.replica(b) as u32) & (self.collide.body_table - 1);
            let alone = self.bodies[b].group == 0 || self.bodies[b].mask == 0;
            BodyCell {
                low: own.min.as_vec3(),
                body: if alone { NONE } else { b as u32 },
                high: own.max.as_vec3(),
                list: if alone { NONE } else { list },
                cell: cell.as_uvec3().extend(level),
            }
        };
        self.widened().into_iter().enumerate().map(place).collect()
    }

    /// How many stand in each list, where they begin, and all of them, those of a list backwards.
    fn lists(&self) -> (Vec<u32>, Vec<u32>, Vec<BodyCell>) {
        let mut counts = vec![0; self.collide.body_table as usize];
        let mut sorted: Vec<_> = self.placed();
        sorted.retain(|placed| placed.body != NONE);
        sorted.iter().for_each(|placed| counts[placed.list as usize] += 1);
        sorted.sort_by_key(|placed| (placed.list, NONE - placed.body));
        (counts.clone(), exclusive(&counts), sorted)
    }

    /// The length of the longest box of each level, as bits; 0 where it has none.
    fn longest(&self) -> Vec<u32> {
        let mut longest = vec![0; BODY_LEVELS as usize];
        for placed in self.placed().iter().filter(|placed| placed.body != NONE) {
            let length = (placed.high - placed.low).max_element().to_bits();
            let most: &mut u32 = &mut longest[placed.cell.w as usize];
            *most = length.max(*most);
        }
        longest
    }

    fn run(&self, bench: &Bench<'_>, threads: usize, arrays: &Arrays<'_>) -> Result<Written> {
        let (boxes, collide) = (self.words(), [self.collide]);
        let own: &Arrays<'_> =
            &[("boxes", &boxes), ("bodies", &self.bodies), ("collide", &collide)];
        bench.run(self.sim, threads, &[own, arrays].concat())
    }
}

/// Ordered words of a box: of its least coordinates and of minus its largest ones.
fn words(own: Aabb) -> [u32; 6] {
    let ([x, y, z], [u, v, w]) = (own.min.to_array(), (-own.max).to_array());
    [x, y, z, u, v, w].map(|x| ordered(x as f32))
}

/// And back.
fn around(words: &[u32]) -> Aabb {
    let at = |k: usize| f64::from(unordered(words[k]));
    Aabb { min: DVec3::new(at(0), at(1), at(2)), max: -DVec3::new(at(3), at(4), at(5)) }
}

/// Words of a body of which nothing is noted.
fn unmet() -> Vec<u32> {
    let mut words = vec![0; MEETING_WORDS as usize];
    words[1 + MAX_MEETINGS as usize..][..BOX_WORDS as usize].fill(NONE);
    words
}

/// The box, the level, the cell and its list, and how many stand in each; scale: the coordinates.
pub fn count(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for kind in KINDS {
        let crowd = Crowd::new(bench, kind);
        let count = bench.len();
        let levels = BODY_LEVELS as usize;
        let mut meetings = vec![7; levels + MEETING_WORDS as usize * count];
        meetings[..levels].fill(0);
        let none = vec![BodyCell { list: 9, ..BodyCell::default() }; count];
        let empty = vec![0_u32; crowd.collide.body_table as usize];
        let after = crowd.run(
            bench,
            count,
            &[("bodies_placed", &none), ("cell_counts", &empty), ("meetings", &meetings)],
        )?;
        let got: Vec<BodyCell> = after.get("bodies_placed");
        let wanted = crowd.widened();
        for ((got, placed), wanted) in got.iter().zip(crowd.placed()).zip(wanted) {
            let far = wanted.min.abs().max(wanted.max.abs()).max_element();
            errors.vector(got.low, wanted.min, far);
            errors.vector(got.high, wanted.max, far);
            let place = |placed: &BodyCell| (placed.body, placed.list, placed.cell);
            errors.holds(place(got) == place(&placed));
        }
        errors.words(&after.get::<u32>("cell_counts"), &crowd.lists().0);
        let got: Vec<u32> = after.get("meetings");
        errors.words(&got[..levels], &crowd.longest());
        let noted = got[levels..].chunks_exact(MEETING_WORDS as usize);
        for (got, wanted) in noted.zip(std::iter::repeat(unmet())) {
            let listed = 1..1 + MAX_MEETINGS as usize;
            errors.holds(got[0] == wanted[0] && got[listed.end..] == wanted[listed.end..]);
        }
    }
    Ok(())
}

/// Each list has its bodies, once each, and is counted again from nothing.
pub fn fill(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for kind in KINDS {
        let crowd = Crowd::new(bench, kind);
        let (counts, first, sorted) = crowd.lists();
        let none = vec![BodyCell { list: 9, body: NONE, ..BodyCell::default() }; bench.len()];
        let after = crowd.run(
            bench,
            bench.len(),
            &[
                ("bodies_placed", &crowd.placed()),
                ("cell_counts", &counts),
                ("cell_first", &first),
                ("cell_bodies", &none),
            ],
        )?;
        let mut got: Vec<BodyCell> = after.get("cell_bodies");
        errors.holds(got[sorted.len()..] == none[sorted.len()..]);
        got.truncate(sorted.len());
        let lists: Vec<_> = got.iter().map(|placed| placed.list).collect();
        errors.words(&lists, &sorted.iter().map(|placed| placed.list).collect::<Vec<_>>());
        got.sort_by_key(|placed| (placed.list, NONE - placed.body));
        errors.holds(got == sorted);
        errors.words(&after.get::<u32>("cell_counts"), &vec![0; counts.len()]);
    }
    Ok(())
}

/// How far a body sees on the levels of the grid, beyond what it must [m].
fn seen(own: &BodyCell, longest: &[u32]) -> f64 {
    let length = f64::from((own.high - own.low).max_element());
    let levels = longest.iter().enumerate().skip(own.cell.w as usize);
    let held = levels.filter(|(level, bits)| **bits > 0 && level + 1 < longest.len());
    let further = held.map(|(level, bits)| {
        let width = CELL * 2.0_f64.powi(level as i32);
        let most = 0.5 * (2.0 * width - length - f64::from(f32::from_bits(*bits)));
        most.clamp(0.0, f64::from(LOOK_FURTHER) * length)
    });
    further.fold(f64::INFINITY, f64::min)
}

/// The pairs that brute force finds, noted for both; of a body with too many the box that it shares with those that are not
/// noted, that of their velocities, and their bits. And the least gap, as far as bodies see.
pub fn pairs(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for kind in KINDS {
        let crowd = Crowd::new(bench, kind);
        let (_, first, sorted) = crowd.lists();
        let longest = crowd.longest();
        let unmet = unmet().repeat(bench.len());
        let meetings = [longest.clone(), unmet].concat();
        let mut lists = vec![0; LIST_LOADS as usize + crowd.sim.particle_count as usize];
        lists[LIST_GAP as usize] = f32::MAX.to_bits();
        let after = crowd.run(
            bench,
            bench.len(),
            &[
                ("cell_first", &first),
                ("cell_bodies", &sorted),
                ("meetings", &meetings),
                ("contact_lists", &lists),
            ],
        )?;
        let got: Vec<u32> = after.get("meetings");
        let (levels, noted) = got.split_at(longest.len());
        errors.words(levels, &longest);
        let widened = crowd.widened();
        let wanted = boxes::meetings(&widened, |b, o| crowd.may(b, o));
        let noted = noted.chunks_exact(MEETING_WORDS as usize);
        for (b, (got, wanted)) in noted.zip(&wanted).enumerate() {
            errors.words(&got[..1], &[wanted.len() as u32]);
            errors.holds(is_noted(&crowd, &widened, (b, wanted), got));
        }
        let wanted = boxes::least_gap(&widened, |b, o| crowd.may(b, o));
        let seen = sorted.iter().map(|own| seen(own, &longest)).fold(f64::INFINITY, f64::min);
        let got = after.get::<u32>("contact_lists")[LIST_GAP as usize];
        let got = f64::from(f32::from_bits(got));
        errors.holds(got <= wanted && got >= wanted.min(seen).min(3e38) * (1.0 - 1e-6));
    }
    Ok(())
}

/// Whether the words of body b tell of those that it meets.
fn is_noted(
    crowd: &Crowd,
    widened: &[Aabb],
    (b, met): (usize, &Vec<usize>),
    words: &[u32],
) -> bool {
    let most = MAX_MEETINGS as usize;
    let listed: BTreeSet<usize> =
        words[1..][..met.len().min(most)].iter().map(|o| *o as usize).collect();
    let rest: Vec<_> = met.iter().filter(|o| !listed.contains(o)).collect();
    let (empty, none) = (words[1 + most..].to_vec(), unmet());
    if rest.is_empty() {
        return listed.len() == met.len() && empty == none[1 + most..];
    }
    let common = rest.iter().map(|o| widened[b].intersection(widened[**o]));
    let speeds = rest.iter().map(|o| crowd.speeds[**o]);
    let bits = rest.iter().fold(0, |bits, o| bits | bit(**o as u32));
    listed.len() == most
        && listed.iter().all(|o| met.contains(o))
        && around(&empty) == common.fold(Aabb::EMPTY, Aabb::union)
        && around(&empty[6..]) == speeds.fold(Aabb::EMPTY, Aabb::union)
        && empty[BOX_WORDS as usize] == bits
}
