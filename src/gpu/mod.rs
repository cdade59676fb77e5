//! The seam between the engine and the graphics device: everything that computes goes through
//! [`Buffer`], [`Kernel`] and [`Recorder`].
//!
//! It knows buffers, kernels, their text and their passes; it must not know what any of them computes.

mod adapters;
mod buffer;
mod compiler;
#[cfg(feature = "verify")]
mod compositions;
mod context;
mod device;
mod fetch;
mod gates;
mod kernel;
mod mapping;
mod memory;
mod pending;
mod profile;
mod readback;
mod recorder;
mod telemetry;
#[cfg(feature = "verify")]
mod translate;
mod uniform;

pub use adapters::adapters;
#[cfg(feature = "verify")]
pub use adapters::chosen;
pub use buffer::{Buffer, Bytes, Shared};
#[cfg(feature = "verify")]
pub use compositions::compositions;
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
#[cfg(feature = "verify")]
pub use pliant_wgsl::{Composed, Source, kernel_names, shader_names, sources, validate};
pub use pliant_wgsl::{Content, Reflection, Resource, ResourceKind, compose, compose_for, types};
pub use profile::{PassTime, Profiler};
pub use readback::Readback;
pub use recorder::{Recorder, groups};
pub use telemetry::Telemetry;
#[cfg(feature = "verify")]
pub use translate::{Target, translate};
pub use uniform::Uniforms;
