//! Equilibria of bars with known solutions: a column under its weight, contraction, a cantilever.

use crate::extreme;
use glam::DVec3;

use super::lattice::cube_tets;
use crate::reference::fem::{Element, Lame, Law, Problem, equilibrium};

/// A bar of cubes of edge `cell` along x from the origin, numbered layer by layer, held at x = 0 and without loads.
fn bar(counts: [usize; 3], cell: f64, law: Law, lame: Lame) -> Problem {
    let [nx, ny, nz] = counts;
    let index = |p: [usize; 3]| (p[0] * (ny + 1) + p[1]) * (nz + 1) + p[2];
    let (mut start, mut tets) = (Vec::new(), Vec::new());
    for a in 0..=nx {
        for b in 0..=ny {
            for c in 0..=nz {
                start.push(DVec3::new(a as f64, b as f64, c as f64) * cell);
                if a < nx && b < ny && c < nz {
                    tets.extend(cube_tets([a, b, c]).map(|t| t.map(index)));
                }
            }
        }
    }
    let element = |corners: [usize; 4]| Element::new(corners, &start, law, lame);
    Problem {
        elements: tets.into_iter().map(element).collect(),
        held: start.iter().map(|x| x.x == 0.0).collect(),
        load: vec![DVec3::ZERO; start.len()],
        start,
    }
}

impl Problem {
    /// Where the loads and the elements balance \[m\].
    fn solve(&self) -> Vec<DVec3> {
        let scale = self.load.iter().map(|f| f.length()).sum::<f64>();
        equilibrium(self, 1e-9 * scale).expect("the search converges")
    }

    fn layer(&self, x: f64) -> Vec<usize> {
        (0..self.start.len())
            .filter(|i| (self.start[*i].x - x).abs() < 1e-9)
            .collect()
    }

    /// Adds a force \[N\] that is spread evenly over the layer at x, by each point's share of the area.
    fn spread(&mut self, x: f64, force: DVec3) {
        let layer = self.layer(x);
        let ends = [1, 2].map(|k| self.start.iter().map(|x| x[k]).fold(0.0, extreme::greatest));
        let share = |at: DVec3| {
            let half = |k: usize| {
                if at[k] == 0.0 || at[k] == ends[k - 1] {
                    0.5
                } else {
                    1.0
                }
            };
            half(1) * half(2)
        };
        let total: f64 = layer.iter().map(|i| share(self.start[*i])).sum();
        for i in layer {
            self.load[i] += force * (share(self.start[i]) / total);
        }
    }
}

/// The mean of `value` over some points.
fn mean(points: &[usize], value: impl Fn(usize) -> f64) -> f64 {
    points.iter().map(|i| value(*i)).sum::<f64>() / points.len() as f64
}

/// ν = 0: the free end sinks by ρ g L²/2E.
#[test]
fn column_stretches_under_its_own_weight() {
    let (young, density, gravity, length) = (1e6, 1000.0, 9.81, 1.0);
    for law in Law::ALL {
        for counts in [[4, 1, 1], [8, 2, 2], [12, 3, 3]] {
            let cell = length / counts[0] as f64;
            let mut column = bar(counts, cell, law, Lame::new(young, 0.0));
            for element in &column.elements {
                for i in element.corners {
                    column.load[i].x += 0.25 * density * element.volume * gravity;
                }
            }
            let x = column.solve();
            let sunk = mean(&column.layer(length), |i| x[i].x - length);
            let wanted = density * gravity * length * length / (2.0 * young);
            println!("{law:?} {counts:?}: {:.4} of ρgL²/2E", sunk / wanted);
            assert!(
                (sunk / wanted - 1.0).abs() < 0.02,
                "{law:?} {counts:?}: {sunk}"
            );
        }
    }
}

/// A long bar pulled by 0.1 %: its middle contracts by ν times that, and its modulus is E.
#[test]
fn pulled_bar_contracts_by_poissons_ratio() {
    let (young, poisson, strain) = (1e6, 0.3, 1e-3);
    for law in Law::ALL {
        let counts = [16, 2, 2];
        let mut bar = bar(counts, 0.5, law, Lame::new(young, poisson));
        bar.spread(8.0, DVec3::X * young * strain);
        let x = bar.solve();
        let stretch =
            (mean(&bar.layer(5.0), |i| x[i].x) - mean(&bar.layer(3.0), |i| x[i].x)) / 2.0 - 1.0;
        let width = |side: f64| {
            let points: Vec<_> = [3.5, 4.0, 4.5]
                .into_iter()
                .flat_map(|at| bar.layer(at))
                .collect();
            let points: Vec<_> = points
                .into_iter()
                .filter(|i| bar.start[*i].y == side)
                .collect();
            mean(&points, |i| x[i].y)
        };
        let ratio = (1.0 - (width(1.0) - width(0.0))) / stretch;
        println!(
            "{law:?}: ν {ratio:.4}, E {:.4} of what was asked",
            strain / stretch
        );
        assert!((ratio / poisson - 1.0).abs() < 0.02, "{law:?}: {ratio}");
        assert!((strain / stretch - 1.0).abs() < 0.02, "{law:?}: {stretch}");
    }
}

/// L/H = 20, ν = 0, strain 1e-3 at the root: the tip's deflection over F L³/3EI as the mesh is refined, one cell wide.
/// Linear tetrahedra are too stiff in bending, by a part that falls with the square of the cells.
#[test]
fn cantilever_converges_to_the_beam() {
    let (young, height, ratio, strain) = (1e6, 1.0, 20, 1e-3);
    let length = height * ratio as f64;
    let mut errors = Vec::new();
    for cells in [2, 4, 8, 16] {
        let cell = height / cells as f64;
        let mut beam = bar(
            [ratio * cells, cells, 1],
            cell,
            Law::NeoHookean,
            Lame::new(young, 0.0),
        );
        let inertia = cell * height.powi(3) / 12.0;
        let force = strain * 2.0 * young * inertia / (length * height);
        beam.spread(length, -DVec3::Y * force);
        let x = beam.solve();
        let tip = beam.layer(length);
        let sunk = mean(&tip, |i| beam.start[i].y - x[i].y);
        let wanted = force * length.powi(3) / (3.0 * young * inertia);
        errors.push(1.0 - sunk / wanted);
        println!("{cells:2} cells: {:.4} of FL³/3EI", sunk / wanted);
    }
    for pair in errors.windows(2) {
        println!("order {:.2}", (pair[0] / pair[1]).log2());
    }
    assert!(errors[3].abs() < 0.02, "{errors:?}");
    assert!((errors[1] / errors[2]).log2() > 1.7, "{errors:?}");
}
