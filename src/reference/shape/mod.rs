//! Shape matching: clusters of points are pulled to the nearest rotated, linear or quadratic image of their rest shape
//! (Müller, Heidelberger, Teschner, Gross 2005, "Meshless deformations based on shape matching"; errata of Wehrberger 2012
//! heeded). Beyond the paper: quadratic terms are centred, so that momentum is kept; a share of a point's mass enters each of
//! its clusters; directions that a rest shape does not span move with its rotation.

mod flow;
mod motion;
mod volume;

use glam::{DMat3, DQuat, DVec3, DVec4};

pub use flow::{flow, spectral, strain};
pub use motion::accelerations;
pub use volume::volume_kept;

use crate::family::fem::law::outer;
use crate::family::fem::rotation::{davenport, nearest_rotation, symmetric_eigen};
use crate::reference::dense::principal_axes;
pub use crate::scene::{Mode, Plasticity};

/// Points that are matched together.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Its points.
    pub members: Vec<usize>,
    /// w_i \[kg\]: the part of each member's mass that it enters with, m_i/n_i for a point of n_i clusters.
    pub weights: Vec<f64>,
    /// As wished for; see [`Cluster::spread`].
    pub mode: Mode,
    /// β: part of the linear or quadratic image in the goals.
    pub beta: f64,
    /// None of it: infinite yield strain.
    pub plasticity: Plasticity,
}

/// What a cluster keeps from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kept {
    /// R of the last step.
    pub rotation: DQuat,
    /// S_p: the plastic part of the rest shape, symmetric.
    pub plastic: DMat3,
}

impl Default for Kept {
    fn default() -> Self {
        Self { rotation: DQuat::IDENTITY, plastic: DMat3::IDENTITY }
    }
}

/// How a cluster lies.
#[derive(Clone, Debug)]
pub struct Fit {
    /// R, the rotation nearest to A_pq.
    pub rotation: DMat3,
    /// A, from the plastic rest shape to the present one.
    pub linear: DMat3,
    /// The members' goals \[m\].
    pub goals: Vec<DVec3>,
}

/// Eigenvalues of Σ w q qᵀ below this part of the largest are none: the shape is thinner than a thousandth of its length.
pub const FLAT: f64 = 1e-6;
/// Least variance of a quadratic term, in whitened coordinates, with which it says something.
pub const SPREAD: f64 = 1e-3;

impl Cluster {
    /// W \[kg\]
    pub fn mass(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// Σ w x/W
    pub fn centre(&self, x: &[DVec3]) -> DVec3 {
        let terms = self.members.iter().zip(&self.weights);
        terms.map(|(i, w)| x[*i] * *w).sum::<DVec3>() / self.mass()
    }

    /// The members' q⁰ = x⁰ − t⁰.
    pub fn arms(&self, rest: &[DVec3]) -> Vec<DVec3> {
        let centre = self.centre(rest);
        self.members.iter().map(|i| rest[*i] - centre).collect()
    }

    /// Σ w a bᵀ over the members.
    fn moment(&self, a: &[DVec3], b: &[DVec3]) -> DMat3 {
        let mut sum = DMat3::ZERO;
        for (w, (a, b)) in self.weights.iter().zip(a.iter().zip(b)) {
            sum += outer(*a * *w, *b);
        }
        sum
    }

    /// Principal axes of the rest shape with the standard deviations along them \[m\]; 0 where there is none.
    pub fn axes(&self, rest: &[DVec3]) -> [(DVec3, f64); 3] {
        let arms = self.arms(rest);
        let (values, axes) = principal_axes(&self.moment(&arms, &arms));
        std::array::from_fn(|k| {
            let solid = values[k] > FLAT * values[2] && values[2] > 0.0;
            let deviation = if solid { (values[k] / self.mass()).sqrt() } else { 0.0 };
            (axes[k], deviation)
        })
    }

    /// Whether the rest shape determines a quadratic map of the directions that it spans: nine points at least in space,
    /// five in a plane, two on a line, beside the centre.
    pub fn spread(&self, rest: &[DVec3]) -> bool {
        let axes = self.axes(rest);
        let axes: Vec<_> = axes.iter().filter(|(_, deviation)| *deviation > 0.0).collect();
        let n = axes.len();
        if n == 0 {
            return false;
        }
        let rows: Vec<Vec<f64>> = self
            .arms(rest)
            .iter()
            .map(|q| {
                let s: Vec<f64> = axes.iter().map(|(axis, d)| axis.dot(*q) / d).collect();
                let products = (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
                let products: Vec<f64> = products.map(|(i, j)| s[i] * s[j]).collect();
                [s, products].concat()
            })
            .collect();
        let (_, values, _) = self.covariance(&rows);
        values[9 - rows[0].len()] > SPREAD
    }

    /// The members' rows less their mean, and eigenvalues and eigenvectors of the mean of their squares; columns beyond
    /// those given count as 0.
    fn covariance(&self, rows: &[Vec<f64>]) -> (Vec<[f64; 9]>, [f64; 9], [[f64; 9]; 9]) {
        let wide = |row: &Vec<f64>| std::array::from_fn(|k| row.get(k).copied().unwrap_or(0.0));
        let mut rows: Vec<[f64; 9]> = rows.iter().map(wide).collect();
        let weights = || self.weights.iter().map(|w| w / self.mass());
        let mean: [f64; 9] =
            std::array::from_fn(|k| rows.iter().zip(weights()).map(|(row, w)| w * row[k]).sum());
        for row in &mut rows {
            *row = std::array::from_fn(|k| row[k] - mean[k]);
        }
        let square = |i: usize, j: usize| -> f64 {
            let terms = rows.iter().zip(weights());
            terms.map(|(row, w)| w * row[i] * row[j]).sum()
        };
        let matrix = std::array::from_fn(|i| std::array::from_fn(|j| square(i, j)));
        let (values, vectors) = symmetric_eigen::<9>(matrix);
        (rows, values, vectors)
    }

    /// The members' q = S_p q⁰ and A_pq = Σ w p qᵀ.
    fn pair(&self, rest: &[DVec3], x: &[DVec3], plastic: &DMat3) -> (Vec<DVec3>, DMat3) {
        let q: Vec<DVec3> = self.arms(rest).iter().map(|q| *plastic * *q).collect();
        let pq = self.moment(&self.arms(x), &q);
        (q, pq)
    }

    /// A_pq, which the rotation is nearest to.
    pub fn matching(&self, rest: &[DVec3], x: &[DVec3], plastic: &DMat3) -> DMat3 {
        self.pair(rest, x, plastic).1
    }

    /// Where the points' goals are, for positions x \[m\] and the rotation R that is nearest to A_pq.
    pub fn fit(&self, rest: &[DVec3], x: &[DVec3], plastic: &DMat3, rotation: &DMat3) -> Fit {
        let (q, pq) = self.pair(rest, x, plastic);
        let t = self.centre(x);
        // What the rest shape does not span is as if points there moved with R.
        let (mut given, mut qq) = (pq, self.moment(&q, &q));
        let axes = self.axes(rest);
        let most = if axes[2].1 > 0.0 { axes[2].1 } else { 1.0 };
        for (axis, _) in axes.iter().filter(|(_, deviation)| *deviation == 0.0) {
            let q = *plastic * *axis * most;
            given += outer(*rotation * q, q) * self.mass();
            qq += outer(q, q) * self.mass();
        }
        let linear = given * qq.inverse();
        let mode = match self.mode {
            Mode::Quadratic if !self.spread(rest) => Mode::Linear,
            mode => mode,
        };
        let rigid = q.iter().map(|q| *rotation * *q);
        let image: Vec<DVec3> = match mode {
            Mode::Rigid => rigid.clone().collect(),
            Mode::Linear => {
                // What has no volume keeps none.
                let flat = axes[0].1 == 0.0;
                let kept = if flat { linear } else { volume_kept(&linear, &qq) };
                q.iter().map(|q| kept * *q).collect()
            }
            Mode::Quadratic => self.quadratic(&q, &self.arms(x)),
        };
        let beta = if mode == Mode::Rigid { 0.0 } else { self.beta };
        let goals = rigid.zip(image);
        Fit {
            rotation: *rotation,
            linear,
            goals: goals.map(|(r, a)| a * beta + r * (1.0 - beta) + t).collect(),
        }
    }

    /// The quadratic images Ã q̃ of q, q̃ less its mean, nearest to p: Ã = (Σ w p q̃ᵀ)(Σ w q̃ q̃ᵀ)⁺, the terms scaled to
    /// a deviation of 1.
    fn quadratic(&self, q: &[DVec3], p: &[DVec3]) -> Vec<DVec3> {
        let terms = |q: &DVec3| {
            let squares = [q.x * q.x, q.y * q.y, q.z * q.z];
            let products = [q.x * q.y, q.y * q.z, q.z * q.x];
            [q.to_array(), squares, products].concat()
        };
        let mut rows: Vec<Vec<f64>> = q.iter().map(terms).collect();
        let (centred, ..) = self.covariance(&rows);
        let weights = || self.weights.iter().map(|w| w / self.mass());
        for k in 0..9 {
            let squares = centred.iter().zip(weights());
            let deviation = squares.map(|(row, w)| w * row[k] * row[k]).sum::<f64>().sqrt();
            for row in &mut rows {
                row[k] /= if deviation > 0.0 { deviation } else { 1.0 };
            }
        }
        let (rows, values, vectors) = self.covariance(&rows);
        let mut images = vec![DVec3::ZERO; rows.len()];
        for (value, vector) in values.iter().zip(&vectors) {
            if *value < 1e-10 * values[8] {
                continue;
            }
            let along = |row: &[f64; 9]| row.iter().zip(vector).map(|(a, b)| a * b).sum::<f64>();
            let pairs = rows.iter().zip(p).zip(weights());
            let slope = pairs.map(|((row, p), w)| *p * (w * along(row))).sum::<DVec3>() / *value;
            for (image, row) in images.iter_mut().zip(&rows) {
                *image += slope * along(row);
            }
        }
        images
    }

    /// The fit from the rotation of the last step, and what is kept for the next: S_p has flown for h \[s\].
    pub fn advance(&self, rest: &[DVec3], x: &[DVec3], kept: &Kept, h: f64) -> (Fit, Kept) {
        let a = self.matching(rest, x, &kept.plastic);
        let rotation = rotation_from(&a, kept.rotation);
        let fit = self.fit(rest, x, &kept.plastic, &DMat3::from_quat(rotation));
        let plastic = flow(&kept.plastic, &strain(&fit), h, &self.plasticity);
        (fit, Kept { rotation, plastic })
    }

    /// The potential \[J\] that the pulls α(g − x)/h² are the force of: the images are the nearest of their kind.
    pub fn energy(&self, rest: &[DVec3], x: &[DVec3], kept: &Kept, alpha: f64, h: f64) -> f64 {
        let a = self.matching(rest, x, &kept.plastic);
        let rotation = nearest_rotation(&a).0;
        let part = |mode, beta| {
            let cluster = Self { mode, beta, ..self.clone() };
            let goals = cluster.fit(rest, x, &kept.plastic, &rotation).goals;
            let ways = goals.iter().zip(&self.members).zip(&self.weights);
            ways.map(|((g, i), w)| w * g.distance_squared(x[*i])).sum::<f64>()
        };
        let beta = if self.mode == Mode::Rigid { 0.0 } else { self.beta };
        0.5 * alpha / (h * h)
            * ((1.0 - beta) * part(Mode::Rigid, 0.0) + beta * part(self.mode, 1.0))
    }
}

/// The pulls α(g − x)/h² \[m/s²\]: of each point the mean over its clusters. `fits`: of each cluster.
pub fn pulls(clusters: &[Cluster], fits: &[Fit], x: &[DVec3], alpha: f64, h: f64) -> Vec<DVec3> {
    let pull = |(i, goal): (&usize, &DVec3)| (*i, (*goal - x[*i]) * (alpha / (h * h)));
    let of = |(cluster, fit): (&Cluster, &Fit)| -> Vec<_> {
        cluster.members.iter().zip(&fit.goals).map(pull).collect()
    };
    means(clusters.iter().zip(fits).flat_map(of), x.len())
}

/// The means of the vectors that so many points have each; 0 of none.
fn means(vectors: impl Iterator<Item = (usize, DVec3)>, points: usize) -> Vec<DVec3> {
    let mut sums = vec![(DVec3::ZERO, 0.0_f64); points];
    for (i, vector) in vectors {
        sums[i] = (sums[i].0 + vector, sums[i].1 + 1.0);
    }
    sums.into_iter().map(|(sum, count)| sum / count.max(1.0)).collect()
}

/// What damps motion beside that of a rigid body \[m/s²\]: the mean over a point's clusters of (v_rigid − v) share/h, v_rigid
/// the velocity field of a rigid body with the cluster's momentum and angular momentum; with a `chord` \[s\] that of the rigid
/// motion that takes the members as near as can be from x − chord v to x.
pub fn brakes(
    clusters: &[Cluster],
    x: &[DVec3],
    v: &[DVec3],
    chord: f64,
    share: f64,
    h: f64,
) -> Vec<DVec3> {
    let before: Vec<_> = x.iter().zip(v).map(|(x, v)| *x - chord * *v).collect();
    let of = |cluster: &Cluster| -> Vec<_> {
        let arms = cluster.arms(x);
        if chord > 0.0 {
            let starts = cluster.arms(&before);
            let pairs = || arms.iter().zip(&starts).zip(&cluster.weights);
            let way: DMat3 = pairs().map(|((to, from), w)| outer(*to, *from) * *w).sum();
            let turn = DMat3::from_quat(rotation_from(&way, DQuat::IDENTITY));
            let beside = arms.iter().zip(&starts).map(|(to, from)| turn * *from - *to);
            let brake = |(off, i): (DVec3, &usize)| (*i, off * (share / (chord * h)));
            return beside.zip(&cluster.members).map(brake).collect();
        }
        let pace = cluster.centre(v);
        let (mut spin, mut inertia) = (DVec3::ZERO, DMat3::ZERO);
        for ((p, i), w) in arms.iter().zip(&cluster.members).zip(&cluster.weights) {
            spin += p.cross(v[*i] - pace) * *w;
            inertia += (DMat3::IDENTITY * p.length_squared() - outer(*p, *p)) * *w;
        }
        // About an axis without inertia nothing turns.
        let (values, axes) = principal_axes(&inertia);
        let about = values.iter().zip(&axes).filter(|(value, _)| **value > 1e-9 * values[2]);
        let omega: DVec3 = about.map(|(value, axis)| *axis * (axis.dot(spin) / value)).sum();
        let brake = |(p, i): (&DVec3, &usize)| (*i, (pace + omega.cross(*p) - v[*i]) * (share / h));
        arms.iter().zip(&cluster.members).map(brake).collect()
    };
    means(clusters.iter().flat_map(of), x.len())
}

/// The rotation nearest to A; of several that are equally near, the one nearest to the last.
pub fn rotation_from(a: &DMat3, last: DQuat) -> DQuat {
    let (values, vectors) = symmetric_eigen(davenport(a));
    let size = values[3].abs().max(values[0].abs());
    let mut near = DVec4::ZERO;
    for (value, vector) in values.iter().zip(&vectors) {
        if *value >= values[3] - 1e-9 * size {
            let vector = DVec4::from(*vector);
            near += vector * vector.dot(last.into());
        }
    }
    if near.length() < 1e-6 {
        near = DVec4::from(vectors[3]);
    }
    DQuat::from_vec4(near.normalize())
}
