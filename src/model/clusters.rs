//! Which points of a body are matched together.

use std::collections::HashSet;

use glam::DVec3;

use crate::mesh::{Bounds, TetMesh};
use crate::scene::{self, Shape};
use crate::{Error, Result};

/// Clusters of a body, each the ascending indices of its points.
pub type Clusters = Vec<Vec<u32>>;

/// All points together.
pub fn whole(points: usize) -> Clusters {
    vec![(0..points as u32).collect()]
}

/// The clusters that a scene's body asks for. `rest`: its mesh, in whose coordinates boxes are given; `scaled`: the same as
/// large as the body; `edge`: its mean edge, of a cloud the mean distance to the
/// nearest point \[m\].
///
/// # Errors
/// Tetrahedra where there are none; boxes or lists of points that leave one out or hold none.
pub fn of(
    name: &str,
    shape: &Shape,
    rest: &TetMesh,
    scaled: &TetMesh,
    edge: f64,
) -> Result<Clusters> {
    let points = &scaled.points;
    let at = |error: Error| match error {
        Error::Value { at, got, want } => Error::Value {
            at: format!("body \"{name}\".clusters: {at}"),
            got,
            want,
        },
        other => other,
    };
    match &shape.clusters {
        scene::Clusters::Whole => Ok(whole(points.len())),
        scene::Clusters::Grid { count, overlap } => Ok(grid(points, *count, overlap * edge)),
        scene::Clusters::Tets if scaled.tets.is_empty() => {
            let want = "another choice: the body has no tetrahedra";
            Err(Error::value(
                format!("body \"{name}\".clusters"),
                "\"tets\"",
                want,
            ))
        }
        scene::Clusters::Tets => Ok(tets(&scaled.tets)),
        scene::Clusters::Boxes(given) => {
            let corners = given
                .iter()
                .map(|b| [DVec3::from(b.min), DVec3::from(b.max)]);
            boxes(&rest.points, &corners.collect::<Vec<_>>()).map_err(at)
        }
        scene::Clusters::Given(clusters) => given(clusters, points.len()).map_err(at),
    }
}

/// The cells of a regular grid over the points' bounding box, each enlarged on every side by `overlap` \[m\]; cells without
/// points are left out, and of cells with the same points all but the first.
pub fn grid(points: &[DVec3], count: [u32; 3], overlap: f64) -> Clusters {
    let bounds = Bounds::of(points.iter().copied());
    let size = bounds.size();
    let [nx, ny, nz] = count.map(|n| n as usize);
    let mut cells: Clusters = vec![Vec::new(); nx * ny * nz];
    // Points on the borders between cells belong to both, whatever the rounding.
    let reach = overlap + 1e-9 * size.max_element();
    for (i, x) in points.iter().enumerate() {
        let range = |k: usize| {
            let width = size[k] / f64::from(count[k]);
            if width == 0.0 {
                return 0..=count[k] as usize - 1;
            }
            let cell = |at: f64| (at / width).floor().clamp(0.0, f64::from(count[k] - 1)) as usize;
            // The cell before begins where this one's low end reaches it.
            cell(x[k] - bounds.min[k] - reach)..=cell(x[k] - bounds.min[k] + reach)
        };
        for z in range(2) {
            for y in range(1) {
                for x in range(0) {
                    cells[(z * ny + y) * nx + x].push(i as u32);
                }
            }
        }
    }
    let mut seen = HashSet::new();
    cells.retain(|members| !members.is_empty() && seen.insert(members.clone()));
    cells
}

/// One of the corners of each tetrahedron.
pub fn tets(tets: &[[u32; 4]]) -> Clusters {
    let sorted = |corners: &[u32; 4]| {
        let mut corners = corners.to_vec();
        corners.sort_unstable();
        corners
    };
    tets.iter().map(sorted).collect()
}

/// The points in each of the boxes (least and largest coordinates \[m\]).
///
/// # Errors
/// A box without points; a point in no box.
pub fn boxes(points: &[DVec3], boxes: &[[DVec3; 2]]) -> Result<Clusters> {
    let members = |[low, high]: &[DVec3; 2]| {
        (0..points.len() as u32)
            .filter(|i| {
                let x = points[*i as usize];
                x.cmpge(*low).all() && x.cmple(*high).all()
            })
            .collect()
    };
    checked(boxes.iter().map(members).collect(), points.len())
}

/// Clusters as they are given: made ascending, and checked.
///
/// # Errors
/// A cluster without points, or with one twice; an index beyond the last point; a point in no cluster.
pub fn given(clusters: &[Vec<u32>], points: usize) -> Result<Clusters> {
    checked(clusters.to_vec(), points)
}

fn checked(mut clusters: Clusters, points: usize) -> Result<Clusters> {
    let mut taken = vec![false; points];
    for (c, members) in clusters.iter_mut().enumerate() {
        if members.is_empty() {
            return Err(Error::value(
                format!("cluster {c}"),
                "empty",
                "at least one point",
            ));
        }
        members.sort_unstable();
        if let Some(pair) = members.windows(2).find(|pair| pair[0] == pair[1]) {
            let got = format!("point {} twice", pair[0]);
            return Err(Error::value(format!("cluster {c}"), got, "each point once"));
        }
        for &i in members.iter() {
            match taken.get_mut(i as usize) {
                Some(taken) => *taken = true,
                None => {
                    let want = format!("indices below the number of points, {points}");
                    return Err(Error::value(
                        format!("cluster {c}"),
                        format!("point {i}"),
                        want,
                    ));
                }
            }
        }
    }
    match taken.iter().position(|taken| !taken) {
        Some(i) => Err(Error::value(
            "clusters",
            format!("without point {i}"),
            "each point in one at least",
        )),
        None => Ok(clusters),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn lattice(n: [u32; 3]) -> Vec<DVec3> {
        let rows = (0..n[2]).flat_map(|z| (0..n[1]).map(move |y| (y, z)));
        rows.flat_map(|(y, z)| (0..n[0]).map(move |x| DVec3::new(x.into(), y.into(), z.into())))
            .collect()
    }

    #[test]
    fn cells_overlap_by_what_is_asked() {
        let points = lattice([9, 3, 3]);
        let sizes = |count, overlap| -> Vec<usize> {
            grid(&points, count, overlap).iter().map(Vec::len).collect()
        };
        assert_eq!(sizes([1, 1, 1], 0.0), [81]);
        // Without overlap cells share the points on their border.
        assert_eq!(sizes([2, 1, 1], 0.0), [45, 45]);
        assert_eq!(sizes([2, 1, 1], 1.0), [54, 54]);
        assert_eq!(sizes([4, 1, 1], 1.0), [36, 45, 45, 36]);
        assert_eq!(grid(&points, [8, 2, 2], 0.0).len(), 32);
        // The same points twice are one cluster.
        assert_eq!(sizes([2, 1, 1], 8.0), [81]);
        // Of a cloud with a gap the cells in it hold nothing.
        let apart = [DVec3::ZERO, DVec3::X, DVec3::X * 10.0];
        assert_eq!(grid(&apart, [5, 1, 1], 0.0).len(), 2);
    }

    #[test]
    fn clusters_that_cannot_be_are_named() {
        let message = |clusters: &[Vec<u32>]| given(clusters, 4).unwrap_err().to_string();
        for (clusters, want) in [
            (
                vec![vec![0, 1], vec![3]],
                "clusters is without point 2, wanted each point in one",
            ),
            (vec![vec![0, 1, 2, 3], vec![]], "cluster 1 is empty"),
            (
                vec![vec![0, 1, 2, 3, 4]],
                "cluster 0 is point 4, wanted indices below the number of points, 4",
            ),
            (vec![vec![0, 1, 2, 3, 1]], "cluster 0 is point 1 twice"),
        ] {
            assert!(
                message(&clusters).starts_with(want),
                "{}",
                message(&clusters)
            );
        }
        assert_eq!(
            given(&[vec![2, 1], vec![0, 3, 1]], 4).unwrap(),
            [vec![1, 2], vec![0, 1, 3]]
        );
        let points = lattice([4, 1, 1]);
        let cell = |a: f64, b: f64| [DVec3::new(a, 0.0, 0.0), DVec3::new(b, 0.0, 0.0)];
        assert_eq!(
            boxes(&points, &[cell(0.0, 1.5), cell(1.0, 3.0)]).unwrap(),
            [vec![0, 1], vec![1, 2, 3]]
        );
        assert!(boxes(&points, &[cell(0.0, 1.5)]).is_err());
        assert!(boxes(&points, &[cell(0.0, 3.0), cell(4.0, 5.0)]).is_err());
        assert_eq!(tets(&[[3, 1, 0, 2]]), [[0, 1, 2, 3]]);
        assert_eq!(whole(3), [[0, 1, 2]]);
    }
}
