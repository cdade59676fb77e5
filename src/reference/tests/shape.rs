//! Shape matching: what it keeps, what it reproduces, and where it returns to.

use crate::extreme;
use glam::{DMat3, DVec3};

use crate::reference::shape::{Cluster, Fit, Kept, Mode, Plasticity, pulls, volume_kept};

pub(super) const MODES: [Mode; 3] = [Mode::Rigid, Mode::Linear, Mode::Quadratic];
pub(super) const ELASTIC: Plasticity = Plasticity {
    yield_strain: f64::INFINITY,
    creep: 0.0,
    most: 0.0,
};

/// Numbers in [−1, 1), the same at each run.
pub(super) fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

pub(super) fn vector(noise: &mut impl FnMut() -> f64) -> DVec3 {
    DVec3::new(noise(), noise(), noise())
}

/// A body of 4 × 3 × 3 points with edges of about 0.1 m, in clusters that overlap.
pub(super) struct Body {
    pub(super) rest: Vec<DVec3>,
    pub(super) masses: Vec<f64>,
    pub(super) clusters: Vec<Cluster>,
}

pub(super) fn body(mode: Mode, beta: f64, plasticity: Plasticity) -> Body {
    let mut noise = noise(3);
    let cells = (0..36).map(|i| DVec3::new((i % 4).into(), (i / 4 % 3).into(), (i / 12).into()));
    let rest: Vec<_> = cells
        .map(|x| (x + vector(&mut noise) * 0.2) * 0.1)
        .collect();
    let masses: Vec<_> = rest.iter().map(|_| 0.02 + 0.015 * noise()).collect();
    let parts = [0.0..0.25, 0.15..0.4, -1.0..1.0].map(|part| {
        let inside = |i: &usize| part.contains(&rest[*i].x);
        (0..36).filter(inside).collect::<Vec<usize>>()
    });
    let count = |i: usize| parts.iter().filter(|part| part.contains(&i)).count() as f64;
    let cluster = |members: &Vec<usize>| Cluster {
        members: members.clone(),
        weights: members.iter().map(|&i| masses[i] / count(i)).collect(),
        mode,
        beta,
        plasticity,
    };
    let clusters = parts.iter().map(cluster).collect();
    Body {
        rest,
        masses,
        clusters,
    }
}

impl Body {
    /// One cluster of all points.
    pub(super) fn whole(mode: Mode, beta: f64) -> Self {
        let mut body = body(mode, beta, ELASTIC);
        body.clusters.truncate(1);
        body.clusters[0].members = (0..36).collect();
        body.clusters[0].weights = body.masses.clone();
        body
    }

    pub(super) fn fits(&self, x: &[DVec3], kept: &mut [Kept], h: f64) -> Vec<Fit> {
        let advance = |(cluster, kept): (&Cluster, &mut Kept)| {
            let (fit, next) = cluster.advance(&self.rest, x, kept, h);
            *kept = next;
            fit
        };
        self.clusters.iter().zip(kept).map(advance).collect()
    }

    pub(super) fn kept(&self) -> Vec<Kept> {
        vec![Kept::default(); self.clusters.len()]
    }

    /// Σ m v²/2 and the clusters' potential [J].
    pub(super) fn energy(
        &self,
        x: &[DVec3],
        v: &[DVec3],
        kept: &[Kept],
        alpha: f64,
        h: f64,
    ) -> f64 {
        let moving = v
            .iter()
            .zip(&self.masses)
            .map(|(v, m)| 0.5 * m * v.length_squared());
        let clusters = self.clusters.iter().zip(kept);
        let held = clusters.map(|(cluster, kept)| cluster.energy(&self.rest, x, kept, alpha, h));
        moving.sum::<f64>() + held.sum::<f64>()
    }

    /// A step: v += α (g − x)/h, x += h v.
    pub(super) fn step(
        &self,
        x: &mut [DVec3],
        v: &mut [DVec3],
        kept: &mut [Kept],
        alpha: f64,
        h: f64,
    ) {
        let fits = self.fits(x, kept, h);
        let pulls = pulls(&self.clusters, &fits, x, alpha, h);
        for (i, pull) in pulls.iter().enumerate() {
            v[i] += *pull * h;
            x[i] += v[i] * h;
        }
    }

    /// Largest distance of any two points from what it is at rest [m].
    pub(super) fn deformed(&self, x: &[DVec3]) -> f64 {
        let pairs = (0..x.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let ways =
            pairs.map(|(i, j)| (x[i].distance(x[j]) - self.rest[i].distance(self.rest[j])).abs());
        ways.fold(0.0, extreme::greatest)
    }

    /// Steps with v damped, until nothing moves any more.
    pub(super) fn settle(&self, x: &mut [DVec3], steps: usize) {
        let (mut v, mut kept) = (vec![DVec3::ZERO; x.len()], self.kept());
        for _ in 0..steps {
            self.step(x, &mut v, &mut kept, 0.5, 0.01);
            v.iter_mut().for_each(|v| *v *= 0.7);
        }
    }
}

/// Positions far from rest, inside out in places.
pub(super) fn scattered(body: &Body, seed: u64, reach: f64) -> Vec<DVec3> {
    let mut noise = noise(seed);
    body.rest
        .iter()
        .map(|x| *x + vector(&mut noise) * reach)
        .collect()
}

#[test]
fn momentum_and_angular_momentum_are_kept() {
    let flowing = Plasticity {
        yield_strain: 0.05,
        creep: 20.0,
        most: 0.5,
    };
    for (seed, mode) in MODES.into_iter().enumerate() {
        for reach in [0.02, 0.3] {
            let body = body(mode, 0.6, flowing);
            let x = scattered(&body, seed as u64, reach);
            let mut kept = body.kept();
            for _ in 0..5 {
                let fits = body.fits(&x, &mut kept, 0.01);
                let pulls = pulls(&body.clusters, &fits, &x, 0.8, 0.01);
                let forces = pulls.iter().zip(&body.masses).map(|(a, m)| *a * *m);
                let forces: Vec<_> = forces.collect();
                let size: f64 = forces.iter().map(|f| f.length()).sum();
                let turns = forces.iter().zip(&x).map(|(f, x)| x.cross(*f));
                assert!(size > 1.0, "there is something to keep");
                assert!(
                    forces.iter().sum::<DVec3>().length() < 1e-12 * size,
                    "{mode:?}"
                );
                assert!(turns.sum::<DVec3>().length() < 1e-12 * size, "{mode:?}");
            }
            assert!(kept[0].plastic != DMat3::IDENTITY);
        }
    }
}

/// The fit of the paper, with q̃ about no centre, and clusters that points enter with their whole mass: both lose impulse.
#[test]
fn uncentred_terms_and_whole_masses_lose_impulse() {
    let body = Body::whole(Mode::Quadratic, 1.0);
    let cluster = &body.clusters[0];
    let x = scattered(&body, 5, 0.05);
    let q = cluster.arms(&body.rest);
    let t = cluster.centre(&x);
    let terms = |q: &DVec3| {
        let [linear, square, mixed] =
            [*q, *q * *q, *q * DVec3::new(q.y, q.z, q.x)].map(|v| v.to_array());
        std::array::from_fn(|k| [linear, square, mixed][k / 3][k % 3])
    };
    let rows: Vec<[f64; 9]> = q.iter().map(terms).collect();
    // Normal equations, by Gauss's elimination.
    let mut matrix = [[0.0; 12]; 9];
    for ((row, w), i) in rows.iter().zip(&cluster.weights).zip(&cluster.members) {
        let right = (x[*i] - t).to_array();
        for a in 0..9 {
            for b in 0..12 {
                matrix[a][b] += w * row[a] * if b < 9 { row[b] } else { right[b - 9] };
            }
        }
    }
    for k in 0..9 {
        let pivot = matrix[k];
        for (a, row) in matrix.iter_mut().enumerate() {
            let part = row[k] / pivot[k];
            if a != k {
                (0..12).for_each(|b| row[b] -= part * pivot[b]);
            }
        }
    }
    let image = |row: &[f64; 9]| {
        let term = |b: usize, k: usize| matrix[k][9 + b] / matrix[k][k] * row[k];
        DVec3::from([0, 1, 2].map(|b| (0..9).map(|k| term(b, k)).sum::<f64>()))
    };
    let loss = |goals: &[DVec3]| {
        let forces = goals.iter().zip(&cluster.members).zip(&cluster.weights);
        let forces: Vec<DVec3> = forces.map(|((g, i), w)| (*g - x[*i]) * *w).collect();
        forces.iter().sum::<DVec3>().length() / forces.iter().map(|f| f.length()).sum::<f64>()
    };
    let plain: Vec<_> = rows.iter().map(|row| image(row) + t).collect();
    let (fit, _) = cluster.advance(&body.rest, &x, &Kept::default(), 0.01);
    assert!(loss(&fit.goals) < 1e-12);
    assert!(loss(&plain) > 0.01, "{}", loss(&plain));

    let mut whole = self::body(Mode::Rigid, 0.0, ELASTIC);
    for cluster in &mut whole.clusters {
        cluster.weights = cluster.members.iter().map(|&i| whole.masses[i]).collect();
    }
    let fits = whole.fits(&x, &mut whole.kept(), 0.01);
    let pulls = pulls(&whole.clusters, &fits, &x, 1.0, 0.01);
    let forces: Vec<_> = pulls
        .iter()
        .zip(&whole.masses)
        .map(|(a, m)| *a * *m)
        .collect();
    let size: f64 = forces.iter().map(|f| f.length()).sum();
    assert!(forces.iter().sum::<DVec3>().length() > 0.01 * size);
}

#[test]
fn what_a_mode_can_express_is_no_deformation() {
    let turn = DMat3::from_axis_angle(DVec3::new(0.3, -1.0, 0.5).normalize(), 2.5);
    let shear = DMat3::from_cols(
        DVec3::new(1.3, 0.1, 0.0),
        DVec3::new(0.4, 0.9, 0.0),
        DVec3::Z,
    );
    let sheared = shear * (1.0 / shear.determinant().cbrt());
    let bend = |q: DVec3| {
        DVec3::new(
            q.x - 2.0 * q.x * q.y,
            q.y + 3.0 * q.x * q.x,
            q.z + q.y * q.z,
        )
    };
    let images: [(Mode, &dyn Fn(DVec3) -> DVec3); 6] = [
        (Mode::Rigid, &|x| turn * x),
        (Mode::Linear, &|x| turn * x),
        (Mode::Quadratic, &|x| turn * x),
        (Mode::Linear, &|x| turn * (sheared * x)),
        (Mode::Quadratic, &|x| turn * (shear * x)),
        (Mode::Quadratic, &|x| turn * bend(x)),
    ];
    for (k, (mode, image)) in images.iter().enumerate() {
        for beta in if k < 3 {
            vec![0.0, 0.5, 1.0]
        } else {
            vec![1.0]
        } {
            let body = body(*mode, beta, ELASTIC);
            let x: Vec<_> = body
                .rest
                .iter()
                .map(|x| image(*x) + DVec3::new(5.0, 1.0, 0.0))
                .collect();
            for (cluster, fit) in body
                .clusters
                .iter()
                .zip(body.fits(&x, &mut body.kept(), 0.01))
            {
                for (i, goal) in cluster.members.iter().zip(&fit.goals) {
                    assert!(goal.distance(x[*i]) < 1e-12, "{k}: {goal} {}", x[*i]);
                }
            }
        }
    }
}

/// Few points, or points that lie badly, say nothing about quadratic terms: the goals are the linear ones.
#[test]
fn badly_spread_points_are_matched_linearly() {
    let cube = |i: u32| DVec3::new((i & 1).into(), (i >> 1 & 1).into(), (i >> 2).into());
    let corners: Vec<_> = (0..8).map(cube).collect();
    let mut noise = noise(1);
    let mut plate: Vec<_> = (0..16).map(|_| vector(&mut noise)).collect();
    plate.iter_mut().for_each(|x| x.z = 2.0 + 0.5 * x.y);
    for (rest, spread) in [
        (corners, false),
        (plate[..5].to_vec(), false),
        (plate.clone(), true),
        (vec![DVec3::ONE], false),
    ] {
        let members: Vec<usize> = (0..rest.len()).collect();
        let x: Vec<_> = rest.iter().map(|x| *x + vector(&mut noise) * 0.1).collect();
        let goals = |mode| {
            let cluster = Cluster {
                members: members.clone(),
                weights: vec![1.0; rest.len()],
                mode,
                beta: 0.9,
                plasticity: ELASTIC,
            };
            assert_eq!(cluster.spread(&rest), spread);
            cluster.advance(&rest, &x, &Kept::default(), 0.01).0.goals
        };
        assert_eq!(goals(Mode::Quadratic) == goals(Mode::Linear), !spread);
    }
}

/// A' has volume 1, keeps the sense of A's rotation, and none beside it is nearer, however flat or inside out A is.
#[test]
fn no_matrix_of_the_volume_is_nearer() {
    let mut noise = noise(11);
    for stretch in [
        [1.0, 1.0, 1.0],
        [1.3, 0.8, 0.9],
        [3.0, 0.5, 0.4],
        [1.0, 1.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0],
        [1.0, 0.9, -0.3],
        [-1.0, 1.0, 2.0],
        [4.0, 3.0, 2.5],
    ] {
        let spread: Vec<_> = (0..9)
            .map(|_| vector(&mut noise) * DVec3::new(3.0, 1.0, 1.0))
            .collect();
        let column = |k: usize| spread.iter().map(|q| *q * q[k]).sum::<DVec3>();
        let qq = DMat3::from_cols(column(0), column(1), column(2));
        let turn = DMat3::from_axis_angle(vector(&mut noise).normalize(), 2.0);
        let a = turn * DMat3::from_diagonal(DVec3::from(stretch));
        let kept = volume_kept(&a, &qq);
        assert!(
            (kept.determinant() - 1.0).abs() < 1e-9,
            "{}",
            kept.determinant()
        );
        let way = |b: &DMat3| {
            let way = *b - a;
            (0..3).map(|k| way.row(k).dot(qq * way.row(k))).sum::<f64>()
        };
        for _ in 0..200 {
            let beside = kept + DMat3::from_cols_array(&std::array::from_fn(|_| 0.1 * noise()));
            let volume = beside.determinant();
            if volume > 0.0 {
                let beside = beside * (1.0 / volume.cbrt());
                assert!(way(&beside) > way(&kept) - 1e-9, "{stretch:?}");
            }
        }
    }
    // To first order it is A/∛det A.
    let a = DMat3::from_diagonal(DVec3::new(1.001, 0.9995, 1.002));
    let way = volume_kept(&a, &DMat3::IDENTITY) - a * (1.0 / a.determinant().cbrt());
    assert!((0..3).all(|k| way.col(k).length() < 1e-5));
}

/// The pulls are minus the gradient of the potential.
#[test]
fn pulls_have_a_potential() {
    for (mode, beta) in [
        (Mode::Rigid, 0.0),
        (Mode::Linear, 0.7),
        (Mode::Quadratic, 0.7),
    ] {
        let body = body(mode, beta, ELASTIC);
        let x = scattered(&body, 21, 0.02);
        let fits = body.fits(&x, &mut body.kept(), 0.01);
        let pulls = pulls(&body.clusters, &fits, &x, 0.5, 0.01);
        let still = vec![DVec3::ZERO; x.len()];
        let energy = |x: &[DVec3]| body.energy(x, &still, &body.kept(), 0.5, 0.01);
        for i in [0, 7, 20] {
            for axis in 0..3 {
                let moved = |way: f64| {
                    let mut x = x.clone();
                    x[i][axis] += way;
                    energy(&x)
                };
                let slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                let force = pulls[i][axis] * body.masses[i];
                assert!((slope + force).abs() < 1e-6, "{mode:?}: {slope} {force}");
            }
        }
    }
}
