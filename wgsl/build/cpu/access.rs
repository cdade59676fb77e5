//! Reading and writing places, by one invocation or by several at a time.

use super::at::At;
use super::body::Body;
use super::lanes::OWN;
use super::masked::Masks;
use super::place::{Place, Step};

impl Body<'_> {
    /// Words of the buffer before a place.
    pub fn offset(&self, fixed: u32, terms: &[String]) -> String {
        match (&self.masks, terms) {
            (None, _) | (_, []) => Place::offset(fixed, terms),
            (Some(_), _) => format!("rt::At::ahead({}, {fixed})", terms.join(" + ")),
        }
    }

    /// Whether a variable is an array that only this thread has.
    fn is_own(&self, buffer: &str) -> bool {
        let variables = &self.shader.module.global_variables;
        let ty = |global| self.shader.buffer_type(&variables[global]);
        self.globals.iter().any(|(global, name)| name == buffer && ty(*global) == Some(OWN))
    }

    /// The value at a place; `ty` is its type, `at` says where it is read.
    pub fn read(&self, place: &Place, ty: &str, at: &At) -> String {
        match (&self.masks, place) {
            (Some(Masks { mask, .. }), Place::Words { buffer, fixed, terms }) => {
                let offset = self.offset(*fixed, terms);
                let borrow = if self.is_own(buffer) { "&*" } else { "" };
                format!("rt::load::<{ty}>(simd, {mask}, {borrow}{buffer}, {offset})")
            }
            _ => place.read(ty, at),
        }
    }

    /// A statement that puts a value there.
    pub fn write(&self, place: &Place, value: &str, at: &At) -> String {
        let Some(Masks { mask, divided, .. }) = &self.masks else { return place.write(value, at) };
        match place {
            Place::Words { buffer, fixed, terms } => {
                let offset = self.offset(*fixed, terms);
                let borrow = if self.is_own(buffer) { "&mut *" } else { "" };
                format!("rt::store({mask}, {borrow}{buffer}, {offset}, {value});")
            }
            // What those that are not here would see of it later is not changed. Whoever called the function sees what its
            // pointers point to.
            Place::Variable { name, path } => {
                let blends = *divided || name.starts_with("(*");
                write_part(name.clone(), path, mask, value, blends)
            }
        }
    }
}

/// A statement that puts a value into a part of a variable for those of the mask; `blends`: the others keep theirs.
fn write_part(mut place: String, path: &[Step], mask: &str, value: &str, blends: bool) -> String {
    for (k, step) in path.iter().enumerate() {
        let (array, index) = match step {
            Step::Fixed(part) => {
                place += part;
                continue;
            }
            Step::Element { array, index, .. } => (*array, index),
            Step::Component { index, .. } => ("", index),
        };
        let inner = write_part("(*place)".to_owned(), &path[k + 1..], "mask", value, true);
        return format!(
            "rt::parts(&mut {place}{array}, {index}, {mask}, |place, mask| {{ {inner} }});"
        );
    }
    match blends {
        true => format!("{place} = rt::choose({mask}, {value}, {place});"),
        false => format!("{place} = {value};"),
    }
}
