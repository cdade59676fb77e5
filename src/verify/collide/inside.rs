//! The passes that find which points are inside which bodies.
//!
//! What a kernel finds in f32 lies between what the reference finds with a slack a little smaller and a little larger.

use super::search::{Hits, Search};
use crate::Result;
use crate::gpu::types::{HIT_STRIDE, INSIDE_SLACK, MAX_HITS, NONE};
use crate::reference::contact::boxes;
use crate::reference::contact::detect::{self, Hit};
use crate::reference::contact::inside::Tetrahedra;
use crate::verify::ErrorStats;

/// The smaller and the larger slack, in units of the kernels'.
const SLACKS: [f64; 2] = [0.2, 1.8];

/// The bodies that hold each point, by brute force over all tetrahedra of all bodies that may touch its own.
pub fn points_in_tets(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("points_in_tets");
    let (tested, pairs) = (search.tested(), search.all_pairs());
    let found = slacks().map(|slack| detect::points_in_tets(&search.scene, &tested, &pairs, slack));
    let [hits, _] = search.hits_of(after);
    compare(search, &hits, &found, holds(search), errors);
    Ok(())
}

/// And whether its own body holds it.
pub fn self_in_tets(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("self_in_tets");
    let (tested, pairs) = (search.tested(), search.all_pairs());
    let met = boxes::body_pairs(&search.scene, &boxes::body_boxes(&search.scene));
    let found = slacks().map(|slack| {
        let mut all = detect::points_in_tets(&search.scene, &tested, &pairs, slack);
        let folded = |body: usize, q| met.fold[body].holds(q);
        let own = detect::self_in_tets(&search.scene, &tested, folded, slack);
        for (hits, own) in all.iter_mut().zip(own) {
            hits.extend(own);
            hits.sort_unstable();
        }
        all
    });
    let [hits, _] = search.hits_of(after);
    compare(search, &hits, &found, holds(search), errors);
    Ok(())
}

fn slacks() -> [f64; 2] {
    SLACKS.map(|share| share * f64::from(INSIDE_SLACK))
}

/// Whether a tetrahedron holds a particle with the larger slack.
fn holds(search: &Search<'_>) -> impl Fn(usize, usize) -> bool {
    let tetrahedra = Tetrahedra::new(&search.scene);
    let lifts = boxes::lifts(&search.scene);
    let [_, larger] = slacks();
    move |i, tet| {
        let q = search.found.tested[i].position.as_dvec3();
        tetrahedra.hold(tet, q, lifts[i], larger)
    }
}

/// Compares lists with the hits of the smaller and of the larger slack; `holds` tells whether a tetrahedron holds
/// something with the larger one.
pub fn compare(
    search: &Search<'_>,
    got: &Hits,
    found: &[Vec<Vec<Hit>>; 2],
    holds: impl Fn(usize, usize) -> bool,
    errors: &mut ErrorStats,
) {
    let mut lists = Vec::new();
    let mut wanted = Vec::new();
    for (i, list) in got.tets.chunks_exact(HIT_STRIDE as usize).enumerate() {
        let [least, most] = [0, 1].map(|k| &found[k][i]);
        if least == most {
            lists.extend_from_slice(list);
            wanted.extend(padded(least));
            if most.len() > MAX_HITS as usize {
                // Which of the others is noted does not matter.
                let last = lists.len() - 1;
                errors.holds(lists[last] != NONE);
                lists[last] = NONE;
            }
        } else {
            errors.holds(between(search, list, least, most));
            let body = |hit: &u32| search.scene.body[search.scene.tets[*hit as usize][0]];
            let held = list.iter().filter(|tet| **tet != NONE);
            errors.holds(held.clone().map(body).is_sorted_by(|a, b| a < b));
            errors.holds(held.clone().all(|tet| holds(i, *tet as usize)));
        }
        let count = list[..MAX_HITS as usize].iter().filter(|tet| **tet != NONE).count();
        errors.holds(got.counts[i] as usize == count);
    }
    errors.words(&lists, &wanted);
}

/// The first hits as words, and `NONE` for those that are not there.
fn padded(hits: &[Hit]) -> Vec<u32> {
    let mut words: Vec<_> = hits.iter().take(MAX_HITS as usize).map(|hit| hit.tet as u32).collect();
    words.resize(HIT_STRIDE as usize, NONE);
    words
}

/// Whether a list has all bodies of `least` and no others than those of `most`, each with a tetrahedron no higher and no
/// lower than theirs; of too many bodies only whether there are that many.
fn between(search: &Search<'_>, list: &[u32], least: &[Hit], most: &[Hit]) -> bool {
    let held: Vec<_> = list.iter().copied().filter(|tet| *tet != NONE).collect();
    if most.len() > MAX_HITS as usize {
        return held.len() >= least.len().min(HIT_STRIDE as usize);
    }
    let body = |tet: u32| search.scene.body[search.scene.tets[tet as usize][0]];
    let allowed = held.iter().all(|&tet| {
        let bound = |hits: &[Hit]| hits.iter().find(|hit| hit.body == body(tet)).map(|hit| hit.tet);
        bound(most).is_some_and(|lowest| lowest <= tet as usize)
            && bound(least).is_none_or(|highest| tet as usize <= highest)
    });
    allowed && least.iter().all(|hit| held.iter().any(|&tet| body(tet) == hit.body))
}
