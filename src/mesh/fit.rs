//! Drawing the border of tetrahedra onto the surface that they carry.

use super::bind_to_tets::{triangle_distance, triangle_foot};
use super::nearest::NearestTree;
use super::topology::{TET_FACES, surface_triangles};
use super::{Bounds, Surface};
use crate::extreme;
use glam::DVec3;

/// The least altitude of the tetrahedra of unit cubes, 1/√3: those at a cube's corners over the face within it.
pub const LATTICE_ALTITUDE: f64 = 0.577_350_269_189_625_8;
/// No tetrahedron becomes thinner than this, where a body has [`MANY`] cells along its longest side or more.
const LEAST_ALTITUDE: f64 = 0.3 * LATTICE_ALTITUDE;
/// The same where it has [`FEW`] or fewer: all of its tetrahedra are at the border, and thin ones catch other bodies.
const LEAST_ALTITUDE_OF_FEW: f64 = 0.7 * LATTICE_ALTITUDE;
/// Cells along the longest side from which on a body counts as fine.
const MANY: f64 = 6.0;
/// Cells along the longest side up to which a body counts as coarse.
const FEW: f64 = 3.0;
/// The few at the points that a body lies on may come down to this part of that.
const THINNER: f64 = 0.6;
/// Rounds of moves; later ones change next to nothing.
const ROUNDS: usize = 6;
/// Rounds over the directions that a body may lie on.
const REACH_ROUNDS: usize = 12;
/// What is as near as this to the surface's reach, in parts of its size, is near enough.
const NEAR: f64 = 0.004;
/// How many these are.
const DIRECTIONS: usize = 600;
/// The parts of its way that a point tries to go, the first that is allowed is taken.
const PARTS: [f64; 6] = [1.0, 0.7, 0.5, 0.3, 0.15, 0.07];
/// The farthest that a border point may stand out of the surface.
const MOST_BULGE: f64 = 0.2;

/// Moves the border of tetrahedra onto a surface, and evens out the points within; all in coordinates in which the cubes
/// have unit edges. A border point goes to its nearest point of the surface, and beyond it by half of what the surface
/// bulges over the faces around it, so that corners stand out as far as faces lie in; as far on this way as no tetrahedron
/// around it becomes thinner than [`allowed_altitude`]. Points within go half of the way to the mean of their neighbours
/// where that makes the thinnest around them no thinner. At last the border is made to reach as far as the surface in
/// whatever direction. No tetrahedron is turned over, none is cut.
pub fn fit(points: &mut [DVec3], tets: &[[u32; 4]], surface: &Surface) {
    let around = Around::new(points.len(), tets);
    let least = allowed_altitude(surface);
    let faces = surface_triangles(tets);
    let triangles = (0..surface.triangles.len()).map(|i| surface.corners(i));
    let tree = NearestTree::new(triangles.collect());
    for round in 0..ROUNDS {
        let bulges = match round < 2 {
            true => vec![Bulge::default(); points.len()],
            false => bulges(points, &faces, &tree),
        };
        for i in 0..points.len() {
            let x = points[i];
            if around.border[i] {
                let goal = bulges[i].goal(x, foot(x, &tree));
                around.move_towards(i, goal, least, points, tets);
            } else {
                let before = around.altitude(i, points, tets);
                points[i] = 0.5 * (x + around.mean(i, points));
                if around.altitude(i, points, tets) < before {
                    points[i] = x;
                }
            }
        }
    }
    reach_as_far(points, tets, &around, &surface.points, THINNER * least);
}

/// How thin the tetrahedra of a surface may become, by how many cells it has along its longest side.
fn allowed_altitude(surface: &Surface) -> f64 {
    let cells = Bounds::of(surface.points.iter().copied()).size().max_element();
    let few = ((MANY - cells) / (MANY - FEW)).clamp(0.0, 1.0);
    LEAST_ALTITUDE + few * (LEAST_ALTITUDE_OF_FEW - LEAST_ALTITUDE)
}

/// Makes the border reach as far as the skin in many directions: a body then lies on the floor on what is drawn. The point
/// that reaches farthest in a direction moves along it, half by the most that it lacks in any of those where it does and
/// half by the most that it has too much, as far as no tetrahedron becomes thinner than `least`.
fn reach_as_far(
    points: &mut [DVec3],
    tets: &[[u32; 4]],
    around: &Around,
    skin: &[DVec3],
    least: f64,
) {
    let directions: Vec<_> = spread(DIRECTIONS).collect();
    let all: Vec<usize> = (0..skin.len()).collect();
    let border: Vec<usize> = (0..points.len()).filter(|i| around.border[*i]).collect();
    let wanted: Vec<f64> = directions.iter().map(|d| farthest(&all, skin, *d).1).collect();
    let size = Bounds::of(skin.iter().copied()).size().max_element();
    for _ in 0..REACH_ROUNDS {
        let mut ways = vec![[(0.0, DVec3::ZERO); 2]; points.len()];
        let mut worst = 0.0_f64;
        for (d, want) in directions.iter().zip(&wanted) {
            let (i, got) = farthest(&border, points, *d);
            let lack = want - got;
            let [most, least] = &mut ways[i];
            if lack > most.0 {
                *most = (lack, *d);
            } else if lack < least.0 {
                *least = (lack, *d);
            }
            worst = worst.max(lack.abs());
        }
        if worst < NEAR * size {
            return;
        }
        for &i in &border {
            let way: DVec3 = ways[i].iter().map(|(lack, d)| 0.5 * lack * d).sum();
            let goal = points[i] + way;
            around.move_towards(i, goal, least, points, tets);
        }
    }
}

/// Which of `among` reaches farthest in a direction, and how far.
fn farthest(among: &[usize], points: &[DVec3], direction: DVec3) -> (usize, f64) {
    let mut best = (0, f64::NEG_INFINITY);
    for &i in among {
        let reach = points[i].dot(direction);
        if reach > best.1 {
            best = (i, reach);
        }
    }
    best
}

/// Directions spread evenly over the sphere, along a spiral of golden angles (Vogel 1979).
fn spread(count: usize) -> impl Iterator<Item = DVec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..count).map(move |i| {
        let z = 1.0 - 2.0 * (i as f64 + 0.5) / count as f64;
        let (sin, cos) = (golden * i as f64).sin_cos();
        let radius = (1.0 - z * z).sqrt();
        DVec3::new(radius * cos, radius * sin, z)
    })
}

/// How far the surface stands out over the faces around a point, all weighted by area.
#[derive(Clone, Copy, Default)]
struct Bulge {
    normal: DVec3,
    height: f64,
    area: f64,
}

impl Bulge {
    /// Where a point at `x` belongs whose nearest point of the surface is `foot`: beyond it by the mean of the height over the
    /// faces and its own.
    fn goal(&self, x: DVec3, foot: DVec3) -> DVec3 {
        let out = self.normal.normalize_or_zero();
        let height = self.height / self.area.max(f64::MIN_POSITIVE);
        foot + out * (0.5 * ((x - foot).dot(out) + height)).clamp(-MOST_BULGE, MOST_BULGE)
    }
}

/// Those of all points, the surface seen from the middle of each face.
fn bulges(points: &[DVec3], faces: &[[u32; 3]], surface: &NearestTree<3>) -> Vec<Bulge> {
    let mut bulges = vec![Bulge::default(); points.len()];
    for face in faces {
        let [a, b, c] = face.map(|i| points[i as usize]);
        let middle = (a + b + c) / 3.0;
        let normal = 0.5 * (b - a).cross(c - a);
        let height = (foot(middle, surface) - middle).dot(normal);
        for &i in face {
            let bulge = &mut bulges[i as usize];
            bulge.normal += normal;
            bulge.height += height;
            bulge.area += normal.length();
        }
    }
    bulges
}

/// The nearest point of the surface.
fn foot(x: DVec3, surface: &NearestTree<3>) -> DVec3 {
    let (triangle, _) = surface.nearest(x, triangle_distance);
    let corners = surface.corners(triangle);
    let (weights, _) = triangle_foot(x, corners);
    (0..3).map(|k| weights[k] * corners[k]).sum()
}

/// The least altitude of a tetrahedron: three volumes over its largest face; negative where it is turned over.
pub fn least_altitude(x: [DVec3; 4]) -> f64 {
    let six = (x[1] - x[0]).dot((x[2] - x[0]).cross(x[3] - x[0]));
    let face = |[a, b, c]: [usize; 3]| (x[b] - x[a]).cross(x[c] - x[a]).length();
    six / TET_FACES.map(face).into_iter().fold(0.0, extreme::greatest)
}

/// What lies around each point.
struct Around {
    tets: Vec<Vec<u32>>,
    neighbours: Vec<Vec<u32>>,
    border: Vec<bool>,
}

impl Around {
    fn new(count: usize, tets: &[[u32; 4]]) -> Self {
        let mut around = Self {
            tets: vec![Vec::new(); count],
            neighbours: vec![Vec::new(); count],
            border: vec![false; count],
        };
        for (t, tet) in tets.iter().enumerate() {
            for &i in tet {
                around.tets[i as usize].push(t as u32);
                let others = tet.iter().filter(|&&j| j != i);
                around.neighbours[i as usize].extend(others);
            }
        }
        for list in &mut around.neighbours {
            list.sort_unstable();
            list.dedup();
        }
        for &i in surface_triangles(tets).as_flattened() {
            around.border[i as usize] = true;
        }
        around
    }

    /// The least altitude of the tetrahedra around a point.
    fn altitude(&self, i: usize, points: &[DVec3], tets: &[[u32; 4]]) -> f64 {
        let altitude = |t: &u32| least_altitude(tets[*t as usize].map(|c| points[c as usize]));
        self.tets[i].iter().map(altitude).fold(f64::INFINITY, extreme::least)
    }

    /// Moves a point towards a goal, as far as none of its tetrahedra becomes thinner than `least`, or than it is.
    fn move_towards(
        &self,
        i: usize,
        goal: DVec3,
        least: f64,
        points: &mut [DVec3],
        tets: &[[u32; 4]],
    ) {
        let x = points[i];
        if goal == x {
            return;
        }
        let least = least.min(self.altitude(i, points, tets));
        for part in PARTS {
            points[i] = x + part * (goal - x);
            if self.altitude(i, points, tets) >= least {
                return;
            }
        }
        points[i] = x;
    }

    /// The mean of a point's neighbours.
    fn mean(&self, i: usize, points: &[DVec3]) -> DVec3 {
        let near = &self.neighbours[i];
        near.iter().map(|j| points[*j as usize]).sum::<DVec3>() / near.len() as f64
    }
}
