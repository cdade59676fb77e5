//! Calls of functions, and of atomic ones.

use naga::{AtomicFunction, Expression, Function, Handle};

use super::body::{Body, Shader};
use super::fail::{Result, fail};
use super::place::Place;

impl Body<'_> {
    /// A call of a function of the kernel's.
    pub fn call(
        &mut self,
        function: Handle<Function>,
        arguments: &[Handle<Expression>],
        result: Option<Handle<Expression>>,
    ) -> Result<()> {
        let callee = &self.shader.callees[&function];
        let mut passed = Vec::new();
        if let Some(masks) = &self.masks {
            passed.extend(["simd".to_owned(), masks.mask.clone()]);
        }
        if callee.takes_content {
            passed.push("content".to_owned());
        }
        for global in &callee.globals {
            let name = &self.globals[global];
            let variable = &self.shader.module.global_variables[*global];
            passed.push(match self.shader.buffer_type(variable) {
                Some(_) => name.clone(),
                None => format!("&mut {name}"),
            });
        }
        for argument in arguments {
            passed.push(match self.is_pointer(*argument) {
                true => {
                    let at = self.at_span(self.span, *argument);
                    self.place(*argument)?.reference(&at)?
                }
                false => self.passed(*argument)?,
            });
        }
        let call = format!("{}({})", callee.path, passed.join(", "));
        self.calls.extend(callee.path.split("::").next().map(str::to_owned));
        match result {
            Some(result) => self.hold(result, &call)?,
            None => self.text.line(format!("{call};")),
        }
        Ok(())
    }

    /// A value as a function is given it; of a struct of which not all is loaded, what the function needs.
    fn passed(&self, value: Handle<Expression>) -> Result<String> {
        let Some(ty) = self.info[value].ty.handle().filter(|_| self.partial.contains(&value))
        else {
            return self.value(value);
        };
        let Shader { module, types, .. } = self.shader;
        let mut text = String::new();
        for index in &self.uses.members[&value] {
            let part = &self.members[&(value, *index)];
            text += &format!("{}: {part}, ", types.member(module, ty, *index)?);
        }
        Ok(format!("{} {{ {text}..{} }}", types.name(module, ty)?, types.zero(module, ty)?))
    }

    /// An operation on memory that others may operate on at the same time.
    pub fn atomic(
        &mut self,
        pointer: Handle<Expression>,
        function: &AtomicFunction,
        value: Handle<Expression>,
        result: Option<Handle<Expression>>,
    ) -> Result<()> {
        let (place, at) = (self.place(pointer)?, self.at_span(self.span, pointer));
        let cell = match (&self.masks, &place) {
            (None, _) => place.cell(&at),
            (Some(masks), Place::Words { buffer, fixed, terms }) => {
                format!("{}, {buffer}, {}", masks.mask, self.offset(*fixed, terms))
            }
            (Some(_), _) => return fail("an atomic operation on no buffer, in lanes"),
        };
        let value = self.value(value)?;
        let name = match *function {
            AtomicFunction::Add => "add",
            AtomicFunction::Subtract => "sub",
            AtomicFunction::And => "and",
            AtomicFunction::ExclusiveOr => "xor",
            AtomicFunction::InclusiveOr => "or",
            AtomicFunction::Min => "min",
            AtomicFunction::Max => "max",
            AtomicFunction::Exchange { compare: None } => "exchange",
            AtomicFunction::Exchange { compare: Some(_) } if self.masks.is_some() => {
                return fail("an exchange that compares, in lanes");
            }
            AtomicFunction::Exchange { compare: Some(expected) } => {
                let Some(result) = result else { return fail("an exchange without a result") };
                let expected = self.value(expected)?;
                let call = format!("rt::atomic_compare_exchange({cell}, {expected}, {value})");
                let ty = self.type_name(result)?;
                let fields = format!("{ty} {{ old_value, exchanged }}");
                let text = format!("{{ let (old_value, exchanged) = {call}; {fields} }}");
                return self.hold(result, &text);
            }
        };
        let call = format!("rt::atomic_{name}({cell}, {value})");
        match result {
            Some(result) => self.hold(result, &call)?,
            None => self.text.line(format!("{call};")),
        }
        Ok(())
    }
}
