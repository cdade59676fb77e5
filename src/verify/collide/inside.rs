//! The passes that find which points are inside which bodies.
//!
//! What a kernel finds in f32 lies between what the reference finds with a slack a little smaller and a little larger.

use glam::DVec3;

use super::search::{Hits, Search};
use super::ways::entered_first;
use crate::Result;
use crate::gpu::types::{HIT_STRIDE, INSIDE_SLACK, MAX_HITS, NONE};
use crate::reference::contact::boxes;
use crate::reference::contact::detect::{self, Hit};
use crate::reference::contact::inside::Tetrahedra;
use crate::verify::ErrorStats;

/// The smaller and the larger slack, in units of the kernels'.
const SLACKS: [f64; 2] = [0.2, 1.8];

/// The bodies that hold each point, by brute force over all tetrahedra of all bodies that may touch its own; of fast points
/// then those that they meet on their ways.
pub fn points_in_tets(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("points_in_tets");
    let found = slacks().map(|slack| met(search, slack));
    let [hits, _] = search.hits_of(after);
    let (deepest, entered_first) = (deepest(search, search.ahead()), entered_first(search));
    let tetrahedra = Tetrahedra::new(&search.scene);
    let (ahead, lifts, [smaller, _]) = (search.ahead(), boxes::lifts(&search.scene), slacks());
    let held = |i: usize, tet| tetrahedra.hold(tet, ahead[i], lifts[i], smaller);
    let best = |i, tet, other: Option<usize>| {
        let on_way = other.is_none_or(|other| !held(i, other)) && entered_first(i, tet, other);
        on_way || deepest(i, tet, other)
    };
    compare(search, &hits, &found, best, errors);
    Ok(())
}

/// What points are in or come through.
fn met(search: &Search<'_>, slack: f64) -> Vec<Vec<Hit>> {
    let pairs = search.all_pairs();
    let mut met = detect::points_in_tets(&search.scene, &search.ahead(), &pairs, slack);
    let on_ways = detect::ways_in_tets(&search.scene, &search.ways(), &pairs, slack);
    for (hits, on_way) in met.iter_mut().zip(on_ways) {
        let others = on_way.into_iter();
        let others: Vec<_> =
            others.filter(|other| hits.iter().all(|hit| hit.body != other.body)).collect();
        hits.extend(others);
        hits.sort_unstable();
    }
    met
}

/// And whether its own body holds it. Lists of fast points are taken as they are.
pub fn self_in_tets(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("self_in_tets");
    let (tested, pairs) = (search.tested(), search.all_pairs());
    let boxes = boxes::body_pairs(&search.scene, &boxes::body_boxes(&search.scene));
    let body = |tet: usize| search.scene.body[search.scene.tets[tet][0]];
    let found = slacks().map(|slack| {
        let mut all = detect::points_in_tets(&search.scene, &tested, &pairs, slack);
        let folded = |body: usize, q| boxes.fold[body].holds(q);
        let own = detect::self_in_tets(&search.scene, &tested, folded, slack);
        let before = search.found.met.tets.chunks_exact(HIT_STRIDE as usize);
        for (i, ((hits, own), before)) in all.iter_mut().zip(own).zip(before).enumerate() {
            if search.found.fast[i] > 0.0 {
                let tets = before.iter().filter(|tet| **tet != NONE).map(|tet| *tet as usize);
                *hits = tets.map(|tet| Hit { body: body(tet), tet }).collect();
            }
            hits.extend(own);
            hits.sort_unstable();
        }
        all
    });
    let [hits, _] = search.hits_of(after);
    let deepest = deepest(search, search.tested());
    let best = |i: usize, tet: usize, other| {
        let taken = search.found.fast[i] > 0.0 && body(tet) != search.scene.body[i];
        taken || deepest(i, tet, other)
    };
    compare(search, &hits, &found, best, errors);
    Ok(())
}

/// Both.
pub fn slacks() -> [f64; 2] {
    SLACKS.map(|share| share * f64::from(INSIDE_SLACK))
}

/// Whether a tetrahedron holds a particle with the larger slack, as deep as another one that does, but for rounding.
fn deepest(
    search: &Search<'_>,
    tested: Vec<DVec3>,
) -> impl Fn(usize, usize, Option<usize>) -> bool {
    let tetrahedra = Tetrahedra::new(&search.scene);
    let lifts = boxes::lifts(&search.scene);
    let [smaller, larger] = slacks();
    move |i, tet, other| {
        let q = tested[i];
        let share = |tet| tetrahedra.least_share(tet, q);
        let as_deep = |other| share(tet) >= share(other) - (larger - smaller);
        tetrahedra.hold(tet, q, lifts[i], larger) && other.is_none_or(as_deep)
    }
}

/// Compares lists with the hits of the smaller and of the larger slack. `best` tells whether a tetrahedron holds something
/// with the larger one, and no worse than another, the best of the same body with the smaller one, if any.
pub fn compare(
    search: &Search<'_>,
    got: &Hits,
    found: &[Vec<Vec<Hit>>; 2],
    best: impl Fn(usize, usize, Option<usize>) -> bool,
    errors: &mut ErrorStats,
) {
    let body = |tet: u32| search.scene.body[search.scene.tets[tet as usize][0]];
    let mut lists = Vec::new();
    let mut wanted = Vec::new();
    for (i, list) in got.tets.chunks_exact(HIT_STRIDE as usize).enumerate() {
        let [least, most] = [0, 1].map(|k| &found[k][i]);
        let bodies = |hits: &[Hit]| hits.iter().map(|hit| hit.body as u32).collect::<Vec<_>>();
        if bodies(least) == bodies(most) {
            let word = |tet: &u32| if *tet == NONE { NONE } else { body(*tet) as u32 };
            lists.extend(list.iter().map(word));
            wanted.extend(padded(bodies(least)));
            if most.len() > MAX_HITS as usize {
                // Which of the others is noted does not matter.
                let last = lists.len() - 1;
                errors.holds(lists[last] != NONE);
                lists[last] = NONE;
            }
        } else {
            errors.holds(between(search, list, least, most));
            let held = list.iter().filter(|tet| **tet != NONE);
            errors.holds(held.map(|tet| body(*tet)).is_sorted_by(|a, b| a < b));
        }
        let kept = list[..MAX_HITS as usize].iter().copied().filter(|tet| *tet != NONE);
        errors.holds(got.counts[i] as usize == kept.clone().count());
        errors.holds(kept.into_iter().all(|tet| {
            let of_body = least.iter().find(|hit| hit.body == body(tet));
            best(i, tet as usize, of_body.map(|hit| hit.tet))
        }));
    }
    errors.words(&lists, &wanted);
}

/// The first of them, and `NONE` for those that are not there.
fn padded(mut words: Vec<u32>) -> Vec<u32> {
    words.truncate(MAX_HITS as usize);
    words.resize(HIT_STRIDE as usize, NONE);
    words
}

/// Whether a list has all bodies of `least` and no others than those of `most`; of too many bodies only whether there are
/// that many.
fn between(search: &Search<'_>, list: &[u32], least: &[Hit], most: &[Hit]) -> bool {
    let held: Vec<_> = list.iter().copied().filter(|tet| *tet != NONE).collect();
    if most.len() > MAX_HITS as usize {
        return held.len() >= least.len().min(HIT_STRIDE as usize);
    }
    let body = |tet: u32| search.scene.body[search.scene.tets[tet as usize][0]];
    let allowed = held.iter().all(|&tet| most.iter().any(|hit| hit.body == body(tet)));
    allowed && least.iter().all(|hit| held.iter().any(|&tet| body(tet) == hit.body))
}
