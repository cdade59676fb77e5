//! Bad input: exit 1 and one clear paragraph; bad usage: exit 2.

use super::{CUBE, Folder, output, pliant, refuse, text};

#[test]
fn bad_usage_exits_with_2() {
    for arguments in [
        &[][..],
        &["fly"],
        &["run"],
        &["run", "scene.toml", "--format", "bmp"],
        &["run", "scene.toml", "--size", "12"],
        &["run", "scene.toml", "--size", "0x10"],
        &["run", "scene.toml", "--steps", "-1"],
        &["run", "scene.toml", "--steps", "1", "--time", "1"],
        &["run", "scene.toml", "--unknown"],
        &["shaders", "--to", "glsl"],
    ] {
        assert_eq!(output(pliant().args(arguments)).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn bad_files_are_named() {
    let folder = Folder::new("bad");
    assert!(refuse(&["run", "nowhere.toml"]).contains("nowhere.toml"));
    assert!(refuse(&["mesh", "nowhere.obj"]).contains("nowhere.obj"));
    let scene = folder.file("wrong.toml", CUBE.replace("60.0", "-60.0"));
    let message = refuse(&["run", text(&scene)]);
    for part in ["wrong.toml", "cube", "distance", "-60"] {
        assert!(message.contains(part), "{message}");
    }
    let scene = folder
        .file("wrong.txt", "DeformableModels\nDeformableModel {\n  Path a.obj\n  Mass heavy\n}\n");
    let message = refuse(&["run", text(&scene)]);
    for part in ["wrong.txt", "line 4", "Mass", "heavy", "number"] {
        assert!(message.contains(part), "{message}");
    }
    let scene = folder.file("large.toml", CUBE.replace("[2, 2, 2]", "[250, 250, 250]"));
    let message = refuse(&["run", text(&scene)]);
    assert!(message.contains("elements") && message.contains("bytes"), "{message}");
    let scene = folder.file(
        "missing.toml",
        CUBE.replace("{ lattice = [2, 2, 2], size = [0.4, 0.4, 0.4] }", "{ file = \"no.obj\" }"),
    );
    assert!(refuse(&["run", text(&scene)]).contains("no.obj"));
    let message = refuse(&["verify", "cup.obj"]);
    assert!(message.contains("cup.obj") && message.contains("pliant view"), "{message}");
    assert!(refuse(&["run", "cup.obj"]).contains("cup.obj"));
    let mesh = folder.file("broken.obj", "v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n");
    assert!(refuse(&["mesh", text(&mesh)]).contains("broken.obj"));
    let open =
        folder.file("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    let message = refuse(&["mesh", text(&open), "--cells", "6"]);
    assert!(message.contains("open.obj") && message.contains("3 edges"), "{message}");
}

#[test]
fn bad_values_on_the_command_line_are_named() {
    let folder = Folder::new("values");
    let scene = folder.file("cube.toml", CUBE);
    let run = |arguments: &[&str]| refuse(&[&["run", text(&scene)], arguments].concat());
    assert!(run(&["--time", "nan"]).contains("--time"));
    assert!(run(&["--time", "-1"]).contains("--time"));
    assert!(run(&["--fps", "0"]).contains("fps"));
    assert!(run(&["--fps", "inf"]).contains("fps"));
    assert!(run(&["--camera", "1,2", "--format", "png"]).contains("camera"));
    assert!(run(&["--camera", "1,2,3"]).contains("EYE:TARGET"));
    assert!(run(&["--camera", "1,2,3:0,0,0", "--format", "obj"]).contains("--format png"));
    assert!(run(&["--adapter", "no such adapter"]).contains("no such adapter"));
    assert!(run(&["--format", "none,obj"]).contains("--format"));
    assert!(run(&["--camera", "1,2,3:0,0,0", "--format", "none"]).contains("--format png"));
    let file = folder.file("file", "");
    assert!(run(&["--out", text(&file), "--format", "obj"]).contains(text(&file)));
    assert!(run(&["--format", "none", "--report", "/nowhere/report.json"]).contains("/nowhere"));
}

/// Before anything is measured: the first line that is written would be the adapter's name.
#[test]
fn benchmarks_begin_with_what_they_are_asked_for() {
    let bench = |arguments: &[&str]| {
        let output = output(pliant().arg("bench").args(arguments));
        assert_eq!(
            (output.status.code(), &output.stdout[..]),
            (Some(1), &b""[..]),
            "{arguments:?}"
        );
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(bench(&["shape", "--json", "/nowhere/shape.json"]).contains("/nowhere"));
    assert!(bench(&["shape", "--after", "1"]).contains("`rigid-pile`"));
    assert!(refuse(&["bench", "rigid-pile", "--after", "2,1"]).contains("--after"));
    let verify = refuse(&["verify", "--kernel", "verlet", "--json", "/nowhere/verify.json"]);
    assert!(verify.contains("/nowhere"), "{verify}");
}

/// A file in the place of a command: the message has the commands that take it.
#[test]
fn a_file_without_a_command_is_told_of_them() {
    for file in ["scenes/first.toml", "assets/dog.obj", "nowhere.toml"] {
        let output = output(pliant().arg(file));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(&format!("`pliant run {file}`")), "{message}");
    }
}

#[test]
fn an_integrator_without_a_stable_step_says_so() {
    let folder = Folder::new("unstable");
    let text_of = |integrator: &str| {
        CUBE.replace("[world]", &format!("[world]\nintegrator = \"{integrator}\""))
            .replace("damping = 2.0", "damping = 0.0")
    };
    for integrator in ["euler", "midpoint"] {
        let scene = folder.file("undamped.toml", text_of(integrator));
        let message = refuse(&["run", text(&scene)]);
        assert!(
            message.contains("cube") && message.contains(integrator) && message.contains("damping"),
            "{message}"
        );
    }
}

/// Without a driver the message tells what to install.
#[cfg(target_os = "linux")]
#[test]
fn without_a_driver_all_works_but_pictures_which_tell_what_to_install() {
    let folder = Folder::new("none");
    let scene = folder.file("cube.toml", CUBE);
    let (scene, out, shot) = (text(&scene), folder.path("out"), folder.path("shot.png"));
    let (out, shot) = (text(&out), text(&shot));
    let run = |format| vec!["run", scene, "--time", "0.1", "--out", out, "--format", format];
    let cases = [
        (run("png"), 1),
        (run("apng,obj"), 1),
        (vec!["view", scene, "--screenshot", shot], 1),
        (run("obj,usda,vtu,state"), 0),
        (vec!["run", scene, "--time", "0.1", "--out", out], 0),
        (vec!["info"], 0),
        (vec!["verify", "--threads", "1", "--kernel", "verlet", scene], 0),
    ];
    for (arguments, code) in cases {
        let mut command = pliant();
        command
            .args(&arguments)
            .env("VK_ICD_FILENAMES", "/nowhere.json")
            .env("VK_DRIVER_FILES", "/nowhere.json");
        let output = output(&mut command);
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        let draws = code == 1 || arguments.len() <= 6 && arguments[0] != "verify";
        assert_eq!(said.contains("mesa-vulkan-drivers"), draws, "{arguments:?}: {said}");
    }
}
