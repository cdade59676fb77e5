//! Checks of constants that differ within a body.

use super::limits::*;
use super::values::*;
use super::{body_label, quoted};
use crate::scene::*;
use crate::{Error, Result};

/// Regions have values like the body's own, and name constants that its kind has.
pub fn check_regions(body: &Body) -> Result<()> {
    let label = body_label(&body.name);
    for (k, constant) in body.cell_data.iter().enumerate() {
        let at = format!("{label}.cell_data");
        check_known(body, at.clone(), *constant)?;
        if body.cell_data[..k].contains(constant) {
            let got = format!("{} twice", quoted(constant.name()));
            return Err(Error::value(at, got, "each name once"));
        }
    }
    for (i, region) in body.regions.iter().enumerate() {
        let at = format!("{label}.region[{i}]");
        check_box(format!("{at}.box"), &region.within)?;
        if region.constants.is_empty() {
            let want = format!("at least one of: {}", names(body.kind.varying()));
            return Err(Error::value(at, "a region without a constant", want));
        }
        for (constant, value) in &region.constants {
            check_known(body, at.clone(), *constant)?;
            check_constant(&format!("{at}.{}", constant.name()), *constant, *value)?;
        }
    }
    Ok(())
}

fn names(constants: &[Constant]) -> String {
    let names: Vec<_> = constants.iter().map(|constant| constant.name()).collect();
    names.join(", ")
}

/// Makes sure that a constant may differ within a body.
fn check_known(body: &Body, at: String, constant: Constant) -> Result<()> {
    let allowed = body.kind.varying();
    if !allowed.contains(&constant) {
        let want = format!("a constant of this material: {}", names(allowed));
        return Err(Error::value(at, quoted(constant.name()), want));
    }
    if constant == Constant::Density && !matches!(body.mass, Mass::Density(_)) {
        let want = format!("density [kg/m³] instead of {} in the body", body.mass.key());
        return Err(Error::value(at, quoted(constant.name()), want));
    }
    Ok(())
}

/// A value of a constant, wherever it is given.
pub fn check_constant(at: &str, constant: Constant, value: f64) -> Result<()> {
    match constant {
        Constant::Young => positive(at, value, WEAKEST, STRONGEST, "Pa"),
        Constant::Poisson => within(at, value, LEAST_POISSON, MOST_POISSON, ""),
        Constant::Relaxation => not_negative(at, value, LARGEST, "s"),
        Constant::Density => positive(at, value, WEAKEST, STRONGEST, "kg/m³"),
        Constant::Distance | Constant::Volume => not_negative(at, value, STRONGEST, "J"),
        Constant::Damping => not_negative(at, value, STRONGEST, "J s"),
    }
}
