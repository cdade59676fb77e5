//! Where memory is accessed: what a watched kernel says when it breaks a rule.

use std::fmt;

use naga::{AddressSpace, Expression, Handle, Span, TypeInner};

use super::body::Body;

/// An access to a variable or to a part of it; displayed as a function's last argument, with the comma before it.
#[derive(Clone, Debug)]
pub struct At {
    line: usize,
    variable: String,
    is_atomic: bool,
    /// Whether several invocations do it at a time, which nobody watches.
    pub lanes: bool,
    /// Whether other invocations of the workgroup may access the same at the same time, so that it is to be noted.
    pub is_shared: bool,
}

impl fmt::Display for At {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_atomic { "Atomic" } else { "Plain" };
        match self.lanes {
            true => Ok(()),
            false => write!(out, ", &At::{kind}(FILE, {}, {:?})", self.line, self.variable),
        }
    }
}

impl Body<'_> {
    /// That of `value` through a pointer.
    pub fn at(&self, value: Handle<Expression>, pointer: Handle<Expression>) -> At {
        self.at_span(self.function.expressions.get_span(value), pointer)
    }

    /// That of a part of the text through a pointer, or to a part of a value.
    pub fn at_span(&self, span: Span, pointer: Handle<Expression>) -> At {
        let types = &self.shader.module.types;
        let (space, is_atomic) = match *self.ty(pointer) {
            TypeInner::Pointer { base, space } => {
                (Some(space), matches!(types[base].inner, TypeInner::Atomic(_)))
            }
            TypeInner::ValuePointer { space, .. } => (Some(space), false),
            _ => (None, false),
        };
        let is_shared = space == Some(AddressSpace::WorkGroup) && !is_atomic;
        let (line, variable) = (self.line(span), self.variable(pointer));
        At { line, variable, is_atomic, lanes: self.masks.is_some(), is_shared }
    }

    /// The line of the original file.
    fn line(&self, span: Span) -> usize {
        let composed = self.shader.composed;
        let line = span.location(&composed.text).line_number as usize;
        composed.source(line).map_or(0, |(_, line)| line)
    }

    /// The variable that a pointer points to or into, or the value.
    fn variable(&self, of: Handle<Expression>) -> String {
        let name = match self.function.expressions[of] {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                return self.variable(base);
            }
            Expression::GlobalVariable(global) => &self.shader.module.global_variables[global].name,
            Expression::LocalVariable(local) => &self.function.local_variables[local].name,
            Expression::FunctionArgument(index) => &self.function.arguments[index as usize].name,
            Expression::Load { pointer } => return self.variable(pointer),
            Expression::Constant(constant) => &self.shader.module.constants[constant].name,
            _ => &None,
        };
        let named = || self.function.named_expressions.get(&of).cloned();
        name.clone().or_else(named).unwrap_or_else(|| "a value".to_owned())
    }
}
