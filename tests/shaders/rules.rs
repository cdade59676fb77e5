//! What every shader keeps to, read from naga's IR: nothing beyond WebGPU's base, nothing that a CPU executor could
//! not run, and nothing that goes wrong in release builds, which check neither the rounds of loops nor divisors.

use std::collections::HashSet;

use naga::valid::{Capabilities, FunctionInfo, ValidationFlags, Validator};
use naga::{
    AddressSpace, BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable,
    MathFunction, Module, ScalarKind, ShaderStage, Statement, StorageAccess,
};

/// A validated shader.
pub struct Shader {
    pub module: Module,
    pub info: naga::valid::ModuleInfo,
}

/// Parses and validates with no capability beyond WebGPU's base.
pub fn parse(text: &str) -> Result<Shader, String> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| error.emit_to_string(text))?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    let info = validator.validate(&module).map_err(|error| error.emit_to_string(text))?;
    Ok(Shader { module, info })
}

/// Every breach of the rules by the composed shader of this name.
pub fn violations(name: &str, text: &str) -> Vec<String> {
    let shader = match parse(text) {
        Ok(shader) => shader,
        Err(message) => return vec![message],
    };
    let module = &shader.module;
    let mut found = words(text);
    for (handle, function) in module.functions.iter() {
        let body = Body { module, function, info: &shader.info[handle], is_entry: false };
        body.check(&mut found);
    }
    for (index, entry) in module.entry_points.iter().enumerate() {
        let info = shader.info.get_entry_point(index);
        found.extend(entry_point(name, module, entry, info));
        let body = Body { module, function: &entry.function, info, is_entry: true };
        body.check(&mut found);
    }
    found
}

fn words(text: &str) -> Vec<String> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let refused =
        words.filter(|word| ["while", "loop", "override", "enable", "requires"].contains(word));
    refused.map(|word| format!("the word {word}")).collect()
}

fn entry_point(
    name: &str,
    module: &Module,
    entry: &naga::EntryPoint,
    info: &FunctionInfo,
) -> Vec<String> {
    let mut found = Vec::new();
    let stage = match entry.stage {
        ShaderStage::Compute => "",
        ShaderStage::Vertex => "_vertex",
        _ => "_fragment",
    };
    let wanted = format!("{}{stage}", name.trim_start_matches("draw_"));
    if entry.name != wanted {
        found.push(format!("entry point {}, wanted {wanted}", entry.name));
    }
    if entry.stage == ShaderStage::Compute && !matches!(entry.workgroup_size, [64..=256, 1, 1]) {
        found.push(format!(
            "workgroup size {:?}, wanted one dimension of 64 to 256",
            entry.workgroup_size
        ));
    }
    let storage = |space: AddressSpace| matches!(space, AddressSpace::Storage { .. });
    let used = module.global_variables.iter().filter(|(handle, _)| !info[*handle].is_empty());
    let buffers = used.filter(|(_, variable)| storage(variable.space)).count();
    if buffers > 8 {
        found.push(format!("{buffers} storage buffers, wanted at most 8"));
    }
    found
}

/// One function under examination.
struct Body<'a> {
    module: &'a Module,
    function: &'a Function,
    info: &'a FunctionInfo,
    is_entry: bool,
}

impl Body<'_> {
    fn check(&self, found: &mut Vec<String>) {
        let mut here = Vec::new();
        for (handle, expression) in self.function.expressions.iter() {
            here.extend(self.expression(handle, expression));
        }
        self.block(&self.function.body, &mut here);
        let name = self.function.name.as_deref().unwrap_or("the entry point");
        found.extend(here.into_iter().map(|message| format!("{name}: {message}")));
    }

    fn kind(&self, expression: Handle<Expression>) -> Option<ScalarKind> {
        self.info[expression].ty.inner_with(&self.module.types).scalar_kind()
    }

    fn expression(&self, handle: Handle<Expression>, expression: &Expression) -> Option<String> {
        match *expression {
            Expression::Math { fun: MathFunction::Frexp | MathFunction::Modf, .. } => {
                Some("frexp or modf".into())
            }
            Expression::Binary { op: BinaryOperator::NotEqual, left, .. }
                if self.kind(left) == Some(ScalarKind::Float) =>
            {
                Some("!= of floats, which is no test for NaN".into())
            }
            Expression::Binary {
                op: BinaryOperator::Divide | BinaryOperator::Modulo,
                right,
                ..
            } => {
                let integer =
                    matches!(self.kind(handle), Some(ScalarKind::Sint | ScalarKind::Uint));
                (integer && !self.is_positive(right))
                    .then(|| "integer division by a variable".into())
            }
            _ => None,
        }
    }

    /// A literal, or a constant made of one, above 0 in all its components.
    fn is_positive(&self, expression: Handle<Expression>) -> bool {
        match self.function.expressions[expression] {
            Expression::Splat { value, .. } => self.is_positive(value),
            Expression::Constant(constant) => {
                let init = self.module.constants[constant].init;
                matches!(self.module.global_expressions[init], Expression::Literal(literal) if is_positive(literal))
            }
            Expression::Literal(literal) => is_positive(literal),
            _ => false,
        }
    }

    fn block(&self, block: &Block, found: &mut Vec<String>) {
        for statement in block {
            match statement {
                Statement::ControlBarrier(_)
                | Statement::MemoryBarrier(_)
                | Statement::WorkGroupUniformLoad { .. }
                    if !self.is_entry =>
                {
                    found.push("a barrier outside the entry point".into());
                }
                Statement::Loop { body, continuing, break_if } => {
                    let counted = match break_if {
                        None => self.counted(body, continuing),
                        Some(_) => Err("break if"),
                    };
                    found.extend(
                        counted.err().map(|why| format!("a loop that is not counted: {why}")),
                    );
                }
                _ => {}
            }
            for inner in blocks(statement) {
                self.block(inner, found);
            }
        }
    }

    /// Whether a loop is `for (…; k < bound; k++)`, where its body changes neither k nor the bound, so that it ends.
    fn counted(&self, body: &Block, continuing: &Block) -> Result<(), &'static str> {
        let mut emitted = HashSet::new();
        let mut condition = None;
        for statement in body {
            match statement {
                Statement::Emit(range) => emitted.extend(range.clone()),
                Statement::If { condition: test, accept, reject } if accept.is_empty() => {
                    condition = matches!(reject.first(), Some(Statement::Break)).then_some(*test);
                    break;
                }
                _ => break,
            }
        }
        let expressions = &self.function.expressions;
        let Expression::Binary { op, left, right } =
            expressions[condition.ok_or("no condition")?]
        else {
            return Err("no comparison");
        };
        let counter = self.loaded(left).ok_or("no counter on the left")?;
        match op {
            BinaryOperator::Less => {}
            BinaryOperator::LessEqual if matches!(expressions[right], Expression::Literal(_)) => {}
            _ => return Err("not counter < bound"),
        }
        let mut written = HashSet::new();
        self.written(body, &mut written);
        if written.contains(&counter) {
            return Err("the body changes the counter");
        }
        if !self.fixed(right, &emitted, &written) {
            return Err("the bound can change");
        }
        if self.increments(continuing, counter) { Ok(()) } else { Err("not counter++") }
    }

    /// The local variable whose value this expression is.
    fn loaded(&self, value: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        let Expression::Load { pointer } = self.function.expressions[value] else {
            return None;
        };
        match self.function.expressions[pointer] {
            Expression::LocalVariable(variable) => Some(variable),
            _ => None,
        }
    }

    fn increments(&self, continuing: &Block, counter: Handle<LocalVariable>) -> bool {
        let expressions = &self.function.expressions;
        let mut stores =
            continuing.iter().filter(|statement| !matches!(statement, Statement::Emit(_)));
        let (Some(Statement::Store { pointer, value }), None) = (stores.next(), stores.next())
        else {
            return false;
        };
        let Expression::Binary { op: BinaryOperator::Add, left, right } = expressions[*value]
        else {
            return false;
        };
        let one =
            matches!(expressions[right], Expression::Literal(Literal::U32(1) | Literal::I32(1)));
        one && self.local(*pointer) == Some(counter) && self.loaded(left) == Some(counter)
    }

    /// The local variable that a pointer points into.
    fn local(&self, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        match self.function.expressions[pointer] {
            Expression::LocalVariable(variable) => Some(variable),
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                self.local(base)
            }
            _ => None,
        }
    }

    /// All local variables that a block may change.
    fn written(&self, block: &Block, variables: &mut HashSet<Handle<LocalVariable>>) {
        for statement in block {
            match statement {
                Statement::Store { pointer, .. } | Statement::Atomic { pointer, .. } => {
                    variables.extend(self.local(*pointer));
                }
                Statement::Call { arguments, .. } => {
                    variables.extend(arguments.iter().filter_map(|argument| self.local(*argument)));
                }
                _ => {}
            }
            for inner in blocks(statement) {
                self.written(inner, variables);
            }
        }
    }

    /// Whether an expression has the same value in every round: it was evaluated before the loop, or is `emitted` by
    /// the loop's head from values that nobody writes.
    fn fixed(
        &self,
        value: Handle<Expression>,
        emitted: &HashSet<Handle<Expression>>,
        written: &HashSet<Handle<LocalVariable>>,
    ) -> bool {
        if !emitted.contains(&value) {
            return true;
        }
        let fixed = |part| self.fixed(part, emitted, written);
        match self.function.expressions[value] {
            Expression::Load { pointer } => {
                self.constant_memory(pointer, written) && fixed(pointer)
            }
            Expression::AccessIndex { base, .. } => fixed(base),
            Expression::Access { base, index } => fixed(base) && fixed(index),
            Expression::Binary { left, right, .. } => fixed(left) && fixed(right),
            Expression::Unary { expr, .. } | Expression::As { expr, .. } => fixed(expr),
            Expression::Math { arg, arg1, arg2, arg3, .. } => {
                fixed(arg) && [arg1, arg2, arg3].into_iter().flatten().all(fixed)
            }
            _ => false,
        }
    }

    fn constant_memory(
        &self,
        pointer: Handle<Expression>,
        written: &HashSet<Handle<LocalVariable>>,
    ) -> bool {
        match self.function.expressions[pointer] {
            Expression::LocalVariable(variable) => !written.contains(&variable),
            Expression::GlobalVariable(variable) => {
                match self.module.global_variables[variable].space {
                    AddressSpace::Uniform => true,
                    AddressSpace::Storage { access } => !access.contains(StorageAccess::STORE),
                    _ => false,
                }
            }
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                self.constant_memory(base, written)
            }
            _ => false,
        }
    }
}

fn is_positive(literal: Literal) -> bool {
    matches!(literal, Literal::U32(1..) | Literal::I32(1..))
}

/// The blocks directly inside a statement.
fn blocks(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::Block(block) => vec![block],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    }
}
