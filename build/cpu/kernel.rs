//! Whole kernels.

use std::collections::HashMap;

use naga::valid::FunctionInfo;
use naga::{AddressSpace, Binding, BuiltIn, EntryPoint, Function, FunctionArgument, Handle};

use super::body::{Body, Callee, Shader, buffer_type, globals_of};
use super::fail::{Result, fail};
use super::lanes;
use super::library::{Library, module_of};
use super::masked;
use super::statement::has_barrier;
use super::types::Types;
use crate::gpu::{Composed, Reflection, Resource, ResourceKind};

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
            Some(lanes_entry_point(&shader, entry, info, reflection, path, library)?)
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
        let line = span.location(&composed.text).line_number as usize;
        let file = composed.source(line).map_or(path, |(file, _)| file);
        let (calls, text) = (body.calls, body.text.finish());
        let text = if lanes { lanes::attributed(&text) } else { attributed(text) };
        let name = super::names::identifier(function.name.as_deref().unwrap_or("unnamed"));
        let path = library.function(lanes, file, &name, text, calls);
        let globals = globals_of(module, &info[handle]);
        shader.callees.insert(handle, Callee { path, takes_content, globals });
    }
    Ok(shader)
}

/// Short functions may be put in the place of their calls, in other modules, too.
fn attributed(text: String) -> String {
    if text.lines().count() <= SHORT { format!("#[inline(always)]\n{text}") } else { text }
}

/// The function of one invocation or of a workgroup, and the one that runs workgroups; gives the path of that.
fn entry_point(
    shader: &Shader<'_>,
    entry: &EntryPoint,
    info: &FunctionInfo,
    reflection: &Reflection,
    path: &str,
    library: &mut Library,
) -> Result<String> {
    let mut body = Body::new(shader, &entry.function, info);
    let size = reflection.workgroup_size;
    let uses_workgroup = globals_of(shader.module, info)
        .iter()
        .any(|global| shader.module.global_variables[*global].space == AddressSpace::WorkGroup);
    let together = uses_workgroup || entry.function.body.iter().any(has_barrier);
    let parameters = entry_parameters(&body, together);
    body.text.line(format!("pub fn $({}) {{", parameters.join(", ")));
    match together {
        true => body.workgroup(size, prelude(&body, size)?)?,
        false => invocation(&mut body, size)?,
    }
    let passed: Vec<_> =
        parameters.iter().filter_map(|parameter| parameter.split(':').next()).collect();
    let (calls, text) = (body.calls, body.text.finish());
    let inner = library.function(false, path, &entry.name, text, calls);
    let inner = inner.rsplit("::").next().unwrap_or_default();
    let run = run(inner, &passed, reflection, (!together).then_some(size));
    Ok(library.function(false, path, "run", run, Default::default()))
}

/// The same for several invocations at a time.
fn lanes_entry_point(
    shader: &Shader<'_>,
    entry: &EntryPoint,
    info: &FunctionInfo,
    reflection: &Reflection,
    path: &str,
    library: &mut Library,
) -> Result<String> {
    let mut body = Body::new(shader, &entry.function, info);
    let size = reflection.workgroup_size;
    if entry.function.body.iter().any(has_barrier) {
        return fail("a barrier, in lanes");
    }
    let parameters = [vec!["simd: S".to_owned()], entry_parameters(&body, false)].concat();
    body.text.line(format!("pub fn $({}) {{", parameters.join(", ")));
    body.text.line(format!("let mut {} = {};", masked::WHOLE, lanes::everybody(size)));
    body.begin_masks()?;
    invocation(&mut body, size)?;
    let passed: Vec<_> =
        parameters.iter().filter_map(|parameter| parameter.split(':').next()).collect();
    let (calls, text) = (body.calls, lanes::attributed(&body.text.finish()));
    let inner = library.function(true, path, &entry.name, text, calls);
    let inner = inner.rsplit("::").next().unwrap_or_default();
    let scalar = module_of(false, path);
    let run = lanes::run(inner, &passed, &arrays(reflection), size, &scalar);
    Ok(library.function(true, path, "run", run, [scalar].into()))
}

/// What a workgroup or an invocation is given.
fn entry_parameters(body: &Body<'_>, together: bool) -> Vec<String> {
    let mut parameters = Vec::new();
    if body.takes_content() {
        parameters.push("content: &Content".to_owned());
    }
    for global in globals_of(body.shader.module, body.info) {
        if let Some(ty) = buffer_type(&body.shader.module.global_variables[global]) {
            parameters.push(format!("{}: {ty}", body.globals[&global]));
        }
    }
    parameters.extend(["workgroup: Vec3<u32>".to_owned(), "num_groups: [u32; 3]".to_owned()]);
    if !together {
        parameters.push("invocation: usize".to_owned());
    }
    parameters
}

/// Defines the arguments of invocation `invocation`.
fn prelude(body: &Body<'_>, size: u32) -> Result<Vec<String>> {
    let arguments = body.arguments.iter().zip(&body.function.arguments);
    let define = |(name, argument): (&String, &FunctionArgument)| {
        if body.masks.is_some() {
            let Some(value) = lanes::argument(argument, size) else {
                return fail("an argument of an entry point");
            };
            return Ok(format!("let {name} = {value};"));
        }
        let value = match argument.binding {
            Some(Binding::BuiltIn(BuiltIn::WorkGroupId)) => "workgroup".to_owned(),
            Some(Binding::BuiltIn(BuiltIn::LocalInvocationIndex)) => "invocation as u32".to_owned(),
            Some(Binding::BuiltIn(BuiltIn::LocalInvocationId)) => {
                "Vec3::new(invocation as u32, 0, 0)".to_owned()
            }
            Some(Binding::BuiltIn(BuiltIn::GlobalInvocationId)) => {
                let x = format!("workgroup.x * {size} + invocation as u32");
                format!("Vec3::new({x}, workgroup.y, workgroup.z)")
            }
            Some(Binding::BuiltIn(BuiltIn::NumWorkGroups)) => {
                "Vec3::new(num_groups[0], num_groups[1], num_groups[2])".to_owned()
            }
            _ => return fail("an argument of an entry point"),
        };
        Ok(format!("let {name} = {value};"))
    };
    arguments.map(define).collect()
}

/// The text of one invocation's function after its parameters.
fn invocation(body: &mut Body<'_>, size: u32) -> Result<()> {
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
    for (local, _) in body.function.local_variables.iter() {
        body.declare(local)?;
    }
    body.block(&body.function.body)?;
    body.text.line("}");
    Ok(())
}

/// The function that runs workgroups: for each of them `inner`, or that for each of `invocations`.
fn run(inner: &str, passed: &[&str], reflection: &Reflection, invocations: Option<u32>) -> String {
    let mut text = super::text::Text::default();
    let parameters =
        "groups: Range<u32>, num_groups: [u32; 3], arrays: &rt::Arrays<'_>, content: &Content";
    text.line(format!("pub fn $({parameters}) {{"));
    for line in arrays(reflection) {
        text.line(line);
    }
    text.line("for number in groups {");
    text.line("let workgroup = rt::group_of(number, num_groups);");
    match invocations {
        Some(count) => {
            text.line(format!("for invocation in 0..{count}_usize {{"));
            text.line("rt::invocation(invocation);");
            text.line(format!("{inner}({});", passed.join(", ")));
            text.line("}");
        }
        None => text.line(format!("{inner}({});", passed.join(", "))),
    }
    text.line("}");
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
