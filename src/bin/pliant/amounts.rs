//! Masses and volumes in words.

pub use pliant::internals::number::short;

/// A body's mass [kg] and volume at rest [m³].
pub fn amounts(mass: f64, volume: f64) -> String {
    format!("{} kg, rest volume {} m³", short(mass), short(volume))
}

/// So many of something.
pub fn counted(count: usize, one: &str, several: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {several}"),
    }
}
