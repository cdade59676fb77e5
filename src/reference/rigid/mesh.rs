//! Along which normals a mesh pushes where one of its triangles is touched: those with all of the mesh around behind them.

use std::f64::consts::TAU;

use glam::DVec3;

/// A sine that is no more than this is none.
const FLAT: f64 = 1e-3;
/// A normal with less of this out of a triangle is along it.
const ALONG: f64 = 0.3;
/// How far in front of what is touched it is asked whether that is outside, in edges.
const BEFORE: f64 = 1e-3;

/// Triangles, anticlockwise seen from the front.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    /// \[m\]
    pub points: Vec<DVec3>,
    /// Three points each.
    pub triangles: Vec<[usize; 3]>,
    /// Whether they enclose something: it is touched from outside alone.
    pub closed: bool,
}

/// What a mesh makes of a normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// The one that counts.
    pub normal: DVec3,
    /// Whether the one that was asked for is, or stands for, the mesh's.
    pub is_given: bool,
    /// Whether nothing of the mesh around falls away behind the triangle's plane.
    pub is_level: bool,
    /// Whether it rises, too.
    pub is_low: bool,
    /// Whether it tells no side: the middle of what touches it is behind a closed one, or the normal is along an open one's triangle.
    pub is_blind: bool,
    /// How close any decision was to its border.
    pub closest: f64,
}

impl Mesh {
    fn corners(&self, t: usize) -> [DVec3; 3] {
        self.triangles[t].map(|i| self.points[i])
    }

    /// The unit normal of a triangle's front.
    pub fn front(&self, t: usize) -> DVec3 {
        let [a, b, c] = self.corners(t);
        (b - a).cross(c - a).normalize()
    }

    /// The ways from what of triangle `t` is `foremost`: over an edge square to it along the other triangle, or where there is none
    /// back along this one; around a corner along all edges.
    fn ways(&self, t: usize, foremost: &[usize]) -> Vec<DVec3> {
        let around = |i: &usize| {
            let own = &self.triangles[*i];
            foremost.iter().all(|corner| own.contains(corner))
        };
        let mut near: Vec<_> = (0..self.triangles.len()).filter(around).collect();
        if foremost.len() == 2 && near.len() > 1 {
            near.retain(|i| *i != t);
        }
        let origin = self.points[foremost[0]];
        let rest = |i: usize| self.triangles[i].into_iter().filter(|i| !foremost.contains(i));
        let ways = near.into_iter().flat_map(rest).map(|i| self.points[i] - origin);
        let square = |way: DVec3| match foremost {
            [a, b] => way.reject_from(self.points[*b] - self.points[*a]),
            _ => way,
        };
        ways.map(|way| square(way).normalize()).collect()
    }

    /// Whether a point is outside: what the triangles cover of the sphere around it, the sign by their winding, adds up to nothing
    /// [van Oosterom and Strackee 1983].
    fn is_outside(&self, x: DVec3) -> bool {
        let solid_angle = |t: usize| {
            let [a, b, c] = self.corners(t).map(|corner| corner - x);
            let [p, q, r] = [a, b, c].map(DVec3::length);
            let below = p * q * r + a.dot(b) * r + b.dot(c) * p + c.dot(a) * q;
            2.0 * a.dot(b.cross(c)).atan2(below)
        };
        (0..self.triangles.len()).map(solid_angle).sum::<f64>() < TAU
    }

    /// What the mesh makes of a normal out of triangle `t`, the middle of what it touches being at `other`.
    pub fn answer(&self, t: usize, given: DVec3, other: DVec3) -> Answer {
        let (front, corners) = (self.front(t), self.corners(t));
        let middle = corners.iter().sum::<DVec3>() / 3.0;
        let before = (other - middle).dot(front);
        let outwards = given.dot(front);
        let side = if !self.closed && outwards < 0.0 { -front } else { front };
        let (is_blind, mut closest) = if self.closed {
            (before <= 0.0, before.abs())
        } else {
            (outwards.abs() < ALONG, outwards.abs().min((outwards.abs() - ALONG).abs()))
        };
        let far = (0..3).max_by(|i, j| corners[*i].dot(given).total_cmp(&corners[*j].dot(given)));
        let far = corners[far.unwrap_or(0)];
        let mut foremost = Vec::new();
        for (k, x) in corners.iter().enumerate().filter(|(_, x)| **x != far) {
            let sine = (x - far).normalize().dot(given);
            closest = closest.min((sine + FLAT).abs());
            if sine >= -FLAT {
                foremost.push(self.triangles[t][k]);
            }
        }
        let own = self.triangles[t].into_iter().filter(|i| self.points[*i] == far);
        foremost.extend(own);
        let places: Vec<_> = foremost.iter().map(|i| self.points[*i]).collect();
        let place = places.iter().sum::<DVec3>() / places.len() as f64;
        let edge = corners[0].distance(corners[1]);
        let is_front = !self.closed || self.is_outside(place + BEFORE * edge * given);
        if foremost.len() == 3 {
            let normal = if is_front { front * front.dot(given).signum() } else { side };
            let [is_given, is_level, is_low] = [is_front, false, false];
            return Answer { normal, is_given, is_level, is_low, is_blind, closest };
        }
        let ways = self.ways(t, &foremost);
        let ahead = ways.iter().map(|way| way.dot(given)).fold(-1.0, f64::max);
        let low = ways.iter().map(|way| way.dot(side)).fold(1.0, f64::min);
        let high = ways.iter().map(|way| way.dot(side)).fold(-1.0, f64::max);
        for border in [ahead - FLAT, low + FLAT, high - FLAT] {
            closest = closest.min(border.abs());
        }
        let is_given = ahead <= FLAT && is_front;
        Answer {
            normal: if is_given { given } else { side },
            is_given,
            is_level: low >= -FLAT,
            is_low: low >= -FLAT && high > FLAT,
            is_blind,
            closest,
        }
    }
}
