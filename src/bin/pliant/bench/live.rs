//! The table of `pliant bench live`.

use pliant::bench::{LiveBench, Timing};

pub fn print(worlds: &[LiveBench]) {
    say!(
        "\nbodies of 1000 tetrahedra, springs, Verlet; wall clock with a wait [ms], median (min to max) of 21"
    );
    say!(
        "{:>6} {:>24} {:>22} {:>22} {:>22} {:>18} {:>18}",
        "bodies",
        "1/60 s",
        "add",
        "remove",
        "material",
        "room for as many",
        "change"
    );
    let millis = |time: &Timing| {
        let [median, min, max] = [time.median, time.min, time.max].map(|s| 1e3 * s);
        format!("{median:.2} ({min:.2} to {max:.2})")
    };
    for world in worlds {
        say!(
            "{:>6} {:>24} {:>22} {:>22} {:>22} {:>18.1} {:>18.1}",
            world.bodies,
            millis(&world.frame),
            millis(&world.add),
            millis(&world.remove),
            millis(&world.material),
            1e3 * world.reserve,
            1e3 * world.change
        );
    }
}
