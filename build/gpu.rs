//! What the build script has in common with the crate: how kernels are composed, and what they say of themselves. The
//! module has the crate's name for it, by which macros in there find it.

#[allow(dead_code, reason = "the crate uses more of it")]
#[path = "../src/gpu/compose.rs"]
mod compose;
#[path = "../src/gpu/flags.rs"]
mod flags;
#[allow(dead_code, reason = "the crate uses more of it")]
#[path = "../src/gpu/reflect.rs"]
mod reflect;
#[allow(dead_code, unused_imports, reason = "the crate uses more of it")]
#[path = "../src/gpu/types/mod.rs"]
pub mod types;

pub use compose::{Composed, Source, compose_from};
pub use flags::FLAGS;
pub use reflect::{Reflection, Resource, ResourceKind};
