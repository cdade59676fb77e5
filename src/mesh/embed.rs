//! Placing a surface in a lattice of cubes, five tetrahedra each (spec/soft-body §1).

use super::bind_to_tets::nearest_tets;
use super::fit::fit;
use super::inside::Inside;
use super::lattice::{self, Lattice, MAX_CUBES};
use super::overlap::{for_each_touched, triangle_touches_tet};
use super::parts::{Part, parts};
use super::surface::Surface;
use super::tet::volume;
use super::topology::drop_unused;
use super::winding::WindingTree;
use super::{Bounds, TetMesh};
use crate::error::{Error, Result};
use crate::extreme;
use glam::{DMat3, DVec3, UVec3};

/// The most cubes along the longest side of an embedded surface.
pub const MAX_CELLS: u32 = 512;

/// A surface whose shortest side is below this part of its diagonal has no inside to speak of.
const FLAT: f64 = 1e-6;

/// How far the triangles are moved inward before the cubes that they touch are looked for, in cubes: a face that lies
/// in a lattice plane then touches the cubes behind it, not those before it. Also how far outside a kept cube a
/// skin point may lie before a further cube is kept for it.
const INSET: f64 = 1e-6;

/// How far below 0 a barycentric coordinate of a point may lie that counts as within, of the inset and rounding.
const OUTSIDE: f64 = 1e-5;

/// A winding number farther than this from a whole number speaks of an opening nearby.
const OPEN: f64 = 0.25;

/// The part of the cubes that may have such a winding number.
const OPEN_PART: f64 = 0.05;

/// Openings are looked for at this many places along the longest side or more, so that a coarse lattice finds them too.
const MIN_SAMPLES: u32 = 8;

/// Where the winding number of a cube is taken, from its lower corner. Not quite the centre: a surface that follows
/// planes of the lattice, or halves its cubes, would pass exactly through the centres, where the number jumps.
const SAMPLE: DVec3 = DVec3::new(0.5031, 0.4973, 0.5017);

/// A surface carried by a tetrahedral mesh: point i lies at Σ_k `weights[i][k]` x(`tets[i]`, corner k).
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    /// The surface, welded and facing outward.
    pub skin: Surface,
    /// Per skin point: its tetrahedron.
    pub tets: Vec<u32>,
    /// Per skin point: barycentric coordinates in that tetrahedron, of sum 1; partly negative where it lies outside.
    pub weights: Vec<[f64; 4]>,
}

/// What [`embed`] makes of a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    /// The tetrahedra.
    pub mesh: TetMesh,
    /// The surface, carried by them.
    pub embedding: Embedding,
    /// Per tetrahedron what of it is of the body; none where they are all of it.
    pub parts: Vec<Part>,
}

/// Embeds a surface in a lattice with `cells` cubes along the longest side of the surface's box. The lattice is
/// fitted to the box, so its cubes are cubic only to the nearest whole number along the other sides. Kept are the
/// tetrahedra that the surface passes or whose middle lies inside it: where the generalised winding number is above
/// 1/2. Their border is then drawn onto the surface as far as none becomes too thin for it (`fit.rs`).
/// The surface is welded first, and its triangles are turned to face one side; one that encloses a negative volume is turned
/// over.
///
/// # Errors
/// [`Error::Value`] when `cells` is not in 1..=[`MAX_CELLS`] or gives too many cubes. [`Error::Mesh`] when the surface
/// does not pass [`Surface::check`], is flat, or so open that inside has no meaning: the winding number is farther
/// than 1/4 from a whole number at more than 5 % of the cubes (of 8 places along the longest side, if there are fewer
/// cubes).
pub fn embed(surface: &Surface, cells: u32) -> Result<Embedded> {
    embed_how(surface, cells, true)
}

/// The same in whole cubes, those that the surface passes or whose middle lies inside, as they are (Kratochvíl 2007, ch. 3):
/// they stand out of the surface, and are all of the body.
///
/// # Errors
/// As [`embed`].
pub fn embed_in_cubes(surface: &Surface, cells: u32) -> Result<Embedded> {
    embed_how(surface, cells, false)
}

fn embed_how(surface: &Surface, cells: u32, fitted: bool) -> Result<Embedded> {
    surface.check()?;
    let mut skin = surface.welded();
    let lattice = lattice_around(&skin.bounds(), skin.triangles.len(), cells)?;
    skin.orient();
    if skin.volume() < 0.0 {
        skin.flip();
    }
    // In lattice coordinates cubes have unit edges, whatever the size and proportions of the surface.
    let local = Surface {
        points: skin.points.iter().map(|&p| lattice.to_local(p)).collect(),
        ..skin.clone()
    };
    let triangles: Vec<_> = (0..local.triangles.len()).map(|i| local.corners(i)).collect();
    let tree = WindingTree::new(triangles.clone());
    let winding = winding_numbers(&tree, &samples(&lattice, 1));
    match MIN_SAMPLES.div_ceil(lattice.size().max_element()) {
        1 => check_closed(&winding, &skin)?,
        finer => check_closed(&winding_numbers(&tree, &samples(&lattice, finer)), &skin)?,
    }

    let mut kept: Vec<Kept> = winding.iter().map(|&w| [w > 0.5; 5]).collect();
    keep_touched(&triangles, &tree, &lattice, &mut kept);
    for &point in &local.points {
        if best_place(point, &lattice, |cube| kept[cube]).is_none() {
            let place = best_place(point, &lattice, |_| [true; 5]);
            let place = place.expect("the lattice goes around the surface");
            kept[lattice.cube_index(place.cube)][place.tet] = true;
        }
    }
    if !fitted {
        for kept in kept.iter_mut().filter(|kept| kept.contains(&true)) {
            *kept = [true; 5];
        }
        let (points, tets) = kept_tets(&lattice, &kept);
        let points = points.iter().map(|x| lattice.to_space(*x)).collect();
        let mesh = TetMesh::new(points, tets)?;
        return Ok(Embedded { embedding: tied(skin, &mesh), mesh, parts: Vec::new() });
    }
    assemble(skin, &local, &tree, &lattice, &kept)
}

/// The lattice around a surface's box.
fn lattice_around(bounds: &Bounds, triangles: usize, cells: u32) -> Result<Lattice> {
    if !(1..=MAX_CELLS).contains(&cells) {
        let want = format!("1 to {MAX_CELLS} cubes along the longest side");
        return Err(Error::value("cells", cells, want));
    }
    if triangles == 0 {
        return Err(Error::Mesh(
            "no triangle is left after welding: all have coincident corners".into(),
        ));
    }
    let size = bounds.size();
    if size.min_element() <= FLAT * bounds.diagonal() {
        return Err(Error::Mesh(format!(
            "the surface is flat: its box is {} × {} × {} m, wanted one with a thickness",
            size.x, size.y, size.z
        )));
    }
    let edge = size.max_element() / f64::from(cells);
    let cubes = (size / edge).round().max(DVec3::ONE).as_uvec3();
    let fewer = |_| {
        let count: u64 = cubes.to_array().into_iter().map(u64::from).product();
        let want = format!("fewer: this makes {count} cubes, and at most {MAX_CUBES} are possible");
        Error::value("cells", cells, want)
    };
    Lattice::new(cubes.to_array(), bounds.min, size).map_err(fewer)
}

/// Places in every cube, `per_side`³ of them, in the order of the cubes.
fn samples(lattice: &Lattice, per_side: u32) -> Vec<DVec3> {
    let grid =
        Lattice::new([per_side; 3], DVec3::ZERO, DVec3::ONE).expect("a few cubes in a unit box");
    let places: Vec<DVec3> =
        grid.cubes().map(|cube| grid.to_space(cube.as_dvec3() + SAMPLE)).collect();
    lattice
        .cubes()
        .flat_map(|cube| places.iter().map(move |place| cube.as_dvec3() + *place))
        .collect()
}

/// The winding numbers at `samples`, on all processor cores.
fn winding_numbers(tree: &WindingTree, samples: &[DVec3]) -> Vec<f64> {
    let mut winding = vec![0.0; samples.len()];
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = samples.len().div_ceil(threads).max(256);
    std::thread::scope(|scope| {
        for (winding, samples) in winding.chunks_mut(share).zip(samples.chunks(share)) {
            scope.spawn(move || {
                for (w, &sample) in winding.iter_mut().zip(samples) {
                    *w = tree.winding_number(sample);
                }
            });
        }
    });
    winding
}

fn check_closed(winding: &[f64], skin: &Surface) -> Result<()> {
    let open = winding.iter().filter(|&&w| (w - w.round()).abs() > OPEN).count();
    if open as f64 <= OPEN_PART * winding.len() as f64 {
        return Ok(());
    }
    Err(Error::Mesh(format!(
        "the surface is open: {} edges have no neighbour, and at {open} of {} places inside and outside cannot be distinguished, \
         wanted a closed surface, or `shell = true` for an open one",
        skin.open_edges(),
        winding.len()
    )))
}

/// Which of a cube's tetrahedra are kept.
type Kept = [bool; 5];

/// The corners of a cube's tetrahedra, in lattice coordinates.
fn tets_of(cube: UVec3) -> [[DVec3; 4]; 5] {
    lattice::pattern(cube).map(|tet| tet.map(|bits| (cube + lattice::corner(bits)).as_dvec3()))
}

/// Of the cubes that the surface passes, keeps the tetrahedra that it passes, too, and those whose middle lies inside.
fn keep_touched(
    triangles: &[[DVec3; 3]],
    tree: &WindingTree,
    lattice: &Lattice,
    kept: &mut [Kept],
) {
    let end = lattice.size();
    let mut touched = vec![[false; 5]; kept.len()];
    for &[a, b, c] in triangles {
        let inward = -INSET * (b - a).cross(c - a).normalize_or_zero();
        let triangle = [a, b, c].map(|x| (x + inward).clamp(DVec3::ZERO, end.as_dvec3()));
        let bounds = Bounds::of(triangle);
        let low = bounds.min.floor().as_uvec3().min(end - 1);
        let high = (bounds.max.floor().as_uvec3() + 1).clamp(low + 1, end);
        for_each_touched(triangle, 0.5 * INSET, low, high, &mut |cube| {
            let index = lattice.cube_index(cube);
            for (touched, corners) in touched[index].iter_mut().zip(tets_of(cube)) {
                *touched = *touched || triangle_touches_tet(triangle, corners, 0.5 * INSET);
            }
        });
    }
    for cube in lattice.cubes() {
        let index = lattice.cube_index(cube);
        if touched[index] == [false; 5] {
            continue;
        }
        for (k, corners) in tets_of(cube).into_iter().enumerate() {
            let middle = corners.iter().sum::<DVec3>() / 4.0 + SAMPLE - 0.5;
            kept[index][k] = touched[index][k] || tree.winding_number(middle) > 0.5;
        }
    }
}

/// The cube that a point lies in, given in lattice coordinates.
fn cube_of(local: DVec3, lattice: &Lattice) -> UVec3 {
    local.max(DVec3::ZERO).floor().as_uvec3().min(lattice.size() - 1)
}

/// A place in one of the five tetrahedra of a cube.
struct Place {
    cube: UVec3,
    tet: usize,
}

/// Among the kept tetrahedra at a point (several when it lies on a common face), the one in which its smallest barycentric
/// coordinate is largest; none where that is below what rounding makes of a point within.
fn best_place(local: DVec3, lattice: &Lattice, kept: impl Fn(usize) -> Kept) -> Option<Place> {
    let low = cube_of(local - INSET, lattice);
    let high = cube_of(local + INSET, lattice);
    let mut best = None;
    let mut largest = -OUTSIDE;
    for cube in lattice::cubes_between(low, high) {
        let kept = kept(lattice.cube_index(cube));
        for (tet, corners) in tets_of(cube).into_iter().enumerate() {
            let weights = barycentric(local, corners);
            let smallest = weights.into_iter().fold(f64::INFINITY, extreme::least);
            if kept[tet] && smallest > largest {
                largest = smallest;
                best = Some(Place { cube, tet });
            }
        }
    }
    best
}

/// Barycentric coordinates of `x` in a tetrahedron: x = Σ w_k corner_k, Σ w_k = 1.
pub(super) fn barycentric(x: DVec3, [a, b, c, d]: [DVec3; 4]) -> [f64; 4] {
    let w = DMat3::from_cols(b - a, c - a, d - a).inverse() * (x - a);
    [1.0 - w.element_sum(), w.x, w.y, w.z]
}

/// The points, in lattice coordinates, and corners of the kept tetrahedra.
fn kept_tets(lattice: &Lattice, kept: &[Kept]) -> (Vec<DVec3>, Vec<[u32; 4]>) {
    let mut tets = Vec::new();
    for cube in lattice.cubes() {
        let of_cube = lattice.tets(cube).into_iter().zip(kept[lattice.cube_index(cube)]);
        tets.extend(of_cube.filter(|(_, kept)| *kept).map(|(tet, _)| tet));
    }
    let mut points: Vec<_> = lattice.points().map(|x| lattice.to_local(x)).collect();
    drop_unused(&mut points, &mut tets);
    (points, tets)
}

/// The mesh of the kept tetrahedra, drawn onto the surface, and what it carries of it.
fn assemble(
    skin: Surface,
    local: &Surface,
    tree: &WindingTree,
    lattice: &Lattice,
    kept: &[Kept],
) -> Result<Embedded> {
    let (mut points, tets) = kept_tets(lattice, kept);
    let corners = |points: &[DVec3], tet: &[u32; 4]| tet.map(|i| points[i as usize]);
    let volumes: Vec<_> = tets.iter().map(|tet| volume(corners(&points, tet))).collect();
    fit(&mut points, &tets, local);
    let inside = Inside::new(local, tree, lattice.size().as_dvec3());
    let parts = parts(&points, &tets, &volumes, &inside);
    points.iter_mut().for_each(|x| *x = lattice.to_space(*x));
    let mesh = TetMesh::new(points, tets)?;
    let embedding = tied(skin, &mesh);
    Ok(Embedded { mesh, embedding, parts })
}

/// A skin tied to the tetrahedra that its points lie in, or to the nearest ones.
fn tied(skin: Surface, mesh: &TetMesh) -> Embedding {
    let places = nearest_tets(&skin.points, mesh);
    Embedding {
        tets: places.iter().map(|place| place.0).collect(),
        weights: places.iter().map(|place| place.2).collect(),
        skin,
    }
}

#[cfg(test)]
mod tests;
