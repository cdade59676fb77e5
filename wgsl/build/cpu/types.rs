//! Types. Structs are named as in WGSL; what lies in memory has the offsets that naga gives it.

use std::collections::HashMap;

use naga::proc::TypeResolution;
use naga::{
    ArraySize, Handle, Literal, Module, Scalar, ScalarKind, StructMember, Type, TypeInner,
    VectorSize,
};

use super::constant::literal;
use super::fail::{Result, fail};
use super::lanes;
use super::library::Library;
use super::names::identifier;
use super::text::Text;

/// The structs of one kernel, by the names that the library gives them.
#[derive(Debug)]
pub struct Types {
    structs: HashMap<Handle<Type>, String>,
    /// Whether they are of several invocations at a time.
    pub lanes: bool,
}

/// Words of memory between a matrix's columns.
pub fn column_stride(rows: VectorSize) -> u32 {
    vector_align(rows)
}

fn vector_align(size: VectorSize) -> u32 {
    if size == VectorSize::Bi { 2 } else { 4 }
}

impl Types {
    /// Puts all structs of a kernel into the library.
    pub fn new(module: &Module, library: &mut Library, lanes: bool) -> Result<Self> {
        let mut types = Self { structs: HashMap::new(), lanes };
        for (handle, ty) in module.types.iter() {
            let TypeInner::Struct { ref members, span } = ty.inner else { continue };
            // One whose last member has no fixed size is only ever reached through pointers.
            if members.iter().any(|member| !types.is_sized(module, member.ty)) {
                continue;
            }
            let body = types.declaration(module, members, span)?;
            let name = identifier(ty.name.as_deref().unwrap_or("Unnamed"));
            let name = library.structure(lanes, &name, body);
            types.structs.insert(handle, format!("types::{name}"));
        }
        Ok(types)
    }

    fn is_sized(&self, module: &Module, ty: Handle<Type>) -> bool {
        !matches!(module.types[ty].inner, TypeInner::Array { size: ArraySize::Dynamic, .. })
    }

    /// What Rust calls it.
    pub fn name(&self, module: &Module, ty: Handle<Type>) -> Result<String> {
        match self.structs.get(&ty) {
            Some(name) => Ok(name.clone()),
            None => self.inner(module, &module.types[ty].inner),
        }
    }

    /// The same of an expression's type.
    pub fn of(&self, module: &Module, resolution: &TypeResolution) -> Result<String> {
        match resolution {
            TypeResolution::Handle(ty) => self.name(module, *ty),
            TypeResolution::Value(inner) => self.inner(module, inner),
        }
    }

    fn scalar(&self, scalar: Scalar) -> Result<&'static str> {
        let [one, lanes] = match (scalar.kind, scalar.width) {
            (ScalarKind::Float, 4) => ["f32", "F"],
            (ScalarKind::Sint, 4) => ["i32", "I"],
            (ScalarKind::Uint, 4) => ["u32", "U"],
            (ScalarKind::Bool, _) => ["bool", "M"],
            _ => return fail(format!("the scalar {scalar:?}")),
        };
        Ok(if self.lanes { lanes } else { one })
    }

    /// A number as Rust writes it, so that a function can be called on it.
    pub fn literal(&self, value: &Literal) -> Result<String> {
        let text = literal(value)?;
        Ok(if self.lanes { format!("rt::of(simd, {text})") } else { text })
    }

    fn inner(&self, module: &Module, inner: &TypeInner) -> Result<String> {
        Ok(match *inner {
            TypeInner::Scalar(of) | TypeInner::Atomic(of) => self.scalar(of)?.to_owned(),
            TypeInner::Vector { size, scalar: of } => {
                format!("Vec{}<{}>", size as u32, self.scalar(of)?)
            }
            TypeInner::Matrix { columns, rows, scalar: of } => {
                format!("Matrix<Vec{}<{}>, {}>", rows as u32, self.scalar(of)?, columns as u32)
            }
            TypeInner::Array { base, size: ArraySize::Constant(count), .. } => {
                format!("[{}; {count}]", self.name(module, base)?)
            }
            TypeInner::Pointer { base, .. } => format!("&mut {}", self.name(module, base)?),
            TypeInner::ValuePointer { size: None, scalar: of, .. } => {
                format!("&mut {}", self.scalar(of)?)
            }
            ref other => return fail(format!("the type {other:?}")),
        })
    }

    /// A value of which all bits are 0.
    pub fn zero(&self, module: &Module, ty: Handle<Type>) -> Result<String> {
        Ok(self.zero_of(&self.name(module, ty)?))
    }

    /// The same of a type as Rust calls it.
    pub fn zero_of(&self, name: &str) -> String {
        if self.lanes { format!("rt::zero::<{name}>(simd)") } else { format!("<{name}>::ZERO") }
    }

    /// What Rust calls a member.
    pub fn member(&self, module: &Module, ty: Handle<Type>, index: u32) -> Result<String> {
        match &module.types[ty].inner {
            TypeInner::Struct { members, .. } => Ok(member_name(&members[index as usize], index)),
            other => fail(format!("a member of {other:?}")),
        }
    }

    /// A struct without its name, for which `$` stands.
    fn declaration(&self, module: &Module, members: &[StructMember], span: u32) -> Result<String> {
        let fields = members.iter().zip(0_u32..);
        let fields = fields
            .map(|(member, k)| {
                let name = member_name(member, k);
                Ok((name, self.name(module, member.ty)?, member.offset / 4))
            })
            .collect::<Result<Vec<_>>>()?;
        let mut text = Text::default();
        text.line("#[derive(Clone, Copy)]");
        text.line("pub struct $ {");
        for (name, of, _) in &fields {
            text.line(format!("pub {name}: {of},"));
        }
        text.line("}");
        if self.lanes {
            lanes::value(&mut text, &fields);
        } else {
            text.line("impl Zero for $ {");
            text.line("const ZERO: Self = Self {");
            for (name, ..) in &fields {
                text.line(format!("{name}: Zero::ZERO,"));
            }
            text.line("};");
            text.line("}");
        }
        if members.iter().all(|member| is_stored(module, member.ty)) {
            let align = members.iter().map(|member| align(module, member.ty)).max().unwrap_or(1);
            match self.lanes {
                true => lanes::storage(&mut text, &fields, span / 4, align),
                false => storage(&mut text, &fields, span / 4, align),
            }
        }
        Ok(text.finish())
    }
}

/// How a struct lies in memory.
fn storage(text: &mut Text, fields: &[(String, String, u32)], words: u32, align: u32) {
    text.line("impl Stored for $ {");
    text.line(format!("const WORDS: usize = {words};"));
    text.line(format!("const ALIGN: usize = {align};"));
    text.line("#[inline]");
    text.line("fn read(words: &(impl rt::Row + ?Sized)) -> Self {");
    text.line(format!("let words = &words[..{words}];"));
    text.line("Self {");
    for (name, _, offset) in fields {
        text.line(format!("{name}: Stored::read(&words[{offset}..]),"));
    }
    text.line("}");
    text.line("}");
    text.line("#[inline]");
    text.line("fn write(self, words: &[AtomicU32]) {");
    text.line(format!("let words = &words[..{words}];"));
    for (name, _, offset) in fields {
        text.line(format!("self.{name}.write(&words[{offset}..]);"));
    }
    text.line("}");
    text.line("}");
}

fn member_name(member: &StructMember, index: u32) -> String {
    member.name.as_deref().map_or_else(|| format!("member_{index}"), identifier)
}

/// Whether it may lie in a buffer.
fn is_stored(module: &Module, ty: Handle<Type>) -> bool {
    match module.types[ty].inner {
        TypeInner::Array { base, .. } => is_stored(module, base),
        TypeInner::Struct { ref members, .. } => {
            members.iter().all(|member| is_stored(module, member.ty))
        }
        ref inner => inner.scalar_kind() != Some(ScalarKind::Bool),
    }
}

/// It begins at a multiple of so many words.
fn align(module: &Module, ty: Handle<Type>) -> u32 {
    match module.types[ty].inner {
        TypeInner::Vector { size, .. } | TypeInner::Matrix { rows: size, .. } => vector_align(size),
        TypeInner::Array { base, .. } => align(module, base),
        TypeInner::Struct { ref members, .. } => {
            members.iter().map(|member| align(module, member.ty)).max().unwrap_or(1)
        }
        _ => 1,
    }
}
