//! Operators. Those of Rust act on floating point and on vectors; on integers they would not wrap.

use naga::{BinaryOperator as B, Expression, Handle, ScalarKind, TypeInner, UnaryOperator};

use super::body::Body;
use super::fail::Result;

impl Body<'_> {
    /// An operator before a value.
    pub fn unary(&self, op: UnaryOperator, value: Handle<Expression>) -> Result<String> {
        let text = self.value(value)?;
        Ok(match op {
            UnaryOperator::Negate if self.is_integer(value) && self.masks.is_none() => {
                format!("{text}.wrapping_neg()")
            }
            UnaryOperator::Negate => format!("(-{text})"),
            UnaryOperator::LogicalNot | UnaryOperator::BitwiseNot => format!("(!{text})"),
        })
    }

    /// An operator between two values.
    pub fn binary(
        &self,
        op: B,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Result<String> {
        let (a, b) = (self.value(left)?, self.value(right)?);
        let vectors = self.is_vector(left) && self.is_vector(right);
        if let Some((sign, function)) = comparison(op) {
            return Ok(match vectors {
                true => format!("{a}.zip({b}, {function})"),
                false if self.masks.is_some() => format!("{function}({a}, {b})"),
                false => format!("({a} {sign} {b})"),
            });
        }
        if self.is_vector(left) && matches!(self.ty(right), TypeInner::Matrix { .. }) {
            return Ok(format!("(rt::Transposed({a}) * {b})"));
        }
        let integers = self.is_integer(left) && self.is_integer(right);
        let lanes = self.masks.is_some();
        Ok(match op {
            B::LogicalAnd if lanes => format!("({a} & {b})"),
            B::LogicalOr if lanes => format!("({a} | {b})"),
            B::Modulo if lanes && !vectors => format!("rt::rem({a}, {b})"),
            B::ShiftLeft if lanes && !vectors => format!("rt::shl({a}, {b})"),
            B::ShiftRight if lanes && !vectors => format!("rt::shr({a}, {b})"),
            B::Add | B::Subtract | B::Multiply if lanes => format!("({a} {} {b})", sign(op)),
            B::Add if integers => format!("{a}.wrapping_add({b})"),
            B::Subtract if integers => format!("{a}.wrapping_sub({b})"),
            B::Multiply if integers => format!("{a}.wrapping_mul({b})"),
            B::Divide if integers => format!("rt::div({a}, {b})"),
            B::Modulo if integers => format!("rt::rem({a}, {b})"),
            B::ShiftLeft if vectors => format!("{a}.zip({b}, rt::shl)"),
            B::ShiftRight if vectors => format!("{a}.zip({b}, rt::shr)"),
            B::ShiftLeft => format!("{a}.wrapping_shl({b})"),
            B::ShiftRight => format!("{a}.wrapping_shr({b})"),
            _ => format!("({a} {} {b})", sign(op)),
        })
    }

    /// Whether it is one integer.
    fn is_integer(&self, value: Handle<Expression>) -> bool {
        match self.ty(value) {
            TypeInner::Scalar(scalar) => {
                matches!(scalar.kind, ScalarKind::Sint | ScalarKind::Uint)
            }
            _ => false,
        }
    }
}

pub fn comparison(op: B) -> Option<(&'static str, &'static str)> {
    Some(match op {
        B::Equal => ("==", "rt::eq"),
        B::NotEqual => ("!=", "rt::ne"),
        B::Less => ("<", "rt::lt"),
        B::LessEqual => ("<=", "rt::le"),
        B::Greater => (">", "rt::gt"),
        B::GreaterEqual => (">=", "rt::ge"),
        _ => return None,
    })
}

fn sign(op: B) -> &'static str {
    match op {
        B::Add => "+",
        B::Subtract => "-",
        B::Multiply => "*",
        B::Divide => "/",
        B::Modulo => "%",
        B::And => "&",
        B::InclusiveOr => "|",
        B::ExclusiveOr => "^",
        B::LogicalAnd => "&&",
        B::LogicalOr => "||",
        B::ShiftLeft => "<<",
        B::ShiftRight => ">>",
        B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual => "==",
    }
}
