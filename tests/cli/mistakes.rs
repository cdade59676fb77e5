//! What a newcomer gets wrong, and what the program then says, word for word: `mistakes.txt`.

use std::fmt::Write;
use std::path::Path;
use std::process::Stdio;

use super::{Folder, pliant};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/mistakes.txt");

/// What stands before the names of adapters.
const ADAPTERS: &str = "part of the name of one of the adapters, with a letter in it:";

/// A mistake: files, a command line, and its message.
struct Mistake<'a> {
    what: &'a str,
    files: Vec<(&'a str, String)>,
    command: &'a str,
    message: String,
}

/// Reads `# what`, then files as `--- name` and their lines, then `$ command` and the message up to an empty line.
fn mistakes(text: &str) -> Vec<Mistake<'_>> {
    let mut all: Vec<Mistake<'_>> = Vec::new();
    for line in text.lines() {
        if let (Some(what), true) = (line.strip_prefix("# "), is_between(all.last())) {
            all.push(Mistake { what, files: Vec::new(), command: "", message: String::new() });
            continue;
        }
        let mistake = all.last_mut().unwrap();
        if let Some(name) = line.strip_prefix("--- ") {
            mistake.files.push((name, String::new()));
        } else if let Some(command) = line.strip_prefix("$ ") {
            mistake.command = command;
        } else if mistake.command.is_empty() {
            let (_, contents) = mistake.files.last_mut().unwrap();
            writeln!(contents, "{line}").unwrap();
        } else if !line.is_empty() {
            writeln!(mistake.message, "{line}").unwrap();
        }
    }
    all
}

/// Whether the next line that says so begins another mistake: in a file it is a comment.
fn is_between(last: Option<&Mistake<'_>>) -> bool {
    last.is_none_or(|last| !last.command.is_empty())
}

/// What the program says on standard error, without what it says of this machine.
fn said(mistake: &Mistake<'_>) -> (String, Option<i32>) {
    let folder = Folder::new(&format!("mistake-{}", mistake.what.replace(' ', "-")));
    for (name, contents) in &mistake.files {
        let path = folder.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, contents).unwrap();
    }
    let mut words = mistake.command.split(' ');
    assert_eq!(words.next(), Some("pliant"));
    let output =
        pliant().current_dir(folder.path("")).args(words).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let ours = text.lines().filter(|line| !line.starts_with("warning: no GPU found"));
    let ours = ours.map(|line| format!("{}\n", line.trim_end())).filter(|line| line != "\n");
    let ours: String = ours.collect();
    // Adapters are this machine's.
    let ours = match ours.split_once(ADAPTERS) {
        Some((before, _)) => format!("{before}{ADAPTERS} …\n"),
        None => ours,
    };
    (ours, output.status.code())
}

/// Each is refused with the message that stands there. `PLIANT_RENEW=1` writes the messages down anew, to be read.
#[test]
fn mistakes_are_answered() {
    let text = std::fs::read_to_string(Path::new(FILE)).unwrap();
    let all = mistakes(&text);
    assert!(all.len() >= 60, "{}", all.len());
    let answers: Vec<_> = all.iter().map(said).collect();
    if std::env::var_os("PLIANT_RENEW").is_some() {
        let mut renewed = String::new();
        for (mistake, (answer, _)) in all.iter().zip(&answers) {
            writeln!(renewed, "# {}", mistake.what).unwrap();
            for (name, contents) in &mistake.files {
                write!(renewed, "--- {name}\n{contents}").unwrap();
            }
            writeln!(renewed, "$ {}\n{answer}", mistake.command).unwrap();
        }
        std::fs::write(Path::new(FILE), renewed).unwrap();
        return;
    }
    for (mistake, (answer, code)) in all.iter().zip(&answers) {
        let what = mistake.what;
        assert_eq!(*answer, mistake.message, "{what}");
        assert!(matches!(code, Some(1 | 2)), "{what}: {code:?}");
        assert!(answer.starts_with("error: ") || answer.contains("Usage: "), "{what}: {answer}");
    }
}
