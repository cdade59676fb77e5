//! Functions that WGSL has.

use naga::{Expression, Handle, MathFunction as F, TypeInner};

use super::body::Body;
use super::fail::{Result, fail};

impl Body<'_> {
    /// A call of such a function.
    pub fn math(&self, function: F, arguments: &[Handle<Expression>]) -> Result<String> {
        let mut texts =
            arguments.iter().map(|value| self.value(*value)).collect::<Result<Vec<_>>>()?;
        let vector = match *self.ty(arguments[0]) {
            TypeInner::Vector { size, .. } => Some(size as u32),
            _ => None,
        };
        if let Some(whole) = of_wholes(function, vector.is_some()) {
            return Ok(format!("{whole}({})", texts.join(", ")));
        }
        if function == F::Distance {
            return Ok(format!("rt::abs({} - {})", texts[0], texts[1]));
        }
        let Some(each) = of_scalars(function) else {
            return fail(format!("the function {function:?}"));
        };
        let each = match self.masks {
            Some(_) => each.replace("f32::", "rt::"),
            None => each.to_owned(),
        };
        let Some(size) = vector else {
            return Ok(format!("{each}({})", texts.join(", ")));
        };
        // mix and others take one scalar for all components.
        for (text, argument) in texts.iter_mut().zip(arguments) {
            if !self.is_vector(*argument) {
                *text = format!("Vec{size}::splat({text})");
            }
        }
        Ok(match &texts[..] {
            [a] => format!("{a}.map({each})"),
            [a, b] => format!("{a}.zip({b}, {each})"),
            [a, b, c] => format!("{a}.zip3({b}, {c}, {each})"),
            _ => return fail(format!("the function {function:?}")),
        })
    }
}

/// Functions of whole vectors and matrices.
fn of_wholes(function: F, of_vectors: bool) -> Option<&'static str> {
    Some(match function {
        F::Dot => "rt::dot",
        F::Cross => "rt::cross",
        F::Length if of_vectors => "rt::length",
        F::Length => "rt::abs",
        F::Distance if of_vectors => "rt::distance",
        F::Normalize => "rt::normalize",
        F::Reflect => "rt::reflect",
        F::Transpose => "rt::transpose",
        F::Determinant => "rt::determinant",
        _ => return None,
    })
}

/// Functions that act component by component.
fn of_scalars(function: F) -> Option<&'static str> {
    Some(match function {
        F::Abs => "rt::abs",
        F::Min => "rt::min",
        F::Max => "rt::max",
        F::Clamp => "rt::clamp",
        F::Saturate => "rt::saturate",
        F::Sign => "rt::sign",
        F::Cos => "f32::cos",
        F::Cosh => "f32::cosh",
        F::Sin => "f32::sin",
        F::Sinh => "f32::sinh",
        F::Tan => "f32::tan",
        F::Tanh => "f32::tanh",
        F::Acos => "f32::acos",
        F::Asin => "f32::asin",
        F::Atan => "f32::atan",
        F::Atan2 => "f32::atan2",
        F::Asinh => "f32::asinh",
        F::Acosh => "f32::acosh",
        F::Atanh => "f32::atanh",
        F::Radians => "f32::to_radians",
        F::Degrees => "f32::to_degrees",
        F::Ceil => "f32::ceil",
        F::Floor => "f32::floor",
        F::Round => "rt::round",
        F::Fract => "rt::fract",
        F::Trunc => "f32::trunc",
        F::Exp => "f32::exp",
        F::Exp2 => "f32::exp2",
        F::Log => "f32::ln",
        F::Log2 => "f32::log2",
        F::Pow => "rt::pow",
        F::Fma => "f32::mul_add",
        F::Mix => "rt::mix",
        F::Step => "rt::step",
        F::SmoothStep => "rt::smoothstep",
        F::Sqrt => "f32::sqrt",
        F::InverseSqrt => "rt::inverse_sqrt",
        F::CountTrailingZeros => "rt::count_trailing_zeros",
        F::CountLeadingZeros => "rt::count_leading_zeros",
        F::CountOneBits => "rt::count_one_bits",
        F::ReverseBits => "rt::reverse_bits",
        F::ExtractBits => "rt::extract_bits",
        F::FirstTrailingBit => "rt::first_trailing_bit",
        F::FirstLeadingBit => "rt::first_leading_bit",
        _ => return None,
    })
}
