//! Which points of a body are matched together.

use std::collections::HashSet;

use glam::DVec3;

use crate::mesh::{Bounds, TetMesh};
use crate::model::Rest;
use crate::model::start::empty_box;
use crate::scene::{self, Aabb, ShapeMatching, body_label};
use crate::{Error, Result};

/// Clusters of a body, each the ascending indices of its points.
pub type Clusters = Vec<Vec<u32>>;

/// All points together.
pub fn whole(points: usize) -> Clusters {
    vec![(0..points as u32).collect()]
}

/// The clusters that a scene's body asks for. `rest`: its mesh, in whose coordinates boxes are given; `scaled`: the same as
/// large as the body; `edge`: its mean edge, of a cloud the mean distance to the nearest point \[m\].
///
/// # Errors
/// Tetrahedra where there are none; boxes or lists of points that leave one out or hold none.
pub(super) fn of(
    name: &str,
    shape: &ShapeMatching,
    rest: &Rest,
    scaled: &TetMesh,
    edge: f64,
) -> Result<Clusters> {
    let points = &scaled.points;
    let at = format!("{}.clusters", body_label(name));
    match &shape.clusters {
        scene::Clusters::Whole => Ok(whole(points.len())),
        scene::Clusters::Grid { count, overlap } => Ok(grid(points, *count, overlap * edge)),
        scene::Clusters::Tets if scaled.tets.is_empty() => {
            let want = "another choice: the body has no tetrahedra";
            Err(Error::value(at, "\"tets\"", want))
        }
        scene::Clusters::Tets => Ok(tets(&scaled.tets)),
        scene::Clusters::Boxes(given) => boxes(&at, &rest.mesh.points, given),
        scene::Clusters::Given(lists) => {
            let same: Vec<u32>;
            let places = match &rest.welded {
                Some(places) => places,
                None => {
                    same = (0..points.len() as u32).collect();
                    &same
                }
            };
            given(&at, lists, places, points.len())
        }
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

/// The points in each of the boxes, in the mesh's coordinates.
///
/// # Errors
/// A box without points; a point in no box. `at` names the field.
fn boxes(at: &str, points: &[DVec3], boxes: &[Aabb]) -> Result<Clusters> {
    let mut clusters = Clusters::new();
    for (c, corners) in boxes.iter().enumerate() {
        let inside = |i: &u32| corners.contains(points[*i as usize].to_array());
        let members: Vec<u32> = (0..points.len() as u32).filter(inside).collect();
        if members.is_empty() {
            let at = format!("{at}[{c}].box");
            return Err(empty_box(at, corners, "point", points));
        }
        clusters.push(members);
    }
    match left_out(&clusters, points.len()) {
        None => Ok(clusters),
        Some(i) => {
            let got = format!("without point {i} at {:?}", points[i].to_array());
            Err(Error::value(at, got, "every point in at least one box"))
        }
    }
}

/// Clusters as they are given, by the numbers of points in the mesh; `places` tells what became of these: one of `count`
/// points, or `u32::MAX`.
///
/// # Errors
/// A number that no point has, or that is given twice in one cluster; a point in no cluster. `at` names the field.
fn given(at: &str, lists: &[Vec<u32>], places: &[u32], count: usize) -> Result<Clusters> {
    let mut clusters = Clusters::new();
    for (c, list) in lists.iter().enumerate() {
        let wrong = |got: String, want: String| Err(Error::value(format!("{at}[{c}]"), got, want));
        let mut seen = HashSet::new();
        let mut members = Vec::new();
        for i in list {
            match places.get(*i as usize) {
                None => {
                    let want = format!("numbers below {}, that of the mesh's points", places.len());
                    return wrong(format!("with point {i}"), want);
                }
                Some(&u32::MAX) => {
                    let want = "points of triangles that are not degenerate".into();
                    return wrong(format!("with point {i}, which no triangle uses"), want);
                }
                Some(place) => members.push(*place),
            }
            if !seen.insert(i) {
                return wrong(format!("with point {i} twice"), "each point once".into());
            }
        }
        members.sort_unstable();
        // Points that were welded are one.
        members.dedup();
        clusters.push(members);
    }
    match left_out(&clusters, count) {
        None => Ok(clusters),
        Some(left) => {
            let number = places.iter().position(|place| *place as usize == left);
            let got = format!("without point {}", number.unwrap_or(left));
            Err(Error::value(at, got, "every point in at least one cluster"))
        }
    }
}

/// The first of `count` points that is in no cluster.
fn left_out(clusters: &Clusters, count: usize) -> Option<usize> {
    let mut taken = vec![false; count];
    for i in clusters.iter().flatten() {
        taken[*i as usize] = true;
    }
    taken.iter().position(|taken| !taken)
}

#[cfg(test)]
mod tests {
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
        let as_given = |lists: &[Vec<u32>]| given("c", lists, &[0, 1, 2, 3], 4);
        let message = |lists: &[Vec<u32>]| as_given(lists).unwrap_err().to_string();
        for (lists, want) in [
            (
                vec![vec![0, 1], vec![3]],
                "c is without point 2, wanted every point in at least one cluster",
            ),
            (vec![vec![0, 1, 2, 3, 4]], "c[0] is with point 4, wanted numbers below 4"),
            (vec![vec![0, 1, 2, 3, 1]], "c[0] is with point 1 twice, wanted each point once"),
        ] {
            assert!(message(&lists).starts_with(want), "{}", message(&lists));
        }
        assert_eq!(as_given(&[vec![2, 1], vec![0, 3, 1]]).unwrap(), [vec![1, 2], vec![0, 1, 3]]);
        let points = lattice([4, 1, 1]);
        let cell = |a: f64, b: f64| Aabb { min: [a, 0.0, 0.0], max: [b, 0.0, 0.0] };
        let of = |cells: &[Aabb]| boxes("c", &points, cells);
        assert_eq!(of(&[cell(0.0, 1.5), cell(1.0, 3.0)]).unwrap(), [vec![0, 1], vec![1, 2, 3]]);
        let message = |cells: &[Aabb]| of(cells).unwrap_err().to_string();
        let got = message(&[cell(0.0, 1.5)]);
        assert!(got.starts_with("c is without point 2 at [2.0"), "{got}");
        let got = message(&[cell(0.0, 3.0), cell(4.0, 5.0)]);
        assert!(got.starts_with("c[1].box is [4.0, 0.0, 0.0] to"), "{got}");
        assert!(got.contains("extends from [0.0, 0.0, 0.0] to [3.0"), "{got}");
        assert_eq!(tets(&[[3, 1, 0, 2]]), [[0, 1, 2, 3]]);
        assert_eq!(whole(3), [[0, 1, 2]]);
    }

    /// Six points of the mesh that became three, and one that no triangle uses.
    #[test]
    fn numbers_are_those_of_the_mesh() {
        let places = [u32::MAX, 0, 1, 1, 2, 0];
        let of = |lists: &[Vec<u32>]| given("c", lists, &places, 3);
        assert_eq!(of(&[vec![5, 1, 2], vec![4, 3]]).unwrap(), [vec![0, 1], vec![1, 2]]);
        let message = |lists: &[Vec<u32>]| of(lists).unwrap_err().to_string();
        let got = message(&[vec![1, 2, 4], vec![0]]);
        assert!(got.starts_with("c[1] is with point 0, which no"), "{got}");
        let got = message(&[vec![1, 3]]);
        assert!(got.starts_with("c is without point 4,"), "{got}");
        let got = message(&[vec![6]]);
        assert!(got.starts_with("c[0] is with point 6, wanted"), "{got}");
    }
}
