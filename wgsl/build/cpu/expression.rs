//! Values.

use naga::{Expression, Handle, RelationalFunction, ScalarKind, SwizzleComponent, TypeInner};

use super::body::Body;
use super::constant::{compose, constant};
use super::fail::{Result, fail};
use super::place::{Place, component};

impl Body<'_> {
    /// An expression's value as Rust writes it: the variable that holds it, or what it is made of.
    pub fn value(&self, value: Handle<Expression>) -> Result<String> {
        if let Some(name) = self.known(value) {
            return Ok(name);
        }
        self.written_out(value)
            .map_err(|error| error.within(self.function.expressions.get_span(value)))
    }

    /// What a value is made of.
    pub fn written_out(&self, value: Handle<Expression>) -> Result<String> {
        let (module, types) = (self.shader.module, &self.shader.types);
        Ok(match self.function.expressions[value] {
            Expression::Literal(ref value) => types.literal(value)?,
            Expression::Constant(value) => constant(module, types, module.constants[value].init)?,
            Expression::Override(value) => {
                let name = module.overrides[value].name.as_deref();
                match name.and_then(|name| name.strip_prefix("HAS_")) {
                    Some(name) if types.lanes => {
                        format!("rt::of(simd, content.{})", name.to_lowercase())
                    }
                    Some(name) => format!("content.{}", name.to_lowercase()),
                    None => return fail("an override that is not of a world's content"),
                }
            }
            Expression::ZeroValue(ty) => types.zero(module, ty)?,
            Expression::Compose { ty, ref components } => {
                let mut parts = Vec::new();
                for part in components {
                    parts.extend(self.scalars_of(*part, ty)?);
                }
                compose(module, types, ty, &parts)?
            }
            Expression::Splat { size, value } => {
                format!("Vec{}::splat({})", size as u32, self.value(value)?)
            }
            Expression::Swizzle { size, vector, pattern } => {
                let vector = self.value(vector)?;
                let taken = |taken: &SwizzleComponent| component(*taken as u32);
                let parts = pattern[..size as usize].iter().map(taken);
                let parts: Vec<_> = parts.map(|part| format!("{vector}.{part}")).collect();
                format!("Vec{}::new({})", size as u32, parts.join(", "))
            }
            Expression::Access { base, index } => {
                let (whole, index) = (self.value(base)?, self.index_text(index)?);
                let at = self.at(value, base);
                match *self.ty(base) {
                    TypeInner::Array { .. } => format!("rt::at(&{whole}, {index}{at})"),
                    TypeInner::Vector { .. } => {
                        format!("rt::at(&{whole}.array(), {index}{at})")
                    }
                    TypeInner::Matrix { .. } => format!("rt::at(&{whole}.0, {index}{at})"),
                    ref other => return fail(format!("an element of {other:?}")),
                }
            }
            Expression::AccessIndex { base, index } => self.member(base, index)?,
            Expression::FunctionArgument(index) => self.arguments[index as usize].clone(),
            Expression::Load { pointer } => {
                self.read(&self.place(pointer)?, &self.type_name(value)?, &self.at(value, pointer))
            }
            Expression::ArrayLength(array) => self.array_length(array)?,
            Expression::Unary { op, expr } => self.unary(op, expr)?,
            Expression::Binary { op, left, right } => self.binary(op, left, right)?,
            Expression::Select { condition, accept, reject } => {
                let parts = (self.value(reject)?, self.value(accept)?, self.value(condition)?);
                let (reject, accept, condition_text) = parts;
                match self.is_vector(condition) {
                    true => format!("{reject}.zip3({accept}, {condition_text}, rt::select)"),
                    false => format!("rt::select({reject}, {accept}, {condition_text})"),
                }
            }
            Expression::Relational { fun, argument } => {
                let value = self.value(argument)?;
                match (fun, self.is_vector(argument)) {
                    (RelationalFunction::All, true) => format!("{value}.all()"),
                    (RelationalFunction::Any, true) => format!("{value}.any()"),
                    (RelationalFunction::All | RelationalFunction::Any, false) => value,
                    (other, _) => return fail(format!("the function {other:?}")),
                }
            }
            Expression::As { expr, kind, convert } => self.cast(expr, kind, convert.is_some())?,
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let arguments: Vec<_> =
                    [Some(arg), arg1, arg2, arg3].into_iter().flatten().collect();
                self.math(fun, &arguments)?
            }
            ref other => return fail(format!("the expression {other:?}")),
        })
    }

    /// The parts that a value gives what it is put into: a vector its components where that is a vector, too.
    fn scalars_of(&self, part: Handle<Expression>, ty: Handle<naga::Type>) -> Result<Vec<String>> {
        let text = self.value(part)?;
        let into = &self.shader.module.types[ty].inner;
        Ok(match (self.ty(part), into) {
            (TypeInner::Vector { size, .. }, TypeInner::Vector { .. }) => {
                (0..*size as u32).map(|k| format!("{text}.{}", component(k))).collect()
            }
            // A matrix may be made of single numbers; naga makes columns of them.
            _ => vec![text],
        })
    }

    fn member(&self, base: Handle<Expression>, index: u32) -> Result<String> {
        if let Some(name) = self.members.get(&(base, index)) {
            return Ok(name.clone());
        }
        let whole = self.value(base)?;
        Ok(match *self.ty(base) {
            TypeInner::Struct { .. } => {
                let Some(ty) = self.info[base].ty.handle() else {
                    return fail("an unnamed struct");
                };
                format!("{whole}.{}", self.shader.types.member(self.shader.module, ty, index)?)
            }
            TypeInner::Array { .. } => format!("{whole}[{index}]"),
            TypeInner::Vector { .. } => format!("{whole}.{}", component(index)),
            TypeInner::Matrix { .. } => format!("{whole}.0[{index}]"),
            ref other => return fail(format!("a part of {other:?}")),
        })
    }

    fn array_length(&self, array: Handle<Expression>) -> Result<String> {
        let Place::Words { buffer, fixed, .. } = self.place(array)? else {
            return fail("the length of an array that is in no buffer");
        };
        let TypeInner::Pointer { base, .. } = *self.ty(array) else {
            return fail("the length of no array");
        };
        let TypeInner::Array { stride, .. } = self.shader.module.types[base].inner else {
            return fail("the length of no array");
        };
        let simd = if self.masks.is_some() { "simd, " } else { "" };
        Ok(format!("rt::array_length({simd}{buffer}, {fixed}, {})", stride / 4))
    }

    /// A conversion, or the same bits as another type.
    fn cast(&self, value: Handle<Expression>, to: ScalarKind, convert: bool) -> Result<String> {
        use ScalarKind::{Bool, Float, Sint, Uint};
        let text = self.value(value)?;
        let Some(from) = self.ty(value).scalar_kind() else { return fail("a conversion") };
        let function = match (from, to) {
            _ if from == to => return Ok(text),
            (_, Float) if convert => "rt::to_f32",
            (_, Sint) if convert => "rt::to_i32",
            (_, Uint) if convert => "rt::to_u32",
            (_, Bool) if convert => "rt::to_bool",
            (Uint, Float) if self.masks.is_some() => "rt::from_bits",
            (Float, Uint) if self.masks.is_some() => "rt::to_bits",
            (Uint, Float) => "f32::from_bits",
            (Float, Uint) => "f32::to_bits",
            (Sint, Float) => "rt::i32_as_f32",
            (Float, Sint) => "rt::f32_as_i32",
            (Sint, Uint) => "rt::to_u32",
            (Uint, Sint) => "rt::to_i32",
            _ => return fail(format!("the bits of {from:?} as {to:?}")),
        };
        Ok(match self.is_vector(value) {
            true => format!("{text}.map({function})"),
            false => format!("{function}({text})"),
        })
    }
}
