//! What the documentation points to, and the commands that it shows.

use std::path::{Path, PathBuf};

use super::{Folder, output, pliant};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages for readers of the repository.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<_> =
        ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|name| root().join(name)).into();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// The lines of a page outside its blocks of code, or inside those of a language.
fn lines<'a>(text: &'a str, language: Option<&str>) -> Vec<&'a str> {
    let mut block: Option<&str> = None;
    let mut found = Vec::new();
    for line in text.lines() {
        match (line.trim_start().strip_prefix("```"), block) {
            (Some(_), Some(_)) => block = None,
            (Some(name), None) => block = Some(name),
            (None, _) if block == language => found.push(line),
            (None, _) => {}
        }
    }
    found
}

/// The name by which a heading is linked to.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

#[test]
fn every_link_leads_somewhere() {
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for part in lines(&text, None).join("\n").split("](").skip(1) {
            let target = part.split(')').next().unwrap();
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            let here = page.display();
            assert!(path.exists(), "{here}: {target}");
            if !anchor.is_empty() {
                let text = std::fs::read_to_string(&path).unwrap();
                let headings = lines(&text, None).into_iter().filter(|line| line.starts_with('#'));
                let mut slugs = headings.map(|line| slug(line.trim_start_matches('#')));
                assert!(slugs.any(|slug| slug == anchor), "{here}: {target}");
            }
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn the_readme_is_short() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 150, "{}", readme.lines().count());
}

#[test]
fn the_gallery_has_every_scene() {
    let gallery = std::fs::read_to_string(root().join("docs/gallery.md")).unwrap();
    for entry in std::fs::read_dir(root().join("scenes")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "toml") {
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(
                gallery.contains(&format!("../scenes/{name}.toml")),
                "{name}: run tools/gallery"
            );
            assert!(gallery.contains(&format!("images/gallery/{name}.png")), "{name}");
        }
    }
}

/// The commands of the README's blocks, without what is explained beside them.
fn commands() -> Vec<Vec<String>> {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let own = lines(&readme, Some("sh")).into_iter().filter(|line| line.starts_with("pliant "));
    own.map(|line| {
        let command = line.split(" #").next().unwrap();
        command.split_whitespace().skip(1).map(str::to_owned).collect()
    })
    .collect()
}

/// Runs the README's commands in a folder that has the repository's scenes and meshes, with `more` for each kind.
fn run_commands(name: &str, more: impl Fn(&str) -> Option<Vec<&'static str>>) {
    let folder = Folder::new(name);
    for shared in ["scenes", "assets"] {
        #[cfg(unix)]
        std::os::unix::fs::symlink(root().join(shared), folder.path(shared)).unwrap();
        #[cfg(windows)]
        std::os::windows::fs::symlink_dir(root().join(shared), folder.path(shared)).unwrap();
    }
    let mut ran = 0;
    for command in commands() {
        if let Some(more) = more(&command[0]) {
            let output = output(pliant().current_dir(folder.path("")).args(&command).args(more));
            assert!(output.status.success(), "{command:?}: {output:?}");
            ran += 1;
        }
    }
    assert!(ran >= 3, "{ran}");
}

/// With small pictures of the first moments.
#[test]
fn the_readmes_commands_are_understood() {
    run_commands("commands", |command| match command {
        "run" => Some(vec!["--time", "0.05", "--size", "64x48"]),
        "view" => Some(vec!["--screenshot", "view.png", "--size", "64x48"]),
        _ => None,
    });
}

/// As they stand, but with small pictures; of the window there is one, and of kernels one is compared: tests/kernels.rs compares all.
#[test]
fn the_readmes_commands_run() {
    run_commands("first-hour", |command| {
        Some(match command {
            "run" => vec!["--size", "160x120"],
            "view" => vec!["--screenshot", "view.png"],
            "verify" => vec!["--kernel", "verlet"],
            _ => Vec::new(),
        })
    });
}
