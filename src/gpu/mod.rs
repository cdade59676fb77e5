//! The seam between the engine and the graphics device: everything that computes goes through
//! [`Buffer`], [`Kernel`] and [`Recorder`].
//!
//! It knows buffers, kernels, their text and their passes; it must not know what any of them computes.

mod adapters;
mod buffer;
mod compiler;
mod compose;
mod content;
mod context;
mod device;
mod fetch;
mod flags;
mod gates;
mod kernel;
mod mapping;
mod memory;
mod pending;
mod profile;
mod readback;
mod recorder;
mod reflect;
mod sources;
mod telemetry;
#[cfg(feature = "verify")]
mod translate;
pub mod types;
mod uniform;

pub use adapters::adapters;
#[cfg(feature = "verify")]
pub use adapters::chosen;
pub use buffer::{Buffer, Bytes, Shared};
pub use compose::Composed;
#[cfg(feature = "verify")]
pub use compose::Source;
pub use content::Content;
pub use context::Context;
pub(crate) use context::Executor;
pub(crate) use device::unless_lost;
use fetch::Fetch;
pub use gates::Gates;
pub use kernel::{Binding, Bound, Kernel};
pub(crate) use mapping::Mapping;
pub use memory::Memory;
pub use pending::Pending;
pub(crate) use pending::elements;
pub use profile::{PassTime, Profiler};
pub use readback::Readback;
pub use recorder::{Recorder, groups};
#[cfg(feature = "verify")]
pub use reflect::validate;
pub use reflect::{Reflection, Resource, ResourceKind};
pub use sources::{compose, compose_for};
#[cfg(feature = "verify")]
pub use sources::{kernel_names, shader_names, sources};
pub use telemetry::Telemetry;
#[cfg(feature = "verify")]
pub use translate::{Target, translate};
pub use uniform::Uniforms;
