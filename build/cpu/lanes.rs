//! Kernels that run eight invocations at a time, where the processor has vectors for it.

use naga::{Binding, BuiltIn, Function, FunctionArgument, Handle, Module};

use super::text::Text;
use super::uses;

/// What the modules of such functions begin with.
pub const PREFIX: &str = "lanes_";
/// Where there are such vectors at all.
pub const WHERE: &str = "#[cfg(target_arch = \"x86_64\")]";
/// What functions are compiled for.
pub const FEATURES: &str = "#[target_feature(enable = \"avx2,bmi1,bmi2,cmpxchg16b,f16c,fma,fxsr,lzcnt,movbe,popcnt,xsave\")]";

/// Invocations at a time.
pub const COUNT: u32 = 8;

/// The kernels that gain by it, of those without barriers, and whose results do not depend on the order of invocations:
/// docs/notes/cpu-threads.md has the measurements.
pub const KERNELS: &[&str] = &[
    "damping_end",
    "damping_first",
    "damping_sweep",
    "euler",
    "fem_damping",
    "fem_damping_first",
    "fem_force",
    "fem_probe",
    "implicit_begin",
    "implicit_end",
    "leapfrog",
    "manifold_relax",
    "manifold_solve",
    "midpoint",
    "midpoint_half",
    "newton_apply",
    "newton_factor",
    "newton_residual",
    "newton_test",
    "newton_update",
    "probe_apply",
    "rk4",
    "rk4_stage",
    "verlet",
];

/// Which of the invocations from `invocation` on there are in a workgroup of this size.
pub fn everybody(size: u32) -> String {
    match size.is_multiple_of(COUNT) {
        true => "rt::everybody(simd)".to_owned(),
        false => format!("rt::lt(rt::from(simd, invocation as u32), rt::of(simd, {size}_u32))"),
    }
}

/// The field of a kernel's entry in the table.
pub fn entry(path: &str) -> String {
    let other = WHERE.replace("cfg(", "cfg(not(").replace(")]", "))]");
    format!("{WHERE} lanes: Some({path}), {other} lanes: None")
}

/// The functions that an entry point calls, itself or through others.
pub fn reached(module: &Module, entry: &Function) -> Vec<Handle<Function>> {
    let (mut reached, mut next) = (Vec::new(), called(entry));
    while let Some(function) = next.pop() {
        if !reached.contains(&function) {
            reached.push(function);
            next.extend(called(&module.functions[function]));
        }
    }
    reached
}

fn called(function: &Function) -> Vec<Handle<Function>> {
    let mut called = Vec::new();
    uses::each(&function.body, &mut |statement| {
        if let naga::Statement::Call { function, .. } = *statement {
            called.push(function);
        }
    });
    called
}

/// How values of a struct are made and mixed.
pub fn value(text: &mut Text, fields: &[(String, String, u32)]) {
    text.line("impl rt::Value for $ {");
    text.line("#[inline(always)]");
    text.line("fn zero(s: S) -> Self {");
    text.line("Self {");
    for (name, ..) in fields {
        text.line(format!("{name}: rt::Value::zero(s),"));
    }
    text.line("}");
    text.line("}");
    text.line("#[inline(always)]");
    text.line("fn choose(mask: M, accept: Self, reject: Self) -> Self {");
    text.line("Self {");
    for (name, ..) in fields {
        text.line(format!("{name}: rt::Value::choose(mask, accept.{name}, reject.{name}),"));
    }
    text.line("}");
    text.line("}");
    text.line("}");
}

/// How a struct lies in memory.
pub fn storage(text: &mut Text, fields: &[(String, String, u32)], words: u32, align: u32) {
    text.line("impl rt::Stored for $ {");
    text.line(format!("const WORDS: usize = {words};"));
    text.line(format!("const ALIGN: usize = {align};"));
    text.line("#[inline(always)]");
    text.line("fn read(s: S, rows: &impl rt::Rows, first: usize) -> Self {");
    text.line("Self {");
    for (name, _, offset) in fields {
        text.line(format!("{name}: rt::Stored::read(s, rows, first + {offset}),"));
    }
    text.line("}");
    text.line("}");
    text.line("#[inline(always)]");
    text.line("fn write(self, rows: &rt::Places<'_>, first: usize) {");
    for (name, _, offset) in fields {
        text.line(format!("rt::Stored::write(self.{name}, rows, first + {offset});"));
    }
    text.line("}");
    text.line("}");
}

/// A function with what it is compiled for.
pub fn attributed(text: &str) -> String {
    format!("#[inline]\n{FEATURES}\n{text}")
}

/// What an argument of an entry point is; `None`: nothing that is known.
pub fn argument(argument: &FunctionArgument, size: u32) -> Option<String> {
    let invocations = "rt::from(simd, invocation as u32)";
    Some(match argument.binding {
        Some(Binding::BuiltIn(BuiltIn::WorkGroupId)) => "rt::of(simd, workgroup)".to_owned(),
        Some(Binding::BuiltIn(BuiltIn::LocalInvocationIndex)) => invocations.to_owned(),
        Some(Binding::BuiltIn(BuiltIn::LocalInvocationId)) => {
            format!("Vec3::new({invocations}, rt::of(simd, 0), rt::of(simd, 0))")
        }
        Some(Binding::BuiltIn(BuiltIn::GlobalInvocationId)) => {
            let x = format!("rt::of(simd, workgroup.x * {size}) + {invocations}");
            format!("Vec3::new({x}, rt::of(simd, workgroup.y), rt::of(simd, workgroup.z))")
        }
        Some(Binding::BuiltIn(BuiltIn::NumWorkGroups)) => {
            "rt::of(simd, Vec3::new(num_groups[0], num_groups[1], num_groups[2]))".to_owned()
        }
        _ => return None,
    })
}

/// The function that runs workgroups, each `inner` several invocations at a time, or else those of module `scalar`.
pub fn run(inner: &str, passed: &[&str], arrays: &[String], size: u32, scalar: &str) -> String {
    let mut text = Text::default();
    let parameters =
        "groups: Range<u32>, num_groups: [u32; 3], arrays: &rt::Arrays<'_>, content: &Content";
    let given = "groups, num_groups, arrays, content";
    text.line("fearless_simd::kernel!(");
    text.line(format!("fn workgroups(simd: Avx2, {parameters}) {{"));
    arrays.iter().for_each(|line| text.line(line));
    text.line("for number in groups {");
    text.line("let workgroup = rt::group_of(number, num_groups);");
    text.line(format!("for invocation in (0..{size}_usize).step_by({COUNT}) {{"));
    text.line(format!("{inner}({});", passed.join(", ")));
    text.line("}");
    text.line("}");
    text.line("}");
    text.line(");");
    text.line("");
    text.line(format!("pub fn $({parameters}) {{"));
    text.line("match rt::there() {");
    text.line(format!("Some(simd) => workgroups(simd, {given}),"));
    text.line(format!("None => {scalar}::run({given}),"));
    text.line("}");
    text.line("}");
    text.finish()
}
