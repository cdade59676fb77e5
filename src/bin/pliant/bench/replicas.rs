//! The table of `pliant bench replicas`.

use pliant::bench::{ReplicaBench, Timing};

pub fn print(worlds: &[ReplicaBench]) {
    say!(
        "\ncopies of a cube of 625 tetrahedra on a floor, springs, Verlet; wall clock with a wait, median (min to max) of 7"
    );
    say!(
        "{:>6} {:>26} {:>28} {:>24} {:>10} {:>10}",
        "copies",
        "one alone [µs/step]",
        "all [µs/step]",
        "a copy, of one alone",
        "build [s]",
        "same bits"
    );
    let micros = |time: &Timing| {
        let [median, min, max] = [time.median, time.min, time.max].map(|s| 1e6 * s);
        format!("{median:.0} ({min:.0} to {max:.0})")
    };
    for world in worlds {
        say!(
            "{:>6} {:>26} {:>28} {:>24.3} {:>10.2} {:>10}",
            world.copies,
            micros(&world.alone),
            micros(&world.all),
            world.share,
            world.build,
            world.same
        );
    }
}
