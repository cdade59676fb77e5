//! What a kernel binds and how large its workgroups are, read from the kernel itself.

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use super::Composed;

/// How a resource is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceKind {
    /// `var<uniform>`
    Uniform,
    /// `var<storage, read>`
    Read,
    /// `var<storage, read_write>`
    ReadWrite,
}

/// One binding of a kernel.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The variable's name.
    pub name: String,
    /// `@binding`
    pub binding: u32,
    /// How it is bound.
    pub kind: ResourceKind,
    /// Bytes of one array element, or of the whole when it is no array.
    pub stride: u64,
}

/// A validated kernel and what it says of itself.
#[derive(Debug)]
pub struct Reflection {
    /// naga's module.
    pub module: naga::Module,
    /// What validation has found out about it.
    pub info: ModuleInfo,
    /// The bindings that the entry point uses, by number.
    pub resources: Vec<Resource>,
    /// Threads per workgroup (x; y and z are 1).
    pub workgroup_size: u32,
}

/// Parses and validates a kernel or drawing shader with no capability beyond WebGPU's base.
///
/// # Errors
/// A message with the place in the original file.
pub fn validate(composed: &Composed) -> Result<(naga::Module, ModuleInfo), String> {
    let place = |location: Option<naga::SourceLocation>| match location {
        Some(location) => composed.origin(location.line_number as usize),
        None => composed.name.to_owned(),
    };
    let module = naga::front::wgsl::parse_str(&composed.text)
        .map_err(|error| format!("{}: {error}", place(error.location(&composed.text))))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .map_err(|error| {
            format!(
                "{}: {}",
                place(error.location(&composed.text)),
                error.emit_to_string(&composed.text)
            )
        })?;
    Ok((module, info))
}

impl Reflection {
    /// Parses and validates a kernel and reads what it binds.
    ///
    /// # Errors
    /// A message with the place in the original file.
    pub fn new(composed: &Composed) -> Result<Self, String> {
        let (module, info) = validate(composed)?;
        let entry =
            module.entry_points.iter().position(|entry| entry.stage == naga::ShaderStage::Compute);
        let entry = entry.ok_or_else(|| format!("{}: no @compute entry point", composed.name))?;
        let point = &module.entry_points[entry];
        if point.name != composed.name {
            return Err(format!("{}: the entry point is named {}", composed.name, point.name));
        }
        let [workgroup_size, 1, 1] = point.workgroup_size else {
            return Err(format!("{}: workgroups must be one-dimensional", composed.name));
        };
        let used = info.get_entry_point(entry);
        let mut resources: Vec<_> = module
            .global_variables
            .iter()
            .filter(|(handle, _)| !used[*handle].is_empty())
            .filter_map(|(_, variable)| resource(&module, variable))
            .collect();
        resources.sort_by_key(|resource| resource.binding);
        Ok(Self { module, info, resources, workgroup_size })
    }
}

fn resource(module: &naga::Module, variable: &naga::GlobalVariable) -> Option<Resource> {
    let binding = variable.binding.as_ref()?.binding;
    let kind = match variable.space {
        naga::AddressSpace::Uniform => ResourceKind::Uniform,
        naga::AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE) => {
            ResourceKind::ReadWrite
        }
        naga::AddressSpace::Storage { .. } => ResourceKind::Read,
        _ => return None,
    };
    let stride = match module.types[variable.ty].inner {
        naga::TypeInner::Array { stride, size: naga::ArraySize::Dynamic, .. } => stride,
        ref inner => inner.size(module.to_ctx()),
    };
    Some(Resource { name: variable.name.clone()?, binding, kind, stride: stride.into() })
}
