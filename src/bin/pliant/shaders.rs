//! `pliant shaders`: the composed kernels and drawing shaders, one file each.

use std::fs;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use pliant::internals::gpu::{Target, compose, shader_names, translate};
use pliant::{Error, Result};

use crate::Outcome;

/// What to write, and where.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder for the files, created if missing
    #[arg(long, value_name = "DIR", default_value = "shaders")]
    out: PathBuf,
    /// Language of the files
    #[arg(long, value_name = "LANGUAGE", default_value = "wgsl", value_parser = target())]
    to: Target,
}

fn target() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::ALL.map(Target::name)).map(|name| {
        let named = Target::ALL.into_iter().find(|target| target.name() == name);
        named.expect("clap lets only these names through")
    })
}

/// Writes every kernel and drawing shader to `DIR/NAME.ENDING`.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    fs::create_dir_all(&arguments.out).map_err(|error| Error::io(&arguments.out, error))?;
    for name in shader_names() {
        let content = translate(&compose(name), arguments.to)?;
        let file = format!("{name}.{}", arguments.to.extension());
        pliant::write_file(&arguments.out.join(file), &content)?;
    }
    Ok(Outcome::Done)
}
