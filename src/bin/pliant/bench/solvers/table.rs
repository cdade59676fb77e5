//! The tables of `pliant bench solvers`.

use super::{LargestStep, SolverBench, SolverRow};

/// Prints all tables.
pub fn print(bench: &SolverBench) {
    let cube = &bench.cube;
    say!(
        "\nintegrators on a lattice of {} points, {} springs, {} tetrahedra: a cube, stretched along x to {} of its length and let \
         go; edges of cubes {} m, {} kg per point, {} J, {} J, {} J s",
        cube.points,
        cube.springs,
        cube.tets,
        cube.stretch,
        cube.spacing,
        cube.mass,
        cube.distance,
        cube.volume,
        cube.damping
    );
    steps(bench);
    costs(bench);
}

/// Largest steps and what a step costs.
fn steps(bench: &SolverBench) {
    say!(
        "\nlargest steps that stayed bounded for {} steps, and the predicted bound; cost: wall-clock time including a wait, \
         median (min to max) of up to 7 alternating repeats; published: Teschner et al. 2004, {}",
        bench.stability_steps,
        bench.published_hardware
    );
    say!(
        "{:<25} {:>9} {:>12} {:>26} {:>10} {:>10} {:>10} {:>10}",
        "integrator, damping",
        "bound ms",
        "largest ms",
        "step costs ms",
        "step/cost",
        "÷ Verlet's",
        "published",
        "÷ Verlet's"
    );
    for row in &bench.integrators {
        let mut published = bench.published.iter();
        let [ratio, relative] = published
            .find(|figure| figure.integrator == Some(row.name) && row.damping != "exact")
            .map_or(["–".to_owned(), "–".to_owned()], |figure| {
                [figure.step_over_cost, figure.over_verlet].map(|x| format!("{x:.3}"))
            });
        say!(
            "{:<25} {:>9} {:>12} {:>26} {:>10.2} {:>10.3} {ratio:>10} {relative:>10}",
            name(row),
            row.bound.map_or("none".into(), |bound| format!("{:.3}", 1e3 * bound)),
            largest(&row.largest),
            row.cost.millis(),
            row.step_over_cost,
            row.over_verlet
        );
    }
    let others = bench.published.iter().filter(|f| f.integrator.is_none());
    let others: Vec<_> =
        others.map(|figure| format!("{} {:.3}", figure.name, figure.step_over_cost)).collect();
    say!("published for methods not implemented here: {}", others.join(", "));
}

/// What errors cost.
fn costs(bench: &SolverBench) {
    say!(
        "\nms per simulated second for an error after {} s below a fraction of the initial stretch; reference: RK4 in f64 with \
         {} steps (its own error {:.0e})",
        bench.cube.duration,
        bench.reference_steps,
        bench.reference_error
    );
    let levels = bench.integrators.first();
    let levels = levels.map_or(&[][..], |row| &row.at_error);
    let head: String = levels.iter().map(|level| format!(" {:>10.0e}", level.error)).collect();
    say!("{:<25} {:>6}{head}  errors by steps", "integrator, damping", "order");
    for row in &bench.integrators {
        let cell =
            |cost: Option<f64>| cost.map_or("–".into(), |cost| format!("{:.1}", 1e3 * cost));
        let cells: String =
            row.at_error.iter().map(|level| format!(" {:>10}", cell(level.cost))).collect();
        let order = row.order.map_or("–".into(), |order| format!("{order:.2}"));
        say!("{:<25} {order:>6}{cells}  {}", name(row), curve(row));
    }
}

fn name(row: &SolverRow) -> String {
    match row.damping {
        "implicit" => row.name.into(),
        damping => format!("{} {damping}", row.name),
    }
}

fn curve(row: &SolverRow) -> String {
    let points = row.curve.iter();
    let points = points.map(|point| format!("{}: {:.1e}", point.steps, point.error));
    points.collect::<Vec<_>>().join(", ")
}

fn largest(largest: &LargestStep) -> String {
    let least = if largest.unstable.is_none() { "≥ " } else { "" };
    format!("{least}{:.3}", 1e3 * largest.step)
}
