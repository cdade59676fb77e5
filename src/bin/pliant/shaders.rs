//! `pliant shaders`: the composed kernels and drawing shaders, one file each.

use std::fs;
use std::path::PathBuf;

use pliant::gpu::{compose, sources};
use pliant::{Error, Result};

use crate::Outcome;

/// What to write, and where.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder for the files; it is made if need be
    #[arg(long, value_name = "DIR", default_value = "shaders")]
    out: PathBuf,
}

/// Writes every kernel and drawing shader to `DIR/NAME.wgsl`.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    fs::create_dir_all(&arguments.out).map_err(|error| Error::io(&arguments.out, error))?;
    let enters = |text: &str| ["@compute", "@vertex"].iter().any(|stage| text.contains(stage));
    for source in sources().iter().filter(|source| enters(source.text)) {
        let name = source.name();
        let path = arguments.out.join(format!("{name}.wgsl"));
        pliant::write_file(&path, compose(name).text.as_bytes())?;
    }
    Ok(Outcome::Done)
}
