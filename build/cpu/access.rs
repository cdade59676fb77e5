//! Reading and writing places, by one invocation or by several at a time.

use super::at::At;
use super::body::Body;
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

    /// The value at a place; `ty` is its type, `at` says where it is read.
    pub fn read(&self, place: &Place, ty: &str, at: &At) -> String {
        match (&self.masks, place) {
            (Some(_), Place::Words { buffer, fixed, terms }) => {
                format!("rt::load::<{ty}>(simd, {buffer}, {})", self.offset(*fixed, terms))
            }
            _ => place.read(ty, at),
        }
    }

    /// A statement that puts a value there.
    pub fn write(&self, place: &Place, value: &str, at: &At) -> String {
        let Some(Masks { mask, divided, .. }) = &self.masks else { return place.write(value, at) };
        match place {
            Place::Words { buffer, fixed, terms } => {
                format!("rt::store({mask}, {buffer}, {}, {value});", self.offset(*fixed, terms))
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
