//! The commands that the documentation shows are commands that the program understands.

use std::path::{Path, PathBuf};

use clap::Parser;

use crate::Arguments;

/// All pages under a folder.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
}

/// The command lines that begin with `pliant` in blocks of shell, without what is explained beside them.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines = blocks.flat_map(|block| {
        let joined = block.replace("\\\n", " ");
        joined.lines().map(str::to_owned).collect::<Vec<_>>()
    });
    let ours = lines.filter(|line| line.starts_with("pliant "));
    ours.map(|line| line.split(" #").next().unwrap().to_owned()).collect()
}

#[test]
fn commands_of_the_documentation_are_understood() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = vec![root.join("README.md")];
    pages(&root.join("docs"), &mut all);
    let mut count = 0;
    for page in all {
        for command in commands(&std::fs::read_to_string(&page).unwrap()) {
            let words: Vec<_> = command.split_whitespace().collect();
            if let Err(error) = Arguments::try_parse_from(&words) {
                panic!("{}: {command}: {error}", page.display());
            }
            for word in &words {
                if word.starts_with("scenes/") || word.starts_with("assets/") {
                    assert!(root.join(word).exists(), "{}: {command}", page.display());
                }
            }
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}
