//! The table of `pliant bench auto`.

use pliant::bench::{AutoBench, AutoCost};

/// Prints its head.
pub fn head() {
    say!(
        "\nintegrator = \"auto\": seconds that a simulated second costs, as estimated and as measured over the first second of each \
         scene, a frame of each integrator in turn; wall clock with a wait"
    );
    say!(
        "{:<24} {:>9} {:>7}  {:<16} {:>10}  costs: integrator estimated, measured (step)",
        "scene",
        "particles",
        "tets",
        "picked",
        "÷ cheapest"
    );
}

/// Prints a scene.
pub fn print(scene: &AutoBench) {
    let costs: Vec<_> = scene.costs.iter().map(cost).collect();
    say!(
        "{:<24} {:>9} {:>7}  {:<16} {:>10.2}  {}",
        scene.name,
        scene.particles,
        scene.tets,
        scene.picked,
        scene.over_cheapest,
        costs.join("; ")
    );
}

fn cost(cost: &AutoCost) -> String {
    let measured = cost
        .measured
        .map_or("lost".into(), |cost| format!("{cost:.3}"));
    format!(
        "{} {:.3}, {measured} ({:.2} ms)",
        cost.integrator,
        cost.estimated,
        1e3 * cost.step
    )
}
