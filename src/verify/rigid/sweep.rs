//! The passes of box pruning: the axis, the order along it, and the boxes in that order. The pairs that are found in it are compared
//! where those of the grid are.

use glam::{DVec3, UVec2, Vec3, Vec4};

use super::broad::with_boxes;
use super::crowd::{Crowd, KINDS};
use crate::Result;
use crate::gpu::types::{CHUNK, Collide, NONE, PlacedCollider, WORKGROUP};
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

/// Numbers of colliders around those of workgroups and chunks.
const COUNTS: [usize; 9] = [1, 63, 64, 65, 255, 256, 257, 513, 5000];

/// So many boxes, some of what touches nothing, and one more that is an obstacle's; spread farthest along an axis.
fn boxes(count: usize, axis: usize, random: &mut Random) -> (Vec<PlacedCollider>, Collide) {
    let mut stretch = DVec3::ONE;
    stretch[axis] = 3.0;
    let placed = (0..=count).map(|c| {
        // The obstacle is farther away than anything else.
        let far = if c < count { stretch } else { DVec3::splat(100.0) };
        let low = random.vector(5.0) * far;
        PlacedCollider {
            low: low.as_vec3(),
            high: (low + DVec3::splat(random.between(0.0, 1.0))).as_vec3(),
            collider: if random.index(0, 9) == 0 { NONE } else { c as u32 },
            ..PlacedCollider::default()
        }
    });
    (placed.collect(), Collide { first_obstacle: count as u32, ..Collide::default() })
}

fn chunks(count: usize) -> usize {
    count.div_ceil(CHUNK as usize)
}

/// The boxes of middles, to the bit.
pub fn spread(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(49);
    for count in COUNTS {
        let (placed, collide) = boxes(count, 0, &mut random);
        let untouched = Vec4::splat(7.0);
        let arrays: &Arrays<'_> = &[
            ("placed_colliders", &placed),
            ("collide", &[collide]),
            ("spread_parts", &vec![untouched; 2 * chunks(count) + 1]),
        ];
        let after = bench.run(bench.case.sim, chunks(count) * WORKGROUP as usize, arrays)?;
        let got: Vec<Vec4> = after.get("spread_parts");
        errors.holds(got[2 * chunks(count)] == untouched);
        for (own, got) in placed[..count].chunks(CHUNK as usize).zip(got.as_chunks().0) {
            let own = own.iter().filter(|p| p.collider != NONE);
            let middles = own.map(|p| 0.5 * (p.low + p.high));
            let none = [Vec3::splat(3e38), Vec3::splat(-3e38)];
            let [low, high] = middles.fold(none, |[a, b], x| [a.min(x), b.max(x)]);
            let &[least, opposite] = got;
            for (got, wanted) in [(least, low), (opposite, -high)] {
                let wanted = wanted.as_dvec3();
                errors.vector(got.truncate(), wanted, wanted.length());
                errors.holds(got.truncate().as_dvec3() == wanted);
            }
        }
    }
    Ok(())
}

pub fn axis(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(51);
    for (count, along) in COUNTS.into_iter().flat_map(|count| (0..3).map(move |k| (count, k))) {
        let (placed, collide) = boxes(count, along, &mut random);
        let arrays: &Arrays<'_> = &[
            ("placed_colliders", &placed),
            ("collide", &[collide]),
            ("spread_parts", &vec![Vec4::NAN; 2 * chunks(count)]),
            ("sweep_along", &[7_u32]),
        ];
        let before = [("sweep_spread", chunks(count) * WORKGROUP as usize)];
        let after = bench.run_after(&before, bench.case.sim, 1, arrays)?;
        errors.words(&after.get::<u32>("sweep_along"), &[widest(&placed[..count]) as u32]);
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
