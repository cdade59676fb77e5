//! What one invocation does.

use naga::{Block, Expression, Handle, Span, Statement, SwitchCase, SwitchValue};

use super::body::Body;
use super::constant::literal;
use super::fail::{Result, fail};
use super::place::Place;
use super::uses::{self, blocks};

impl Body<'_> {
    /// All statements, in order.
    pub fn block(&mut self, block: &Block) -> Result<()> {
        block.span_iter().try_for_each(|(statement, span)| self.statement(statement, *span))
    }

    /// One of them.
    pub fn statement(&mut self, statement: &Statement, span: Span) -> Result<()> {
        self.span = span;
        self.translated(statement).map_err(|error| error.within(span))
    }

    fn translated(&mut self, statement: &Statement) -> Result<()> {
        if self.masks.is_some() && self.masked(statement)? {
            return Ok(());
        }
        match *statement {
            Statement::Emit(ref range) => range.clone().try_for_each(|value| self.emit(value))?,
            Statement::Block(ref block) => {
                self.text.line("{");
                self.block(block)?;
                self.text.line("}");
            }
            Statement::If { condition, ref accept, ref reject } => {
                let condition = self.value(condition)?;
                self.branch(&condition, accept, reject)?;
            }
            Statement::Switch { selector, ref cases } => self.switch(selector, cases)?,
            Statement::Loop { ref body, ref continuing, break_if } => {
                self.repeated(body, continuing, break_if)?;
            }
            Statement::Break => self.leave(|(end, _)| end)?,
            Statement::Continue => self.leave(|(_, next)| next)?,
            Statement::Return { value: Some(value) } => {
                let value = self.value(value)?;
                self.text.line(format!("return {value};"));
            }
            Statement::Return { value: None } => {
                let text = format!("{};", self.end_of_invocation());
                self.text.line(text);
            }
            Statement::Store { pointer, value } => {
                let value = self.value(value)?;
                let place = self.place(pointer)?;
                let at = self.at_span(self.span, pointer);
                let text = self.write(&place, &value, &at);
                self.text.line(text);
            }
            Statement::Call { function, ref arguments, result } => {
                self.call(function, arguments, result)?;
            }
            Statement::Atomic { pointer, ref fun, value, result } => {
                self.atomic(pointer, fun, value, result)?;
            }
            Statement::ControlBarrier(_) | Statement::MemoryBarrier(_) => {
                return fail("a barrier in a function that is no entry point, or in a switch");
            }
            ref other => return fail(format!("the statement {other:?}")),
        }
        Ok(())
    }

    /// Computes a value now, unless it is written out where it is used.
    fn emit(&mut self, value: Handle<Expression>) -> Result<()> {
        if !self.is_held(value) {
            return Ok(());
        }
        let emitted = match self.part_loads(value) {
            Ok(true) => Ok(()),
            Ok(false) => self.written_out(value).and_then(|text| self.hold(value, &text)),
            Err(error) => Err(error),
        };
        emitted.map_err(|error| error.within(self.function.expressions.get_span(value)))
    }

    /// Of a struct in a buffer loads the members that are needed: loads that others may see are never left out by the
    /// compiler.
    fn part_loads(&mut self, value: Handle<Expression>) -> Result<bool> {
        let Expression::Load { pointer } = self.function.expressions[value] else {
            return Ok(false);
        };
        let Some(ty) = self.info[value].ty.handle() else { return Ok(false) };
        let naga::TypeInner::Struct { ref members, .. } = self.shader.module.types[ty].inner else {
            return Ok(false);
        };
        let Some(needed) = self.uses.members.get(&value).cloned() else { return Ok(false) };
        let Place::Words { buffer, fixed, terms } = self.place(pointer)? else { return Ok(false) };
        // Of words that nobody writes it leaves out what is not needed.
        if self.together.is_some() || self.masks.is_some() && self.only_reads(pointer) {
            return Ok(false);
        }
        self.partial.insert(value);
        let name =
            self.function.named_expressions.get(&value).map_or("t", String::as_str).to_owned();
        let at = self.names.fresh(&format!("{name}_at"));
        let access = self.at(value, pointer);
        self.text.line(format!("let {at} = {};", self.offset(fixed, &terms)));
        for index in needed {
            let member = &members[index as usize];
            let ty = self.shader.types.name(self.shader.module, member.ty)?;
            let part = member.name.as_deref().unwrap_or("member");
            let part = self.names.fresh(&format!("{name}_{part}"));
            let (fixed, terms) = (member.offset / 4, vec![at.clone()]);
            let place = Place::Words { buffer: buffer.clone(), fixed, terms };
            self.text.line(format!("let {part}: {ty} = {};", self.read(&place, &ty, &access)));
            self.members.insert((value, index), part);
        }
        Ok(true)
    }

    fn branch(&mut self, condition: &str, accept: &Block, reject: &Block) -> Result<()> {
        if accept.is_empty() {
            self.text.line(format!("if !{condition} {{"));
            self.block(reject)?;
        } else {
            self.text.line(format!("if {condition} {{"));
            self.block(accept)?;
            if !reject.is_empty() {
                self.text.line("} else {");
                self.block(reject)?;
            }
        }
        self.text.line("}");
        Ok(())
    }

    fn switch(&mut self, selector: Handle<Expression>, cases: &[SwitchCase]) -> Result<()> {
        let selector = self.value(selector)?;
        let end = self.names.fresh("switch");
        let next = self.labels.last().map(|(_, next)| next.clone()).unwrap_or_default();
        self.text.line(format!("'{end}: {{"));
        self.text.line(format!("match {selector} {{"));
        self.labels.push((end, next));
        for (pattern, body) in arms(cases)? {
            self.text.line(format!("{pattern} => {{"));
            self.block(body)?;
            self.text.line("}");
        }
        self.labels.pop();
        self.text.line("}");
        self.text.line("}");
        Ok(())
    }

    fn repeated(
        &mut self,
        body: &Block,
        continuing: &Block,
        break_if: Option<Handle<Expression>>,
    ) -> Result<()> {
        let next = self.begin_loop(body);
        self.block(body)?;
        if next {
            self.text.line("}");
        }
        self.block(continuing)?;
        let break_if = break_if.map(|value| self.value(value)).transpose()?;
        self.end_loop(break_if);
        Ok(())
    }

    /// Opens a loop; whether its body is a block of its own, to whose end `continue` goes.
    pub fn begin_loop(&mut self, body: &Block) -> bool {
        let (end, next) = (self.names.fresh("repeat"), self.names.fresh("round"));
        self.text.line(format!("'{end}: loop {{"));
        let continues = has_continue(body);
        if continues {
            self.text.line(format!("'{next}: {{"));
        }
        self.labels.push((end, next));
        continues
    }

    /// Closes it.
    pub fn end_loop(&mut self, break_if: Option<String>) {
        let (end, _) = self.labels.pop().expect("a loop that has begun");
        if let Some(condition) = break_if {
            self.text.line(format!("if {condition} {{"));
            self.text.line(format!("break '{end};"));
            self.text.line("}");
        }
        self.text.line("}");
    }

    /// `break` or `continue`.
    pub fn leave(&mut self, way: impl Fn(&(String, String)) -> &String) -> Result<()> {
        let Some(labels) = self.labels.last() else { return fail("a jump out of no loop") };
        self.text.line(format!("break '{};", way(labels)));
        Ok(())
    }
}

/// Whether a loop's body goes on to the next round before its end.
pub fn has_continue(body: &Block) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Continue => true,
        Statement::Loop { .. } => false,
        _ => blocks(statement).into_iter().any(has_continue),
    })
}

/// The patterns of a match and what is done, the default at last.
pub fn arms(cases: &[SwitchCase]) -> Result<Vec<(String, &Block)>> {
    let (mut arms, mut default, mut patterns) = (Vec::new(), None, Vec::new());
    for case in cases {
        patterns.push(match case.value {
            SwitchValue::I32(value) => literal(&naga::Literal::I32(value))?.replace(['(', ')'], ""),
            SwitchValue::U32(value) => literal(&naga::Literal::U32(value))?,
            SwitchValue::Default => "_".to_owned(),
        });
        if case.fall_through && case.body.is_empty() {
            continue;
        }
        if case.fall_through {
            return fail("a case that falls through");
        }
        let of_body = std::mem::take(&mut patterns);
        match of_body.iter().any(|pattern| pattern == "_") {
            true => default = Some(("_".to_owned(), &case.body)),
            false => arms.push((of_body.join(" | "), &case.body)),
        }
    }
    arms.extend(default);
    Ok(arms)
}

/// Whether a statement is a barrier or has one somewhere.
pub fn has_barrier(statement: &Statement) -> bool {
    match statement {
        Statement::ControlBarrier(_)
        | Statement::MemoryBarrier(_)
        | Statement::WorkGroupUniformLoad { .. } => true,
        _ => uses::blocks(statement).into_iter().any(|block| block.iter().any(has_barrier)),
    }
}
