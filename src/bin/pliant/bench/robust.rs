//! The table of `pliant bench robust`.

use pliant::bench::RobustBench;
use pliant::scene::Integrator;
use pliant::{Error, Result};

/// What scenes leave open, then these integrators.
pub fn integrators(names: &[String]) -> Result<Vec<Option<Integrator>>> {
    let mut integrators = vec![None];
    for name in names {
        let found = Integrator::ALL
            .into_iter()
            .find(|integrator| integrator.name() == name);
        let known = Integrator::ALL.map(Integrator::name).join(", ");
        let wrong = || {
            Error::value(
                "--integrator",
                format!("{name:?}"),
                format!("one of: {known}"),
            )
        };
        integrators.push(Some(found.ok_or_else(wrong)?));
    }
    Ok(integrators)
}

pub fn print(tables: &[RobustBench]) {
    say!("\nrandom scenes, 0.01 to 10 m, drops of 0 to 5 body lengths");
    say!(
        "{:<18} {:>6} {:>5} {:>8} {:>9} {:>8} {:>8} {:>7} {:>9} {:>15}",
        "integrator",
        "scenes",
        "lost",
        "inverted",
        "collapsed",
        "restless",
        "retaken",
        "steps",
        "wall s",
        "s per simulated"
    );
    for table in tables {
        say!(
            "{:<18} {:>6} {:>5} {:>8} {:>9} {:>8} {:>8} {:>6.2}% {:>9.1} {:>15.3}",
            table.name,
            table.scenes,
            table.lost,
            table.inverted,
            table.collapsed,
            table.restless,
            table.retaken,
            100.0 * table.retaken_share,
            table.wall,
            table.cost
        );
    }
}
