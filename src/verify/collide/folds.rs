//! The passes that say which bodies are folded.

use crate::extreme;
use glam::Vec3;

use super::super::errors::ErrorStats;
use super::broad::unordered;
use super::search::Search;
use crate::gpu::types::{FOLD_WORDS, NONE};
use crate::reference::contact::boxes::Aabb;
use crate::reference::contact::folds;

/// Boxes, exactly, centres and spreads of patches; scale: the coordinates and the size.
pub fn fold_patches(search: &Search<'_>, errors: &mut ErrorStats) {
    errors.case();
    let scene = &search.scene;
    errors.holds(search.patch_shapes.len() == scene.patches.len());
    for (got, patch) in search.patch_shapes.iter().zip(&scene.patches) {
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
}

/// The box of what is folded, of each body; scale: the coordinates.
pub fn fold_pairs(search: &Search<'_>, errors: &mut ErrorStats) {
    errors.case();
    let (wanted, gap) = folds::folds(&search.scene);
    let far = |a: &Aabb| a.min.abs().max(a.max.abs()).length();
    let words = search.folds.chunks_exact(FOLD_WORDS as usize);
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
    if search.world.self_contact {
        let reach = search.scene.position.iter().map(|x| x.length());
        errors.number(search.fold_gap, gap, reach.fold(0.0, extreme::greatest));
    }
}
