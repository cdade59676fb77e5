//! Kernels in the languages of other programs.

use std::collections::BTreeMap;

use naga::back::{hlsl, msl, spv};
use naga::proc::BoundsCheckPolicies;
use naga::valid::ModuleInfo;
use naga::{AddressSpace, Module, TypeInner};

use super::{Composed, validate};
use crate::{Error, Result};

/// A shading language that kernels can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// WGSL with all imports in place.
    Wgsl,
    /// SPIR-V 1.3 (Vulkan 1.1), little-endian words. Sets and bindings are WGSL's groups and bindings.
    Spirv,
    /// Metal 2.4. Buffers, textures and samplers are each numbered from 0 in the order of the group and binding that
    /// an entry point uses; buffer 30 holds the byte sizes (u32) of the arrays, in the order of their declaration.
    Msl,
    /// HLSL, shader model 6.0. Registers and spaces are WGSL's bindings and groups; `b0, space9` holds the first vertex
    /// and the first instance of a draw (two i32, and an unused u32).
    Hlsl,
}

/// The slot of Metal's last buffer.
const MSL_SIZES: msl::Slot = 30;
/// The space of what HLSL's draws begin with, beyond those of all bind groups.
const HLSL_FIRST: u8 = 9;

impl Target {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Wgsl, Self::Spirv, Self::Msl, Self::Hlsl];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wgsl => "wgsl",
            Self::Spirv => "spirv",
            Self::Msl => "msl",
            Self::Hlsl => "hlsl",
        }
    }

    /// The usual ending of a file's name, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Wgsl => "wgsl",
            Self::Spirv => "spv",
            Self::Msl => "metal",
            Self::Hlsl => "hlsl",
        }
    }
}

/// A kernel or drawing shader as the content of a file in another language.
///
/// No code is added that checks indices, divisors or the number of a loop's rounds: the kernels keep within the counts
/// that `sim` gives them, and every loop of theirs is counted.
///
/// # Errors
/// [`Error::File`] when the shader is invalid or the language cannot express it.
pub fn translate(composed: &Composed, target: Target) -> Result<Vec<u8>> {
    let failed = |message: String| {
        Error::file(
            format!("{}.{}", composed.name, target.extension()),
            "translation from WGSL",
            message,
        )
    };
    let (module, info) = validate(composed).map_err(failed)?;
    match target {
        Target::Wgsl => Ok(composed.text.clone().into_bytes()),
        Target::Spirv => spirv(&module, &info),
        Target::Msl => metal(&module, &info),
        Target::Hlsl => direct_x(&module, &info),
    }
    .map_err(failed)
}

fn spirv(module: &Module, info: &ModuleInfo) -> std::result::Result<Vec<u8>, String> {
    let options = spv::Options {
        lang_version: (1, 3),
        flags: spv::WriterFlags::ADJUST_COORDINATE_SPACE
            | spv::WriterFlags::LABEL_VARYINGS
            | spv::WriterFlags::DEBUG,
        bounds_check_policies: BoundsCheckPolicies::default(),
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        force_loop_bounding: false,
        emit_int_div_checks: false,
        ..Default::default()
    };
    let words = spv::write_vec(module, info, &options, None).map_err(|error| error.to_string())?;
    Ok(words.into_iter().flat_map(u32::to_le_bytes).collect())
}

fn metal(module: &Module, info: &ModuleInfo) -> std::result::Result<Vec<u8>, String> {
    let options = msl::Options {
        lang_version: (2, 4),
        per_entry_point_map: metal_slots(module, info)?,
        fake_missing_bindings: false,
        zero_initialize_workgroup_memory: false,
        force_loop_bounding: false,
        emit_int_div_checks: false,
        ..Default::default()
    };
    let pipeline = msl::PipelineOptions::default();
    let (text, translated) =
        msl::write_string(module, info, &options, &pipeline).map_err(|error| error.to_string())?;
    for entry in translated.entry_point_names {
        entry.map_err(|error| error.to_string())?;
    }
    Ok(text.into_bytes())
}

/// Where each entry point's resources are bound, as [`Target::Msl`] says.
fn metal_slots(
    module: &Module,
    info: &ModuleInfo,
) -> std::result::Result<msl::EntryPointResourceMap, String> {
    let mut slots = msl::EntryPointResourceMap::new();
    for (index, entry) in module.entry_points.iter().enumerate() {
        let used = info.get_entry_point(index);
        let globals =
            module.global_variables.iter().filter(|(handle, _)| !used[*handle].is_empty());
        let bound: BTreeMap<_, _> =
            globals.filter_map(|(_, global)| Some((global.binding?, global))).collect();
        let (mut buffers, mut textures, mut samplers) = (0..MSL_SIZES, 0.., 0..);
        let mut resources = msl::BindingMap::new();
        for (binding, global) in bound {
            let mut slot = msl::BindTarget::default();
            match module.types[global.ty].inner {
                TypeInner::Image { .. } => slot.texture = textures.next(),
                TypeInner::Sampler { .. } => {
                    slot.sampler = samplers.next().map(msl::BindSamplerTarget::Resource)
                }
                _ => slot.buffer = Some(buffers.next().ok_or("more than 30 buffers")?),
            }
            slot.mutable = matches!(
                global.space,
                AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE)
            );
            resources.insert(binding, slot);
        }
        let sizes_buffer = Some(MSL_SIZES);
        slots.insert(
            entry.name.clone(),
            msl::EntryPointResources { resources, sizes_buffer, ..Default::default() },
        );
    }
    Ok(slots)
}

fn direct_x(module: &Module, info: &ModuleInfo) -> std::result::Result<Vec<u8>, String> {
    let first = hlsl::BindTarget { space: HLSL_FIRST, ..Default::default() };
    let options = hlsl::Options {
        shader_model: hlsl::ShaderModel::V6_0,
        special_constants_binding: Some(first),
        zero_initialize_workgroup_memory: false,
        restrict_indexing: false,
        force_loop_bounding: false,
        ..Default::default()
    };
    let pipeline = hlsl::PipelineOptions::default();
    let mut text = String::new();
    let mut writer = hlsl::Writer::new(&mut text, &options, &pipeline);
    let written = writer.write(module, info, None).map_err(|error| error.to_string())?;
    for entry in written.entry_point_names {
        entry.map_err(|error| error.to_string())?;
    }
    Ok(text.into_bytes())
}
