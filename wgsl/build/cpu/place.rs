//! Where pointers point to: words of a buffer, or a variable of Rust or a part of it.

use naga::{AddressSpace, ArraySize, Expression, Handle, Scalar, ScalarKind, TypeInner};

use super::at::At;
use super::body::Body;
use super::fail::{Result, fail};
use super::types::column_stride;

/// Where a pointer points to.
#[derive(Clone, Debug)]
pub enum Place {
    /// Words of a buffer: how many are before it, in fixed ones and in terms that depend on indices.
    Words { buffer: String, fixed: u32, terms: Vec<String> },
    /// A variable, and the way to a part of it.
    Variable { name: String, path: Vec<Step> },
}

/// One part of a variable.
#[derive(Clone, Debug)]
pub enum Step {
    /// As Rust writes it behind the whole: `.x`, `.0[1]`.
    Fixed(String),
    /// An element of an array of so many, the array being this part of the whole.
    Element { array: &'static str, index: String, count: u32 },
    /// A component of a vector of so many.
    Component { index: String, count: u32 },
}

impl Place {
    /// Words of the buffer before it.
    pub fn offset(fixed: u32, terms: &[String]) -> String {
        let fixed = (fixed > 0 || terms.is_empty()).then(|| format!("{fixed}_usize"));
        terms.iter().cloned().chain(fixed).collect::<Vec<_>>().join(" + ")
    }

    /// The value there; `ty` is its type, `at` says where it is read.
    pub fn read(&self, ty: &str, at: &At) -> String {
        match self {
            Self::Words { buffer, fixed, terms } => {
                format!("rt::load::<{ty}>({buffer}, {}{at})", Self::offset(*fixed, terms))
            }
            Self::Variable { .. } if at.is_shared => format!("rt::get({}{at})", self.cell(at)),
            Self::Variable { name, path } => {
                path.iter().fold(name.clone(), |whole, step| match step {
                    Step::Fixed(part) => format!("{whole}{part}"),
                    Step::Element { array, index, .. } => {
                        format!("rt::at(&{whole}{array}, {index}{at})")
                    }
                    Step::Component { index, .. } => {
                        format!("rt::at(&{whole}.array(), {index}{at})")
                    }
                })
            }
        }
    }

    /// A statement that puts a value there.
    pub fn write(&self, value: &str, at: &At) -> String {
        match self {
            Self::Words { buffer, fixed, terms } => {
                format!("rt::store({buffer}, {}, {value}{at});", Self::offset(*fixed, terms))
            }
            Self::Variable { .. } => match self.found(at) {
                _ if at.is_shared => format!("rt::put({}, {value}{at});", self.cell(at)),
                Ok(place) => format!("{place} = {value};"),
                Err(option) => format!("if let Some(place) = {option} {{ *place = {value}; }}"),
            },
        }
    }

    /// What operates on it as one, or on nothing where it is none.
    pub fn cell(&self, at: &At) -> String {
        match self {
            Self::Words { buffer, fixed, terms } => {
                format!("rt::cell({buffer}, {}{at})", Self::offset(*fixed, terms))
            }
            Self::Variable { .. } => match self.found(at) {
                Ok(place) => format!("Some(&mut {place})"),
                Err(option) => option,
            },
        }
    }

    /// The variable's part, or an option of a reference where that depends on an index.
    fn found(&self, at: &At) -> std::result::Result<String, String> {
        let Self::Variable { name, path } = self else { return Ok(String::new()) };
        let part = |whole: String, step: &Step| match step {
            Step::Fixed(part) => format!("{whole}{part}"),
            Step::Element { array, index, count } => {
                let found = format!("{whole}{array}.get_mut({index} as usize)");
                format!("rt::inside({found}, {index}, {count}{at})")
            }
            Step::Component { index, count } => {
                let found = format!("{whole}.get_mut({index} as usize)");
                format!("rt::inside({found}, {index}, {count}{at})")
            }
        };
        let mut place = Ok(name.clone());
        for step in path {
            let inner = part("place".to_owned(), step);
            place = match (place, step) {
                (Ok(whole), Step::Fixed(_)) => Ok(part(whole, step)),
                (Ok(whole), _) => Err(part(whole, step)),
                (Err(whole), Step::Fixed(_)) => Err(format!("{whole}.map(|place| &mut {inner})")),
                (Err(whole), _) => Err(format!("{whole}.and_then(|place| {inner})")),
            };
        }
        place
    }

    /// A reference for a function to change it by. Indices that an array has not mean its last element.
    pub fn reference(&self, at: &At) -> Result<String> {
        let Self::Variable { name, path } = self else {
            return fail("a pointer into a buffer as an argument");
        };
        let mut place = name.clone();
        for step in path {
            match step {
                Step::Fixed(part) => place += part,
                Step::Element { array, index, count } => {
                    place += &format!("{array}[rt::within({index}, {count}{at})]");
                }
                Step::Component { .. } => {
                    return fail("a pointer to a component of a variable number as an argument");
                }
            }
        }
        Ok(format!("&mut {place}"))
    }
}

/// An index: a number, or an expression of type `u32`.
enum Index {
    Fixed(u32),
    Variable(String),
}

impl Index {
    /// Words before an element of so many.
    fn words(
        self,
        count: Option<u32>,
        stride: u32,
        place: (u32, Vec<String>),
        at: &At,
    ) -> (u32, Vec<String>) {
        let (fixed, mut terms) = place;
        match (self, count) {
            (Self::Fixed(index), count) if count.is_none_or(|count| index < count) => {
                return (fixed + index * stride, terms);
            }
            // An override could make it so; not a constant.
            (Self::Fixed(_), _) => terms.push("rt::NOWHERE".to_owned()),
            (Self::Variable(index), None) if at.lanes => {
                terms.push(format!("rt::times({index}, {stride})"));
            }
            (Self::Variable(index), Some(count)) => {
                terms.push(format!("rt::element({index}, {count}, {stride}{at})"));
            }
            (Self::Variable(index), None) if stride == 1 => terms.push(format!("{index} as usize")),
            (Self::Variable(index), None) => terms.push(format!("{index} as usize * {stride}")),
        }
        (fixed, terms)
    }
}

impl Body<'_> {
    /// Where a pointer points to.
    pub fn place(&self, pointer: Handle<Expression>) -> Result<Place> {
        let place = || match self.function.expressions[pointer] {
            Expression::GlobalVariable(global) => self.global(global),
            Expression::LocalVariable(local) => {
                Ok(Place::Variable { name: self.local(local), path: Vec::new() })
            }
            Expression::FunctionArgument(index) => {
                let name = format!("(*{})", self.arguments[index as usize]);
                Ok(Place::Variable { name, path: Vec::new() })
            }
            Expression::Access { base, index } => {
                let (index, at) = (self.index(index)?, self.at(pointer, pointer));
                self.part(base, index, &at)
            }
            Expression::AccessIndex { base, index } => {
                self.part(base, Index::Fixed(index), &self.at(pointer, pointer))
            }
            ref other => fail(format!("the pointer {other:?}")),
        };
        place().map_err(|error| error.within(self.function.expressions.get_span(pointer)))
    }

    fn global(&self, global: Handle<naga::GlobalVariable>) -> Result<Place> {
        let name = self.globals[&global].clone();
        let variable = &self.shader.module.global_variables[global];
        Ok(match (self.shader.buffer_type(variable), variable.space) {
            (Some(_), _) => Place::Words { buffer: name, fixed: 0, terms: Vec::new() },
            (None, AddressSpace::WorkGroup | AddressSpace::Private) => {
                Place::Variable { name, path: Vec::new() }
            }
            (None, other) => return fail(format!("a variable in {other:?}")),
        })
    }

    /// An index as Rust writes it, of type `u32`.
    pub fn index_text(&self, index: Handle<Expression>) -> Result<String> {
        let text = self.value(index)?;
        Ok(match *self.ty(index) {
            TypeInner::Scalar(Scalar { kind: ScalarKind::Sint, .. }) => match self.masks {
                Some(_) => format!("rt::to_u32({text})"),
                None => format!("({text} as u32)"),
            },
            _ => text,
        })
    }

    fn index(&self, index: Handle<Expression>) -> Result<Index> {
        if let Expression::Literal(naga::Literal::U32(index)) = self.function.expressions[index] {
            return Ok(Index::Fixed(index));
        }
        Ok(Index::Variable(self.index_text(index)?))
    }

    fn part(&self, base: Handle<Expression>, index: Index, at: &At) -> Result<Place> {
        let whole = match *self.ty(base) {
            TypeInner::Pointer { base, .. } => self.shader.module.types[base].inner.clone(),
            TypeInner::ValuePointer { size: Some(size), scalar, .. } => {
                TypeInner::Vector { size, scalar }
            }
            ref other => return fail(format!("a part of {other:?}")),
        };
        match self.place(base)? {
            Place::Words { buffer, fixed, terms } => {
                let (fixed, terms) = part_of_words(&whole, index, (fixed, terms), at)?;
                Ok(Place::Words { buffer, fixed, terms })
            }
            Place::Variable { name, mut path } => {
                path.push(self.part_of_variable(base, &whole, index)?);
                Ok(Place::Variable { name, path })
            }
        }
    }

    fn part_of_variable(
        &self,
        base: Handle<Expression>,
        whole: &TypeInner,
        index: Index,
    ) -> Result<Step> {
        let element = |array, count, index| match index {
            Index::Fixed(index) if index < count => Step::Fixed(format!("{array}[{index}]")),
            Index::Fixed(index) => {
                let index = self.shader.types.literal(&naga::Literal::U32(index));
                let index = index.unwrap_or_default();
                Step::Element { array, index, count }
            }
            Index::Variable(index) => Step::Element { array, index, count },
        };
        Ok(match (whole, index) {
            (TypeInner::Struct { .. }, Index::Fixed(index)) => {
                let TypeInner::Pointer { base: ty, .. } = *self.ty(base) else {
                    return fail("a member of no struct");
                };
                Step::Fixed(format!(
                    ".{}",
                    self.shader.types.member(self.shader.module, ty, index)?
                ))
            }
            (TypeInner::Vector { .. }, Index::Fixed(index)) => {
                Step::Fixed(format!(".{}", component(index)))
            }
            (TypeInner::Vector { size, .. }, Index::Variable(index)) => {
                Step::Component { index, count: *size as u32 }
            }
            (TypeInner::Matrix { columns, .. }, index) => element(".0", *columns as u32, index),
            (TypeInner::Array { size: ArraySize::Constant(count), .. }, index) => {
                element("", count.get(), index)
            }
            (other, _) => return fail(format!("a part of {other:?}")),
        })
    }
}

/// What Rust calls a component.
pub fn component(index: u32) -> char {
    ['x', 'y', 'z', 'w'][index as usize]
}

fn part_of_words(
    whole: &TypeInner,
    index: Index,
    place: (u32, Vec<String>),
    at: &At,
) -> Result<(u32, Vec<String>)> {
    Ok(match (whole, index) {
        (TypeInner::Array { stride, size: ArraySize::Constant(count), .. }, index) => {
            index.words(Some(count.get()), stride / 4, place, at)
        }
        (TypeInner::Array { stride, .. }, index) => index.words(None, stride / 4, place, at),
        (TypeInner::Vector { size, .. }, index) => index.words(Some(*size as u32), 1, place, at),
        (TypeInner::Matrix { columns, rows, .. }, index) => {
            index.words(Some(*columns as u32), column_stride(*rows), place, at)
        }
        (TypeInner::Struct { members, .. }, Index::Fixed(index)) => {
            (place.0 + members[index as usize].offset / 4, place.1)
        }
        (other, _) => return fail(format!("a part of {other:?}")),
    })
}
