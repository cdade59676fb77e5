//! What a sphere may list as partners, whatever the kernel's rounding decides.

use crate::extreme;
use glam::DVec3;

use super::meeting::{ROUNDING, meet, terms};
use super::search::Search;
use crate::gpu::types::{MAX_SPHERE_HITS, MAX_TRIANGLE_HITS};
use crate::reference::contact::spheres::{
    Meeting, SAME_POINT, TOWARDS, is_local, level, with_sphere,
};

/// What one sphere may list.
#[derive(Default)]
pub struct Partners {
    /// The spheres that it may touch.
    spheres: Vec<Near>,
    /// The triangles that it may touch at a local minimum of the distance, of each body.
    bodies: Vec<Vec<Touched>>,
}

/// A sphere that another may touch.
struct Near {
    index: u32,
    /// |x_i − x_j| − R_j, and what it may be off by.
    away: f64,
    noise: f64,
    certain: bool,
}

impl Partners {
    /// Of sphere `i`, by brute force over all spheres and triangles of bodies that may touch its own.
    pub fn new(search: &Search<'_>, i: usize, touches: &[usize]) -> Self {
        let (scene, mut partners) = (&search.scene, Self::default());
        let least = level(scene, scene.body[i]);
        for j in 0..search.bench.len() {
            let body = scene.body[j];
            let round = scene.bodies[body].radius > 0.0;
            if !touches.contains(&body) || !round || level(scene, body) < least {
                continue;
            }
            let meeting = with_sphere(scene, i, j);
            let noise = ROUNDING * terms(search, &meeting);
            if meeting.within > -noise {
                partners.spheres.push(Near {
                    index: j as u32,
                    away: meeting.distance - scene.bodies[body].radius,
                    noise,
                    certain: meeting.within > noise,
                });
            }
        }
        for &body in touches {
            let of_body = |t: &usize| search.found.triangles[*t].w as usize == body;
            let all: Vec<_> = (0..search.found.triangles.len()).filter(of_body).collect();
            let surface: Vec<_> = all.iter().map(|t| search.found.surface_of[*t]).collect();
            let touched = all.iter().filter_map(|t| Touched::new(search, i, *t, &surface));
            partners.bodies.push(touched.collect());
        }
        partners
    }

    /// The spheres, where there is room for all and nothing depends on rounding.
    pub fn only(&self) -> Option<Vec<u32>> {
        let room = self.spheres.len() <= MAX_SPHERE_HITS as usize;
        let certain = self.spheres.iter().all(|near| near.certain);
        (room && certain).then(|| self.spheres.iter().map(|near| near.index).collect())
    }

    /// Whether lists in ascending order may be the kernel's, `dropped` partners for want of room.
    pub fn allow(&self, spheres: &[u32], triangles: &[u32], dropped: usize) -> bool {
        let surfaces = || self.bodies.iter().flatten();
        let count = |certain: bool| {
            let near = self.spheres.iter().filter(|s| s.certain || !certain).count();
            let touched = surfaces().filter(|t| t.certain || !certain).count();
            near.saturating_sub(MAX_SPHERE_HITS as usize)
                + touched.saturating_sub(MAX_TRIANGLE_HITS as usize)
        };
        let room = surfaces().count() <= MAX_TRIANGLE_HITS as usize;
        let known = |t: &u32| surfaces().any(|touched| touched.triangle == *t as usize);
        spheres.is_sorted_by(|a, b| a < b)
            && triangles.is_sorted_by(|a, b| a < b)
            && (count(true)..=count(false)).contains(&dropped)
            && self.nearest(spheres)
            && triangles.iter().all(known)
            && self.bodies.iter().all(|body| reduced(body, triangles, room))
    }

    /// Whether these are all that is certain, and where there is no room the nearest.
    fn nearest(&self, list: &[u32]) -> bool {
        let listed = |s: &&Near| list.contains(&s.index);
        let farthest = self.spheres.iter().filter(listed);
        let farthest =
            farthest.map(|s| s.away - s.noise).fold(f64::NEG_INFINITY, extreme::greatest);
        let full = list.len() == MAX_SPHERE_HITS as usize;
        let others = self.spheres.iter().filter(|s| s.certain && !listed(s));
        list.len() == self.spheres.iter().filter(listed).count()
            && others.clone().all(|s| full && s.away + s.noise >= farthest)
    }
}

/// Whether those of a body's triangles that are listed stand for all others, and none of them for another.
fn reduced(body: &[Touched], list: &[u32], room: bool) -> bool {
    let is_listed = |t: &&Touched| list.contains(&(t.triangle as u32));
    let listed: Vec<_> = body.iter().filter(is_listed).collect();
    let apart = |a: &&&Touched, b: &Touched| {
        a.triangle == b.triangle || a.score > b.score - a.noise - b.noise || !a.surely_for(b)
    };
    let alone = listed.iter().all(|b| listed.iter().all(|a| apart(&a, b)));
    let mut others = body.iter().filter(|t| t.certain && !is_listed(t));
    let taken = |b: &Touched| {
        listed.iter().any(|a| a.score < b.score + a.noise + b.noise && a.maybe_for(b))
    };
    alone && (!room || others.all(taken))
}

/// A triangle that a sphere may touch.
struct Touched {
    triangle: usize,
    score: f64,
    /// s \[m\]
    distance: f64,
    /// The nearest point.
    point: DVec3,
    radius: f64,
    /// How much scores and places may be off by.
    noise: f64,
    certain: bool,
    /// Whether rounding decides on which side of the triangle the centre is.
    beside: bool,
}

impl Touched {
    /// None where it surely does not; `surface` are the body's triangles.
    fn new(search: &Search<'_>, i: usize, triangle: usize, surface: &[usize]) -> Option<Self> {
        let (meeting, near) = meet(search, i, triangle)?;
        let noise = ROUNDING * terms(search, &meeting);
        // Behind a triangle no way ahead counts: near its plane rounding decides.
        let beside = near.arm.dot(near.normal).abs() < noise;
        let without = meeting.within - ahead(search, &meeting);
        let least = if beside { without } else { meeting.within };
        let may = meeting.within > -noise || beside && without + ahead_at_most(search, i) > -noise;
        let index = search.found.surface_of[triangle];
        let local =
            |cosine: f64, place: f64| is_local(&search.scene, i, index, surface, [cosine, place]);
        let turn = noise / near.arm.length().max(1e-30);
        let exact = noise * 1e-6;
        let alone = !pinched(search, index, surface);
        let possible = !alone || local(1.5 * TOWARDS + turn, exact);
        let certain = alone && local(0.5 * TOWARDS - turn, noise);
        (may && possible).then(|| Self {
            triangle,
            score: near.score(),
            distance: meeting.distance,
            point: search.scene.position[i] - near.arm,
            radius: meeting.reach,
            noise,
            certain: certain && least.min(meeting.within) > noise,
            beside,
        })
    }

    /// Whether one is behind, or both are at one place, within `room`.
    fn near(&self, other: &Self, room: f64) -> bool {
        let behind = self.distance < 0.0 || other.distance < 0.0;
        behind || self.point.distance(other.point) <= SAME_POINT * self.radius + room
    }

    /// Whether it stands for another whatever is rounded.
    fn surely_for(&self, other: &Self) -> bool {
        !self.beside && !other.beside && self.near(other, -self.noise - other.noise)
    }

    /// Whether it may.
    fn maybe_for(&self, other: &Self) -> bool {
        self.beside || other.beside || self.near(other, self.noise + other.noise)
    }
}

/// Whether the triangles around some corner of a triangle hang together by less than their sides, two by two.
fn pinched(search: &Search<'_>, triangle: usize, surface: &[usize]) -> bool {
    let corners = |t: usize| search.scene.surface[t];
    corners(triangle).into_iter().any(|v| {
        let around = surface.iter().copied().filter(|t| corners(*t).contains(&v));
        let mut left: Vec<usize> = around.collect();
        let others = |t: usize| corners(t).into_iter().filter(|k| *k != v);
        let ends: Vec<usize> = left.iter().flat_map(|t| others(*t)).collect();
        let twice = |k: &usize| ends.iter().filter(|end| *end == k).count() == 2;
        let mut reached = vec![left.remove(0)];
        let mut next = 0;
        while next < reached.len() {
            let own: Vec<usize> = others(reached[next]).collect();
            let (more, rest) = left.into_iter().partition(|t| others(*t).any(|k| own.contains(&k)));
            reached.extend::<Vec<usize>>(more);
            (left, next) = (rest, next + 1);
        }
        !left.is_empty() || !ends.iter().all(twice)
    })
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
