//! Kernels with barriers: all invocations of a workgroup run on one thread, phase by phase.

use std::collections::HashMap;

use naga::{AddressSpace, Barrier, Expression, Handle, LocalVariable};

use super::body::{Body, globals_of};
use super::fail::Result;
use super::lanes;
use super::phase::{Lives, Phase, Splitter};

/// What is known of each invocation of a workgroup.
#[derive(Debug)]
pub struct Together {
    lives: Lives,
    /// The arrays of values that outlive their phase.
    arrays: HashMap<Handle<Expression>, String>,
    /// The phase that is being written.
    number: usize,
    invocations: u32,
    /// Invocations at a time.
    lanes: u32,
    /// Defines the arguments of invocation `invocation`.
    prelude: Vec<String>,
}

impl Together {
    /// Where a value is found that another phase has computed.
    pub fn elsewhere(&self, value: Handle<Expression>) -> Option<String> {
        let array = self.arrays.get(&value)?;
        (self.lives.computed[&value] != self.number).then(|| self.entry(array))
    }

    /// What an array has for the present invocations.
    pub fn entry(&self, array: &str) -> String {
        match self.lanes {
            1 => format!("{array}[invocation]"),
            lanes => format!("{array}[invocation / {lanes}]"),
        }
    }

    /// Entries of such arrays.
    fn entries(&self) -> u32 {
        self.invocations.div_ceil(self.lanes)
    }

    /// The array that a value is put into, too.
    pub fn array(&self, value: Handle<Expression>) -> Option<&String> {
        self.arrays.get(&value)
    }

    /// Whether a variable outlives its phase.
    pub fn has_array(&self, local: Handle<LocalVariable>) -> bool {
        matches!(self.lives.at_home.get(&local), Some(None))
    }
}

impl Body<'_> {
    /// The text of a workgroup's function after its parameters; `prelude` defines what an invocation's arguments are.
    pub fn workgroup(&mut self, invocations: u32, prelude: Vec<String>) -> Result<()> {
        let phases = Splitter::default().split(&self.function.body, true)?;
        let lives = Lives::new(self, &phases);
        let mut outliving: Vec<_> = lives.outliving.iter().copied().collect();
        outliving.sort();
        let lanes = if self.masks.is_some() { lanes::COUNT } else { 1 };
        let arrays = HashMap::new();
        let mut together = Together { lives, arrays, number: 0, invocations, lanes, prelude };
        for value in outliving {
            let name = self.function.named_expressions.get(&value).map_or("t", String::as_str);
            let array = self.names.fresh(&format!("{name}_of"));
            let zero = self.shader.types.zero_of(&self.type_name(value)?);
            self.text.line(format!("let mut {array} = [{zero}; {}];", together.entries()));
            together.arrays.insert(value, array);
        }
        let entries = together.entries();
        self.together = Some(together);
        self.declare_shared(entries)?;
        self.phases(&phases)?;
        self.text.line("}");
        Ok(())
    }

    /// Workgroup memory, and what each invocation has of its own for longer than a phase.
    fn declare_shared(&mut self, entries: u32) -> Result<()> {
        for global in globals_of(self.shader.module, self.info) {
            let variable = &self.shader.module.global_variables[global];
            let (name, ty) = (self.globals[&global].clone(), variable.ty);
            let ty = || self.shader.types.name(self.shader.module, ty);
            match variable.space {
                AddressSpace::WorkGroup if self.masks.is_none() => {
                    let initial = self.initial_global(variable)?;
                    self.text.line(format!("let mut {name}: {} = {initial};", ty()?));
                    self.text.line(format!("rt::share(&{name});"));
                }
                AddressSpace::Private => {
                    let initial = self.initial_global(variable)?;
                    self.text.line(format!("let mut {name} = [{initial}; {entries}];"));
                    let entry = self.together.as_ref().map(|together| together.entry(&name));
                    self.globals.insert(global, entry.unwrap_or(name));
                }
                _ => {}
            }
        }
        for (local, variable) in self.function.local_variables.iter() {
            if self.together.as_ref().is_some_and(|together| together.has_array(local)) {
                let initial = self.initial(variable.init, variable.ty)?;
                let name = &self.locals[&local];
                self.text.line(format!("let mut {name} = [{initial}; {entries}];"));
            }
        }
        Ok(())
    }

    fn phases(&mut self, phases: &[Phase<'_>]) -> Result<()> {
        phases.iter().try_for_each(|phase| self.phase(phase))
    }

    fn phase(&mut self, phase: &Phase<'_>) -> Result<()> {
        match phase {
            Phase::Each { number, statements } => {
                self.begin_invocations(*number)?;
                for (statement, span) in statements {
                    self.statement(statement, *span)?;
                }
                self.text.line("}");
            }
            Phase::If { number, condition, accept, reject } => {
                let condition = self.common(*number, *condition)?;
                self.text.line(format!("if {condition} {{"));
                self.phases(accept)?;
                if !reject.is_empty() {
                    self.text.line("} else {");
                    self.phases(reject)?;
                }
                self.text.line("}");
            }
            Phase::Loop { block, body, continuing, break_if } => {
                let next = self.begin_loop(block);
                self.phases(body)?;
                if next {
                    self.text.line("}");
                }
                self.phases(continuing)?;
                let break_if = break_if.map(|(number, condition)| self.common(number, condition));
                let break_if = break_if.transpose()?;
                self.end_loop(break_if);
            }
            Phase::Load { number, pointer, result } => {
                self.enter(*number);
                let at = self.at(*result, *pointer);
                let place = self.read(&self.place(*pointer)?, &self.type_name(*result)?, &at);
                let prelude = self.prelude().concat();
                let value = format!("{{ let invocation = 0_usize; {prelude} {place} }}");
                self.barrier(Barrier::WORK_GROUP);
                self.hold(*result, &value)?;
                self.barrier(Barrier::WORK_GROUP);
            }
            Phase::Barrier(barrier) => self.barrier(*barrier),
            Phase::Break => self.leave(|(end, _)| end)?,
            Phase::Continue => self.leave(|(_, next)| next)?,
            Phase::Return => self.text.line("return;"),
        }
        Ok(())
    }

    fn barrier(&mut self, barrier: Barrier) {
        if self.masks.is_some() {
            return;
        }
        let [buffers, workgroup] = [Barrier::STORAGE, Barrier::WORK_GROUP];
        let [buffers, workgroup] = [buffers, workgroup].map(|of| barrier.contains(of));
        self.text.line(format!("rt::barrier({buffers}, {workgroup});"));
    }

    fn enter(&mut self, number: usize) {
        if let Some(together) = &mut self.together {
            together.number = number;
        }
    }

    fn prelude(&self) -> Vec<String> {
        self.together.as_ref().map(|together| together.prelude.clone()).unwrap_or_default()
    }

    fn begin_invocations(&mut self, number: usize) -> Result<()> {
        self.enter(number);
        let Some(together) = &self.together else { return Ok(()) };
        let Together { invocations, lanes, .. } = *together;
        let each = match lanes {
            1 => format!("0..{invocations}_usize"),
            lanes => format!("(0..{invocations}_usize).step_by({lanes})"),
        };
        self.text.line(format!("'invocations: for invocation in {each} {{"));
        let at_home = self.function.local_variables.iter().map(|(local, _)| local);
        let here = |local: &Handle<_>| together.lives.at_home.get(local) == Some(&Some(number));
        let at_home: Vec<_> = at_home.filter(here).collect();
        if lanes == 1 {
            self.text.line("rt::invocation(invocation);");
        }
        self.begin_invocation(invocations);
        self.begin_masks()?;
        for line in self.prelude() {
            self.text.line(line);
        }
        at_home.into_iter().try_for_each(|local| self.declare(local))
    }

    /// A condition that all invocations agree about.
    fn common(&mut self, number: usize, condition: Handle<Expression>) -> Result<String> {
        self.enter(number);
        let at = self.at(condition, condition);
        let condition = self.value(condition)?;
        let invocations = self.together.as_ref().map_or(1, |together| together.invocations);
        let prelude = self.prelude().concat();
        Ok(match self.masks {
            Some(_) => {
                format!("rt::decided({{ let invocation = 0_usize; {prelude} {condition} }})")
            }
            None => {
                format!("rt::uniform({invocations}{at}, |invocation| {{ {prelude} {condition} }})")
            }
        })
    }
}
