//! What expressions and statements need.

use std::collections::{BTreeSet, HashMap, HashSet};

use naga::{
    AtomicFunction, Block, Expression, Function, Handle, Statement, SwitchCase, TypeInner,
    UniqueArena,
};

/// The expressions that one is made of.
pub fn operands(expression: &Expression) -> Vec<Handle<Expression>> {
    use Expression as E;
    match *expression {
        E::Compose { ref components, .. } => components.clone(),
        E::Access { base, index } => vec![base, index],
        E::AccessIndex { base, .. } => vec![base],
        E::Splat { value, .. } => vec![value],
        E::Swizzle { vector, .. } => vec![vector],
        E::Load { pointer } => vec![pointer],
        E::Unary { expr, .. } | E::As { expr, .. } => vec![expr],
        E::Binary { left, right, .. } => vec![left, right],
        E::Select { condition, accept, reject } => vec![condition, accept, reject],
        E::Relational { argument, .. } => vec![argument],
        E::Math { arg, arg1, arg2, arg3, .. } => {
            [Some(arg), arg1, arg2, arg3].into_iter().flatten().collect()
        }
        E::ArrayLength(array) => vec![array],
        _ => Vec::new(),
    }
}

/// The expressions that a statement reads by itself, without those of the blocks in it.
pub fn read_by(statement: &Statement) -> Vec<Handle<Expression>> {
    use Statement as S;
    match *statement {
        S::If { condition, .. } => vec![condition],
        S::Switch { selector, .. } => vec![selector],
        S::Loop { break_if, .. } => break_if.into_iter().collect(),
        S::Return { value } => value.into_iter().collect(),
        S::Store { pointer, value } => vec![pointer, value],
        S::Call { ref arguments, .. } => arguments.clone(),
        S::Atomic { pointer, fun, value, .. } => match fun {
            AtomicFunction::Exchange { compare: Some(compare) } => vec![pointer, value, compare],
            _ => vec![pointer, value],
        },
        S::WorkGroupUniformLoad { pointer, .. } => vec![pointer],
        _ => Vec::new(),
    }
}

/// The expression that a statement gives a value.
pub fn result_of(statement: &Statement) -> Option<Handle<Expression>> {
    match *statement {
        Statement::Call { result, .. } | Statement::Atomic { result, .. } => result,
        Statement::WorkGroupUniformLoad { result, .. } => Some(result),
        _ => None,
    }
}

/// The blocks in a statement.
pub fn blocks(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::Block(block) => vec![block],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        Statement::Switch { cases, .. } => {
            cases.iter().map(|SwitchCase { body, .. }| body).collect()
        }
        _ => Vec::new(),
    }
}

/// Calls `f` with all statements of a block and the blocks in it.
pub fn each<'a>(block: &'a Block, f: &mut impl FnMut(&'a Statement)) {
    for statement in block {
        f(statement);
        for block in blocks(statement) {
            each(block, f);
        }
    }
}

/// How a function uses its values.
#[derive(Debug, Default)]
pub struct Uses {
    /// Of these several components are taken.
    pub taken_apart: HashSet<Handle<Expression>>,
    /// Of loaded structs and arguments that are needed member by member alone: which members.
    pub members: HashMap<Handle<Expression>, BTreeSet<u32>>,
}

/// Of each of a function's arguments that is a struct and needed member by member alone: which members.
pub type Needed = Vec<Option<BTreeSet<u32>>>;

impl Uses {
    /// Of all its expressions and statements; `needed` says what a function that it calls needs.
    pub fn new<'a>(
        function: &Function,
        needed: impl Fn(Handle<Function>) -> Option<&'a Needed>,
    ) -> Self {
        let mut uses = Self::default();
        let mut whole = HashSet::new();
        each(&function.body, &mut |statement| {
            let Statement::Call { function, arguments, .. } = statement else {
                whole.extend(read_by(statement));
                return;
            };
            let needed = needed(*function);
            for (k, argument) in arguments.iter().enumerate() {
                match needed.and_then(|needed| needed[k].as_ref()) {
                    Some(members) => uses.members.entry(*argument).or_default().extend(members),
                    None => _ = whole.insert(*argument),
                }
            }
        });
        for (_, expression) in function.expressions.iter() {
            match *expression {
                Expression::AccessIndex { base, index } => {
                    uses.taken_apart.insert(base);
                    uses.members.entry(base).or_default().insert(index);
                }
                Expression::Swizzle { vector, .. } => {
                    uses.taken_apart.insert(vector);
                    whole.insert(vector);
                }
                Expression::Compose { ref components, .. } => {
                    uses.taken_apart.extend(components);
                    whole.extend(components);
                }
                ref other => whole.extend(operands(other)),
            }
        }
        uses.members.retain(|value, _| {
            let is_read = matches!(
                function.expressions[*value],
                Expression::Load { .. } | Expression::FunctionArgument(_)
            );
            is_read && !whole.contains(value)
        });
        uses
    }

    /// What the function needs of its arguments.
    pub fn needed(&self, function: &Function, types: &UniqueArena<naga::Type>) -> Needed {
        let mut needed: Needed = vec![None; function.arguments.len()];
        for (value, expression) in function.expressions.iter() {
            if let Expression::FunctionArgument(index) = *expression
                && let index = index as usize
                && let TypeInner::Struct { .. } = types[function.arguments[index].ty].inner
            {
                needed[index] = self.members.get(&value).cloned();
            }
        }
        needed
    }
}
