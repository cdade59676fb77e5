//! Files: those that are no scenes, those of the project, and what fuzzing found.

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::folder::Folder;

/// The files of a folder of this crate.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn files_that_are_no_scenes_are_errors() {
    let folder = Folder::new("scene");
    let binary = folder.file("binary.toml", b"[world]\n\xff");
    for (path, wanted) in [
        (folder.path("missing.toml"), "missing.toml"),
        (folder.0.clone(), "pliant-scene-"),
        (binary, "binary.toml: byte 8: is not UTF-8"),
    ] {
        let message = Scene::load(&path).unwrap_err().to_string();
        assert!(message.contains(wanted), "{message}");
    }
    let good = folder.file("good.toml", format!("\u{feff}{EXAMPLE}"));
    assert_eq!(Scene::load(&good).unwrap().folder, folder.0);
}

#[test]
fn every_scene_of_the_project_is_read_and_its_meshes_exist() {
    let scenes = files("scenes");
    assert!(scenes.len() >= 8, "{scenes:?}");
    for path in scenes {
        let thesis = path.file_name().unwrap().to_string_lossy().starts_with("thesis_");
        let extension = if thesis { "txt" } else { "toml" };
        assert!(path.extension().is_some_and(|e| e == extension), "{}", path.display());
        assert!(
            fs::read_to_string(&path).unwrap().starts_with("# "),
            "{} says what it shows",
            path.display()
        );
        let scene = Scene::load(&path).unwrap_or_else(|error| panic!("{error}"));
        for body in &scene.bodies {
            let mesh = match &body.mesh {
                MeshSource::File { path, .. } => Some(path),
                _ => None,
            };
            for path in mesh.into_iter().chain(&body.skin) {
                assert!(scene.folder.join(path).is_file(), "{}", path.display());
            }
        }
    }
}

/// The fuzz target `scene` over the inputs that it found worth keeping.
#[test]
fn fuzzed_texts_are_scenes_or_errors_of_one_line() {
    let corpus = files("tests/corpus/scene");
    assert!(corpus.len() >= 20, "{}", corpus.len());
    for path in corpus {
        let bytes = fs::read(&path).unwrap();
        let Ok(text) = std::str::from_utf8(&bytes) else {
            continue;
        };
        match parse(text) {
            Ok(scene) => scene.check().unwrap(),
            Err(error) => assert!(!error.to_string().contains('\n'), "{}: {error}", path.display()),
        }
    }
}
