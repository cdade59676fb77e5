//! The passes of box pruning: the axis, the order along it, and the boxes in that order. The pairs that are found in it are compared
//! where those of the grid are.

use glam::{DVec3, UVec2, Vec3Swizzles as _};

use super::broad::with_boxes;
use super::crowd::{Crowd, KINDS};
use crate::Result;
use crate::gpu::types::{NONE, PlacedCollider};
use crate::verify::collide::ordered;
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// The first of the axes along which the middles of those that touch anything are spread farthest.
pub fn widest(placed: &[PlacedCollider]) -> usize {
    let touching = || placed.iter().filter(|p| p.collider != NONE);
    let middles = || touching().map(|p| 0.5 * (p.low.as_dvec3() + p.high.as_dvec3()));
    let spread = middles().fold(DVec3::MIN, DVec3::max) - middles().fold(DVec3::MAX, DVec3::min);
    (0..3).find(|axis| spread[*axis] >= spread.max_element()).unwrap_or(0)
}

pub fn axis(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for kind in KINDS {
        let crowd = Crowd::new(bench, kind);
        let (mut placed, _) = with_boxes(bench, &crowd)?;
        // Each axis in turn becomes the one that x has been.
        for _ in 0..3 {
            let arrays: &Arrays<'_> = &[("placed_colliders", &placed), ("sweep_along", &[7_u32])];
            let after = crowd.run(bench, None, 1, arrays)?;
            let own = &placed[..crowd.collide.first_obstacle as usize];
            errors.words(&after.get::<u32>("sweep_along"), &[widest(own) as u32]);
            for own in &mut placed {
                (own.low, own.high) = (own.low.zxy(), own.high.zxy());
            }
        }
    }
    Ok(())
}

/// Where boxes begin, as words in the order of these numbers; behind all others what touches nothing.
pub fn keys(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for (kind, axis) in KINDS.into_iter().flat_map(|kind| (0..3).map(move |axis| (kind, axis))) {
        let crowd = Crowd::new(bench, kind);
        let (placed, _) = with_boxes(bench, &crowd)?;
        let own = crowd.collide.first_obstacle as usize;
        let none = vec![UVec2::splat(7); placed.len()];
        let arrays: &Arrays<'_> = &[
            ("placed_colliders", &placed),
            ("sweep_items", &none),
            ("sweep_along", &[axis as u32]),
        ];
        let after = crowd.run(bench, None, own, arrays)?;
        let got: Vec<UVec2> = after.get("sweep_items");
        let key = |p: &PlacedCollider| match p.collider {
            NONE => NONE,
            _ => ordered(p.low[axis]),
        };
        let (keys, numbers): (Vec<_>, Vec<_>) = got[..own].iter().map(|i| (i.x, i.y)).unzip();
        errors.words(&keys, &placed[..own].iter().map(key).collect::<Vec<_>>());
        errors.words(&numbers, &(0..own as u32).collect::<Vec<_>>());
        errors.holds(got[own..] == none[own..]);
    }
    Ok(())
}

/// Boxes in any order that is given, and no list of cells with any.
pub fn sorted(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(45);
    for kind in KINDS {
        let crowd = Crowd::new(bench, kind);
        let (placed, counts) = with_boxes(bench, &crowd)?;
        let own = crowd.collide.first_obstacle as usize;
        let mut items: Vec<_> = (0..own as u32).map(|c| UVec2::new(0, c)).collect();
        for k in (1..own).rev() {
            items.swap(k, random.index(0, k + 1));
        }
        let none = vec![PlacedCollider { list: 9, ..PlacedCollider::default() }; placed.len()];
        let arrays: &Arrays<'_> = &[
            ("placed_colliders", &placed),
            ("sweep_items", &items),
            ("cell_colliders", &none),
            ("collider_counts", &counts),
        ];
        let after = crowd.run(bench, None, own, arrays)?;
        let got: Vec<PlacedCollider> = after.get("cell_colliders");
        let wanted: Vec<_> = items.iter().map(|item| placed[item.y as usize]).collect();
        let numbers = |all: &[PlacedCollider]| all.iter().map(|p| p.collider).collect::<Vec<_>>();
        errors.words(&numbers(&got[..own]), &numbers(&wanted));
        errors.holds(got[..own] == wanted && got[own..] == none[own..]);
        errors.words(&after.get::<u32>("collider_counts"), &vec![0; counts.len()]);
    }
    Ok(())
}
