//! Whether `encase` lays out the structs that Rust and the shaders share as WGSL does, byte for byte.

use naga::{AddressSpace, Module, TypeInner};
use pliant::internals::gpu::types::{Struct, structs};

/// Every shared struct of a module that is laid out otherwise than in Rust, and every struct in a buffer that Rust lacks.
pub fn differences(module: &Module) -> Vec<String> {
    let mut found = Vec::new();
    for (_, ty) in module.types.iter() {
        let TypeInner::Struct { ref members, span } = ty.inner else {
            continue;
        };
        let name = ty.name.as_deref().unwrap_or_default();
        let Some(of_rust) = structs().find(|shared| shared.name == name) else {
            continue;
        };
        let wgsl: Vec<_> = members
            .iter()
            .map(|member| (member.name.as_deref().unwrap_or_default(), u64::from(member.offset)))
            .collect();
        let rust: Vec<_> =
            (of_rust.members)().into_iter().map(|(name, _, begins)| (name, begins)).collect();
        if (&wgsl, u64::from(span)) != (&rust, of_rust.stride) {
            found.push(format!(
                "{name}: {wgsl:?}, {span} bytes in WGSL, {rust:?}, {} in Rust",
                of_rust.stride
            ));
        }
    }
    for (_, buffer) in module.global_variables.iter() {
        let ty = match module.types[buffer.ty].inner {
            TypeInner::Array { base, .. } => &module.types[base],
            _ => &module.types[buffer.ty],
        };
        let name = ty.name.as_deref().unwrap_or_default();
        let shares = matches!(buffer.space, AddressSpace::Uniform | AddressSpace::Storage { .. });
        let known = |shared: &Struct| shared.name == name;
        if shares && matches!(ty.inner, TypeInner::Struct { .. }) && !structs().any(known) {
            found.push(format!("{name} is in a buffer, but Rust has no such struct"));
        }
    }
    found
}
