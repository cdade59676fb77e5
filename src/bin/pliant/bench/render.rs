//! The table of `pliant bench render`.

use pliant::bench::RenderBench;

use super::shape::millis;

/// Prints it.
pub fn print(bench: &RenderBench) {
    let [width, height] = bench.size;
    say!(
        "\npictures of {width} × {height} pixels, four samples each, {} triangles; wall clock with a wait, ms, median (min to max) of 21",
        bench.triangles
    );
    for (what, time) in [
        ("1/60 s of simulation", &bench.simulation),
        ("vertices and normals", &bench.skin),
    ] {
        say!("{what:<24} {:>26} {:>26} {:>26}", "", "", millis(time));
    }
    say!(
        "{:<24} {:>26} {:>26} {:>26}",
        "what",
        "shadow",
        "picture",
        "both"
    );
    for row in &bench.pictures {
        say!(
            "{:<24} {:>26} {:>26} {:>26}",
            row.what,
            millis(&row.shadow),
            millis(&row.picture),
            millis(&row.total)
        );
    }
}
