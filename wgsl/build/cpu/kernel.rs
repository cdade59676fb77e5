//! Whole kernels.

use std::collections::HashMap;

use naga::valid::FunctionInfo;
use naga::{AddressSpace, Binding, BuiltIn, EntryPoint, Function, FunctionArgument, Handle};

use super::body::{Body, Callee, Shader, globals_of};
use super::fail::{Result, fail};
use super::lanes;
use super::library::{Library, module_of};
use super::statement::has_barrier;
use super::types::Types;
use crate::{Composed, Reflection, Resource, ResourceKind};

/// What functions take that run workgroups, as `rt::Run` has it.
pub const RUN_PARAMETERS: &str =
    "groups: Range<u32>, num_groups: [u32; 3], arrays: &rt::Arrays<'_>, content: &Content";

/// Functions of no more lines are there in every unit of code that calls them.
const SHORT: usize = 24;

/// Translates a kernel, the file at `path`, and what it imports.
///
/// # Errors
/// What is invalid, or what cannot be translated, and where it stands.
pub fn translate(
    composed: &Composed,
    path: &str,
    lanes: bool,
    library: &mut Library,
) -> std::result::Result<(), String> {
    let reflection = Reflection::new(composed)?;
    translate_valid(composed, path, lanes, &reflection, library)
        .map_err(|fail| fail.message(composed))
}

fn translate_valid(
    composed: &Composed,
    path: &str,
    lanes: bool,
    reflection: &Reflection,
    library: &mut Library,
) -> Result<()> {
    let module = &reflection.module;
    let entries = module.entry_points.iter().enumerate();
    let named = entries.clone().find(|(_, entry)| entry.name == composed.name);
    let Some((index, entry)) = named else { return Ok(()) };
    let info = reflection.info.get_entry_point(index);
    let all: Vec<_> = module.functions.iter().map(|(handle, _)| handle).collect();
    let shader = functions(composed, path, reflection, library, &all, false)?;
    let run = entry_point(&shader, entry, info, reflection, path, library)?;
    let lanes = match lanes {
        true => {
            let mut reached = lanes::reached(module, &entry.function);
            reached.sort();
            let shader = functions(composed, path, reflection, library, &reached, true)?;
            Some(entry_point(&shader, entry, info, reflection, path, library)?)
        }
        false => None,
    };
    library.kernel(&entry.name, table_entry(&entry.name, reflection, &run, lanes.as_deref()));
    Ok(())
}

/// Translates functions, those that are called first.
fn functions<'a>(
    composed: &'a Composed,
    path: &str,
    reflection: &'a Reflection,
    library: &mut Library,
    which: &[Handle<Function>],
    lanes: bool,
) -> Result<Shader<'a>> {
    let Reflection { module, info, .. } = reflection;
    let types = Types::new(module, library, lanes)?;
    let mut shader = Shader { composed, module, types, callees: HashMap::new() };
    for handle in which.iter().copied() {
        let function = &module.functions[handle];
        let span = module.functions.get_span(handle);
        let mut body = Body::new(&shader, function, &info[handle]);
        body.translate().map_err(|error| error.within(span))?;
        let takes_content = body.takes_content();
        let needed = body.uses.needed(function, &module.types);
        let line = span.location(&composed.text).line_number as usize;
        let file = composed.source(line).map_or(path, |(file, _)| file);
        let (calls, text) = (body.calls, body.text.finish());
        let mut callees = lanes::called(function).into_iter();
        let within = callees.all(|callee| shader.callees[&callee].in_place);
        let in_place = within && text.lines().count() <= lanes::SHORT;
        let text = match (lanes, in_place) {
            (true, true) => format!("#[inline(always)]\n{text}"),
            (true, false) => lanes::attributed(&text),
            (false, _) => attributed(text),
        };
        let name = super::names::identifier(function.name.as_deref().unwrap_or("unnamed"));
        let path = library.function(lanes, file, &name, text, calls);
        let globals = globals_of(module, &info[handle]);
        shader.callees.insert(handle, Callee { path, takes_content, globals, needed, in_place });
    }
    Ok(shader)
}

/// Short functions are put in the place of their calls, in other modules, too: what they are given would lie in memory.
fn attributed(text: String) -> String {
    if text.lines().count() <= SHORT { format!("#[inline(always)]\n{text}") } else { text }
}

/// The function of one invocation, of several or of a workgroup, and the one that runs workgroups; gives the path of that.
fn entry_point(
    shader: &Shader<'_>,
    entry: &EntryPoint,
    info: &FunctionInfo,
    reflection: &Reflection,
    path: &str,
    library: &mut Library,
) -> Result<String> {
    let lanes = shader.types.lanes;
    let mut body = Body::new(shader, &entry.function, info);
    let size = reflection.workgroup_size;
    let shared = globals_of(shader.module, info).into_iter();
    let shared = shared.map(|global| &shader.module.global_variables[global]);
    let shared = shared.filter(|variable| variable.space == AddressSpace::WorkGroup);
    let shared: Vec<_> = shared.collect();
    let together = !shared.is_empty() || entry.function.body.iter().any(has_barrier);
    let parameters = entry_parameters(&body, together);
    body.text.line(format!("pub fn $({}) {{", parameters.join(", ")));
    match together {
        true => body.workgroup(size, prelude(&body, size)?)?,
        false => invocation(&mut body, size)?,
    }
    let passed: Vec<_> =
        parameters.iter().filter_map(|parameter| parameter.split(':').next()).collect();
    let (calls, text) = (body.calls, body.text.finish());
    let text = if lanes { lanes::attributed(&text) } else { text };
    let inner = library.function(lanes, path, &entry.name, text, calls);
    let inner = inner.rsplit("::").next().unwrap_or_default();
    let call = format!("{inner}({});", passed.join(", "));
    let mut workgroups = arrays(reflection);
    if lanes {
        let shared = shared.into_iter().filter_map(|variable| {
            Some(lanes::shared(shader, variable, shader.buffer_type(variable)?))
        });
        workgroups.extend(shared);
    }
    workgroups.extend(match (together, lanes) {
        (true, _) => each_workgroup(&[call]),
        (false, true) => each_workgroup(&lanes::each_invocation(size, call)),
        (false, false) => each_workgroup(&each_invocation(size, call)),
    });
    let scalar = module_of(false, path);
    let (workgroups, calls) = match lanes {
        true => (lanes::where_there(&workgroups, &format!("{scalar}::run")), [scalar].into()),
        false => (workgroups, Default::default()),
    };
    Ok(library.function(lanes, path, "run", run(&workgroups), calls))
}

/// What a workgroup or an invocation is given.
fn entry_parameters(body: &Body<'_>, together: bool) -> Vec<String> {
    let mut parameters = Vec::new();
    if body.masks.is_some() {
        parameters.push("simd: S".to_owned());
    }
    if body.takes_content() {
        parameters.push("content: &Content".to_owned());
    }
    for global in globals_of(body.shader.module, body.info) {
        let variable = &body.shader.module.global_variables[global];
        if let Some(ty) = body.shader.buffer_type(variable) {
            parameters.push(format!("{}: {ty}", body.globals[&global]));
        }
    }
    parameters.extend(["workgroup: Vec3<u32>".to_owned(), "num_groups: [u32; 3]".to_owned()]);
    if !together {
        parameters.push("invocation: usize".to_owned());
    }
    parameters
}

/// Defines the arguments of invocation `invocation`, or of those from it on.
fn prelude(body: &Body<'_>, size: u32) -> Result<Vec<String>> {
    let lanes = body.masks.is_some();
    let number = if lanes { "rt::from(simd, invocation as u32)" } else { "invocation as u32" };
    let same = |text: &str| if lanes { format!("rt::of(simd, {text})") } else { text.to_owned() };
    let arguments = body.arguments.iter().zip(&body.function.arguments);
    let define = |(name, argument): (&String, &FunctionArgument)| {
        let value = match argument.binding {
            Some(Binding::BuiltIn(BuiltIn::WorkGroupId)) => same("workgroup"),
            Some(Binding::BuiltIn(BuiltIn::LocalInvocationIndex)) => number.to_owned(),
            Some(Binding::BuiltIn(BuiltIn::LocalInvocationId)) => {
                format!("Vec3::new({number}, {zero}, {zero})", zero = same("0_u32"))
            }
            Some(Binding::BuiltIn(BuiltIn::GlobalInvocationId)) => {
                let [x, y, z] = ['x', 'y', 'z'].map(|axis| format!("workgroup.{axis}"));
                let x = same(&format!("({x} * {size})"));
                format!("Vec3::new({x} + {number}, {}, {})", same(&y), same(&z))
            }
            Some(Binding::BuiltIn(BuiltIn::NumWorkGroups)) => {
                same("Vec3::new(num_groups[0], num_groups[1], num_groups[2])")
            }
            _ => return fail("an argument of an entry point"),
        };
        Ok(format!("let {name} = {value};"))
    };
    arguments.map(define).collect()
}

/// The text of a function of one invocation, or of several, after its parameters.
fn invocation(body: &mut Body<'_>, size: u32) -> Result<()> {
    body.begin_invocation(size);
    for line in prelude(body, size)? {
        body.text.line(line);
    }
    for global in globals_of(body.shader.module, body.info) {
        let variable = &body.shader.module.global_variables[global];
        if variable.space == AddressSpace::Private {
            let initial = body.initial_global(variable)?;
            let ty = body.shader.types.name(body.shader.module, variable.ty)?;
            body.text.line(format!("let mut {}: {ty} = {initial};", body.globals[&global]));
        }
    }
    body.statements()?;
    body.text.line("}");
    Ok(())
}

/// What runs all invocations of a workgroup, one after the other.
fn each_invocation(size: u32, call: String) -> Vec<String> {
    let line = format!("for invocation in 0..{size}_usize {{");
    vec![line, "rt::invocation(invocation);".to_owned(), call, "}".to_owned()]
}

/// What runs all workgroups.
fn each_workgroup(workgroup: &[String]) -> Vec<String> {
    let begin = ["for number in groups {", "let workgroup = rt::group_of(number, num_groups);"];
    let begin = begin.map(str::to_owned).into_iter();
    begin.chain(workgroup.iter().cloned()).chain(["}".to_owned()]).collect()
}

/// The function that runs workgroups.
fn run(lines: &[String]) -> String {
    let mut text = super::text::Text::default();
    text.line(format!("pub fn $({RUN_PARAMETERS}) {{"));
    lines.iter().for_each(|line| text.line(line));
    text.line("}");
    text.finish()
}

/// Takes the arrays one by one.
fn arrays(reflection: &Reflection) -> Vec<String> {
    let list = |(list, is_written): (&str, bool)| {
        let resources = reflection.resources.iter();
        let of_list = resources.filter(|resource| written(resource) == is_written);
        let names: Vec<_> = of_list.map(|one| super::names::identifier(&one.name)).collect();
        format!("let [{}] = rt::bound(&arrays.{list});", names.join(", "))
    };
    [("read", false), ("written", true)].map(list).into()
}

fn written(resource: &Resource) -> bool {
    resource.kind == ResourceKind::ReadWrite
}

fn table_entry(name: &str, reflection: &Reflection, run: &str, lanes: Option<&str>) -> String {
    let binding = |resource: &Resource| {
        let (Resource { name, stride, .. }, written) = (resource, written(resource));
        format!("rt::Binding {{ name: {name:?}, stride: {stride}, written: {written} }}")
    };
    let bindings: Vec<_> = reflection.resources.iter().map(binding).collect();
    let (size, bindings) = (reflection.workgroup_size, bindings.join(", "));
    let lanes = match lanes {
        Some(path) => lanes::entry(path),
        None => "lanes: None".to_owned(),
    };
    format!(
        "rt::Kernel {{ name: {name:?}, workgroup_size: {size}, bindings: &[{bindings}], run: {run}, {lanes} }},"
    )
}
