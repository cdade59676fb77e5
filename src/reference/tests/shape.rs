//! Shape matching: what it keeps, what it reproduces, and where it returns to.

use glam::{DMat3, DVec3};

use super::lattice::Random;
use crate::reference::shape::{Cluster, Fit, Kept, Mode, Plasticity, pulls, volume_kept};

pub(super) const MODES: [Mode; 3] = [Mode::Rigid, Mode::Linear, Mode::Quadratic];
pub(super) const ELASTIC: Plasticity =
    Plasticity { yield_strain: f64::INFINITY, creep: 0.0, most: 0.0 };

/// A body of 4 × 3 × 3 points with edges of about 0.1 m, in clusters that overlap.
pub(super) struct Body {
    pub(super) rest: Vec<DVec3>,
    pub(super) masses: Vec<f64>,
    pub(super) clusters: Vec<Cluster>,
}

pub(super) fn body(mode: Mode, beta: f64, plasticity: Plasticity) -> Body {
    let mut noise = Random::new(3);
    let cells = (0..36).map(|i| DVec3::new((i % 4).into(), (i / 4 % 3).into(), (i / 12).into()));
    let rest: Vec<_> = cells.map(|x| (x + noise.vector(1.0) * 0.2) * 0.1).collect();
    let masses: Vec<_> = rest.iter().map(|_| 0.02 + 0.015 * noise.between(-1.0, 1.0)).collect();
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
    Body { rest, masses, clusters }
}

impl Body {
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
}

/// Positions far from rest, inside out in places.
pub(super) fn scattered(body: &Body, seed: u64, reach: f64) -> Vec<DVec3> {
    let mut noise = Random::new(seed);
    body.rest.iter().map(|x| *x + noise.vector(1.0) * reach).collect()
}

#[test]
fn momentum_and_angular_momentum_are_kept() {
    let flowing = Plasticity { yield_strain: 0.05, creep: 20.0, most: 0.5 };
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
                assert!(forces.iter().sum::<DVec3>().length() < 1e-12 * size, "{mode:?}");
                assert!(turns.sum::<DVec3>().length() < 1e-12 * size, "{mode:?}");
            }
            assert!(kept[0].plastic != DMat3::IDENTITY);
        }
    }
}

#[test]
fn what_a_mode_can_express_is_no_deformation() {
    let turn = DMat3::from_axis_angle(DVec3::new(0.3, -1.0, 0.5).normalize(), 2.5);
    let shear = DMat3::from_cols(DVec3::new(1.3, 0.1, 0.0), DVec3::new(0.4, 0.9, 0.0), DVec3::Z);
    let sheared = shear * (1.0 / shear.determinant().cbrt());
    let bend = |q: DVec3| DVec3::new(q.x - 2.0 * q.x * q.y, q.y + 3.0 * q.x * q.x, q.z + q.y * q.z);
    let images: [(Mode, &dyn Fn(DVec3) -> DVec3); 6] = [
        (Mode::Rigid, &|x| turn * x),
        (Mode::Linear, &|x| turn * x),
        (Mode::Quadratic, &|x| turn * x),
        (Mode::Linear, &|x| turn * (sheared * x)),
        (Mode::Quadratic, &|x| turn * (shear * x)),
        (Mode::Quadratic, &|x| turn * bend(x)),
    ];
    for (k, (mode, image)) in images.iter().enumerate() {
        for beta in if k < 3 { vec![0.0, 0.5, 1.0] } else { vec![1.0] } {
            let body = body(*mode, beta, ELASTIC);
            let x: Vec<_> =
                body.rest.iter().map(|x| image(*x) + DVec3::new(5.0, 1.0, 0.0)).collect();
            for (cluster, fit) in body.clusters.iter().zip(body.fits(&x, &mut body.kept(), 0.01)) {
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
    let mut noise = Random::new(1);
    let mut plate: Vec<_> = (0..16).map(|_| noise.vector(1.0)).collect();
    plate.iter_mut().for_each(|x| x.z = 2.0 + 0.5 * x.y);
    for (rest, spread) in [
        (corners, false),
        (plate[..5].to_vec(), false),
        (plate.clone(), true),
        (vec![DVec3::ONE], false),
    ] {
        let members: Vec<usize> = (0..rest.len()).collect();
        let x: Vec<_> = rest.iter().map(|x| *x + noise.vector(1.0) * 0.1).collect();
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
    let mut noise = Random::new(11);
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
        let spread: Vec<_> =
            (0..9).map(|_| noise.vector(1.0) * DVec3::new(3.0, 1.0, 1.0)).collect();
        let column = |k: usize| spread.iter().map(|q| *q * q[k]).sum::<DVec3>();
        let qq = DMat3::from_cols(column(0), column(1), column(2));
        let turn = DMat3::from_axis_angle(noise.vector(1.0).normalize(), 2.0);
        let a = turn * DMat3::from_diagonal(DVec3::from(stretch));
        let kept = volume_kept(&a, &qq);
        assert!((kept.determinant() - 1.0).abs() < 1e-9, "{}", kept.determinant());
        let way = |b: &DMat3| {
            let way = *b - a;
            (0..3).map(|k| way.row(k).dot(qq * way.row(k))).sum::<f64>()
        };
        for _ in 0..200 {
            let beside = kept
                + DMat3::from_cols_array(&std::array::from_fn(|_| 0.1 * noise.between(-1.0, 1.0)));
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
    for (mode, beta) in [(Mode::Rigid, 0.0), (Mode::Linear, 0.7), (Mode::Quadratic, 0.7)] {
        let body = body(mode, beta, ELASTIC);
        let x = scattered(&body, 21, 0.02);
        let fits = body.fits(&x, &mut body.kept(), 0.01);
        let pulls = pulls(&body.clusters, &fits, &x, 0.5, 0.01);
        let energy = |x: &[DVec3]| -> f64 {
            let kept = Kept::default();
            body.clusters.iter().map(|c| c.energy(&body.rest, x, &kept, 0.5, 0.01)).sum()
        };
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
