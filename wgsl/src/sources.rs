//! The WGSL files, and the kernels made of them.

use super::compose::{Source, compose_from};
use super::{Composed, Content};

// `SOURCES`, all of them by path: the build script lists the folder.
include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// All WGSL files.
#[must_use]
pub fn sources() -> &'static [Source] {
    SOURCES
}

/// The names of all compute kernels, in the order of the file list.
#[must_use]
pub fn kernel_names() -> Vec<&'static str> {
    SOURCES
        .iter()
        .filter(|source| source.text.contains("@compute"))
        .map(|source| source.name())
        .collect()
}

/// The names of all kernels and drawing shaders: of every file with an entry point.
#[must_use]
pub fn shader_names() -> Vec<&'static str> {
    let enters =
        |source: &&Source| ["@compute", "@vertex"].iter().any(|stage| source.text.contains(stage));
    SOURCES.iter().filter(enters).map(Source::name).collect()
}

/// The kernel or drawing shader of this name with all its imports, for any world.
///
/// # Panics
/// When there is no such file: names are compiled in.
#[must_use]
pub fn compose(name: &str) -> Composed {
    compose_for(name, Content::ALL)
}

/// The same for worlds that hold no more than this.
///
/// # Panics
/// As [`compose`].
#[must_use]
pub fn compose_for(name: &str, content: Content) -> Composed {
    compose_from(SOURCES, name, &content.text())
}
