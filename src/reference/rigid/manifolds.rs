//! Points at which two rigid things touch, and one iteration of their impulses: soft contacts (Catto 2011), on parts of the
//! two that are the manifold's own (Tonge et al. 2012).

use std::f64::consts::TAU;

use glam::DVec3;

use super::parts::{Part, Rub};

/// Frequency of the spring that takes apart, times the step; twice that where one side is held.
const FREQUENCY: f64 = 0.125;
/// ζ of it.
const DAMPING: f64 = 10.0;
/// It takes apart no faster \[m/s\].
const FASTEST: f64 = 3.0;
/// The largest bias of impulses, in that which balances what softness takes of a contact's load.
const LOADS: f64 = 1.25;
/// The least of such bounds, in what gravity changes a velocity by in a step.
const KICKS: f64 = 10.0;
/// What comes at the other side more slowly than this neither rebounds nor is stopped flat \[m/s\].
const SLOW: f64 = 0.2;

/// A point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Where impulses act \[m\].
    pub place: DVec3,
    /// s \[m\]
    pub gap: f64,
    /// λ_n \[kg m/s\]
    pub normal: f64,
    /// λ_t on side a \[kg m/s\].
    pub tangent: DVec3,
    /// How fast the sides came at each other before they touched \[m/s\].
    pub approach: f64,
    /// By which the bodies have been pushed apart for the move \[kg m/s\].
    pub push: f64,
}

/// Points with one normal.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifold {
    /// n, out of b into a.
    pub normal: DVec3,
    /// They, in the order in which they are solved.
    pub points: Vec<Point>,
    /// μ
    pub friction: f64,
    /// e
    pub restitution: f64,
    /// ρ \[m\]
    pub rolling: f64,
    /// Of rolling friction, on a's spin \[kg m²/s\].
    pub rolling_impulse: DVec3,
    /// Whether several points came at the other side fast when the step began.
    pub lands: bool,
    /// How much gravity changes a velocity in the step \[m/s\].
    pub kick: f64,
}

/// What an iteration is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// What is inside is parted.
    Solve,
    /// What is inside stays there.
    Relax,
    /// What came at the other side leaves it.
    Rebound,
}

/// What an iteration has given: an impulse on a, the opposite on b, each with its moment about that side's centre.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Given {
    /// On a \[kg m/s\].
    pub impulse: DVec3,
    /// About the centres of a and b, of what acts on a \[kg m²/s\].
    pub moments: [DVec3; 2],
    /// Its work \[J\].
    pub work: f64,
    /// Whether any point is deeper than impulses part.
    pub is_deep: bool,
    /// How close any decision was to its border, over what it is made of.
    pub closest: f64,
}

/// Numbers of the soft contact of a point: b \[m/s\] and κ.
fn soft(gap: f64, h: f64, held: bool) -> [f64; 2] {
    let omega = TAU * FREQUENCY * if held { 2.0 } else { 1.0 } / h;
    let a = 2.0 * DAMPING + h * omega;
    let kappa = h * omega * a / (1.0 + h * omega * a);
    [(omega / a * gap).max(-FASTEST), kappa]
}

/// The bodies' parts.
type Pair = [Part; 2];

fn between(pair: &Pair, x: DVec3) -> DVec3 {
    pair[0].velocity_at(x) - pair[1].velocity_at(x)
}

fn apart(pair: &Pair, x: DVec3, impulse: DVec3) -> Pair {
    [pair[0].pushed(x, impulse), pair[1].pushed(x, -impulse)]
}

impl Manifold {
    /// b and κ of a point; none where it is not to be changed.
    fn numbers(&self, point: &Point, pass: Pass, h: f64, held: bool) -> Option<[f64; 2]> {
        match pass {
            Pass::Rebound => (point.approach > SLOW && point.normal > 0.0)
                .then_some([-self.restitution * point.approach, 1.0]),
            _ if point.gap > 0.0 => Some([point.gap / h, 1.0]),
            Pass::Solve => Some(soft(point.gap, h, held)),
            Pass::Relax => Some([0.0, 1.0]),
        }
    }

    /// Where several came at each other fast, points whose sides still do, and the impulse on each of them, the same on all, after which as much of
    /// that is gone, added up over them, as each is to lose. None where there are not several.
    fn together(&self, pair: &Pair, pass: Pass, h: f64, closest: &mut f64) -> (Vec<usize>, f64) {
        if !self.lands {
            return (Vec::new(), 0.0);
        }
        let held = pair.iter().any(|part| part.inverse_mass == 0.0);
        let (mut fast, mut missing, mut unit) = (Vec::new(), 0.0, *pair);
        for (k, point) in self.points.iter().enumerate() {
            let Some([b, kappa]) = self.numbers(point, pass, h, held) else {
                continue;
            };
            let b = if pass == Pass::Rebound { b } else { b.max(0.0) };
            let speed = between(pair, point.place).dot(self.normal) + b;
            *closest = closest.min((speed + SLOW).abs());
            if speed < -SLOW {
                fast.push(k);
                missing -= kappa * speed;
                unit = apart(&unit, point.place, self.normal);
            }
        }
        let change = |k: &usize| {
            let x = self.points[*k].place;
            (between(&unit, x) - between(pair, x)).dot(self.normal)
        };
        let changes: f64 = fast.iter().map(change).sum();
        if fast.len() < 2 { (Vec::new(), 0.0) } else { (fast, missing / changes) }
    }

    /// One iteration in a step of `h` \[s\]; the points' impulses change.
    pub fn iterate(&mut self, parts: Pair, pass: Pass, h: f64) -> Given {
        let (n, mut pair) = (self.normal, parts);
        let mut given = Given { closest: f64::INFINITY, ..Given::default() };
        let give = |given: &mut Given, pair: &mut Pair, x: DVec3, impulse: DVec3| {
            let before = between(pair, x);
            *pair = apart(pair, x, impulse);
            given.work += 0.5 * impulse.dot(before + between(pair, x));
            given.impulse += impulse;
            for (moment, part) in given.moments.iter_mut().zip(&parts) {
                *moment += (x - part.position).cross(impulse);
            }
        };
        let held = parts.iter().any(|part| part.inverse_mass == 0.0);
        let (fast, impulse) = self.together(&parts, pass, h, &mut given.closest);
        for k in fast {
            let point = &mut self.points[k];
            point.normal += impulse;
            give(&mut given, &mut pair, point.place, impulse * n);
        }
        for k in 0..self.points.len() {
            let point = self.points[k];
            let mobility = parts[0].mobility(point.place) + parts[1].mobility(point.place);
            let mut normal = point.normal;
            if let Some([b, kappa]) = self.numbers(&point, pass, h, held) {
                let along = n.dot(mobility * n);
                let bias = if pass == Pass::Rebound {
                    b
                } else {
                    b.max(self.resting(&point, kappa, along))
                };
                given.is_deep |= bias > b;
                let speed = between(&pair, point.place).dot(n) + bias;
                normal = (normal - kappa * speed / along - (1.0 - kappa) * normal).max(0.0);
            }
            give(&mut given, &mut pair, point.place, (normal - point.normal) * n);
            let v = between(&pair, point.place);
            let rub = Rub::new(n, mobility, v, point.tangent, self.friction * normal);
            given.closest = given.closest.min(rub.margin());
            let tangent = rub.next();
            give(&mut given, &mut pair, point.place, tangent - point.tangent);
            (self.points[k].normal, self.points[k].tangent) = (normal, tangent);
        }
        if pass == Pass::Relax {
            // The velocities that it is solved by are without them.
            for point in &self.points {
                give(&mut given, &mut pair.clone(), point.place, -point.push * n);
            }
        }
        if self.rolling > 0.0 {
            let roll = self.roll(&pair) - self.rolling_impulse;
            self.rolling_impulse += roll;
            given.moments.iter_mut().for_each(|moment| *moment += roll);
            let spin = |pair: &Pair| pair[0].spin - pair[1].spin;
            let before = spin(&pair);
            pair = [pair[0].turned(roll), pair[1].turned(-roll)];
            given.work += 0.5 * roll.dot(before + spin(&pair));
        }
        given
    }

    /// The bias beyond which a point is left to pushes.
    fn resting(&self, point: &Point, kappa: f64, along: f64) -> f64 {
        -(LOADS * (1.0 - kappa) / kappa * along * point.normal).max(KICKS * self.kick)
    }

    /// Impulses that push bodies apart for the move, as fast as they are to be parted beyond that; where there is a gap, no nearer than
    /// the move leaves them.
    pub fn push(&mut self, parts: Pair, h: f64) -> Given {
        let (n, mut given) = (self.normal, Given::default());
        let held = parts.iter().any(|part| part.inverse_mass == 0.0);
        let still = parts.map(|part| Part { velocity: DVec3::ZERO, spin: DVec3::ZERO, ..part });
        let mut pair = still;
        for k in 0..self.points.len() {
            let point = self.points[k];
            let along =
                n.dot((parts[0].mobility(point.place) + parts[1].mobility(point.place)) * n);
            let wanted = if point.gap > 0.0 {
                -(point.gap / h + between(&parts, point.place).dot(n)).max(0.0)
            } else {
                let [b, kappa] = soft(point.gap, h, held);
                (self.resting(&point, kappa, along) - b).max(0.0)
            };
            let push = ((wanted - between(&pair, point.place).dot(n)) / along).max(0.0);
            pair = apart(&pair, point.place, push * n);
            given.impulse += push * n;
            for (moment, part) in given.moments.iter_mut().zip(&parts) {
                *moment += (point.place - part.position).cross(push * n);
            }
            self.points[k].push = push;
        }
        given
    }

    /// The iteration in which what came at the other side leaves it, or as much of it as brings no more energy than the ones before
    /// have taken, by bisection. `work`: of these \[J\].
    pub fn rebound(&mut self, parts: Pair, h: f64, work: f64) -> Given {
        let before = self.clone();
        let all = self.iterate(parts, Pass::Rebound, h);
        let most = (-work).max(0.0);
        let of_part = |x: f64| {
            let mut after = parts;
            let mut work = 0.0;
            for (end, sign) in [1.0, -1.0].into_iter().enumerate() {
                let (part, moment) = (&mut after[end], sign * x * all.moments[end]);
                let impulse = sign * x * all.impulse;
                let pushed = part.pushed(part.position, impulse).turned(moment);
                work += 0.5 * impulse.dot(part.velocity + pushed.velocity);
                work += 0.5 * moment.dot(part.spin + pushed.spin);
                *part = pushed;
            }
            work
        };
        let (mut low, mut high) = (0.0, 1.0);
        if of_part(1.0) <= most {
            low = 1.0;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if of_part(middle) <= most { low = middle } else { high = middle }
        }
        let part = low;
        for (point, before) in self.points.iter_mut().zip(&before.points) {
            point.normal = before.normal + part * (point.normal - before.normal);
            point.tangent = before.tangent + part * (point.tangent - before.tangent);
        }
        self.rolling_impulse = before.rolling_impulse.lerp(self.rolling_impulse, part);
        Given {
            impulse: part * all.impulse,
            moments: all.moments.map(|moment| part * moment),
            work: of_part(part),
            ..all
        }
    }

    /// The moment that stops the rolling, along the axis of what is to be stopped, at most ρ Σ λ_n.
    fn roll(&self, pair: &Pair) -> DVec3 {
        let spin = (pair[0].spin - pair[1].spin).reject_from_normalized(self.normal);
        let d = spin.normalize_or_zero();
        let turns = d.dot((pair[0].inverse_inertia + pair[1].inverse_inertia) * d);
        let stop = if turns > 0.0 { spin / turns } else { DVec3::ZERO };
        let bearing: f64 = self.points.iter().map(|point| point.normal).sum();
        (self.rolling_impulse - stop).clamp_length_max(self.rolling * bearing)
    }
}

/// Where impulses between a point of a and one of b act: where the round one has its own if the other is not, the one that moves if
/// the other does not, else midway.
pub fn common_point(on: [DVec3; 2], moves: [bool; 2], round: [bool; 2]) -> DVec3 {
    match (moves, round) {
        (_, [true, false]) => on[0],
        (_, [false, true]) => on[1],
        ([_, false], _) => on[0],
        ([false, _], _) => on[1],
        _ => 0.5 * (on[0] + on[1]),
    }
}

/// From a cylinder's axis to the point of the circle about it that is foremost along `d`: d without its part along the axis, as
/// long as the radius. `rim`: the axis times the radius \[m\].
pub fn foremost(rim: DVec3, d: DVec3) -> DVec3 {
    rim.length() * d.reject_from(rim).normalize()
}
