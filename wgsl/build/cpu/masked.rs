//! What several invocations do at a time. Where they do not agree about a branch both sides are gone through, each under the
//! mask of those that take it, and a loop goes on for as long as one of them does. What variables hold for the others stays.
//!
//! A mask is a variable: whoever leaves a loop, a switch or the function is taken out of it, and is let in again behind.

use std::collections::HashSet;

use naga::{Block, Expression, Function, Handle, Statement, SwitchCase, SwitchValue};

use super::body::{Body, ends_in_return};
use super::fail::{Result, fail};
use super::lanes;
use super::uses::{self, blocks};

/// The mask that a function is called with.
pub const WHOLE: &str = "mask";
/// What those that have returned have returned, and who they are.
const RETURNED: &str = "returned";
const GONE: &str = "gone";

/// Which invocations do what is being written.
#[derive(Debug)]
pub struct Masks {
    /// The variable that holds for them.
    pub mask: String,
    /// Whether others of those that the function was called for will go on, too.
    pub divided: bool,
    /// Loops and switches around it, the outermost first.
    ways: Vec<Way>,
    /// Whether some may return before others.
    returns: bool,
    /// Whether they may do so in a loop.
    leaves: bool,
}

/// What `break` leaves.
#[derive(Clone, Debug)]
enum Way {
    /// `active`: who goes on; `round`: who is in this round; its end's label.
    Loop { active: String, round: String, next: String },
    /// Who has left it.
    Switch { left: String },
}

impl Masks {
    /// At the beginning of a function.
    pub fn new(function: &Function) -> Self {
        let (mut returns, mut leaves) = (0, false);
        uses::each(&function.body, &mut |statement| {
            returns += usize::from(matches!(statement, Statement::Return { .. }));
            leaves |= matches!(statement, Statement::Loop { .. }) && has_return(statement);
        });
        let last = usize::from(ends_in_return(&function.body));
        Self {
            mask: WHOLE.to_owned(),
            divided: false,
            ways: Vec::new(),
            returns: returns > last,
            leaves,
        }
    }
}

impl Body<'_> {
    fn masks(&mut self) -> &mut Masks {
        self.masks.as_mut().expect("several invocations at a time")
    }

    /// Declares the mask of those that are in a workgroup of this size, of several invocations from `invocation` on.
    pub fn begin_invocation(&mut self, size: u32) {
        if self.masks.is_some() {
            self.text.line(format!("let mut {WHOLE} = {};", lanes::everybody(size)));
        }
    }

    /// Declares what a function's masks need.
    pub fn begin_masks(&mut self) -> Result<()> {
        let Some(masks) = &self.masks else { return Ok(()) };
        let leaves = masks.leaves;
        if let (true, Some(result)) = (masks.returns, &self.function.result) {
            let zero = self.shader.types.zero(self.shader.module, result.ty)?;
            self.text.line(format!("let mut {RETURNED} = {zero};"));
        }
        if leaves {
            self.text.line(format!("let mut {GONE} = rt::nobody(simd);"));
        }
        Ok(())
    }

    /// Ends a function, of which some may have returned before.
    pub fn end_masks(&mut self) {
        let Some(masks) = &self.masks else { return };
        if masks.returns && self.function.result.is_some() {
            self.text.line(format!("return {RETURNED};"));
        }
    }

    /// Writes a statement that decides who does what follows, or what it decides about. Gives whether it is one.
    pub fn masked(&mut self, statement: &Statement) -> Result<bool> {
        match *statement {
            Statement::If { condition, ref accept, ref reject } => {
                self.masked_if(condition, accept, reject)?;
            }
            Statement::Switch { selector, ref cases } => self.masked_switch(selector, cases)?,
            Statement::Loop { ref body, ref continuing, break_if } => {
                self.masked_loop(body, continuing, break_if)?;
            }
            Statement::Break => match self.masks().ways.last().cloned() {
                Some(Way::Loop { active, .. }) => self.take_out(&[active]),
                Some(Way::Switch { left }) => {
                    let mask = self.masks().mask.clone();
                    self.text.line(format!("{left} = {left} | {mask};"));
                    self.take_out(&[]);
                }
                None => return fail("a jump out of no loop"),
            },
            Statement::Continue => self.take_out(&[]),
            Statement::Return { value } => self.masked_return(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Takes those of the present mask out of it, and out of these.
    fn take_out(&mut self, others: &[String]) {
        let mask = self.masks().mask.clone();
        for other in others {
            self.text.line(format!("{other} = {other} & !{mask};"));
        }
        self.text.line(format!("{mask} = rt::nobody(simd);"));
    }

    fn masked_return(&mut self, value: Option<Handle<Expression>>) -> Result<()> {
        let value = value.map(|value| self.value(value)).transpose()?;
        let masks = self.masks();
        let (mask, leaves) = (masks.mask.clone(), masks.leaves);
        if !masks.returns {
            let value = value.map(|value| format!(" {value}")).unwrap_or_default();
            let leave = self.end_of_invocation();
            self.text.line(format!("{leave}{value};"));
            return Ok(());
        }
        if let Some(value) = value {
            self.text.line(format!("{RETURNED} = rt::choose({mask}, {value}, {RETURNED});"));
        }
        if leaves {
            self.text.line(format!("{GONE} = {GONE} | {mask};"));
        }
        let active = self.masks().ways.iter().filter_map(|way| match way {
            Way::Loop { active, .. } => Some(active.clone()),
            Way::Switch { .. } => None,
        });
        let active: Vec<_> = active.collect();
        self.take_out(&active);
        Ok(())
    }

    /// Ends a function, or an invocation of several phases.
    pub fn end_of_invocation(&self) -> &'static str {
        if self.together.is_some() { "continue 'invocations" } else { "return" }
    }

    /// Where nobody is left: to the end of the round, or of the function.
    fn leave_early(&mut self) {
        let masks = self.masks.as_ref().expect("several invocations at a time");
        let mask = &masks.mask;
        let leave = match masks.ways.last() {
            Some(Way::Loop { round, next, .. }) if round == mask => format!("break '{next};"),
            None if mask == WHOLE && masks.returns => match self.function.result {
                Some(_) => format!("return {RETURNED};"),
                None => format!("{};", self.end_of_invocation()),
            },
            _ => return,
        };
        self.text.line(format!("if rt::none({mask}) {{"));
        self.text.line(leave);
        self.text.line("}");
    }

    /// A block under a mask of its own.
    fn under(&mut self, mask: &str, block: &Block) -> Result<()> {
        let outer = std::mem::replace(&mut self.masks().mask, mask.to_owned());
        let divided = std::mem::replace(&mut self.masks().divided, true);
        self.block(block)?;
        self.masks().divided = divided;
        self.masks().mask = outer;
        Ok(())
    }

    fn masked_if(
        &mut self,
        condition: Handle<Expression>,
        accept: &Block,
        reject: &Block,
    ) -> Result<()> {
        let jumps = accept.iter().chain(reject).any(may_jump);
        if let Some(condition) = self.common_value(condition)? {
            self.text.line(format!("if {condition} {{"));
            self.block(accept)?;
            self.text.line("} else {");
            self.block(reject)?;
            self.text.line("}");
        } else {
            let condition = self.value(condition)?;
            let outer = self.masks().mask.clone();
            let [yes, no] = ["yes", "no"].map(|name| self.names.fresh(name));
            self.text.line(format!("let mut {yes} = {outer} & {condition};"));
            if jumps || !reject.is_empty() {
                self.text.line(format!("let mut {no} = {outer} & !{condition};"));
            }
            for (mask, block) in [(&yes, accept), (&no, reject)] {
                if !block.is_empty() {
                    self.text.line(format!("if rt::any({mask}) {{"));
                    self.under(mask, block)?;
                    self.text.line("}");
                }
            }
            if jumps {
                self.text.line(format!("{outer} = {yes} | {no};"));
            }
        }
        if jumps {
            self.leave_early();
        }
        Ok(())
    }

    fn masked_switch(&mut self, selector: Handle<Expression>, cases: &[SwitchCase]) -> Result<()> {
        let selector = self.value(selector)?;
        let outer = self.masks().mask.clone();
        let [left, rest, after] = ["left", "rest", "after"].map(|name| self.names.fresh(name));
        self.text.line(format!("let mut {left} = rt::nobody(simd);"));
        self.text.line(format!("let mut {rest} = {outer};"));
        self.text.line(format!("let mut {after} = rt::nobody(simd);"));
        self.masks().ways.push(Way::Switch { left: left.clone() });
        let (mut values, mut default) = (Vec::new(), None);
        for case in cases {
            let value = match case.value {
                SwitchValue::I32(value) => Some(naga::Literal::I32(value)),
                SwitchValue::U32(value) => Some(naga::Literal::U32(value)),
                SwitchValue::Default => None,
            };
            values.push(value);
            match (case.fall_through, case.body.is_empty()) {
                (true, true) => continue,
                (true, false) => return fail("a case that falls through"),
                (false, _) => {}
            }
            let values = std::mem::take(&mut values);
            if values.contains(&None) {
                default = Some(&case.body);
                continue;
            }
            let hits = values.iter().flatten().map(|value| {
                Ok(format!("rt::eq({selector}, {})", self.shader.types.literal(value)?))
            });
            let hits = hits.collect::<Result<Vec<_>>>()?.join(" | ");
            let one = self.names.fresh("one");
            self.text.line(format!("let mut {one} = {rest} & ({hits});"));
            self.text.line(format!("{rest} = {rest} & !{one};"));
            self.case(&one, &after, &case.body)?;
        }
        match default {
            Some(body) => self.case(&rest, &after, body)?,
            None => self.text.line(format!("{after} = {after} | {rest};")),
        }
        self.masks().ways.pop();
        self.text.line(format!("{outer} = {after} | {left};"));
        Ok(())
    }

    fn case(&mut self, mask: &str, after: &str, body: &Block) -> Result<()> {
        self.text.line(format!("if rt::any({mask}) {{"));
        self.under(mask, body)?;
        self.text.line(format!("{after} = {after} | {mask};"));
        self.text.line("}");
        Ok(())
    }

    fn masked_loop(
        &mut self,
        body: &Block,
        continuing: &Block,
        break_if: Option<Handle<Expression>>,
    ) -> Result<()> {
        let outer = self.masks().mask.clone();
        let [active, round] = ["active", "here"].map(|name| self.names.fresh(name));
        let [end, next] = ["repeat", "round"].map(|name| self.names.fresh(name));
        self.text.line(format!("let mut {active} = {outer};"));
        self.text.line(format!("'{end}: loop {{"));
        for value in self.passed_on(body, continuing, break_if) {
            let ty = self.type_name(value)?;
            let name = self.names.fresh("t");
            self.text.line(format!("let mut {name} = rt::zero::<{ty}>(simd);"));
            self.values.insert(value, name);
        }
        self.text.line(format!("let mut {round} = {active};"));
        self.text.line(format!("'{next}: {{"));
        self.masks().ways.push(Way::Loop { active: active.clone(), round: round.clone(), next });
        self.under(&round, body)?;
        self.text.line("}");
        self.under(&active, continuing)?;
        if let Some(condition) = break_if {
            let condition = self.value(condition)?;
            self.text.line(format!("{active} = {active} & !{condition};"));
        }
        self.text.line(format!("if rt::none({active}) {{"));
        self.text.line(format!("break '{end};"));
        self.text.line("}");
        self.text.line("}");
        self.masks().ways.pop();
        if body.iter().any(has_return) {
            self.text.line(format!("{outer} = {outer} & !{GONE};"));
            self.leave_early();
        }
        Ok(())
    }

    /// The values that a loop's body computes and that are needed behind it: they outlive the block that the body is.
    fn passed_on(
        &self,
        body: &Block,
        continuing: &Block,
        break_if: Option<Handle<Expression>>,
    ) -> Vec<Handle<Expression>> {
        let mut computed = Vec::new();
        for statement in body {
            if let Statement::Emit(range) = statement {
                computed.extend(range.clone().filter(|value| self.is_held(*value)));
            }
            computed.extend(uses::result_of(statement));
        }
        let mut needed: Vec<_> = break_if.into_iter().collect();
        uses::each(continuing, &mut |statement| needed.extend(uses::read_by(statement)));
        let mut seen = HashSet::new();
        while let Some(value) = needed.pop() {
            if seen.insert(value) {
                needed.extend(uses::operands(&self.function.expressions[value]));
            }
        }
        computed.retain(|value| seen.contains(value));
        computed
    }
}

fn has_return(statement: &Statement) -> bool {
    match statement {
        Statement::Return { .. } => true,
        _ => blocks(statement).into_iter().flat_map(|block| block.iter()).any(has_return),
    }
}

/// Whether a statement may take somebody out of the mask.
fn may_jump(statement: &Statement) -> bool {
    fn jumps(statement: &Statement, in_loop: bool, in_switch: bool) -> bool {
        match statement {
            Statement::Return { .. } => true,
            Statement::Break => !in_loop && !in_switch,
            Statement::Continue => !in_loop,
            _ => {
                let in_loop = in_loop || matches!(statement, Statement::Loop { .. });
                let in_switch = in_switch || matches!(statement, Statement::Switch { .. });
                let mut inner = blocks(statement).into_iter().flat_map(|block| block.iter());
                inner.any(|statement| jumps(statement, in_loop, in_switch))
            }
        }
    }
    jumps(statement, false, false)
}
