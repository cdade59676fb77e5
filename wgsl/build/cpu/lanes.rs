//! Kernels that run eight invocations at a time, where the processor has vectors for it.

use naga::{Function, GlobalVariable, Handle, Module};

use super::body::Shader;
use super::kernel::RUN_PARAMETERS;
use super::text::Text;
use super::uses;

/// What the modules of such functions begin with.
pub const PREFIX: &str = "lanes_";
/// Where there are such vectors at all.
pub const WHERE: &str = "#[cfg(target_arch = \"x86_64\")]";
/// What functions are compiled for: all that `fearless_simd` compiles its operations for, or else they would be calls. Cargo.toml
/// keeps to its minor version for that. Its `vectorize`, which would need no list, makes springs a fifth slower.
const FEATURES: &str = "avx2,bmi1,bmi2,cmpxchg16b,f16c,fma,fxsr,lzcnt,movbe,popcnt,xsave";

/// Words that only this thread has.
pub const OWN: &str = "&mut [u32]";

/// Invocations at a time.
pub const COUNT: u32 = 8;

/// Functions of no more lines that call none but such are put in the place of their calls, as the compiler does by itself in one build
/// and not in another, after a change elsewhere. Those are compiled for what their callers are; others say it themselves.
pub const SHORT: usize = 48;

/// The kernels that gain by it, and whose results do not depend on the order of invocations: docs/notes/cpu-threads.md has the
/// measurements.
pub const KERNELS: &[&str] = &[
    "augment_fixed",
    "border_penetration",
    "coarse_move",
    "coarse_sum",
    "collider_boxes",
    "collider_fill",
    "contact_apply",
    "contact_begin",
    "contact_iterate",
    "contact_move",
    "contact_prepare",
    "contact_solve",
    "contact_triangles",
    "damping_end",
    "damping_first",
    "damping_sweep",
    "euler",
    "fem_damping",
    "fem_damping_first",
    "fem_force",
    "fem_gather",
    "fem_probe",
    "implicit_begin",
    "implicit_end",
    "leapfrog",
    "manifold_keep",
    "manifold_prepare",
    "manifold_relax",
    "manifold_solve",
    "midpoint",
    "midpoint_half",
    "newton_apply",
    "newton_block",
    "newton_control",
    "newton_factor",
    "newton_fem",
    "newton_move",
    "newton_residual",
    "newton_springs",
    "newton_sum",
    "newton_tangent",
    "newton_test",
    "newton_update",
    "pair_begin",
    "pose_kick",
    "pose_move",
    "probe_apply",
    "rk4",
    "rk4_stage",
    "shape_fit",
    "shape_gather",
    "shape_sum",
    "vbd_solve",
    "verlet",
    "way_end",
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

pub fn called(function: &Function) -> Vec<Handle<Function>> {
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
    text.line("fn write(self, places: &mut impl rt::Places, first: usize) {");
    for put in puts(fields) {
        text.line(put);
    }
    text.line("}");
    text.line("}");
}

/// Writes all fields, four words at a time where fields fill so many.
fn puts(fields: &[(String, String, u32)]) -> Vec<String> {
    let (mut puts, mut rest) = (Vec::new(), fields);
    while let [(name, _, offset), others @ ..] = rest {
        let (mut words, mut after) = (Vec::new(), rest);
        while let [(name, ty, at), others @ ..] = after
            && words.len() < 4
            && *at == offset + words.len() as u32
            && let parts = scalars(name, ty)
            && !parts.is_empty()
        {
            words.extend(parts);
            after = others;
        }
        if offset % 4 == 0 && words.len() == 4 {
            puts.push(format!("places.put_four(first + {offset}, [{}]);", words.join(", ")));
            rest = after;
        } else {
            puts.push(format!("rt::Stored::write(self.{name}, places, first + {offset});"));
            rest = others;
        }
    }
    puts
}

/// The words of a number or of a vector's components.
fn scalars(field: &str, ty: &str) -> Vec<String> {
    let count = match ty {
        "F" | "I" | "U" => return vec![format!("rt::Word::to_words(self.{field})")],
        _ => ["Vec2<", "Vec3<", "Vec4<"].iter().position(|vector| ty.starts_with(vector)),
    };
    let components = ["x", "y", "z", "w"].iter().take(count.map_or(0, |count| count + 2));
    components.map(|part| format!("rt::Word::to_words(self.{field}.{part})")).collect()
}

/// Declares memory of a workgroup, of this type. All have the same, one after the other: what a kernel has not written itself, it
/// must not read.
pub fn shared(shader: &Shader<'_>, variable: &GlobalVariable, ty: &str) -> String {
    let name = super::names::identifier(variable.name.as_deref().unwrap_or("variable"));
    let words = shader.module.types[variable.ty].inner.size(shader.module.to_ctx()) / 4;
    match ty {
        OWN => format!("let {name}: {OWN} = &mut [0; {words}];"),
        _ => format!("let {name}: {ty} = &[const {{ AtomicU32::new(0) }}; {words}];"),
    }
}

/// What runs all invocations of a workgroup, several at a time.
pub fn each_invocation(size: u32, call: String) -> Vec<String> {
    let line = format!("for invocation in (0..{size}_usize).step_by({COUNT}) {{");
    vec![line, call, "}".to_owned()]
}

/// A function with what it is compiled for.
pub fn attributed(text: &str) -> String {
    format!("#[inline]\n#[target_feature(enable = \"{FEATURES}\")]\n{text}")
}

/// What runs workgroups where the processor has such vectors; `scalar`: the function that does elsewhere.
pub fn where_there(workgroups: &[String], scalar: &str) -> Vec<String> {
    let given = "groups, num_groups, arrays, content";
    let mut lines = vec![
        "fearless_simd::kernel!(".to_owned(),
        format!("fn workgroups(simd: Avx2, {RUN_PARAMETERS}) {{"),
    ];
    lines.extend_from_slice(workgroups);
    lines.extend(["}".to_owned(), ");".to_owned(), "match rt::there() {".to_owned()]);
    lines.push(format!("Some(simd) => workgroups(simd, {given}),"));
    lines.push(format!("None => {scalar}({given}),"));
    lines.push("}".to_owned());
    lines
}
