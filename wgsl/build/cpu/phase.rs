//! Barriers split a kernel into phases. All invocations of a workgroup go through one phase, one after the other, before the
//! first goes on to the next; what decides about barriers is decided once for the workgroup.

use std::collections::{HashMap, HashSet};

use naga::{Barrier, Block, Expression, Handle, LocalVariable, Span, Statement};

use super::body::Body;
use super::fail::{Result, fail};
use super::statement::has_barrier;
use super::uses::{blocks, operands, read_by, result_of};

/// A part of a kernel with barriers. What is computed for each invocation has a number.
#[derive(Debug)]
pub enum Phase<'a> {
    /// Each invocation by itself.
    Each { number: usize, statements: Vec<(&'a Statement, Span)> },
    /// All of a workgroup one way or the other.
    If { number: usize, condition: Handle<Expression>, accept: Vec<Self>, reject: Vec<Self> },
    /// All of a workgroup again and again.
    Loop {
        block: &'a Block,
        body: Vec<Self>,
        continuing: Vec<Self>,
        break_if: Option<(usize, Handle<Expression>)>,
    },
    /// All of a workgroup wait for each other.
    Barrier(Barrier),
    /// One value for all.
    Load { number: usize, pointer: Handle<Expression>, result: Handle<Expression> },
    /// All of a workgroup leave a loop, or the kernel.
    Break,
    /// See above.
    Continue,
    /// See above.
    Return,
}

/// Splits blocks, and numbers the parts.
#[derive(Debug, Default)]
pub struct Splitter {
    count: usize,
}

impl Splitter {
    fn number(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    /// The phases of a block; `last` where nothing follows it in the kernel, so that invocations may end one by one.
    pub fn split<'a>(&mut self, block: &'a Block, last: bool) -> Result<Vec<Phase<'a>>> {
        let alone = block.iter().rposition(has_barrier).map_or(0, |last| last + 1);
        let (mut phases, mut each) = (Vec::new(), Vec::new());
        for (index, (statement, span)) in block.span_iter().enumerate() {
            if (last && index >= alone) || !is_common(statement) {
                each.push((statement, *span));
                continue;
            }
            self.finish(&mut each, &mut phases);
            let phase = self.common(statement).map_err(|error| error.within(*span))?;
            phases.extend(phase);
        }
        self.finish(&mut each, &mut phases);
        Ok(phases)
    }

    fn finish<'a>(&mut self, each: &mut Vec<(&'a Statement, Span)>, phases: &mut Vec<Phase<'a>>) {
        if !each.is_empty() {
            phases.push(Phase::Each { number: self.number(), statements: std::mem::take(each) });
        }
    }

    /// What all of a workgroup do together.
    fn common<'a>(&mut self, statement: &'a Statement) -> Result<Vec<Phase<'a>>> {
        Ok(vec![match *statement {
            Statement::ControlBarrier(barrier) | Statement::MemoryBarrier(barrier) => {
                Phase::Barrier(barrier)
            }
            Statement::Block(ref block) => return self.split(block, false),
            Statement::If { condition, ref accept, ref reject } => Phase::If {
                number: self.number(),
                condition,
                accept: self.split(accept, false)?,
                reject: self.split(reject, false)?,
            },
            Statement::Loop { ref body, ref continuing, break_if } => Phase::Loop {
                block: body,
                body: self.split(body, false)?,
                continuing: self.split(continuing, false)?,
                break_if: break_if.map(|condition| (self.number(), condition)),
            },
            Statement::WorkGroupUniformLoad { pointer, result } => {
                Phase::Load { number: self.number(), pointer, result }
            }
            Statement::Break => Phase::Break,
            Statement::Continue => Phase::Continue,
            Statement::Return { .. } => Phase::Return,
            ref other => return fail(format!("a barrier in {other:?}")),
        }])
    }
}

/// Whether all of a workgroup do it together: it has a barrier, or jumps out of what has barriers.
fn is_common(statement: &Statement) -> bool {
    fn jumps(statement: &Statement, within: bool) -> bool {
        match statement {
            Statement::Break | Statement::Continue => !within,
            Statement::Return { .. } => true,
            _ => {
                let turns = matches!(statement, Statement::Loop { .. } | Statement::Switch { .. });
                let mut inner = blocks(statement).into_iter().flat_map(|block| block.iter());
                inner.any(|statement| jumps(statement, within || turns))
            }
        }
    }
    has_barrier(statement) || jumps(statement, false)
}

/// Which values and variables outlive the phase that they are made in.
#[derive(Debug, Default)]
pub struct Lives {
    /// Where each value is computed.
    pub computed: HashMap<Handle<Expression>, usize>,
    /// Values that other phases use.
    pub outliving: HashSet<Handle<Expression>>,
    /// Where each variable is used, if in one phase alone and from there on no more.
    pub at_home: HashMap<Handle<LocalVariable>, Option<usize>>,
}

impl Lives {
    /// Of all phases.
    pub fn new(body: &Body<'_>, phases: &[Phase<'_>]) -> Self {
        let mut lives = Self::default();
        lives.all(body, phases, false);
        lives
    }

    fn all(&mut self, body: &Body<'_>, phases: &[Phase<'_>], again: bool) {
        for phase in phases {
            match phase {
                Phase::Each { number, statements } => {
                    for (statement, _) in statements {
                        self.statement(body, statement, (*number, again));
                    }
                }
                Phase::If { number, condition, accept, reject } => {
                    self.used(body, *condition, (*number, again));
                    self.all(body, accept, again);
                    self.all(body, reject, again);
                }
                Phase::Loop { body: inner, continuing, break_if, .. } => {
                    self.all(body, inner, true);
                    self.all(body, continuing, true);
                    if let Some((number, condition)) = break_if {
                        self.used(body, *condition, (*number, true));
                    }
                }
                Phase::Load { number, pointer, .. } => {
                    self.used(body, *pointer, (*number, again));
                }
                Phase::Barrier(_) | Phase::Break | Phase::Continue | Phase::Return => {}
            }
        }
    }

    fn statement(&mut self, body: &Body<'_>, statement: &Statement, at: (usize, bool)) {
        if let Statement::Emit(range) = statement {
            for value in range.clone().filter(|value| body.is_held(*value)) {
                for operand in operands(&body.function.expressions[value]) {
                    self.used(body, operand, at);
                }
                self.computed.insert(value, at.0);
            }
        }
        for value in read_by(statement) {
            self.used(body, value, at);
        }
        if let Some(result) = result_of(statement) {
            self.computed.insert(result, at.0);
        }
        for block in blocks(statement) {
            for statement in block {
                self.statement(body, statement, at);
            }
        }
        // The condition of a loop's end is made in the loop.
        if let Statement::Loop { break_if: Some(condition), .. } = statement {
            self.used(body, *condition, at);
        }
    }

    fn used(&mut self, body: &Body<'_>, value: Handle<Expression>, at: (usize, bool)) {
        let (number, again) = at;
        if let Some(computed) = self.computed.get(&value) {
            if *computed != number {
                self.outliving.insert(value);
            }
            return;
        }
        if let Expression::LocalVariable(local) = body.function.expressions[value] {
            let home = self.at_home.entry(local).or_insert(Some(number));
            if again || *home != Some(number) {
                *home = None;
            }
        }
        for operand in operands(&body.function.expressions[value]) {
            self.used(body, operand, at);
        }
    }
}
