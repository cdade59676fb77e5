//! The passes that find the pairs of colliders that may touch.

use std::collections::BTreeMap;
use std::rc::Rc;

use glam::{DVec3, UVec2, UVec4};

use super::crowd::{Crowd, KINDS, loose, reach};
use super::sweep::widest;
use crate::Result;
use crate::gpu::types::{
    BODY_CELLS, BODY_LEVELS, COLLIDER_PLANE, LIST_TOUCHING, NONE, PlacedCollider, Searched, Sim,
};
use crate::reference::contact::boxes;
use crate::reference::rigid::boxes::{Core, Placed};
use crate::reference::scan::exclusive;
use crate::verify::collide::{hash, ordered};
use crate::verify::trial::{Array, Arrays, Encoded, Written};
use crate::verify::{Bench, ErrorStats};

/// What a coordinate may be off by, over its size and that of what it is made of.
const ROUNDING: f64 = 16.0 * f32::EPSILON as f64;

/// Where poses are as contacts are found, and how far these are good for; no level has anything yet.
pub fn search(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let poses = loose(500);
    for count in [poses.len(), 3] {
        let sim = Sim { pose_count: count as u32, ..bench.case.sim };
        let none = vec![Searched::default(); poses.len()];
        let levels = vec![7_u32; 2 * BODY_LEVELS as usize + 3];
        let arrays: &Arrays<'_> =
            &[("poses", &poses), ("searched", &none), ("collider_levels", &levels)];
        let threads = poses.len().max(2 * BODY_LEVELS as usize);
        let after = bench.run(sim, threads, arrays)?;
        let got: Vec<Searched> = after.get("searched");
        for (p, (got, pose)) in got.iter().zip(&poses).enumerate() {
            if p >= count {
                errors.holds(*got == none[p]);
                continue;
            }
            errors.number(got.reach, reach(pose), reach(pose));
            let place = (got.position, got.rotation, got.age);
            errors.holds(place == (pose.position, pose.rotation, 0.0));
        }
        let wanted = [Crowd::no_levels(), vec![7; 3]].concat();
        errors.words(&after.get::<u32>("collider_levels"), &wanted);
    }
    Ok(())
}

impl Crowd {
    fn arrays(&self) -> [(&str, &dyn Array); 5] {
        [
            ("bodies", &self.bodies),
            ("poses", &self.poses),
            ("colliders", &self.colliders),
            ("hull_vertices", &self.vertices),
            ("searched", &self.searched),
        ]
    }

    /// Runs the kernel under test, or another, on it.
    pub(super) fn run(
        &self,
        bench: &Bench<'_>,
        kernel: Option<&str>,
        threads: usize,
        given: &Arrays<'_>,
    ) -> Result<Written> {
        let (own, uniform) = (self.arrays(), [self.collide]);
        let all = [&own[..], &[("collide", &uniform)], given].concat();
        match kernel {
            Some(kernel) => bench.run_other(kernel, self.sim, threads, &all),
            None => bench.run(self.sim, threads, &all),
        }
    }

    /// Nothing placed, no list with any.
    fn empty(&self) -> (Vec<PlacedCollider>, Vec<u32>) {
        let none = PlacedCollider { list: 9, ..PlacedCollider::default() };
        (vec![none; self.colliders.len()], vec![0; self.collide.collider_table as usize])
    }

    /// Runs the pass that places them.
    fn boxes(&self, bench: &Bench<'_>, kernel: Option<&str>) -> Result<Written> {
        let (placed, counts) = self.empty();
        let arrays: &Arrays<'_> = &[
            ("placed_colliders", &placed),
            ("collider_counts", &counts),
            ("collider_levels", &Self::no_levels()),
        ];
        self.run(bench, kernel, self.colliders.len(), arrays)
    }

    /// The grid as passes make it, given where colliders are.
    fn grid(&self, placed: &[PlacedCollider]) -> Grid {
        let own = &placed[..self.collide.first_obstacle as usize];
        let mut counts = vec![0; self.collide.collider_table as usize];
        let mut sorted: Vec<_> = own.iter().filter(|p| p.collider != NONE).copied().collect();
        sorted.iter().for_each(|p| counts[p.list as usize] += 1);
        sorted.sort_by_key(|p| (p.list, NONE - p.collider));
        Grid { first: exclusive(&counts), counts, sorted }
    }
}

/// How many colliders stand in each list, where it begins, and all of them, those of a list backwards.
struct Grid {
    counts: Vec<u32>,
    first: Vec<u32>,
    sorted: Vec<PlacedCollider>,
}

/// The size of what a place is added up from.
fn far(placed: &Placed) -> f64 {
    let size = match &placed.core {
        Core::HalfSpace => 0.0,
        core => [DVec3::X, DVec3::Y, DVec3::Z].map(|d| core.reach(d) + core.reach(-d)).iter().sum(),
    };
    placed.position.length() + placed.reach + 2.0 * size
}

/// Boxes against those that the reference widens; the level, cell and list that a box stands in, and how many there are in
/// each; the longest of each level, of all and of what moves. Of half spaces the normal and the border.
pub fn collider_boxes(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for kind in KINDS {
        let crowd = Crowd::new(bench, kind);
        let after = crowd.boxes(bench, None)?;
        let got: Vec<PlacedCollider> = after.get("placed_colliders");
        let mut longest = Crowd::no_levels();
        let mut counts = vec![0; crowd.collide.collider_table as usize];
        for (c, (got, placed)) in got.iter().zip(crowd.placed()).enumerate() {
            let collider = &crowd.colliders[c];
            let scale = far(&placed);
            if collider.kind == COLLIDER_PLANE {
                let n = placed.rotation * DVec3::Y;
                errors.vector(got.low, n, 4.0);
                errors.number(got.high.x, n.dot(placed.position) + placed.reach, scale);
            } else {
                let wanted = placed.widened();
                errors.vector(got.low, wanted.min, scale);
                errors.vector(got.high, wanted.max, scale);
            }
            let [replica, group, mask] = placed.groups.unwrap_or_default();
            let alone = placed.groups.is_some() && (group == 0 || mask == 0);
            errors.holds(got.collider == if alone { NONE } else { c as u32 });
            errors.holds((got.pose, got.kind) == (collider.pose, collider.kind));
            errors.holds(got.moves == u32::from(placed.moves));
            if alone || placed.groups.is_none() {
                let none = (0, 0, 0, 0, UVec4::ZERO);
                errors.holds((got.replica, got.group, got.mask, got.list, got.cell) == none);
                continue;
            }
            errors.holds((got.replica, got.group, got.mask) == (replica, group, mask));
            // Of the box as it is.
            let own = boxes::Aabb { min: got.low.as_dvec3(), max: got.high.as_dvec3() };
            errors.holds(is_cell(&crowd, got, own));
            let list = hash(got.cell.truncate().as_ivec3(), got.cell.w, replica)
                & (crowd.collide.collider_table - 1);
            errors.words(&[got.list], &[list]);
            counts[list as usize] += 1;
            let bits = (got.high - got.low).max_element().max(f32::from_bits(1)).to_bits();
            for level in [0, BODY_LEVELS].into_iter().take(1 + usize::from(placed.moves)) {
                let most: &mut u32 = &mut longest[(level + got.cell.w) as usize];
                *most = bits.max(*most);
            }
        }
        errors.words(&after.get::<u32>("collider_counts"), &counts);
        errors.words(&after.get::<u32>("collider_levels"), &longest);
    }
    Ok(())
}

/// Whether a box stands in the cell that holds its middle, on the least level whose cells are as wide as it is long; up to
/// rounding.
fn is_cell(crowd: &Crowd, got: &PlacedCollider, own: boxes::Aabb) -> bool {
    let width =
        |level: u32| 2.0_f64.powi(level as i32) / f64::from(crowd.collide.inverse_collider_cell);
    let (level, length) = (got.cell.w, (own.max - own.min).max_element());
    let wide = length <= width(level) * (1.0 + ROUNDING);
    let least = level == 0 || length >= width(level - 1) * (1.0 - ROUNDING);
    let outermost = DVec3::splat(f64::from(BODY_CELLS));
    let middle = (0.5 * (own.min + own.max) / width(level)).clamp(-outermost, outermost);
    let way = middle - got.cell.truncate().as_ivec3().as_dvec3();
    let off = ROUNDING * (middle.abs().max_element() + 1.0);
    wide && least && way.min_element() >= -off && way.max_element() <= 1.0 + off
}

/// Each list has its colliders, once each, and is counted again from nothing; obstacles and what touches nothing stand in none.
pub fn fill(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for kind in KINDS {
        let crowd = Crowd::new(bench, kind);
        let placed: Vec<PlacedCollider> =
            crowd.boxes(bench, Some("collider_boxes"))?.into_arrays()["placed_colliders"].decode();
        let grid = crowd.grid(&placed);
        let none = PlacedCollider { list: 9, ..PlacedCollider::default() };
        let arrays: &Arrays<'_> = &[
            ("placed_colliders", &placed),
            ("collider_counts", &grid.counts),
            ("collider_first", &grid.first),
            ("cell_colliders", &vec![none; placed.len()]),
        ];
        let after = crowd.run(bench, None, placed.len(), arrays)?;
        let mut got: Vec<PlacedCollider> = after.get("cell_colliders");
        errors.holds(got[grid.sorted.len()..].iter().all(|p| *p == none));
        got.truncate(grid.sorted.len());
        let lists = |all: &[PlacedCollider]| all.iter().map(|p| p.list).collect::<Vec<_>>();
        errors.words(&lists(&got), &lists(&grid.sorted));
        got.sort_by_key(|p| (p.list, NONE - p.collider));
        errors.holds(got == grid.sorted);
        errors.words(&after.get::<u32>("collider_counts"), &vec![0; grid.counts.len()]);
    }
    Ok(())
}

/// All pairs by brute force, each with whether rounding may decide it.
fn all_pairs(crowd: &Crowd) -> BTreeMap<(u32, u32), bool> {
    let placed = crowd.placed();
    let mut pairs = BTreeMap::new();
    for b in 0..placed.len() {
        for a in 0..b.min(crowd.collide.first_obstacle as usize) {
            let [own, other] = [&placed[a], &placed[b]];
            if !own.may(other) || (other.groups.is_none() && !own.moves) {
                continue;
            }
            let (apart, off) = (own.apart(other), ROUNDING * (far(own) + far(other)));
            if apart <= off {
                pairs.insert((a as u32, b as u32), apart > -off);
            }
        }
    }
    pairs
}

/// Where a crowd's colliders are, and how many stand in each list of cells.
pub(super) fn with_boxes(
    bench: &Bench<'_>,
    crowd: &Crowd,
) -> Result<(Vec<PlacedCollider>, Vec<u32>)> {
    let placed = crowd.boxes(bench, Some("collider_boxes"))?.into_arrays();
    Ok((placed["placed_colliders"].decode(), placed["collider_counts"].decode()))
}

/// How pairs are found.
#[derive(Clone, Copy)]
enum Phase {
    Grid,
    Sweep,
}

impl Phase {
    /// The kernel that counts pairs.
    fn counts(self) -> &'static str {
        match self {
            Self::Grid => "pair_count",
            Self::Sweep => "sweep_count",
        }
    }

    /// What the passes before leave of a crowd.
    fn prepare(self, bench: &Bench<'_>, crowd: &Crowd) -> Result<Vec<(&'static str, Rc<Encoded>)>> {
        let mut arrays = crowd.boxes(bench, Some("collider_boxes"))?.into_arrays();
        let placed: Vec<PlacedCollider> = arrays["placed_colliders"].decode();
        let mut given = vec![("placed_colliders", placed.encode())];
        match self {
            Self::Grid => {
                let grid = crowd.grid(&placed);
                given.extend(
                    arrays.remove("collider_levels").map(|array| ("collider_levels", array)),
                );
                given.push(("collider_first", grid.first.encode()));
                given.push(("cell_colliders", grid.sorted.encode()));
            }
            Self::Sweep => {
                let mut sorted = placed[..crowd.collide.first_obstacle as usize].to_vec();
                let axis = widest(&sorted);
                // What touches nothing stands behind all others.
                let key = |p: &PlacedCollider| match p.collider {
                    NONE => NONE,
                    _ => ordered(p.low[axis]),
                };
                sorted.sort_by_key(key);
                given.push(("cell_colliders", sorted.encode()));
                given.push(("sweep_along", [axis as u32].encode()));
            }
        }
        Ok(given)
    }
}

fn borrowed<'a>(arrays: &'a [(&'static str, Rc<Encoded>)]) -> Vec<(&'a str, &'a dyn Array)> {
    arrays.iter().map(|(name, array)| (*name, array as &dyn Array)).collect()
}

/// By the grid.
pub fn count(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    counted(bench, errors, Phase::Grid)
}

/// By the sweep.
pub fn sweep_count(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    counted(bench, errors, Phase::Sweep)
}

/// By the grid.
pub fn fill_pairs(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    filled(bench, errors, Phase::Grid)
}

/// By the sweep.
pub fn sweep_fill(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    filled(bench, errors, Phase::Sweep)
}

/// How many pairs are counted for each lower collider: as many as brute force finds of all.
fn counted(bench: &Bench<'_>, errors: &mut ErrorStats, phase: Phase) -> Result<()> {
    for kind in KINDS {
        let crowd = Crowd::new(bench, kind);
        let given = phase.prepare(bench, &crowd)?;
        let own: &Arrays<'_> = &[
            ("counts", &vec![0_u32; crowd.collide.feature_count as usize]),
            ("contact_lists", &crowd.lists()),
        ];
        let after =
            crowd.run(bench, None, crowd.colliders.len(), &[&borrowed(&given), own].concat())?;
        let got: Vec<u32> = after.get("counts");
        let mut ranges = vec![[0_u32; 2]; got.len()];
        for ((a, _), unsure) in all_pairs(&crowd) {
            let range = &mut ranges[crowd.first_feature() + a as usize];
            *range = [range[0] + u32::from(!unsure), range[1] + 1];
        }
        // What rounding decides is as it is.
        let wanted: Vec<_> =
            ranges.iter().zip(&got).map(|([least, most], got)| *got.clamp(least, most)).collect();
        errors.words(&got, &wanted);
        let unsure = ranges.iter().filter(|[least, most]| least < most).count();
        errors.holds(unsure * 20 <= ranges.len());
        let lists: Vec<u32> = after.get("contact_lists");
        let mut none = crowd.lists();
        none[LIST_TOUCHING as usize] = u32::from(got.iter().any(|count| *count > 0));
        errors.words(&lists, &none);
    }
    Ok(())
}

/// The pairs that are put down are those that brute force finds, once each, each among those of its lower collider; of some there
/// is no room.
fn filled(bench: &Bench<'_>, errors: &mut ErrorStats, phase: Phase) -> Result<()> {
    for (kind, half) in KINDS.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        let mut crowd = Crowd::new(bench, kind);
        let (features, threads) = (crowd.collide.feature_count as usize, crowd.colliders.len());
        let given = phase.prepare(bench, &crowd)?;
        let lists = crowd.lists();
        let given = [&borrowed(&given)[..], &[("contact_lists", &lists as &dyn Array)]].concat();
        let empty = vec![0_u32; features];
        let counted = [&given[..], &[("counts", &empty)]].concat();
        let counts: Vec<u32> =
            crowd.run(bench, Some(phase.counts()), threads, &counted)?.into_arrays()["counts"]
                .decode();
        // Particles and edges have some records.
        let soft = crowd.first_feature();
        let of_soft = |f: usize| if f < soft { f as u32 % 2 } else { counts[f] };
        let first = exclusive(&(0..features).map(of_soft).collect::<Vec<_>>());
        let records = first[features] as usize;
        let room = if half { (first[soft] as usize + records) / 2 } else { records };
        crowd.collide.capacity = room as u32;
        let none = vec![UVec2::splat(NONE); records + 1];
        let own: &Arrays<'_> = &[("counts", &counts), ("record_first", &first), ("pairs", &none)];
        let after = crowd.run(bench, None, threads, &[&given[..], own].concat())?;
        errors.words(&after.get::<u32>("counts"), &empty);
        let got: Vec<UVec2> = after.get("pairs");
        errors.holds(got[room..].iter().all(|pair| *pair == none[0]));
        errors.holds(got[..first[soft] as usize].iter().all(|pair| *pair == none[0]));
        let all = all_pairs(&crowd);
        let mut words = Vec::new();
        for (a, range) in first[soft..].windows(2).enumerate() {
            let range = (range[0] as usize).min(room)..(range[1] as usize).min(room);
            let mut found: Vec<_> = got[range].to_vec();
            found.sort_unstable_by_key(|pair| pair.y);
            errors.holds(found.windows(2).all(|two| two[0].y < two[1].y));
            errors.holds(found.iter().all(|pair| pair.x as usize == a));
            errors.holds(found.iter().all(|pair| all.contains_key(&(pair.x, pair.y))));
            words.extend(found.iter().map(|pair| pair.y));
        }
        if !half {
            // And none of those that are sure lacks.
            let sure = all
                .iter()
                .filter(|(pair, unsure)| !**unsure || got.contains(&UVec2::new(pair.0, pair.1)));
            let sure: Vec<_> = sure.map(|(pair, _)| pair.1).collect();
            errors.words(&words, &sure);
        }
    }
    Ok(())
}
