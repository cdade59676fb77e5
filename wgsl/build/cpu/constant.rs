//! Constants, which are written out where they are used.

use naga::{Expression, Handle, Literal, Module, TypeInner};

use super::fail::{Fail, Result, fail};
use super::types::Types;

/// A number as Rust writes it, so that a function can be called on it.
pub fn literal(literal: &Literal) -> Result<String> {
    let text = match *literal {
        Literal::F32(value) if value.is_finite() => format!("{value:?}_f32"),
        Literal::F32(value) => format!("f32::from_bits({}_u32)", value.to_bits()),
        Literal::U32(value) => format!("{value}_u32"),
        Literal::I32(value) => format!("{value}_i32"),
        Literal::Bool(value) => value.to_string(),
        ref other => return fail(format!("the literal {other:?}")),
    };
    Ok(if text.starts_with('-') { format!("({text})") } else { text })
}

/// A value that is known when the kernel is compiled.
pub fn constant(module: &Module, types: &Types, value: Handle<Expression>) -> Result<String> {
    let arena = &module.global_expressions;
    let part = |part: &Handle<Expression>| constant(module, types, *part);
    let text = || match arena[value] {
        Expression::Literal(ref value) => types.literal(value),
        Expression::Constant(constant) => part(&module.constants[constant].init),
        Expression::ZeroValue(ty) => types.zero(module, ty),
        Expression::Splat { size, value } => {
            Ok(format!("Vec{}::splat({})", size as u32, part(&value)?))
        }
        Expression::Compose { ty, ref components } => {
            let parts = components.iter().map(part).collect::<Result<Vec<_>>>()?;
            compose(module, types, ty, &parts)
        }
        ref other => fail(format!("the constant expression {other:?}")),
    };
    text().map_err(|error: Fail| error.within(arena.get_span(value)))
}

/// A value of this type from its parts, a vector's being scalars.
pub fn compose(
    module: &Module,
    types: &Types,
    ty: Handle<naga::Type>,
    parts: &[String],
) -> Result<String> {
    let list = parts.join(", ");
    Ok(match module.types[ty].inner {
        TypeInner::Vector { size, .. } => format!("Vec{}::new({list})", size as u32),
        TypeInner::Matrix { .. } => format!("Matrix([{list}])"),
        TypeInner::Array { .. } => format!("[{list}]"),
        TypeInner::Struct { .. } => {
            let members = (0_u32..).zip(parts);
            let member =
                |(k, part): (u32, &String)| Ok(format!("{}: {part}", types.member(module, ty, k)?));
            let members = members.map(member).collect::<Result<Vec<_>>>()?;
            format!("{} {{ {} }}", types.name(module, ty)?, members.join(", "))
        }
        ref other => return fail(format!("a constructor of {other:?}")),
    })
}
