//! The tables of `pliant bench soft`.

use super::{Figures, FreeBench, PileBench, SceneBench, SoftBench};

/// Prints all tables.
pub fn print(bench: &SoftBench) {
    for scene in &bench.scenes {
        print_figures(scene, bench.thesis_hardware);
        print_stages(scene);
    }
    print_free(&bench.free);
    print_pile(&bench.pile);
}

fn print_figures(scene: &SceneBench, hardware: &str) {
    let (ours, thesis) = (&scene.ours, &scene.thesis);
    let simulated = scene.step * scene.steps as f64;
    say!(
        "\n{}: {simulated:.2} s in {} steps of {:.3} ms; beside it Kratochvíl 2007 on a {hardware}, a scene of this size",
        scene.name,
        scene.steps,
        1e3 * scene.step
    );
    say!("{:<34} {:>12} {:>12}", "", "here", "thesis");
    let count = |name: &str, value: fn(&Figures) -> usize| {
        say!("{name:<34} {:>12} {:>12}", value(ours), value(thesis));
    };
    count("points", |f| f.points);
    count("edges", |f| f.edges);
    count("triangles", |f| f.triangles);
    count("tetrahedra", |f| f.tets);
    let pair = |name: &str, value: fn(&Figures) -> [f64; 2]| {
        let [ours, thesis] = [ours, thesis].map(|figures| {
            let [first, second] = value(figures);
            format!("{first:.0} / {second:.0}")
        });
        say!("{name:<34} {ours:>12} {thesis:>12}");
    };
    pair("pictures/s of 2 steps, mean / min", |f| [f.fps_mean, f.fps_min]);
    pair("colliding points, mean / max", |f| {
        [f.colliding_points_mean, f.colliding_points_max as f64]
    });
    pair("colliding triangles, mean / max", |f| {
        [f.colliding_triangles_mean, f.colliding_triangles_max as f64]
    });
    say!(
        "steps alone: {} ms each, {:.2} simulated seconds per second (median of 5 runs)",
        scene.time_per_step().millis(),
        scene.simulated_s_per_s
    );
    if let Some(micros) = scene.us_per_colliding_point {
        say!(
            "contact: {micros:.2} µs per colliding point and step (Heidelberger et al. 2004: 35 µs on a CPU of its day)"
        );
    }
}

fn print_stages(scene: &SceneBench) {
    say!("{:<34} {:>10} {:>10} {:>12}", "stage, ms", "mean", "worst", "thesis worst");
    for stage in &scene.stages {
        let thesis = stage.thesis_worst_ms.map_or("–".to_owned(), |ms| format!("{ms:.0}"));
        say!("{:<34} {:>10.3} {:>10.3} {thesis:>12}", stage.name, stage.mean_ms, stage.worst_ms);
    }
    let [vertices, triangles] = scene.fine;
    let clock = if scene.us_per_colliding_point.is_some() {
        "stages of a step: the device's clock; "
    } else {
        "the device has no timestamps: no stages of a step; "
    };
    say!(
        "{clock}fine mesh ({vertices} points, {triangles} triangles) and picture (640 × 480): wall clock with a wait"
    );
}

fn print_free(free: &FreeBench) {
    say!(
        "\nfree: two lattices of {}³ cubes far apart, {} tetrahedra; ms per substep, median (min to max) of 7 repeats",
        free.cubes,
        free.tets
    );
    say!("with contact     {}", free.with.millis());
    say!("without          {}", free.without.millis());
    say!("contact adds {:.1} %", 100.0 * free.added);
}

fn print_pile(pile: &PileBench) {
    say!("\npile: lattices of 2³ cubes poured into a box; median (min to max) of 7 repeats");
    say!("{:>8} {:>8} {:>17} {:>32}", "bodies", "tets", "colliding points", "ms per substep");
    for step in &pile.steps {
        say!(
            "{:>8} {:>8} {:>17.0} {:>32}",
            step.bodies,
            step.tets,
            step.colliding_points,
            step.substep.millis()
        );
    }
    say!(
        "time grows with the bodies to the power of {:.2}; between the last two, {:.2}",
        pile.exponent,
        pile.exponent_largest
    );
}
