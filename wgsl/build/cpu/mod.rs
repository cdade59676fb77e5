//! Translates the compute kernels from naga's IR to Rust: each WGSL file becomes a module of the same name, so that what
//! kernels import is translated once.
//!
//! A kernel is first composed as for a GPU, but what a world holds are `override`s, which become fields of a value that
//! is known at run time: one translation serves all worlds. Functions are then translated one by one, those that are called
//! first. What they need of the kernel's variables are arguments of theirs, so that the same text means the same code,
//! and [`Library`] keeps one of each. Only where a function differs from kernel to kernel, because it calls functions
//! or reads variables that do, it gets numbers.
//!
//! - [`types`], [`constant`], [`names`]: types, constants, identifiers
//! - [`place`], [`access`]: what pointers point to; [`at`]: where that is accessed
//! - [`expression`], [`operator`], [`math`]: values
//! - [`body`], [`statement`], [`call`]: what one invocation does
//! - [`phase`], [`workgroup`]: barriers
//! - [`lanes`], [`masked`], [`common`]: several invocations at a time
//! - [`kernel`]: whole kernels; [`library`]: all of them

mod access;
mod at;
mod body;
mod call;
mod common;
mod constant;
mod expression;
mod fail;
mod kernel;
pub mod lanes;
mod library;
mod masked;
mod math;
mod names;
mod operator;
mod phase;
mod place;
mod statement;
mod text;
mod types;
mod uses;
mod workgroup;

use std::path::Path;
use std::{fs, io};

use crate::{FLAGS, Source, compose_from};
use library::Library;

/// Translates every compute kernel of these files to modules below the folder, those `in_lanes` for several invocations at a
/// time, too.
///
/// # Errors
/// When a kernel is invalid or has what cannot be translated: the file, the line, and what it is.
pub fn generate(sources: &[Source], out: &Path, in_lanes: &[&str]) -> io::Result<()> {
    let content: String =
        FLAGS.iter().map(|flag| format!("override HAS_{flag}: bool = true;\n")).collect();
    let mut library = Library::default();
    for source in sources.iter().filter(|source| source.text.contains("@compute")) {
        let composed = compose_from(sources, source.name(), &content);
        let lanes = in_lanes.contains(&source.name());
        kernel::translate(&composed, source.path, lanes, &mut library).map_err(io::Error::other)?;
    }
    fs::create_dir_all(out)?;
    library.write(out)
}
