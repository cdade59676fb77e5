//! Checks of one value: what was found, where, and what was wanted.

use super::limits::*;
use crate::scene::Aabb;
use crate::{Error, Result};

/// A number in `least..=most`.
pub fn within(at: &str, x: f64, least: f64, most: f64, unit: &str) -> Result<()> {
    expect(at, x, least, most, &format!("a number from {} to {}", brief(least), brief(most)), unit)
}

/// A number > 0, in `least..=most`.
pub fn positive(at: &str, x: f64, least: f64, most: f64, unit: &str) -> Result<()> {
    expect(at, x, least, most, &format!("a number > 0 ({} to {})", brief(least), brief(most)), unit)
}

/// A number in `0..=most`.
pub fn not_negative(at: &str, x: f64, most: f64, unit: &str) -> Result<()> {
    expect(at, x, 0.0, most, &format!("a number ≥ 0 (at most {})", brief(most)), unit)
}

/// Three numbers, none beyond ±`most`.
pub fn vector(at: &str, v: [f64; 3], most: f64, unit: &str) -> Result<()> {
    if v.iter().all(|x| x.abs() <= most) {
        return Ok(());
    }
    let want = with_unit(&format!("three finite numbers within ±{}", brief(most)), unit);
    Err(Error::value(at, format!("{v:?}"), want))
}

/// NaN lies in no range, so it is refused too.
pub fn expect(at: &str, x: f64, least: f64, most: f64, want: &str, unit: &str) -> Result<()> {
    if (least..=most).contains(&x) {
        return Ok(());
    }
    Err(Error::value(at, brief(x), with_unit(want, unit)))
}

pub fn with_unit(want: &str, unit: &str) -> String {
    if unit.is_empty() { want.into() } else { format!("{want} [{unit}]") }
}

/// A number in few characters: powers of ten beyond six digits.
pub fn brief(x: f64) -> String {
    if x != 0.0 && x.is_finite() && !(1e-4..1e6).contains(&x.abs()) {
        format!("{x:e}")
    } else {
        x.to_string()
    }
}

pub fn check_box(at: String, corners: &Aabb) -> Result<()> {
    let Aabb { min, max } = *corners;
    vector(&at, min, LARGEST, "m")?;
    vector(&at, max, LARGEST, "m")?;
    if (0..3).any(|k| min[k] > max[k]) {
        let got = format!("{min:?} to {max:?}");
        let want = "the lower corner, then the upper corner";
        return Err(Error::value(at, got, want));
    }
    Ok(())
}

pub fn period(at: &str, from: f64, to: f64) -> Result<()> {
    not_negative(&format!("{at}.from"), from, LARGEST, "s")?;
    if to > from {
        return Ok(());
    }
    Err(Error::value(format!("{at}.to"), to, format!("a time after from, {from} [s]")))
}
