//! The tables of `pliant bench vbd`.

use pliant::bench::{StackBench, VbdBench};

use super::shape::millis;

/// Prints all tables.
pub fn print(bench: &VbdBench) {
    say!(
        "\nvertex block descent, a step of 1/60 s: distance of the points to where the step's solution has them, over that of points \
         that fly on freely"
    );
    let sweeps = bench.curves.first();
    let sweeps = sweeps.map_or(&[][..], |curve| &curve.iterations);
    let head: String = sweeps.iter().map(|count| format!(" {count:>8}")).collect();
    say!("{:<42}{head}  sweeps; solution by", "body");
    for curve in &bench.curves {
        let cells: String = curve.error.iter().map(|e| format!(" {e:>8.1e}")).collect();
        say!("{:<42}{cells}  {}", curve.label, curve.reference);
    }
    stack(&bench.stack);
}

fn stack(stack: &StackBench) {
    let [a, b, c] = stack.balance;
    say!(
        "\nthree cubes on each other, {} s; wall clock, median (min to max) of 3 runs in turns; in balance {a}, {b} and {c} J",
        stack.duration
    );
    say!(
        "{:<20} {:>9} {:>6} {:>30} {:>9} {:>8} {:>24}",
        "integrator",
        "step ms",
        "steps",
        "ms in all",
        "mm/s",
        "top m",
        "J, from below"
    );
    for run in &stack.runs {
        let sweeps = run.iterations.map(|count| format!(", {count} sweeps"));
        let name = format!("{}{}", run.integrator, sweeps.unwrap_or_default());
        let [a, b, c] = run.elastic;
        let elastic = format!("{a:.3} {b:.3} {c:.3}");
        say!(
            "{name:<20} {:>9.3} {:>6} {:>30} {:>9.3} {:>8.4} {elastic:>24}",
            1e3 * run.step,
            run.steps,
            millis(&run.time),
            1e3 * run.speed,
            run.top
        );
    }
    for run in &stack.runs {
        let passes = run.passes.iter().take(8);
        let passes = passes.map(|p| format!("{} {:.1} × {:.0}", p.name, p.calls, p.mean_us));
        let passes: Vec<_> = passes.collect();
        let sum: f64 = run.passes.iter().map(|p| p.step_us).sum();
        if !passes.is_empty() {
            let sweeps = run
                .iterations
                .map_or(String::new(), |count| format!(" {count}"));
            say!(
                "{}{sweeps}: {sum:.0} µs a step, dispatches × µs: {}",
                run.integrator,
                passes.join(", ")
            );
        }
    }
}
