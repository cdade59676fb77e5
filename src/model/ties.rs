//! What holds the points that attachments tie.

use crate::extreme;
use std::collections::BTreeSet;

use glam::{DVec3, UVec4, Vec4};

use super::Model;
use super::start::empty_box;
use crate::gpu::types::{
    PROBE_MARGIN, TIE_HELD, TIE_JOINED, TIE_TO_BODY, TIE_TO_PLACE, Tie as GpuTie,
};
use crate::mesh::{TetMesh, nearest_tets, triangle_foot};
use crate::scene::{AttachedPoints, Attachment};
use crate::{Error, Result};

/// h² Σ k w/m of all ties of a particle that get their stiffness from the step: bodies leave at least 1.4 of the 4 that a
/// Verlet step bears, and with the default damping ratio explicit Euler bears this.
const SHARE: f64 = 0.1;
/// The same of ties with a stiffness of their own, at the most, where the integrator is explicit.
const LARGEST_SHARE: f64 = 0.3;
/// h²ω² of the step that an explicit world would have by itself: SAFETY of the 2 of Verlet's method.
const USUAL_SQUARE: f64 = 2.56;
/// Points that are nearer to what they are tied to than this part of a body's mean edge are on it.
const ON_SURFACE: f64 = 1e-6;
/// Weights of the particles of a tie are at most this large: others would be of a tetrahedron that is nearly flat.
const LARGEST_WEIGHT: f64 = 8.0;

/// A point of a body's mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MeshPoint {
    pub body: usize,
    pub point: u32,
}

/// One tied point.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tie {
    pub point: MeshPoint,
    pub hold: Hold,
    /// Length at rest [m]; 0 where point and hold are in one place.
    pub length: f64,
}

/// What holds a point.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Hold {
    /// Points of another body, with weights that add up to 1.
    Body([MeshPoint; 4], [f64; 4]),
    /// A solid, at a place [m] seen from its centre along its axes.
    Solid(usize, DVec3),
    /// A place [m].
    Place(DVec3),
}

/// What decides how stiff ties are.
#[derive(Clone, Debug)]
pub(crate) struct TieRates {
    /// Of each body 1/h² [1/s²], h the step by which its ties get their stiffness; 0 of bodies that know of none.
    squares: Vec<f64>,
    /// The least of what is not 0 [1/s²].
    least: f64,
    /// The step that bounds it [s], and how often it may be halved.
    bound: Option<(f64, u32)>,
}

/// What ties act with.
#[derive(Clone, Debug)]
pub(crate) struct TieConstants {
    /// Of each its stiffness [N/m] and damping [N s/m].
    pub constants: Vec<[f64; 2]>,
    /// Halvings of the step that bears them.
    pub halvings: u32,
    /// Which of them it is halved for, and what would not shorten it.
    pub shortening: Option<String>,
}

impl TieRates {
    /// Of an explicit integrator's step [s], which may be halved so often.
    pub fn explicit(step: f64, halvings: u32, bodies: usize) -> Self {
        Self {
            squares: vec![1.0 / (step * step); bodies],
            least: 1.0 / (step * step),
            bound: Some((step, halvings)),
        }
    }

    /// Of an implicit integrator, which bears any: `squares` are the ω² of the bodies [1/s²], the largest eigenvalues of M⁻¹K, so
    /// that ties are as stiff as in the step that a body's own vibrations would leave an explicit integrator.
    pub fn implicit(step: f64, squares: impl Iterator<Item = f64>) -> Self {
        let margin = f64::from(PROBE_MARGIN * PROBE_MARGIN) / USUAL_SQUARE;
        Self {
            squares: squares.map(|square| margin * square).collect(),
            least: 1.0 / (step * step),
            bound: None,
        }
    }

    /// Of the softer one of the bodies that a tie is of, of those that have vibrations of their own.
    fn of(&self, tie: &Tie) -> f64 {
        let other = match &tie.hold {
            Hold::Body(corners, _) => Some(corners[0].body),
            Hold::Solid(..) | Hold::Place(_) => None,
        };
        let bodies = [Some(tie.point.body), other].into_iter().flatten();
        let squares = bodies.map(|body| self.squares[body]);
        let softest = squares.filter(|square| *square > 0.0).reduce(f64::min);
        softest.map_or(self.least, |square| square.max(self.least))
    }
}

/// Words of a tie in a save file.
pub(crate) const TIE_WORDS: usize = 16;

impl Tie {
    /// Whether a body has a part in it.
    pub fn is_of(&self, body: usize) -> bool {
        self.bodies().any(|own| own == body)
    }

    /// The one or two bodies that have a part in it.
    pub fn bodies(&self) -> impl Iterator<Item = usize> {
        let held = match &self.hold {
            Hold::Body(corners, _) => Some(corners[0].body),
            Hold::Solid(..) | Hold::Place(_) => None,
        };
        [Some(self.point.body), held].into_iter().flatten()
    }

    /// As a save file has it: body and point, length, what kind of hold, four bodies and points or a solid, weights or a place.
    pub fn words(&self) -> [u64; TIE_WORDS] {
        let mut words = [0; TIE_WORDS];
        let point = |point: &MeshPoint| [point.body as u64, u64::from(point.point)];
        words[..2].copy_from_slice(&point(&self.point));
        words[2] = self.length.to_bits();
        let numbers = match &self.hold {
            Hold::Body(corners, weights) => {
                words[4..12].copy_from_slice(corners.map(|corner| point(&corner)).as_flattened());
                *weights
            }
            Hold::Solid(solid, anchor) => {
                (words[3], words[4]) = (1, *solid as u64);
                anchor.extend(0.0).to_array()
            }
            Hold::Place(place) => {
                words[3] = 2;
                place.extend(0.0).to_array()
            }
        };
        words[12..].copy_from_slice(&numbers.map(f64::to_bits));
        words
    }

    /// What [`Self::words`] wrote.
    pub fn from_words(words: &[u64; TIE_WORDS]) -> Option<Self> {
        let point = |at: usize| {
            Some(MeshPoint {
                body: usize::try_from(words[at]).ok()?,
                point: u32::try_from(words[at + 1]).ok()?,
            })
        };
        let numbers = [12, 13, 14, 15].map(|at: usize| f64::from_bits(words[at]));
        let place = DVec3::new(numbers[0], numbers[1], numbers[2]);
        let hold = match words[3] {
            0 => Hold::Body([point(4)?, point(6)?, point(8)?, point(10)?], numbers),
            1 => Hold::Solid(usize::try_from(words[4]).ok()?, place),
            2 => Hold::Place(place),
            _ => return None,
        };
        Some(Self {
            point: point(0)?,
            hold,
            length: f64::from_bits(words[2]),
        })
    }

    /// Whether it is between points of a model and of so many solids, and has finite numbers.
    pub fn is_in(&self, model: &Model, solids: usize) -> bool {
        let known = |point: &MeshPoint| {
            let body = model.bodies.get(point.body);
            body.is_some_and(|body| (point.point as usize) < body.device_index.len())
        };
        let hold = match &self.hold {
            Hold::Body(corners, weights) => {
                let one = corners.iter().all(|corner| corner.body == corners[0].body);
                let weighted = |w: &f64| w.abs() <= LARGEST_WEIGHT;
                one && corners.iter().all(known) && weights.iter().all(weighted)
            }
            Hold::Solid(solid, anchor) => *solid < solids && anchor.is_finite(),
            Hold::Place(place) => place.is_finite(),
        };
        hold && known(&self.point) && self.length.is_finite() && self.length >= 0.0
    }

    /// The particles that its force acts on, and the share of it that each feels.
    pub fn ends(&self, model: &Model) -> Vec<(usize, f64)> {
        let mut ends = vec![(model.particle(self.point), 1.0)];
        if let Hold::Body(corners, weights) = &self.hold {
            let held = corners.iter().zip(weights).filter(|(_, w)| **w != 0.0);
            ends.extend(held.map(|(corner, w)| (model.particle(*corner), -w)));
        }
        ends
    }

    /// As kernels have it. `pose`: the number of the pose that its solid goes with.
    pub fn device(&self, model: &Model, constants: [f64; 2], pose: Option<u32>) -> GpuTie {
        let [stiffness, damping] = constants.map(|x| x as f32);
        let tie = GpuTie {
            particle: model.particle(self.point) as u32,
            stiffness,
            damping,
            length: self.length as f32,
            pose: pose.unwrap_or(TIE_TO_PLACE),
            ..GpuTie::default()
        };
        match &self.hold {
            Hold::Body(corners, weights) => GpuTie {
                corners: UVec4::from(corners.map(|corner| model.particle(corner) as u32)),
                weights: Vec4::from(weights.map(|w| w as f32)),
                pose: TIE_TO_BODY,
                ..tie
            },
            Hold::Solid(_, anchor) | Hold::Place(anchor) => GpuTie {
                anchor: anchor.as_vec3(),
                ..tie
            },
        }
    }
}

/// Of each of so many bodies the least number of those that it hangs together with by ties, with `TIE_JOINED` where these are
/// several and `TIE_HELD` where a tie joins one of them to a solid or a place.
pub(crate) fn tie_groups<'a>(bodies: usize, ties: impl Iterator<Item = &'a Tie>) -> Vec<u32> {
    // Each body leads to one of a lower number that it hangs together with, the least one to itself.
    let mut lower: Vec<_> = (0..bodies).collect();
    let mut held = BTreeSet::new();
    let least = |lower: &mut Vec<usize>, mut body: usize| {
        while lower[body] != body {
            lower[body] = lower[lower[body]];
            body = lower[body];
        }
        body
    };
    for tie in ties {
        let own = least(&mut lower, tie.point.body);
        match &tie.hold {
            Hold::Body(corners, _) => {
                let other = least(&mut lower, corners[0].body);
                lower[own.max(other)] = own.min(other);
            }
            Hold::Solid(..) | Hold::Place(_) => {
                held.insert(tie.point.body);
            }
        }
    }
    let mut flags = vec![0; bodies];
    let mut place = |body| {
        let first = least(&mut lower, body);
        let joined = if first < body { TIE_JOINED } else { 0 };
        let held = if held.contains(&body) { TIE_HELD } else { 0 };
        flags[first] |= joined | held;
        first
    };
    let places: Vec<_> = (0..bodies).map(&mut place).collect();
    let word = |first: &usize| *first as u32 | flags[*first];
    places.iter().map(word).collect()
}

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
                    let want = format!(
                        "at least one of the mesh's {} points, from 0 on, each once",
                        points.len()
                    );
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
                Ok(Tie {
                    point: *point,
                    hold: Hold::Body(corners, weights),
                    length: 0.0,
                })
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
                hold: Hold::Body(best.0.map(corner), best.1),
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
            let got = format!("{which}, {distance:.3e} m outside of {}", name(&other.name));
            let want = format!("points within a mean edge of it, {:.3e} m", other.edge);
            return Err(Error::value(format!("{at}.to"), got, want));
        }
        if !weights.iter().all(|w| w.abs() <= LARGEST_WEIGHT) {
            let got = format!(
                "{which}, held by a tetrahedron of {} that is nearly flat",
                name(&other.name)
            );
            let want = "one that its corners' weights say where it is";
            return Err(Error::value(format!("{at}.to"), got, want));
        }
        Ok(())
    }

    /// Stiffness [N/m] and damping [N s/m] of ties, each with what its attachment says and errors call it. A bound of the
    /// squared frequency of a particle is the sum over its ties of k |w| Σ |w'|/m, the inner sum over what moves of a tie
    /// (Gershgorin 1931). Of ties without a stiffness of their own it is `SHARE`/h² at the most; damping is that part of the
    /// critical one at the largest frequency of the tie's ends.
    ///
    /// # Errors
    /// Stiffnesses that an explicit step of this length does not bear, however often it may be halved.
    pub(crate) fn tie_constants(
        &self,
        ties: &[(&str, &Attachment, &Tie)],
        by: &TieRates,
    ) -> Result<TieConstants> {
        let moving = |tie: &Tie| {
            let mut ends = tie.ends(self);
            ends.retain(|(particle, _)| !self.pinned[*particle]);
            let all: f64 = ends.iter().map(|(_, w)| w.abs()).sum();
            let shares = ends.into_iter();
            let rate = move |(i, w): (usize, f64)| (i, w.abs() * all / self.masses[i]);
            shares.map(rate).collect::<Vec<_>>()
        };
        let rates: Vec<_> = ties.iter().map(|(.., tie)| moving(tie)).collect();
        let mut sums = std::collections::BTreeMap::<usize, f64>::new();
        for (particle, rate) in rates.iter().flatten() {
            *sums.entry(*particle).or_default() += rate;
        }
        let largest = |sums: &std::collections::BTreeMap<usize, f64>, rates: &[(usize, f64)]| {
            let of_ends = rates.iter().map(|(particle, _)| sums[particle]);
            of_ends.fold(0.0, extreme::greatest)
        };
        let stiffness: Vec<f64> = (ties.iter().zip(&rates))
            .map(|((_, attachment, tie), rates)| match attachment.stiffness {
                Some(stiffness) => stiffness,
                None if rates.is_empty() => 0.0,
                None => SHARE * by.of(tie) / largest(&sums, rates),
            })
            .collect();
        let mut squares = std::collections::BTreeMap::<usize, f64>::new();
        for (rates, k) in rates.iter().zip(&stiffness) {
            for (particle, rate) in rates {
                *squares.entry(*particle).or_default() += k * rate;
            }
        }
        let mut constants = Vec::with_capacity(ties.len());
        let mut halvings = 0;
        let mut shortening = None;
        for (((at, attachment, _), rates), k) in ties.iter().zip(&rates).zip(stiffness) {
            let square = largest(&squares, rates);
            if let Some((step, most)) = by.bound
                && attachment.stiffness.is_some()
            {
                // h² goes by 4 with each halving.
                let share = square * step * step / LARGEST_SHARE;
                let needed = (0.5 * share.log2()).ceil().max(0.0);
                if needed > f64::from(most) {
                    let least = step / f64::from(1_u32 << most);
                    let want = format!(
                        "at most {:.3e} N/m, with all ties of its points, at a step of {least:.3e} s",
                        k * 4_f64.powi(most as i32) / share
                    );
                    let got = format!("{k:.3e} N/m");
                    return Err(Error::value(format!("{at}.stiffness"), got, want));
                }
                if needed as u32 > halvings {
                    halvings = needed as u32;
                    shortening = Some(format!(
                        "{at}.stiffness of {k:.3e} N/m shortens steps from {step:.3e} s to {:.3e} s; up to {:.3e} N/m, with all \
                         ties of its points, would not",
                        step / f64::from(1_u32 << halvings),
                        k / share
                    ));
                }
            }
            let damping = match square > 0.0 {
                true => 2.0 * attachment.damping_ratio * k / square.sqrt(),
                false => 0.0,
            };
            constants.push([k, damping]);
        }
        Ok(TieConstants {
            constants,
            halvings,
            shortening,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::Random;

    /// Of random ties: each body's group begins with the least of those that it reaches by ties, and says whether there are several
    /// and whether one of them is held.
    #[test]
    fn groups_are_what_hangs_together() {
        let mut random = Random::new(7);
        for bodies in [1, 2, 9, 40] {
            let tie = |random: &mut Random| Tie {
                point: MeshPoint {
                    body: random.index(0, bodies),
                    point: 0,
                },
                hold: match random.index(0, 8) {
                    0 => Hold::Place(DVec3::ZERO),
                    _ => {
                        let body = random.index(0, bodies);
                        Hold::Body([MeshPoint { body, point: 0 }; 4], [0.25; 4])
                    }
                },
                length: 0.0,
            };
            let ties: Vec<_> = (0..bodies / 2).map(|_| tie(&mut random)).collect();
            let mut reached: Vec<Vec<bool>> = (0..bodies)
                .map(|a| (0..bodies).map(|b| a == b).collect())
                .collect();
            for tie in &ties {
                if let Hold::Body(corners, _) = &tie.hold {
                    let (a, b) = (tie.point.body, corners[0].body);
                    (reached[a][b], reached[b][a]) = (true, true);
                }
            }
            // Warshall 1962.
            for via in 0..bodies {
                for a in 0..bodies {
                    for b in 0..bodies {
                        reached[a][b] |= reached[a][via] && reached[via][b];
                    }
                }
            }
            let groups = tie_groups(bodies, ties.iter());
            for (body, group) in groups.iter().enumerate() {
                let members: Vec<_> = (0..bodies).filter(|b| reached[body][*b]).collect();
                let holds = |tie: &Tie| {
                    matches!(tie.hold, Hold::Place(_)) && members.contains(&tie.point.body)
                };
                let joined = if members.len() > 1 { TIE_JOINED } else { 0 };
                let held = if ties.iter().any(holds) { TIE_HELD } else { 0 };
                assert_eq!(*group, members[0] as u32 | joined | held, "{body}");
            }
        }
    }
}
