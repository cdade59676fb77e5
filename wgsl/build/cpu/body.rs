//! A function: its signature, its variables and the names of all that is in it.

use std::collections::{BTreeSet, HashMap, HashSet};

use naga::valid::FunctionInfo;
use naga::{
    AddressSpace, Expression, Function, GlobalVariable, Handle, LocalVariable, Module, Span,
    StorageAccess, TypeInner,
};

use super::constant::constant;
use super::fail::Result;
use super::lanes::OWN;
use super::masked::{self, Masks};
use super::names::Names;
use super::text::Text;
use super::types::Types;
use super::uses::{Needed, Uses};
use super::workgroup::Together;
use crate::Composed;

/// A kernel as far as it has been translated.
#[derive(Debug)]
pub struct Shader<'a> {
    pub composed: &'a Composed,
    pub module: &'a Module,
    pub types: Types,
    pub callees: HashMap<Handle<Function>, Callee>,
}

impl Shader<'_> {
    /// What Rust calls the type of a variable of the kernel's, if it is an array of words: words that others may write at the
    /// same time, or words that nobody writes, or, of several invocations at a time, words of their workgroup.
    pub fn buffer_type(&self, variable: &GlobalVariable) -> Option<&'static str> {
        match variable.space {
            AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => {
                Some("&[AtomicU32]")
            }
            AddressSpace::Storage { .. } | AddressSpace::Uniform => Some("&[u32]"),
            AddressSpace::WorkGroup if self.types.lanes => {
                Some(if is_atomic(self.module, variable.ty) { "&[AtomicU32]" } else { OWN })
            }
            _ => None,
        }
    }
}

/// Whether a type has anything atomic.
fn is_atomic(module: &Module, ty: Handle<naga::Type>) -> bool {
    match module.types[ty].inner {
        TypeInner::Atomic(_) => true,
        TypeInner::Array { base, .. } => is_atomic(module, base),
        TypeInner::Struct { ref members, .. } => {
            members.iter().any(|member| is_atomic(module, member.ty))
        }
        _ => false,
    }
}

/// A function that has been translated.
#[derive(Clone, Debug)]
pub struct Callee {
    /// Its module, and its name in there.
    pub path: String,
    /// Whether it asks what a world holds.
    pub takes_content: bool,
    /// The kernel's variables that it takes, in order.
    pub globals: Vec<Handle<GlobalVariable>>,
    /// What it needs of its arguments.
    pub needed: Needed,
    /// Whether it is short, as all are that it calls.
    pub in_place: bool,
}

/// A function that is being translated.
#[derive(Debug)]
pub struct Body<'a> {
    pub shader: &'a Shader<'a>,
    pub function: &'a Function,
    pub info: &'a FunctionInfo,
    pub uses: Uses,
    pub names: Names,
    pub arguments: Vec<String>,
    /// The kernel's variables, as places.
    pub globals: HashMap<Handle<GlobalVariable>, String>,
    pub locals: HashMap<Handle<LocalVariable>, String>,
    /// Values that are held by variables.
    pub values: HashMap<Handle<Expression>, String>,
    /// Structs of which not all members are loaded.
    pub partial: HashSet<Handle<Expression>>,
    /// Their members.
    pub members: HashMap<(Handle<Expression>, u32), String>,
    /// Where `break` and `continue` go to.
    pub labels: Vec<(String, String)>,
    /// Of several invocations at a time: which of them do what is being written.
    pub masks: Option<Masks>,
    /// Of kernels with barriers: what is known of each invocation.
    pub together: Option<Together>,
    /// The modules that it calls functions of.
    pub calls: BTreeSet<String>,
    /// The statement that is being translated.
    pub span: Span,
    pub text: Text,
}

impl<'a> Body<'a> {
    /// With all names but those of values.
    pub fn new(shader: &'a Shader<'a>, function: &'a Function, info: &'a FunctionInfo) -> Self {
        let mut names = Names::default();
        let globals = globals_of(shader.module, info).into_iter().map(|global| {
            let variable = &shader.module.global_variables[global];
            (global, names.fresh(variable.name.as_deref().unwrap_or("variable")))
        });
        let globals = globals.collect();
        let arguments = function.arguments.iter();
        let arguments = arguments
            .map(|argument| names.fresh(argument.name.as_deref().unwrap_or("argument")))
            .collect();
        let locals = function.local_variables.iter();
        let locals = locals
            .map(|(local, variable)| (local, names.fresh(variable.name.as_deref().unwrap_or("v"))))
            .collect();
        Self {
            shader,
            function,
            info,
            uses: Uses::new(function, |callee| {
                shader.callees.get(&callee).map(|callee| &callee.needed)
            }),
            names,
            arguments,
            globals,
            locals,
            values: HashMap::new(),
            partial: HashSet::new(),
            members: HashMap::new(),
            labels: Vec::new(),
            masks: shader.types.lanes.then(|| Masks::new(function)),
            together: None,
            calls: BTreeSet::new(),
            span: Span::UNDEFINED,
            text: Text::default(),
        }
    }

    /// An expression's type.
    pub fn ty(&self, value: Handle<Expression>) -> &TypeInner {
        self.info[value].ty.inner_with(&self.shader.module.types)
    }

    /// The same as Rust calls it.
    pub fn type_name(&self, value: Handle<Expression>) -> Result<String> {
        self.shader.types.of(self.shader.module, &self.info[value].ty)
    }

    /// Whether it is a vector.
    pub fn is_vector(&self, value: Handle<Expression>) -> bool {
        matches!(self.ty(value), TypeInner::Vector { .. })
    }

    /// Whether it points to something.
    pub fn is_pointer(&self, value: Handle<Expression>) -> bool {
        matches!(self.ty(value), TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. })
    }

    /// Whether a value is put into a variable where it is computed. What is loaded always is: it might change later.
    pub fn is_held(&self, value: Handle<Expression>) -> bool {
        let often = self.info[value].ref_count > 1 || self.uses.taken_apart.contains(&value);
        let held = match self.function.expressions[value] {
            Expression::Load { .. } => true,
            Expression::AccessIndex { .. } => false,
            _ => often,
        };
        !self.is_pointer(value) && (held || self.function.named_expressions.contains_key(&value))
    }

    /// The variable that holds a value.
    pub fn known(&self, value: Handle<Expression>) -> Option<String> {
        let elsewhere = self.together.as_ref().and_then(|together| together.elsewhere(value));
        elsewhere.or_else(|| self.values.get(&value).cloned())
    }

    /// A local variable as a place.
    pub fn local(&self, local: Handle<LocalVariable>) -> String {
        let name = &self.locals[&local];
        match &self.together {
            Some(together) if together.has_array(local) => together.entry(name),
            _ => name.clone(),
        }
    }

    /// What a variable holds at first.
    pub fn initial(
        &self,
        init: Option<Handle<Expression>>,
        ty: Handle<naga::Type>,
    ) -> Result<String> {
        match init {
            Some(init) => self.value(init),
            None => self.shader.types.zero(self.shader.module, ty),
        }
    }

    /// The same of one of the kernel's variables.
    pub fn initial_global(&self, variable: &GlobalVariable) -> Result<String> {
        let Shader { module, types, .. } = self.shader;
        match variable.init {
            Some(init) => constant(module, types, init),
            None => types.zero(module, variable.ty),
        }
    }

    /// Puts a value into a variable.
    pub fn hold(&mut self, value: Handle<Expression>, text: &str) -> Result<()> {
        if let (Some(_), Some(declared)) = (&self.masks, self.values.get(&value)) {
            self.text.line(format!("{declared} = {text};"));
            return Ok(());
        }
        let named = self.function.named_expressions.get(&value).map(String::as_str);
        let name = self.names.fresh(named.unwrap_or("t"));
        let ty = self.type_name(value)?;
        self.text.line(format!("let {name}: {ty} = {text};"));
        if let Some(together) = &self.together
            && let Some(array) = together.array(value)
        {
            self.text.line(format!("{} = {name};", together.entry(array)));
        }
        self.values.insert(value, name);
        Ok(())
    }

    /// Declares local variables.
    pub fn declare(&mut self, local: Handle<LocalVariable>) -> Result<()> {
        let variable = &self.function.local_variables[local];
        let ty = self.shader.types.name(self.shader.module, variable.ty)?;
        let initial = self.initial(variable.init, variable.ty)?;
        self.text.line(format!("let mut {}: {ty} = {initial};", self.locals[&local]));
        Ok(())
    }

    /// Whether the function or one that it calls asks what a world holds.
    pub fn takes_content(&self) -> bool {
        let mut called = false;
        super::uses::each(&self.function.body, &mut |statement| {
            if let naga::Statement::Call { function, .. } = statement {
                called |= self.shader.callees[function].takes_content;
            }
        });
        let mut expressions = self.function.expressions.iter();
        called || expressions.any(|(_, value)| matches!(value, Expression::Override(_)))
    }

    /// The parameters that come before those of WGSL: what a world holds, and the kernel's variables.
    pub fn context_parameters(&self) -> Result<Vec<String>> {
        let mut parameters = Vec::new();
        if self.masks.is_some() {
            parameters.extend(["simd: S".to_owned(), format!("mut {}: M", masked::WHOLE)]);
        }
        if self.takes_content() {
            parameters.push("content: &Content".to_owned());
        }
        for global in globals_of(self.shader.module, self.info) {
            let variable = &self.shader.module.global_variables[global];
            let ty = match self.shader.buffer_type(variable) {
                Some(ty) => ty.to_owned(),
                None => {
                    format!("&mut {}", self.shader.types.name(self.shader.module, variable.ty)?)
                }
            };
            parameters.push(format!("{}: {ty}", self.globals[&global]));
        }
        Ok(parameters)
    }

    /// Local variables, and what the function does with them.
    pub fn statements(&mut self) -> Result<()> {
        for (local, _) in self.function.local_variables.iter() {
            self.declare(local)?;
        }
        self.begin_masks()?;
        self.block(&self.function.body)?;
        self.end_masks();
        Ok(())
    }

    /// The text of a function that is no entry point, with `$` for its name.
    pub fn translate(&mut self) -> Result<()> {
        let mut parameters = self.context_parameters()?;
        for (name, argument) in self.arguments.iter().zip(&self.function.arguments) {
            let ty = self.shader.types.name(self.shader.module, argument.ty)?;
            parameters.push(format!("{name}: {ty}"));
        }
        let result = match &self.function.result {
            Some(result) => {
                format!(" -> {}", self.shader.types.name(self.shader.module, result.ty)?)
            }
            None => String::new(),
        };
        self.text.line(format!("pub fn $({}){result} {{", parameters.join(", ")));
        // From here on they are what the parameters refer to.
        for (global, name) in &mut self.globals {
            let variable = &self.shader.module.global_variables[*global];
            if self.shader.buffer_type(variable).is_none() {
                *name = format!("(*{name})");
            }
        }
        self.statements()?;
        if self.masks.is_none()
            && self.function.result.is_some()
            && !ends_in_return(&self.function.body)
        {
            self.text.line("unreachable!(\"all ways through a function return\")");
        }
        self.text.line("}");
        Ok(())
    }
}

pub fn ends_in_return(block: &naga::Block) -> bool {
    matches!(block.last(), Some(naga::Statement::Return { .. }))
}

/// The kernel's variables that a function uses, itself or through others, by name: their order in different kernels is
/// another one.
pub fn globals_of(module: &Module, info: &FunctionInfo) -> Vec<Handle<GlobalVariable>> {
    let globals = module.global_variables.iter().map(|(global, _)| global);
    let mut used: Vec<_> = globals.filter(|global| !info[*global].is_empty()).collect();
    used.sort_by_key(|global| module.global_variables[*global].name.clone());
    used
}
