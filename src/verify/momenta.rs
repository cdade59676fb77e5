//! What bodies lack of their momenta at the end of an implicit step, and the motion that gives it to them, by brute force over
//! what they consist of.

use glam::{DMat3, DVec3, Vec3, Vec4};

use super::ErrorStats;
use crate::gpu::types::{BodyMotion, MomentumPart};
use crate::reference::dense::principal_axes;

/// Numbers of a part of a body in the order of its rows.
pub const NUMBERS: usize = 24;
/// As in `shared/momentum_part` \[rad\].
const MOST_TURN: f64 = 0.1;
const MOST_SPEED: f64 = 0.25;

/// A particle or a pose.
#[derive(Clone, Copy, Debug)]
pub struct Mass {
    /// What its momentum follows its velocity by \[kg\].
    pub mass: f64,
    /// Where the step begins \[m\].
    pub start: DVec3,
    /// Where it has come, or of a pose where the step begins \[m\].
    pub end: DVec3,
    /// How it moves \[m/s\].
    pub velocity: DVec3,
    /// What is left of the equation of its momentum \[kg m/s\].
    pub lack: DVec3,
    /// The sum of the magnitudes that this is added up from.
    pub size: f64,
    /// About its own centre, of a pose \[kg m²\].
    pub inertia: DMat3,
    /// What is left of the equation of its own angular momentum \[kg m²/s\], and the magnitudes.
    pub spin: (DVec3, f64),
    /// ω·I ω \[J\]
    pub turning: f64,
}

impl Mass {
    /// A particle; `lack` with the magnitudes that it is added up from.
    pub fn particle(
        mass: f64,
        [start, end, velocity]: [DVec3; 3],
        (lack, size): (DVec3, f64),
    ) -> Self {
        let spin = (DVec3::ZERO, 0.0);
        Self { mass, start, end, velocity, lack, size, inertia: DMat3::ZERO, spin, turning: 0.0 }
    }
}

/// What a part of masses is stored as, with r from an origin; each number with its scale.
pub fn numbers(masses: &[Mass], origin: DVec3) -> [[f64; 2]; NUMBERS] {
    let mut all = [[0.0; 2]; NUMBERS];
    for own in masses {
        let [start, r] = [own.start, own.end].map(|x| x - origin);
        let reach = [own.start, own.end].map(|x| x.length() + origin.length());
        let inertia = own.mass * steiner(r) + own.inertia;
        let angular = start.cross(own.lack) + own.spin.0;
        let rows = [
            own.lack.extend(own.mass),
            angular.extend(inertia.y_axis.z),
            (own.mass * start).extend(inertia.z_axis.x),
            (own.mass * r).extend(inertia.x_axis.y),
            DVec3::new(inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z).extend(0.0),
            (own.mass * own.velocity)
                .extend(own.mass * own.velocity.length_squared() + own.turning),
        ];
        let own_turning = own.inertia.abs().to_cols_array().iter().sum::<f64>();
        let turning = 2.0 * own.mass * reach[1] * reach[1] + own_turning;
        let sizes = [
            [own.size, own.mass],
            [reach[0] * own.size + own.spin.1, turning],
            [own.mass * reach[0], turning],
            [own.mass * reach[1], turning],
            [turning, 0.0],
            [
                own.mass * own.velocity.length(),
                own.mass * own.velocity.length_squared() + own.turning,
            ],
        ];
        for (k, [sum, scale]) in all.iter_mut().enumerate() {
            *sum += rows[k / 4][k % 4];
            *scale += sizes[k / 4][usize::from(k % 4 == 3)];
        }
    }
    all
}

/// r² 1 − r rᵀ
fn steiner(r: DVec3) -> DMat3 {
    r.length_squared() * DMat3::IDENTITY - DMat3::from_cols(r * r.x, r * r.y, r * r.z)
}

/// An inertia, which in one point or a line has no inverse, with one.
fn invertible(inertia: DMat3) -> DMat3 {
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    inertia + (1e-12 * trace + 1e-30) * DMat3::IDENTITY
}

/// The angular velocity about their centre of masses that move at v each, about as a rigid body would.
pub fn spin(masses: &[(f64, DVec3, DVec3)]) -> (DVec3, DVec3) {
    let mass: f64 = masses.iter().map(|(m, _, _)| m).sum();
    let centre = masses.iter().map(|(m, x, _)| *m * *x).sum::<DVec3>() / mass;
    let momentum: DVec3 = masses.iter().map(|(m, x, v)| *m * (*x - centre).cross(*v)).sum();
    let inertia = masses.iter().fold(DMat3::ZERO, |all, (m, x, _)| all + *m * steiner(*x - centre));
    (invertible(inertia).inverse() * momentum, centre)
}

fn rows(part: &MomentumPart) -> [Vec4; NUMBERS / 4] {
    [part.linear, part.angular, part.start, part.moment, part.inertia, part.motion]
}

/// A part of these masses, as a kernel would store it.
pub fn stored(masses: &[Mass], origin: Vec3) -> MomentumPart {
    let all = numbers(masses, origin.as_dvec3());
    let row = |k: usize| Vec4::from_array([0, 1, 2, 3].map(|i| all[4 * k + i][0] as f32));
    let [linear, angular, start, moment, inertia, motion] = [0, 1, 2, 3, 4, 5].map(row);
    let origin = origin.extend(0.0);
    MomentumPart { linear, angular, start, moment, inertia, motion, origin }
}

/// A part that something holds.
pub fn held(origin: Vec3) -> MomentumPart {
    MomentumPart {
        linear: Vec4::new(0.0, 0.0, 0.0, -1.0),
        origin: origin.extend(0.0),
        ..MomentumPart::default()
    }
}

/// A part against the masses that it consists of.
pub fn compare(got: &MomentumPart, masses: &[Mass], origin: Vec3, errors: &mut ErrorStats) {
    for (k, [sum, scale]) in numbers(masses, origin.as_dvec3()).into_iter().enumerate() {
        errors.number(rows(got)[k / 4][k % 4], sum, scale);
    }
    errors.holds(got.origin == origin.extend(0.0));
}

/// What gives masses the momenta that they lack: all the momentum by a shift of velocities, and by a turn about the centre the
/// angular momentum that Σ x × m v then lacks; of this no more than turns by 0.1 rad in the step of `h` \[s\], or has a sixteenth of
/// the energy that they move with beside their centre.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    pub shift: DVec3,
    turn: DVec3,
    centre: DVec3,
    /// The angular momentum that the turn gives, and its scale.
    lack: (DVec3, f64),
    /// Of the shift, the turn and the centre.
    scales: [f64; 3],
}

impl Motion {
    pub fn of(masses: &[Mass], h: f64, origin: DVec3) -> Self {
        let sum = |term: &dyn Fn(&Mass) -> DVec3| masses.iter().map(term).sum::<DVec3>();
        let mass: f64 = masses.iter().map(|own| own.mass).sum();
        let before = sum(&|own| own.mass * own.start) / mass;
        let centre = sum(&|own| own.mass * own.end) / mass;
        let lack = sum(&|own| (own.start - before).cross(own.lack) + own.spin.0);
        let own = |own: &Mass| own.mass * steiner(own.end - centre) + own.inertia;
        let inertia = masses.iter().map(own).fold(DMat3::ZERO, |all, own| all + own);
        let turn = invertible(inertia).inverse() * lack;
        let pace = sum(&|own| own.mass * own.velocity) / mass;
        let speeds = |own: &Mass| own.mass * (own.velocity - pace).length_squared() + own.turning;
        let speeds: f64 = masses.iter().map(speeds).sum();
        let slow = MOST_SPEED * (speeds / turn.dot(lack).max(1e-30)).sqrt();
        let share = (MOST_TURN / (h * turn.length()).max(1e-30)).min(slow).min(1.0);
        let all = numbers(masses, origin);
        let least = principal_axes(&inertia).0.into_iter().fold(f64::INFINITY, f64::min);
        let scale = (all[4][1] + all[16][1] * turn.length()) / least;
        Self {
            shift: sum(&|own| own.lack) / mass,
            turn: share * turn,
            centre,
            lack: (share * lack, all[4][1]),
            scales: [all[0][1] / mass, 2.0 * share * scale, origin.length() + all[12][1] / mass],
        }
    }

    pub fn compare(&self, got: &BodyMotion, errors: &mut ErrorStats) {
        errors.vector(got.shift.truncate(), self.shift, self.scales[0]);
        errors.vector(got.turn.truncate(), self.turn, self.scales[1]);
        errors.vector(got.origin.truncate(), self.centre, self.scales[2]);
        errors.holds([got.shift.w, got.turn.w, got.origin.w] == [1.0, 0.0, 0.0]);
    }

    /// How the turn changes the velocity at x.
    pub fn turned(&self, x: DVec3) -> DVec3 {
        self.turn.cross(x - self.centre)
    }

    /// That no momentum is lacking, and of angular momentum what has been given.
    pub fn compare_momenta(&self, given: DVec3, errors: &mut ErrorStats) {
        errors.vector(self.shift.as_vec3(), DVec3::ZERO, self.scales[0]);
        errors.vector(given.as_vec3(), self.lack.0, self.lack.1);
    }
}
