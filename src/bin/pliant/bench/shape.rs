//! The tables of `pliant bench shape`.

use pliant::bench::{ShapeBench, Timing};

/// Prints all tables.
pub fn print(bench: &ShapeBench) {
    say!(
        "\nshape matching, a block of points; wall clock with a wait, median (min to max) of 7 repeats; published: 50 pictures/s in \
         8 clusters on a {}",
        bench.published_hardware
    );
    say!(
        "{:>8} {:>9} {:<10} {:>8} {:>26} {:>9}  µs of each pass",
        "points",
        "clusters",
        "mode",
        "members",
        "ms per step",
        "steps/s"
    );
    for block in &bench.blocks {
        say!(
            "{:>8} {:>9} {:<10} {:>8} {:>26} {:>9.0}  {}",
            block.points,
            block.clusters,
            block.mode,
            block.members,
            millis(&block.step),
            block.steps_per_s,
            passes(&block.passes)
        );
    }
    let objects = &bench.objects;
    say!(
        "\n{} objects, {} points, {} quadratic clusters of {} members: {} ms per step",
        objects.objects,
        objects.points,
        objects.clusters,
        objects.members,
        millis(&objects.step)
    );
    say!(
        "at steps of {:.2} ms: {:.2} simulated seconds per second; {:.4} ms per object and step (published: 0.008 to 0.096)",
        1e3 * objects.step_s,
        objects.simulated_s_per_s,
        objects.ms_per_object
    );
    say!("µs of each pass: {}", passes(&objects.passes));
}

/// Median, least and largest, in milliseconds.
pub(super) fn millis(time: &Timing) -> String {
    let [median, min, max] = [time.median, time.min, time.max].map(|time| 1e3 * time);
    format!("{median:.3} ({min:.3} to {max:.3})")
}

fn passes(passes: &[(&'static str, f64)]) -> String {
    let pass = |(name, micros): &(&'static str, f64)| format!("{name} {micros:.0}");
    passes.iter().map(pass).collect::<Vec<_>>().join(", ")
}
