//! Files by argument and by drop.

use std::path::Path;

use crate::display::Display;
use crate::view::{View, scene, triple, two_bodies};

fn asset(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name)
}

/// A mesh falls on a floor as a soft body.
#[test]
fn a_mesh_falls() {
    let mut view = View::new("mesh", &asset("dog.obj"), &[]);
    let start = triple(&view.wait("sums", |line| line["centroid"].is_array())["centroid"]);
    view.wait("it lies on the floor", |line| {
        let [_, height, _] = triple(&line["centroid"]);
        line["time"].as_f64() > Some(1.0) && height < start[1] - 0.2 && height > 0.1
    });
    assert_eq!(view.line()["active"], "dog");
    view.pass(2);
    view.picture("fallen");
    view.close();
}

#[test]
fn drops() {
    let mut view = View::new("drops", &scene("soft_cube.toml"), &[]);
    let other = scene("soft_three_cubes.toml");
    view.display.drop_file(view.window, &other);
    view.wait("the scene", |line| line["file"] == other.to_str().unwrap());
    assert_eq!(view.line()["visible"].as_array().unwrap().len(), 3);

    let broken = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken.toml");
    std::fs::write(&broken, "[world]\nfriction = -1\n[[body]]\nname = \"a\"\nmesh = { lattice = [1, 1, 1], size = [1, 1, 1] }\n").unwrap();
    view.display.drop_file(view.window, &broken);
    let line = view.wait("the error", |line| {
        line["notice"].as_str().is_some_and(|notice| notice.starts_with("error"))
    });
    let notice = line["notice"].as_str().unwrap();
    assert!(notice.contains("friction") && notice.contains("-1"), "{notice}");
    assert_eq!(line["file"], other.to_str().unwrap());
    let time = line["time"].as_f64();
    view.wait("the old scene goes on", |line| line["time"].as_f64() > time.map(|time| time + 0.05));
    view.pass(2);
    view.picture("error");

    let mesh = asset("dog.obj");
    view.display.drop_file(view.window, &mesh);
    view.wait("the mesh", |line| line["file"] == mesh.to_str().unwrap());
    assert_eq!(view.line()["active"], "dog");
    view.close();
}

/// A file that cannot be shown is said on the terminal, and no window stays.
#[test]
fn bad_arguments() {
    let run = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_pliant"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .arg("view")
            .args(arguments)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    const CUBE: &str = "scenes/soft_cube.toml";
    // The latter ones before anything is simulated.
    #[rustfmt::skip]
    let cases: [(&[&str], i32, &str); 13] = [
        (&[CUBE], 1, "--screenshot"),
        (&["missing.toml", "--screenshot", "a.png"], 1, "missing.toml"),
        (&[CUBE, "--screenshot", "a.png", "--active", "nobody"], 1, "nobody"),
        (&[CUBE, "--screenshot", "a.png", "--time", "-1"], 1, "--time"),
        (&[CUBE, "--screenshot", "a.png", "--time", "nan"], 1, "--time"),
        (&[CUBE, "--screenshot", "a.png", "--time", "inf"], 1, "--time"),
        (&[CUBE, "--record", "a.png"], 1, "--time"),
        (&[CUBE, "--size", "0x300"], 2, "at least 1"),
        (&[CUBE, "--time", "1e6", "--screenshot", "a.jpg"], 1, "a.jpg, wanted a file name that ends in .png"),
        (&[CUBE, "--time", "1e6", "--screenshot", "a"], 1, "a, wanted a file name that ends in .png"),
        (&[CUBE, "--time", "1e6", "--record", "a.gif"], 1, "a.gif, wanted a file name that ends in .png or .apng"),
        (&[CUBE, "--time", "1e6", "--record", "missing/a.png"], 1, "missing"),
        (&[CUBE, "--time", "1e6", "--screenshot", "src"], 1, "src"),
    ];
    for (arguments, wanted, message) in cases {
        let (code, errors) = run(arguments);
        assert!(code == Some(wanted) && errors.contains(message), "{arguments:?}: {errors}");
    }
}

/// With a display, but nothing that draws in it, the program says what to install.
#[test]
fn without_a_driver_it_says_what_to_install() {
    let display = Display::new();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_pliant"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["view", "scenes/soft_cube.toml"])
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env("DISPLAY", &display.name)
        .env("VK_ICD_FILENAMES", "/nowhere.json")
        .env("VK_DRIVER_FILES", "/nowhere.json")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1), "{errors}");
    assert!(errors.contains("apt install mesa-vulkan-drivers"), "{errors}");
}

/// What a scene is warned of stands on the terminal; a pipe at the picture's path gets the picture.
#[test]
fn warnings_and_pipes() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("view-pipes");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let text = std::fs::read_to_string(two_bodies("warned")).unwrap();
    let file = folder.join("rk4.toml");
    let warned = text.replace("[world]", "[world]\nintegrator = \"rk4\"");
    std::fs::write(&file, warned).unwrap();
    let pipe = folder.join("pipe.png");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).unwrap()
    });
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_pliant"))
        .arg("view")
        .arg(&file)
        .args(["--size", "64x48", "--screenshot"])
        .arg(&pipe)
        .env("XDG_RUNTIME_DIR", std::env::temp_dir())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("warning: world.integrator") && errors.contains("rk4"), "{errors}");
    assert!(!pipe.is_file(), "the pipe was replaced");
    assert!(reader.join().unwrap().starts_with(b"\x89PNG"));
}
