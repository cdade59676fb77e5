//! *pliant* simulates soft and rigid bodies on any Vulkan, Metal or DX12 GPU. All work per particle and per element runs in WGSL
//! compute passes; the host only records dispatches.
//!
//! Units are SI, Y is up. Coordinates are f32 on the device: keep bodies within about 10⁴ times their smallest edge of the
//! origin, where positions still resolve a thousandth of an edge; beyond that there is a warning.
//!
//! ```
//! use pliant::scene::{Body, Mass, Scene, Springs};
//! use pliant::{Context, World};
//!
//! # fn main() -> pliant::Result<()> {
//! let mut scene = Scene::default();
//! scene.world.floor = Some(0.0);
//! let mut cube = Body::lattice("cube", [4, 4, 4], [1.0, 1.0, 1.0]);
//! cube.position = [0.0, 1.0, 0.0];
//! cube.mass = Mass::Density(1000.0);
//! cube.kind = Springs::young(1e5).into();
//! scene.bodies.push(cube);
//!
//! let mut world = World::new(&Context::new()?, &scene)?;
//! for _ in 0..30 {
//!     world.step_frame()?; // 1/60 s, in as many equal steps as are stable
//! }
//! let state = world.read()?;
//! assert!(state.positions.iter().all(|x| x.y > -1e-3));
//! # Ok(())
//! # }
//! ```
//!
//! The [`guide`] continues from here: materials, contact, the world in a program of your own and in its wgpu device, reading
//! results, speed.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `verify` | yes | the f64 reference of every kernel, and the comparison of kernels with it |
//! | `cli` | yes | the program `pliant`: command line, progress bar, Ctrl-C (`verify`, `clap`, `indicatif`, `ctrlc`) |
//! | `viewer` | yes | its window, `pliant view` (`cli`, `winit`, `egui`) |
//!
//! The library needs none of them: `pliant = { version = "0.1", default-features = false }` builds only the simulation, without
//! the crates of the window and the command line.
// Whether threads may share what holds a buffer of wgpu is a question of more than 128 types: within the usual limit it overflowed
// in some builds, and not in others.
#![recursion_limit = "256"]
#![allow(rustdoc::broken_intra_doc_links, reason = "units stand in brackets, as in [m/s]")]

mod body;
mod collide;
mod cpu;
mod error;
mod extreme;
mod family;
mod file;
#[cfg(test)]
#[path = "../tests/common/folder.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "of tests")]
mod folder;
mod gpu;
pub mod guide;
mod hash;
pub mod inspect;
mod integrate;
#[cfg(feature = "verify")]
#[doc(hidden)]
pub mod internals;
pub mod mesh;
mod model;
mod number;
pub mod output;
mod prim;
pub mod query;
#[cfg(feature = "verify")]
mod reference;
pub mod render;
pub mod report;
mod save;
mod scatter;
pub mod scene;
mod setup;
mod step;
#[cfg(feature = "verify")]
mod verify;
pub mod world;

pub use error::{Error, Result};
pub use file::replace as write_file;
pub use gpu::{Buffer, Context, Pending, Shared, adapters};
pub use scene::Scene;
pub use world::World;

/// The examples of the README and of what it refers to are compiled and run, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/library.md")]
struct Readme;
