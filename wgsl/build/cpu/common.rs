//! What all invocations that run at a time have in common.

use naga::{Expression, Handle, ScalarKind, TypeInner, UnaryOperator};

use super::body::Body;
use super::constant::literal;
use super::fail::Result;
use super::operator::comparison;
use super::place::Place;

impl Body<'_> {
    /// A scalar of which it is known that all invocations have the same, as it is for one.
    pub fn common_value(&self, value: Handle<Expression>) -> Result<Option<String>> {
        Ok(match self.function.expressions[value] {
            Expression::Literal(ref value) => Some(literal(value)?),
            Expression::Override(value) => {
                let name = self.shader.module.overrides[value].name.as_deref();
                let name = name.and_then(|name| name.strip_prefix("HAS_"));
                name.map(|name| format!("content.{}", name.to_lowercase()))
            }
            Expression::Unary { op: UnaryOperator::LogicalNot, expr } => {
                self.common_value(expr)?.map(|text| format!("!{text}"))
            }
            Expression::Binary { op, left, right } => {
                let Some((sign, _)) = comparison(op) else { return Ok(None) };
                let both = (self.common_value(left)?, self.common_value(right)?);
                let (Some(left), Some(right)) = both else { return Ok(None) };
                Some(format!("({left} {sign} {right})"))
            }
            Expression::Load { pointer } => match (self.place(pointer), self.ty(value)) {
                (Ok(Place::Words { buffer, fixed, terms }), TypeInner::Scalar(scalar))
                    if terms.is_empty() && self.only_reads(pointer) =>
                {
                    let ty = match scalar.kind {
                        ScalarKind::Float => "f32",
                        ScalarKind::Sint => "i32",
                        _ => "u32",
                    };
                    Some(format!("rt::load_one::<{ty}>({buffer}, {fixed}_usize)"))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// Whether a pointer is to a buffer that the kernel does not write.
    pub fn only_reads(&self, pointer: Handle<Expression>) -> bool {
        match self.function.expressions[pointer] {
            Expression::GlobalVariable(global) => {
                let variable = &self.shader.module.global_variables[global];
                self.shader.buffer_type(variable) == Some("&[u32]")
            }
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                self.only_reads(base)
            }
            _ => false,
        }
    }
}
