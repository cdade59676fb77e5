//! The table of `pliant bench robust`.

use pliant::{Error, Result};

use super::Choice;
use super::RobustBench;

/// The integrators of these names.
pub fn integrators(names: &[String]) -> Result<Vec<Choice>> {
    let find = |name: &String| {
        let found = Choice::all().find(|choice| choice.name() == name);
        let wrong = || {
            let known: Vec<_> = Choice::all().map(Choice::name).collect();
            let known = format!("one of: {}", known.join(", "));
            Error::value("--integrator", format!("{name:?}"), known)
        };
        found.ok_or_else(wrong)
    };
    names.iter().map(find).collect()
}

pub fn print(tables: &[RobustBench]) {
    say!("\nrandom scenes, 0.01 to 10 m, drops of 0 to 5 body lengths");
    say!(
        "{:<18} {:>6} {:>5} {:>8} {:>7} {:>9} {:>8} {:>6} {:>11} {:>8} {:>7} {:>9} {:>15}",
        "integrator",
        "scenes",
        "lost",
        "inverted",
        "pressed",
        "collapsed",
        "restless",
        "moving",
        "settling",
        "retaken",
        "steps",
        "wall s",
        "s per simulated"
    );
    for table in tables {
        say!(
            "{:<18} {:>6} {:>5} {:>8} {:>7} {:>9} {:>8} {:>6} {:>5.2} {:>5.2} {:>8} {:>6.2}% {:>9.1} {:>15.3}",
            table.name,
            table.scenes,
            table.lost,
            table.inverted,
            table.pressed,
            table.collapsed,
            table.restless,
            table.moving,
            table.settling[0],
            table.settling[1],
            table.retaken,
            100.0 * table.retaken_share,
            table.wall,
            table.cost
        );
    }
}
