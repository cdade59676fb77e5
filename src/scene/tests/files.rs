//! Files: those that are no scenes, those of the project, and what fuzzing found.

use std::fs;
use std::path::PathBuf;

use super::*;

/// The files of a folder of this crate.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn files_that_are_no_scenes_are_errors() {
    let folder = std::env::temp_dir().join(format!("pliant_scene_{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let missing = Scene::load(&folder.join("missing.toml")).unwrap_err().to_string();
    assert!(missing.contains("missing.toml"), "{missing}");
    let itself = Scene::load(&folder).unwrap_err().to_string();
    assert!(itself.contains("pliant_scene_"), "{itself}");
    let binary = folder.join("binary.toml");
    fs::write(&binary, b"[world]\n\xff").unwrap();
    assert!(
        Scene::load(&binary).unwrap_err().to_string().contains("binary.toml: byte 8: is not UTF-8")
    );
    let good = folder.join("good.toml");
    fs::write(&good, format!("\u{feff}{EXAMPLE}")).unwrap();
    assert_eq!(Scene::load(&good).unwrap().folder, folder);
    fs::remove_dir_all(&folder).unwrap();
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
