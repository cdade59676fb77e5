//! The passes that say which bodies are folded.

use glam::Vec3;

use super::broad::unordered;
use super::search::Search;
use crate::gpu::types::{FOLD_WORDS, LIST_GAP, NONE, PatchShape};
use crate::reference::contact::boxes::Aabb;
use crate::reference::contact::folds;
use crate::verify::ErrorStats;
use crate::{Result, extreme};

/// Boxes, exactly, centres and spreads of patches; scale: the coordinates and the size.
pub fn fold_patches(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("fold_patches");
    let (scene, shapes) = (&search.scene, after.get::<PatchShape>("patch_shapes"));
    errors.holds(shapes.len() == scene.patches.len());
    for (got, patch) in shapes.iter().zip(&scene.patches) {
        let x = patch.positions(scene);
        let (mean, spread) = folds::centre(&x);
        let around = Aabb::around(x);
        let size = (around.max - around.min).length();
        let scale = mean.length() + size;
        errors.vector(got.low, around.min, scale);
        errors.vector(got.high, around.max, scale);
        errors.vector(got.centre, mean, scale);
        errors.number(got.spread, spread, size);
    }
    Ok(())
}

/// The box of what is folded, of each body; scale: the coordinates.
pub fn fold_pairs(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("fold_pairs");
    let (wanted, gap) = folds::folds(&search.scene);
    let found: Vec<u32> = after.get("folds");
    let words = found.chunks_exact(FOLD_WORDS as usize);
    for (words, wanted) in words.zip(&wanted) {
        errors.holds((words[0] == NONE) == wanted.is_empty());
        if wanted.is_empty() {
            continue;
        }
        let low = Vec3::from_array([0, 1, 2].map(|k| unordered(words[k])));
        let high = Vec3::from_array([3, 4, 5].map(|k| -unordered(words[k])));
        for (got, wanted_at) in [(low, wanted.min), (high, wanted.max)] {
            errors.vector(got, wanted_at, far(wanted));
        }
    }
    let reach = search.scene.position.iter().map(|x| x.length());
    let least = after.get::<u32>("contact_lists")[LIST_GAP as usize];
    let reach = reach.fold(0.0, extreme::greatest);
    errors.number(f32::from_bits(least), gap, reach);
    Ok(())
}

/// Compares the boxes of what is folded in the grid, as the search for points in tetrahedra has them; all else is as the
/// search began with it.
pub fn in_grid(search: &Search<'_>, grid: &[u32], folds: &[Aabb], errors: &mut ErrorStats) {
    let (grid, of_fast) = grid.split_at(search.words_of_fast());
    let (others, boxes) = grid.split_at(grid.len() - FOLD_WORDS as usize * folds.len());
    for (words, wanted) in boxes.chunks_exact(FOLD_WORDS as usize).zip(folds) {
        let [low, high] = [0, 3].map(|first| {
            let words = [0, 1, 2].map(|axis| words[first + axis]);
            Vec3::from_array(words.map(f32::from_bits))
        });
        errors.holds(low.cmpgt(high).any() == wanted.is_empty());
        if !wanted.is_empty() {
            errors.vector(low, wanted.min, far(wanted));
            errors.vector(high, wanted.max, far(wanted));
        }
    }
    let begun = search.after("contact_begin");
    let begun: Vec<u32> = begun.array("grid").decode();
    errors.holds(others == &begun[..others.len()] && of_fast == &begun[grid.len()..]);
}

/// What the coordinates of a box are added up from.
fn far(a: &Aabb) -> f64 {
    a.min.abs().max(a.max.abs()).length()
}
