//! What a sphere may have as partners, whatever the kernel's rounding decides.

use super::search::Search;
use super::spheres::{ROUNDING, TRIANGLE_BIT, meet, terms};
use crate::gpu::types::MAX_SPHERE_HITS;
use crate::reference::contact::spheres::{Meeting, with_sphere};

/// What one sphere may have as partners.
#[derive(Default)]
pub struct Partners {
    /// Spheres that it touches whatever is rounded, and those of which rounding decides.
    spheres: [Vec<u32>; 2],
    /// Of each body the triangles that may count, and whether it touches one whatever is rounded.
    bodies: Vec<(Vec<u32>, bool)>,
}

impl Partners {
    /// Of sphere `i`, by brute force over all spheres and triangles of bodies that may touch its own.
    pub fn new(search: &Search<'_>, i: usize, touches: &[usize]) -> Self {
        let (scene, mut partners) = (&search.scene, Self::default());
        for j in i + 1..search.bench.len() {
            let body = scene.body[j];
            if !touches.contains(&body) || scene.bodies[body].radius <= 0.0 {
                continue;
            }
            let meeting = with_sphere(scene, i, j);
            let noise = ROUNDING * terms(search, &meeting);
            if meeting.within > -noise {
                partners.spheres[usize::from(meeting.within < noise)].push(j as u32);
            }
        }
        for &body in touches {
            let of_body = |t: &usize| search.triangles[*t].w as usize == body;
            let triangles = (0..search.triangles.len()).filter(of_body);
            let touched: Vec<_> = triangles
                .filter_map(|t| Touched::new(search, i, t))
                .collect();
            let certain = touched.iter().filter(|t| t.certain);
            let least = certain
                .map(|t| t.score + t.noise)
                .fold(f64::INFINITY, f64::min);
            let may = touched.iter().filter(|t| t.score - t.noise <= least);
            let may: Vec<_> = may.map(|t| t.triangle as u32 | TRIANGLE_BIT).collect();
            if !may.is_empty() {
                partners.bodies.push((may, least.is_finite()));
            }
        }
        partners
    }

    /// How many there are at least, and at the most.
    fn count(&self) -> [usize; 2] {
        let certain = self.bodies.iter().filter(|(_, certain)| *certain).count();
        let [sure, rounded] = self.spheres.each_ref().map(Vec::len);
        [sure + certain, sure + rounded + self.bodies.len()]
    }

    /// The list, where nothing depends on rounding.
    pub fn only(&self) -> Option<Vec<u32>> {
        let [spheres, rounded] = &self.spheres;
        let one = |(triangles, certain): &(Vec<u32>, bool)| {
            (*certain && triangles.len() == 1).then(|| triangles[0])
        };
        let triangles: Option<Vec<u32>> = self.bodies.iter().map(one).collect();
        let mut list = spheres.clone();
        list.extend(triangles?);
        list.sort_unstable();
        list.truncate(MAX_SPHERE_HITS as usize);
        rounded.is_empty().then_some(list)
    }

    /// Whether a list in ascending order may be the kernel's: nothing else is in it, and all that is certain, as far as
    /// there is room.
    pub fn allow(&self, list: &[u32], crowded: bool) -> bool {
        let [least, most] = self.count();
        let room = MAX_SPHERE_HITS as usize;
        let known = |word: &u32| {
            let sphere = self.spheres.iter().any(|s| s.contains(word));
            sphere || self.bodies.iter().any(|(may, _)| may.contains(word))
        };
        let full = list.len() == room;
        let below = |word: u32| !full || list.last().is_some_and(|last| word < *last);
        let has = |may: &[u32]| may.iter().any(|word| list.contains(word));
        let spheres = &self.spheres[0];
        let sure = self.bodies.iter().filter(|(_, certain)| *certain);
        list.is_sorted_by(|a, b| a < b)
            && list.iter().all(known)
            && (list.len() >= least.min(room) && list.len() <= most)
            && (if crowded {
                most > room && full
            } else {
                least <= room
            })
            && spheres.iter().all(|&j| !below(j) || list.contains(&j))
            && sure
                .clone()
                .all(|(may, _)| !may.iter().all(|&t| below(t)) || has(may))
    }
}

/// A triangle that a sphere may touch.
struct Touched {
    triangle: usize,
    score: f64,
    noise: f64,
    certain: bool,
}

impl Touched {
    /// None where it surely does not.
    fn new(search: &Search<'_>, i: usize, triangle: usize) -> Option<Self> {
        let (meeting, near) = meet(search, i, triangle)?;
        let noise = ROUNDING * terms(search, &meeting);
        // Behind a triangle no way ahead counts: near its plane rounding decides.
        let side = near.arm.dot(near.normal).abs() < noise;
        let without = meeting.within - ahead(search, &meeting);
        let least = if side { without } else { meeting.within };
        (meeting.within > -noise || side && without + ahead_at_most(search, i) > -noise).then(
            || Self {
                triangle,
                score: near.score(),
                noise,
                certain: least.min(meeting.within) > noise,
            },
        )
    }
}

/// What of the way ahead counts in a meeting.
fn ahead(search: &Search<'_>, meeting: &Meeting) -> f64 {
    let bodies =
        [meeting.sphere, meeting.others[0].0].map(|k| &search.scene.bodies[search.scene.body[k]]);
    let margins = bodies[0].margin + bodies[1].margin;
    meeting.within - (meeting.reach + margins - meeting.distance.abs())
}

fn ahead_at_most(search: &Search<'_>, i: usize) -> f64 {
    0.5 * search.scene.bodies[search.scene.body[i]].edge
}
