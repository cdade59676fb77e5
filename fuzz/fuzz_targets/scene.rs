//! Any text is a scene or an error, never a panic; a scene that was read passes its own check.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use pliant::scene::Scene;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match Scene::parse(text, Path::new("fuzz.toml")) {
        Ok(scene) => {
            scene.check().expect("parse has checked it");
            scene.hash();
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
});
