//! Which points an attachment ties, and what holds them: where they are in another body.

use glam::DVec3;

use super::tie::LARGEST_WEIGHT;
use super::{Anchor, MeshPoint, Tie};
use crate::mesh::{TetMesh, nearest_tets, triangle_foot};
use crate::model::Model;
use crate::model::start::empty_box;
use crate::scene::{AttachedPoints, Attachment};
use crate::{Error, Result};

/// Points that are nearer to what they are tied to than this part of a body's mean edge are on it.
const ON_SURFACE: f64 = 1e-6;
impl Model {
    /// The particle that a point of a mesh is.
    pub(crate) fn particle(&self, at: MeshPoint) -> usize {
        let ranges = &self.bodies[at.body];
        ranges.particles.start + ranges.device_index[at.point as usize] as usize
    }

    /// The points of a body that an attachment ties; `at` is what errors call it.
    ///
    /// # Errors
    /// None, points that the mesh does not have, or one twice.
    pub(crate) fn tied_points(
        &self,
        at: &str,
        body: usize,
        attachment: &Attachment,
    ) -> Result<Vec<MeshPoint>> {
        let points = &self.rests[body].mesh.points;
        let numbers: Vec<u32> = match &attachment.points {
            AttachedPoints::Within(within) => {
                let inside = |i: &u32| within.contains(points[*i as usize].to_array());
                let inside: Vec<_> = (0..points.len() as u32).filter(inside).collect();
                if inside.is_empty() {
                    return Err(empty_box(format!("{at}.box"), within, "point", points));
                }
                inside
            }
            AttachedPoints::Listed(numbers) => {
                let mut sorted = numbers.clone();
                sorted.sort_unstable();
                sorted.dedup();
                let wrong = sorted.iter().any(|i| *i as usize >= points.len());
                if wrong || sorted.is_empty() || sorted.len() < numbers.len() {
                    let got = format!("{numbers:?}");
                    let want =
                        format!("at least one point number below {}, each once", points.len());
                    return Err(Error::value(format!("{at}.points"), got, want));
                }
                sorted
            }
        };
        let point = |point| MeshPoint { body, point };
        Ok(numbers.into_iter().map(point).collect())
    }

    /// Ties points to another body as both are: `positions` by particle [m].
    ///
    /// # Errors
    /// A point that is too far from tetrahedra, or nearest to one that is flat.
    pub(crate) fn tie_to_body(
        &self,
        at: &str,
        points: &[MeshPoint],
        to: usize,
        positions: &[DVec3],
    ) -> Result<Vec<Tie>> {
        let rest = &self.rests[to];
        let place = |at: MeshPoint| positions[self.particle(at)];
        let corner = |point: u32| MeshPoint { body: to, point };
        let places: Vec<_> = points.iter().map(|point| place(*point)).collect();
        let on_surface = |distance: f64| match distance > ON_SURFACE * self.bodies[to].edge {
            true => distance,
            false => 0.0,
        };
        if !rest.mesh.tets.is_empty() {
            let mesh = TetMesh {
                points: (0..rest.mesh.points.len() as u32)
                    .map(|point| place(corner(point)))
                    .collect(),
                ..rest.mesh.clone()
            };
            let nearest = nearest_tets(&places, &mesh).into_iter();
            let ties = points.iter().zip(nearest).map(|(point, nearest)| {
                let (tet, distance, weights) = nearest;
                self.check_hold(at, *point, to, distance, weights)?;
                let corners = mesh.tets[tet as usize].map(corner);
                Ok(Tie { point: *point, anchor: Anchor::Body(corners, weights), length: 0.0 })
            });
            return ties.collect();
        }
        let clouds = 0..rest.mesh.points.len() as u32;
        let ties = points.iter().zip(&places).map(|(point, x)| {
            let mut best = ([0; 4], [0.0; 4], f64::INFINITY);
            for triangle in &rest.triangles {
                let ([a, b, c], distance) = triangle_foot(*x, triangle.map(|i| place(corner(i))));
                if distance < best.2 {
                    let [i, j, k] = *triangle;
                    best = ([i, j, k, i], [a, b, c, 0.0], distance);
                }
            }
            for i in clouds.clone().filter(|_| rest.triangles.is_empty()) {
                let distance = x.distance(place(corner(i)));
                if distance < best.2 {
                    best = ([i; 4], [1.0, 0.0, 0.0, 0.0], distance);
                }
            }
            Tie {
                point: *point,
                anchor: Anchor::Body(best.0.map(corner), best.1),
                length: on_surface(best.2),
            }
        });
        Ok(ties.collect())
    }

    fn check_hold(
        &self,
        at: &str,
        point: MeshPoint,
        to: usize,
        distance: f64,
        weights: [f64; 4],
    ) -> Result<()> {
        let (own, other) = (&self.bodies[point.body], &self.bodies[to]);
        let name = |name: &str| crate::scene::body_label(name);
        let which = format!("point {} of {}", point.point, name(&own.name));
        if distance.is_nan() || distance > other.edge {
            let got = format!("{which}, which is {distance:.3e} m away from {}", name(&other.name));
            let want = format!("points within a mean edge ({:.3e} m) of it", other.edge);
            return Err(Error::value(format!("{at}.to"), got, want));
        }
        if !weights.iter().all(|w| w.abs() <= LARGEST_WEIGHT) {
            let got = format!("{which}, inside a nearly flat tetrahedron of {}", name(&other.name));
            let want = "a point in a tetrahedron of good shape";
            return Err(Error::value(format!("{at}.to"), got, want));
        }
        Ok(())
    }
}
