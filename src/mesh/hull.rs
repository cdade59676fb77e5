//! Convex hulls, with flat faces of more than three corners.
//!
//! Quickhull (Barber, Dobkin, Huhdanpaa 1996) on exact predicates (Shewchuk 1997): which triangles a point sees is never left to
//! rounding, so the triangles are closed and convex whatever the points are. Only then are those in one plane made one face.
//! The crates quickhull 0.1 and parry3d 0.31 go by tolerances, and get grids wrong that are turned, thin or far out.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use robust::{Coord3D, orient3d};

use super::Surface;
use super::bounds::{Bounds, check_points};
use crate::error::{Error, Result};
use crate::gpu::types::MAX_LOOP;

/// Points that are no farther outside than this are in the hull. Here and below: relative to the longest side of the points' box.
const NEAR: f64 = 1e-10;

/// Points thinner than this are flat.
const FLAT: f64 = 1e-5;

/// Triangles are one face where no corner is farther than this below its plane, and than [`OF_THICKNESS`] of the thickness.
const COPLANAR: f64 = 1e-6;

/// See [`COPLANAR`].
const OF_THICKNESS: f64 = 1e-4;

/// A convex polyhedron. Every edge has one face on either side, which passes it the other way.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// Its corners (m), in the order of the points that it was made of.
    pub points: Vec<DVec3>,
    /// Its faces. Neighbours may lie in one plane.
    pub faces: Vec<HullFace>,
}

/// A flat face of a hull.
#[derive(Clone, Debug, PartialEq)]
pub struct HullFace {
    /// Unit normal n, outwards.
    pub normal: DVec3,
    /// No point x of the hull has a greater n·x (m).
    pub offset: f64,
    /// A convex loop of 3 to 16 points, anticlockwise seen from outside. They may lie below the plane by a millionth of the hull's
    /// size.
    pub corners: Vec<u32>,
}

impl Hull {
    /// Each plane whose corners are so many that [`Hull::faces`] has several faces in it, as one: of the corners those without which it
    /// would lose the most area. What lies on such a plane lies on all of it, not on a part.
    pub(crate) fn wholes(&self) -> Vec<HullFace> {
        let alike = |a: &HullFace, b: &HullFace| a.normal == b.normal && a.offset == b.offset;
        let groups = self.faces.chunk_by(alike).filter(|parts| parts.len() > 1);
        groups
            .map(|parts| {
                // Each part begins with the ends of the one before.
                let more = parts[1..].iter().flat_map(|part| &part.corners[2..]);
                let mut corners: Vec<u32> = parts[0].corners.iter().chain(more).copied().collect();
                while corners.len() > MAX_LOOP as usize {
                    let lost = |k: usize| {
                        let around = [k + corners.len() - 1, k, k + 1];
                        let [a, b, c] =
                            around.map(|k| self.points[corners[k % corners.len()] as usize]);
                        (b - a).cross(c - b).length_squared()
                    };
                    let least = (0..corners.len()).min_by(|a, b| lost(*a).total_cmp(&lost(*b)));
                    corners.remove(least.unwrap_or(0));
                }
                HullFace { corners, ..parts[0] }
            })
            .collect()
    }

    /// The hull of at least four points. Those within a millionth of the size below a face are no corners.
    ///
    /// # Errors
    /// [`Error::Mesh`]: a coordinate that is not finite, or points in one place, on a line or in a plane.
    pub fn of(points: &[DVec3]) -> Result<Self> {
        check_points(points)?;
        let bounds = Bounds::of(points.iter().copied());
        let (centre, size) = (bounds.centre(), bounds.size().max_element());
        let scaled: Vec<_> = points.iter().map(|x| (x - centre) / size).collect();
        let corners = first_corners(&scaled)?;
        let thickness = (scaled[corners[3] as usize] - scaled[corners[0] as usize])
            .dot(normal(corners.map(|i| scaled[i as usize])))
            .abs();
        let mut quick = Quick { points: &scaled, facets: Vec::new(), left_of: HashMap::new() };
        quick.grow(corners);
        let mut faces = quick.faces(COPLANAR.min(OF_THICKNESS * thickness));
        let mut kept: Vec<u32> = faces.iter().flat_map(|face| &face.corners).copied().collect();
        kept.sort_unstable();
        kept.dedup();
        for face in &mut faces {
            face.offset = face.normal.dot(centre) + size * face.offset;
            for corner in &mut face.corners {
                *corner = kept.partition_point(|i| i < corner) as u32;
            }
        }
        let points = kept.iter().map(|&i| points[i as usize]).collect();
        Ok(Self { points, faces: faces.into_iter().flat_map(split).collect() })
    }

    /// A fan for each face, wound outwards.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let fan = |face: &HullFace| {
            let first = face.corners[0];
            face.corners[1..].windows(2).map(|w| [first, w[0], w[1]]).collect::<Vec<_>>()
        };
        self.faces.iter().flat_map(fan).collect()
    }

    /// [`Self::triangles`] as a surface.
    pub fn surface(&self) -> Surface {
        Surface { points: self.points.clone(), triangles: self.triangles(), ..Surface::default() }
    }

    /// Whether no face has `point` farther than `margin` (m) outside.
    pub fn contains(&self, point: DVec3, margin: f64) -> bool {
        self.faces.iter().all(|face| face.normal.dot(point) <= face.offset + margin)
    }
}

/// Four points that span much of the volume, the last one below the plane of the others.
fn first_corners(points: &[DVec3]) -> Result<[u32; 4]> {
    let farthest = |height: &dyn Fn(DVec3) -> f64| {
        let heights = points.iter().map(|x| height(*x).abs());
        let best = heights.enumerate().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        best.filter(|(_, height)| *height > FLAT).map(|(i, _)| i)
    };
    let flat = |how: &str| {
        let message = format!("all of its points lie {how}, wanted points that enclose a volume");
        Error::Mesh(message)
    };
    let axis = Bounds::of(points.iter().copied()).size().max_position();
    let order = |a: &usize, b: &usize| points[*a][axis].total_cmp(&points[*b][axis]);
    let a = (0..points.len()).min_by(order).ok_or_else(|| Error::Mesh("has no points".into()))?;
    let from_a = |x: DVec3| x - points[a];
    let b = farthest(&|x| from_a(x).length()).ok_or_else(|| flat("in one place"))?;
    let along = from_a(points[b]).normalize();
    let c = farthest(&|x| from_a(x).cross(along).length()).ok_or_else(|| flat("on one line"))?;
    let normal = normal([a, b, c, a].map(|i| points[i]));
    let d = farthest(&|x| from_a(x).dot(normal)).ok_or_else(|| flat("in one plane"))?;
    let corners = [a, b, c, d].map(|i| i as u32);
    let above = from_a(points[d]).dot(normal) > 0.0;
    Ok(if above { [corners[0], corners[2], corners[1], corners[3]] } else { corners })
}

/// That of the first three, anticlockwise.
fn normal([a, b, c, _]: [DVec3; 4]) -> DVec3 {
    (b - a).cross(c - a).normalize()
}

/// A triangle of the hull as it grows.
struct Facet {
    corners: [u32; 3],
    /// Twice its area.
    area: f64,
    /// Points that see it and have not been taken in, with how far they are above it.
    outside: Vec<(f64, u32)>,
    alive: bool,
}

/// The hull as it grows.
struct Quick<'a> {
    points: &'a [DVec3],
    facets: Vec<Facet>,
    /// The living facet that passes the edge this way.
    left_of: HashMap<[u32; 2], usize>,
}

fn edges([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

impl Quick<'_> {
    fn corners(&self, facet: usize) -> [DVec3; 3] {
        self.facets[facet].corners.map(|i| self.points[i as usize])
    }

    fn across(&self, facet: usize) -> [usize; 3] {
        edges(self.facets[facet].corners).map(|[a, b]| self.left_of[&[b, a]])
    }

    /// How far the point is above the facet; the sign is exact.
    fn height(&self, facet: usize, point: u32) -> f64 {
        let [a, b, c] = self.corners(facet).map(coordinates);
        let six = -orient3d(a, b, c, coordinates(self.points[point as usize]));
        if six == 0.0 { 0.0 } else { six / self.facets[facet].area }
    }

    fn add(&mut self, corners: [u32; 3]) -> usize {
        let facet = self.facets.len();
        let [a, b, c] = corners.map(|i| self.points[i as usize]);
        let area = (b - a).cross(c - a).length();
        self.facets.push(Facet { corners, area, outside: Vec::new(), alive: true });
        self.left_of.extend(edges(corners).map(|edge| (edge, facet)));
        facet
    }

    /// Gives each point to the facet of these that it is farthest above.
    fn hand_out(&mut self, points: impl Iterator<Item = u32>, facets: &[usize]) {
        for point in points {
            let heights = facets.iter().map(|&f| (self.height(f, point), f));
            let best = heights.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|best| best.0 > NEAR);
            if let Some((height, facet)) = best {
                self.facets[facet].outside.push((height, point));
            }
        }
    }

    /// From a tetrahedron, its last corner below the others, takes in the farthest point of a facet until none is outside.
    ///
    /// A point above a facet that goes sees one of those that come, or is inside: where it sees both sides of an edge of the
    /// horizon it sees the facet between them, too.
    fn grow(&mut self, [a, b, c, d]: [u32; 4]) {
        let mut open = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]].map(|f| self.add(f)).to_vec();
        self.hand_out(0..self.points.len() as u32, &open.clone());
        while let Some(facet) = open.pop() {
            let best = self.facets[facet].outside.iter().max_by(|a, b| a.0.total_cmp(&b.0));
            let Some(&(_, point)) = best.filter(|_| self.facets[facet].alive) else { continue };
            let (seen, horizon) = self.seen(facet, point);
            let mut orphans = Vec::new();
            for facet in seen {
                let gone = &mut self.facets[facet];
                gone.alive = false;
                orphans.extend(gone.outside.drain(..).map(|(_, point)| point));
                for edge in edges(gone.corners) {
                    self.left_of.remove(&edge);
                }
            }
            let new: Vec<_> = horizon.into_iter().map(|[a, b]| self.add([a, b, point])).collect();
            self.hand_out(orphans.into_iter(), &new);
            open.extend(new);
        }
    }

    /// The facets that a point sees, one of which is known, and the edges around them.
    fn seen(&self, first: usize, point: u32) -> (Vec<usize>, Vec<[u32; 2]>) {
        let mut seen = HashMap::from([(first, true)]);
        let (mut list, mut horizon, mut next) = (vec![first], Vec::new(), 0);
        while next < list.len() {
            let facet = list[next];
            next += 1;
            for (edge, other) in edges(self.facets[facet].corners).iter().zip(self.across(facet)) {
                let known = seen.contains_key(&other);
                let sees = *seen.entry(other).or_insert_with(|| self.height(other, point) > 0.0);
                if !sees {
                    horizon.push(*edge);
                } else if !known {
                    list.push(other);
                }
            }
        }
        (list, horizon)
    }

    /// The facets, those of one plane together.
    fn faces(&self, tolerance: f64) -> Vec<HullFace> {
        let mut order: Vec<_> = (0..self.facets.len()).filter(|&f| self.facets[f].alive).collect();
        order.sort_by(|&a, &b| self.facets[b].area.total_cmp(&self.facets[a].area));
        let mut taken = vec![false; self.facets.len()];
        let mut faces = Vec::new();
        for seed in order {
            if taken[seed] {
                continue;
            }
            let group = self.coplanar(seed, &mut taken, tolerance);
            match self.around(&group, tolerance) {
                Some(corners) => faces.push(self.face(seed, corners)),
                None => {
                    faces.extend(group.iter().map(|&f| self.face(f, self.facets[f].corners.into())))
                }
            }
        }
        straighten(self.points, &mut faces, tolerance);
        faces
    }

    fn face(&self, facet: usize, corners: Vec<u32>) -> HullFace {
        let [a, b, c] = self.corners(facet);
        let normal = normal([a, b, c, a]);
        HullFace { normal, offset: normal.dot(a), corners }
    }

    /// The facets around one, the largest of them, that are in its plane; they are then taken.
    fn coplanar(&self, seed: usize, taken: &mut [bool], tolerance: f64) -> Vec<usize> {
        let plane = self.face(seed, Vec::new());
        let below = |x: DVec3| plane.offset - plane.normal.dot(x);
        let (mut group, mut next) = (vec![seed], 0);
        taken[seed] = true;
        while next < group.len() {
            for other in self.across(group[next]) {
                let flat = self.corners(other).iter().all(|x| below(*x) <= tolerance);
                if flat && !std::mem::replace(&mut taken[other], true) {
                    group.push(other);
                }
            }
            next += 1;
        }
        group
    }

    /// The loop around a group; none where it is not convex, or not the only one.
    fn around(&self, group: &[usize], tolerance: f64) -> Option<Vec<u32>> {
        let inside: HashSet<_> = group.iter().collect();
        let sides = group
            .iter()
            .flat_map(|&f| edges(self.facets[f].corners).into_iter().zip(self.across(f)));
        let border: Vec<_> =
            sides.filter(|(_, other)| !inside.contains(other)).map(|s| s.0).collect();
        let next: HashMap<u32, u32> = border.iter().map(|&[a, b]| (a, b)).collect();
        let first = border.first()?[0];
        let along =
            std::iter::successors(Some(first), |i| next.get(i).copied().filter(|&i| i != first));
        let corners: Vec<u32> = along.take(border.len()).collect();
        let normal = self.face(group[0], Vec::new()).normal;
        let bends = (0..corners.len()).all(|k| {
            let [a, b, c] =
                [k, k + 1, k + 2].map(|k| self.points[corners[k % corners.len()] as usize]);
            normal.dot((b - a).cross(c - b)) >= -tolerance * a.distance(c)
        });
        (bends && corners.len() == border.len()).then_some(corners)
    }
}

fn coordinates(x: DVec3) -> Coord3D<f64> {
    Coord3D { x: x.x, y: x.y, z: x.z }
}

/// Takes points out that lie on the straight edge between two faces.
fn straighten(points: &[DVec3], faces: &mut [HullFace], tolerance: f64) {
    let mut of = vec![Vec::new(); points.len()];
    for (f, face) in faces.iter().enumerate() {
        face.corners.iter().for_each(|&i| of[i as usize].push(f));
    }
    for (i, faces_of) in of.iter().enumerate() {
        let &[one, other] = &faces_of[..] else { continue };
        if faces[one].corners.len() == 3 || faces[other].corners.len() == 3 {
            continue;
        }
        let corners = &faces[one].corners;
        let Some(at) = corners.iter().position(|&c| c as usize == i) else { continue };
        let beside = [at + corners.len() - 1, at + 1].map(|k| corners[k % corners.len()]);
        let [a, b] = beside.map(|k| points[k as usize]);
        if (points[i] - a).cross(b - a).length() <= tolerance * a.distance(b) {
            for face in [one, other] {
                faces[face].corners.retain(|&c| c as usize != i);
            }
        }
    }
}

/// Faces of one plane, none with more corners than a face may have. [`Hull::wholes`] puts them together again.
fn split(mut face: HullFace) -> Vec<HullFace> {
    let mut parts = Vec::new();
    let most = MAX_LOOP as usize;
    while face.corners.len() > most {
        let rest = face.corners.split_off(most);
        let ends = [face.corners[0], face.corners[most - 1]];
        parts.push(HullFace { corners: std::mem::replace(&mut face.corners, ends.into()), ..face });
        face.corners.extend(rest);
    }
    parts.push(face);
    parts
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use glam::{DQuat, EulerRot};
    use std::f64::consts::{PI, TAU};

    /// Numbers from −1 to 1 that are the same in every run.
    pub(crate) fn cloud(seed: u64, count: usize) -> Vec<DVec3> {
        let mut state = seed;
        let mut number = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        (0..count).map(|_| DVec3::new(number(), number(), number())).collect()
    }

    fn grid() -> Vec<DVec3> {
        let at = |i: i32| DVec3::new((i % 11).into(), (i / 11 % 11).into(), (i / 121).into());
        (0..1331).map(|i| at(i) / 10.0).collect()
    }

    fn turn() -> DQuat {
        DQuat::from_euler(EulerRot::XYZ, 0.3, 0.7, 1.1)
    }

    /// A closed convex surface around all points, of the volume that it should have.
    fn check(name: &str, points: &[DVec3], volume: f64) -> Hull {
        let hull = Hull::of(points).unwrap_or_else(|e| panic!("{name}: {e}"));
        let size = Bounds::of(points.iter().copied()).size().max_element();
        let sides: usize = hull.faces.iter().map(|face| face.corners.len()).sum();
        assert_eq!(hull.points.len() + hull.faces.len(), sides / 2 + 2, "{name}: V - E + F");
        assert_eq!(hull.surface().open_edges(), 0, "{name}");
        assert!(hull.points.iter().all(|x| points.contains(x)));
        for point in points {
            assert!(hull.contains(*point, 1e-9 * size), "{name}: {point}");
        }
        for face in &hull.faces {
            assert!((3..=MAX_LOOP as usize).contains(&face.corners.len()), "{name}");
            for corner in &face.corners {
                let depth = face.offset - face.normal.dot(hull.points[*corner as usize]);
                assert!(depth <= 1.01e-6 * size, "{name}: {depth}");
            }
        }
        let error = hull.surface().volume() / volume - 1.0;
        assert!(error.abs() < 1e-5, "{name}: volume off by {error:e}");
        hull
    }

    /// Prisms of many sides have two planes that are more than one face; of these nearly all area is left.
    #[test]
    fn planes_of_many_corners_are_whole() {
        for sides in [12, 16, 17, 32, 48, 200] {
            let angle = |k: u32| TAU * f64::from(k) / f64::from(sides);
            let place = |y: f64| move |k| DVec3::new(angle(k).cos(), y, angle(k).sin());
            let points: Vec<_> =
                [-0.2, 0.2].into_iter().flat_map(|y| (0..sides).map(place(y))).collect();
            let hull = Hull::of(&points).unwrap();
            let wholes = hull.wholes();
            assert_eq!(wholes.len(), if sides > MAX_LOOP { 2 } else { 0 }, "{sides}");
            for whole in wholes {
                assert_eq!(whole.corners.len(), MAX_LOOP as usize);
                let corners: Vec<_> =
                    whole.corners.iter().map(|i| hull.points[*i as usize]).collect();
                let area: DVec3 = (1..corners.len() - 1)
                    .map(|k| (corners[k] - corners[0]).cross(corners[k + 1] - corners[0]))
                    .sum();
                let area = 0.5 * area.dot(whole.normal);
                assert!((0.93 * PI..PI).contains(&area), "{sides} sides: {area} m²");
            }
        }
    }

    /// parry's hull is right for points in general position, and wrong for many others.
    fn parrys_volume(points: &[DVec3]) -> f64 {
        let given: Vec<_> = points.iter().map(|x| x.to_array().into()).collect();
        let (points, triangles) = parry3d_f64::transformation::convex_hull(&given);
        let points = points.iter().map(|x| DVec3::from_array((*x).into())).collect();
        Surface { points, triangles, ..Surface::default() }.volume()
    }

    /// Of each kind, as it is, turned, far out, tiny, as a thin plate, and rounded to f32.
    fn check_all(name: &str, points: &[DVec3], volume: f64) -> Vec<Hull> {
        let of = |how: &str, change: &dyn Fn(DVec3) -> DVec3, factor: f64| {
            let changed: Vec<_> = points.iter().map(|x| change(*x)).collect();
            check(&format!("{name}, {how}"), &changed, volume * factor)
        };
        let thin = DVec3::new(1.0, 1e-4, 1.0);
        vec![
            of("as it is", &|x| x, 1.0),
            of("turned", &|x| turn() * x, 1.0),
            of("far out", &|x| turn() * x + 1000.0, 1.0),
            of("tiny", &|x| turn() * x * 1e-3, 1e-9),
            of("a plate", &|x| x * thin, 1e-4),
            of("a turned plate", &|x| turn() * (x * thin), 1e-4),
            of("in f32", &|x| (turn() * x).as_vec3().as_dvec3(), 1.0),
        ]
    }

    #[test]
    fn the_hull_of_a_grid_is_a_box() {
        let mut points = grid();
        points.extend(grid().iter().map(|x| x + 1e-16));
        points.extend(grid());
        for hull in check_all("grid", &points, 1.0) {
            assert_eq!((hull.points.len(), hull.faces.len()), (8, 6));
            assert!(hull.faces.iter().all(|face| face.corners.len() == 4));
            assert_eq!(hull.triangles().len(), 12);
        }
    }

    #[test]
    fn clouds_have_the_hull_that_another_library_finds() {
        for (seed, count) in [4, 5, 8, 20, 100, 1000, 5000].into_iter().enumerate() {
            let points = cloud(seed as u64, count);
            check_all(&format!("cloud of {count}"), &points, parrys_volume(&points));
        }
    }

    #[test]
    fn points_of_a_sphere_are_all_corners() {
        let on_sphere = |i: i32| {
            let y = 1.0 - (2.0 * f64::from(i) + 1.0) / 2000.0;
            let (sine, cosine) = (f64::from(i) * PI * (3.0 - 5f64.sqrt())).sin_cos();
            (1.0 - y * y).sqrt() * DVec3::new(cosine, 0.0, sine) + y * DVec3::Y
        };
        let points: Vec<_> = (0..2000).map(on_sphere).collect();
        for hull in check_all("sphere", &points, parrys_volume(&points)) {
            assert!(
                hull.points.len() == 2000 || hull.surface().bounds().size().min_element() < 1e-3
            );
        }
    }

    #[test]
    fn the_caps_of_a_cylinder_are_split() {
        let at = |i: i32| {
            let (sine, cosine) = (f64::from(i % 64) / 64.0 * TAU).sin_cos();
            DVec3::new(cosine, f64::from(i / 64) / 10.0, sine)
        };
        let points: Vec<_> = (0..11 * 64).map(at).collect();
        for hull in check_all("cylinder", &points, 32.0 * (TAU / 64.0).sin()) {
            // 64 = 16 + 3 × 14 + 6: five parts.
            assert_eq!((hull.points.len(), hull.faces.len()), (128, 64 + 2 * 5));
        }
    }

    #[test]
    fn corners_on_a_coarse_grid_are_found() {
        for seed in 0..20 {
            let points: Vec<_> = cloud(seed, 300).iter().map(|x| (x * 3.0).round()).collect();
            check_all("coarse", &points, parrys_volume(&points));
        }
    }

    /// Around the distance at which triangles become one face these may become anything that is closed and convex to it.
    #[test]
    fn points_that_are_nearly_in_a_plane_make_a_hull() {
        for (seed, noise) in
            [1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 3e-7, 1e-6, 3e-6].into_iter().enumerate()
        {
            let volume = 1.0 + 5.0 * noise;
            for repeat in 0..5 {
                let noises = cloud(10 * repeat + seed as u64, 1331);
                let points: Vec<_> =
                    grid().iter().zip(noises).map(|(x, n)| x + noise * n).collect();
                check(&format!("noise {noise:e}"), &points, volume);
                let turned: Vec<_> = points.iter().map(|x| turn() * x).collect();
                check(&format!("turned, noise {noise:e}"), &turned, volume);
            }
        }
    }

    #[test]
    fn flat_points_are_refused() {
        let refused = |points: &[DVec3], word: &str| {
            let message = Hull::of(points).unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        };
        refused(&[], "no points");
        refused(&[DVec3::ONE; 5], "in one place");
        refused(&[DVec3::ZERO, DVec3::ONE, DVec3::splat(0.3), DVec3::splat(7.0)], "on one line");
        let flat: Vec<_> =
            grid().iter().map(|x| turn() * (x * DVec3::new(1.0, 0.0, 1.0))).collect();
        refused(&flat, "in one plane");
        refused(&[DVec3::X, DVec3::Y, DVec3::Z], "in one plane");
        refused(&[DVec3::X, DVec3::Y, DVec3::NAN], "point 2");
    }
}
