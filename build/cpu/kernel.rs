//! Whole kernels.

use std::collections::HashMap;

use naga::valid::FunctionInfo;
use naga::{AddressSpace, Binding, BuiltIn, EntryPoint, FunctionArgument};

use super::body::{Body, Callee, Shader, globals_of, is_buffer};
use super::fail::{Result, fail};
use super::library::Library;
use super::statement::has_barrier;
use super::types::Types;
use crate::gpu::{Composed, Reflection, Resource, ResourceKind};

/// Functions of no more lines are there in every unit of code that calls them.
const SHORT: usize = 12;

/// Translates a kernel, the file at `path`, and what it imports.
///
/// # Errors
/// What is invalid, or what cannot be translated, and where it stands.
pub fn translate(
    composed: &Composed,
    path: &str,
    library: &mut Library,
) -> std::result::Result<(), String> {
    let reflection = Reflection::new(composed)?;
    translate_valid(composed, path, &reflection, library).map_err(|fail| fail.message(composed))
}

fn translate_valid(
    composed: &Composed,
    path: &str,
    reflection: &Reflection,
    library: &mut Library,
) -> Result<()> {
    let Reflection { module, info, .. } = reflection;
    let types = Types::new(module, library)?;
    let mut shader = Shader { composed, module, types, callees: HashMap::new() };
    for (handle, function) in module.functions.iter() {
        let span = module.functions.get_span(handle);
        let mut body = Body::new(&shader, function, &info[handle]);
        body.translate().map_err(|error| error.within(span))?;
        let takes_content = body.takes_content();
        let line = span.location(&composed.text).line_number as usize;
        let file = composed.source(line).map_or(path, |(file, _)| file);
        let (calls, text) = (body.calls, attributed(body.text.finish()));
        let name = super::names::identifier(function.name.as_deref().unwrap_or("unnamed"));
        let path = library.function(file, &name, text, calls);
        let globals = globals_of(module, &info[handle]);
        shader.callees.insert(handle, Callee { path, takes_content, globals });
    }
    let entries = module.entry_points.iter().enumerate();
    for (index, entry) in entries.filter(|(_, entry)| entry.name == composed.name) {
        entry_point(&shader, entry, info.get_entry_point(index), reflection, path, library)?;
    }
    Ok(())
}

/// Short functions may be put in the place of their calls, in other modules, too.
fn attributed(text: String) -> String {
    if text.lines().count() <= SHORT { format!("#[inline]\n{text}") } else { text }
}

/// The function of one invocation or of a workgroup, the one that runs workgroups, and the kernel's line in the table.
fn entry_point(
    shader: &Shader<'_>,
    entry: &EntryPoint,
    info: &FunctionInfo,
    reflection: &Reflection,
    path: &str,
    library: &mut Library,
) -> Result<()> {
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
    let inner = library.function(path, &entry.name, text, calls);
    let inner = inner.rsplit("::").next().unwrap_or_default();
    let run = run(inner, &passed, reflection, (!together).then_some(size));
    let run = library.function(path, "run", run, Default::default());
    library.kernel(&entry.name, table_entry(&entry.name, reflection, &run));
    Ok(())
}

/// What a workgroup or an invocation is given.
fn entry_parameters(body: &Body<'_>, together: bool) -> Vec<String> {
    let mut parameters = Vec::new();
    if body.takes_content() {
        parameters.push("content: &Content".to_owned());
    }
    for global in globals_of(body.shader.module, body.info) {
        if is_buffer(&body.shader.module.global_variables[global]) {
            parameters.push(format!("{}: &[AtomicU32]", body.globals[&global]));
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
    let names =
        reflection.resources.iter().map(|resource| super::names::identifier(&resource.name));
    let names: Vec<_> = names.collect();
    let parameters =
        "groups: Range<u32>, num_groups: [u32; 3], buffers: &[&[AtomicU32]], content: &Content";
    text.line(format!("pub fn $({parameters}) {{"));
    text.line(format!("let [{}] = rt::bound(buffers);", names.join(", ")));
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

fn table_entry(name: &str, reflection: &Reflection, run: &str) -> String {
    let binding = |Resource { name, kind, stride, .. }: &Resource| {
        let written = *kind == ResourceKind::ReadWrite;
        format!("rt::Binding {{ name: {name:?}, stride: {stride}, written: {written} }}")
    };
    let bindings: Vec<_> = reflection.resources.iter().map(binding).collect();
    let (size, bindings) = (reflection.workgroup_size, bindings.join(", "));
    format!(
        "rt::Kernel {{ name: {name:?}, workgroup_size: {size}, bindings: &[{bindings}], run: {run} }},"
    )
}
