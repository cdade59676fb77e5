//! What is saved, resumed and interrupted.

use super::{CUBE, Folder, json, pliant, refuse, succeed, text};

#[test]
fn resuming_is_bit_exact() {
    for integrator in ["verlet", "leapfrog", "rk4"] {
        let folder = Folder::new(&format!("resume-{integrator}"));
        let world = format!("[world]\nintegrator = \"{integrator}\"");
        let scene = folder.file("cube.toml", CUBE.replace("[world]", &world));
        let (whole, part) = (folder.path("whole.json"), folder.path("part.json"));
        let save = folder.path("save");
        succeed(&[
            "run",
            text(&scene),
            "--format",
            "none",
            "--steps",
            "70",
            "--report",
            text(&whole),
        ]);
        // With another frame rate, too: the step comes from the save file.
        succeed(&["run", text(&scene), "--format", "none", "--steps", "29", "--save", text(&save)]);
        let resumed =
            ["--steps", "70", "--fps", "50", "--resume", text(&save), "--report", text(&part)];
        succeed(&[&["run", text(&scene), "--format", "none"][..], &resumed[..]].concat());
        let (whole, part) = (json(&whole), json(&part));
        assert_eq!(whole["state_hash"], part["state_hash"], "{integrator}");
        assert_eq!(whole["steps"], part["steps"]);
        assert_eq!(whole["step"], part["step"]);
    }
}

/// What a run reports of adaptive steps; one that is resumed goes on with them bit for bit.
#[test]
fn adaptive_steps_are_reported_and_resumed() {
    let folder = Folder::new("adaptive");
    let step = "step = \"adaptive\"\nstep_error = 1e-5";
    let scene = folder.file("cube.toml", CUBE.replace("[world]", &format!("[world]\n{step}")));
    let (whole, part) = (folder.path("whole.json"), folder.path("part.json"));
    let save = folder.path("save");
    let run = |arguments: &[&str]| {
        succeed(&[&["run", text(&scene), "--format", "none"][..], arguments].concat())
    };
    run(&["--time", "0.4", "--report", text(&whole)]);
    run(&["--time", "0.2", "--save", text(&save)]);
    let resumed = ["--time", "0.4", "--resume", text(&save), "--report", text(&part)];
    run(&resumed);
    let (whole, part) = (json(&whole), json(&part));
    for key in ["state_hash", "steps", "time"] {
        assert_eq!(whole[key], part[key], "{key}");
    }
    let number = |key: &str| whole[key].as_f64().unwrap();
    let mean = number("time") / number("steps");
    assert!((number("step") / mean - 1.0).abs() < 1e-6);
    assert!(
        number("step_min") < mean && mean < number("step_max") && number("steps_retaken") > 0.0
    );
    assert!((number("time") - 0.4).abs() < 0.01);
    let message = refuse(&["run", text(&scene), "--format", "none", "--steps", "10"]);
    assert!(message.contains("--time"), "{message}");
}

#[test]
fn a_save_must_belong_to_the_scene() {
    let folder = Folder::new("other");
    let scene = folder.file("cube.toml", CUBE);
    let other = folder.file("other.toml", CUBE.replace("60.0", "61.0"));
    let save = folder.path("save");
    succeed(&["run", text(&scene), "--format", "none", "--steps", "5", "--save", text(&save)]);
    let message = refuse(&["run", text(&other), "--format", "none", "--resume", text(&save)]);
    assert!(message.contains("another scene, which differs in [[body]]"), "{message}");
    assert!(message.contains("save"), "{message}");
    let bytes = std::fs::read(&save).unwrap();
    for length in [0, 10, 16, 40, 48, 60, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&save, &bytes[..length]).unwrap();
        refuse(&["run", text(&scene), "--format", "none", "--resume", text(&save)]);
    }
    for place in [0, 20, 70, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        std::fs::write(&save, &damaged).unwrap();
        refuse(&["run", text(&scene), "--format", "none", "--resume", text(&save)]);
    }
    std::fs::write(&save, &bytes).unwrap();
    let message =
        refuse(&["run", text(&scene), "--format", "none", "--resume", text(&save), "--steps", "3"]);
    assert!(message.contains("step 5"), "{message}");
    let message = refuse(&[
        "run",
        text(&scene),
        "--format",
        "none",
        "--resume",
        text(&save),
        "--time",
        "0.001",
    ]);
    assert!(message.contains("is at t = 0.0") && message.contains("(--time)"), "{message}");
    assert!(!message.contains("step"), "{message}");
}

/// A program that must not outlive a failing test.
#[cfg(unix)]
struct Running(std::process::Child);

#[cfg(unix)]
impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
    }
}

#[cfg(unix)]
#[test]
fn interruption_writes_report_and_save() {
    use std::process::Stdio;
    let folder = Folder::new("interrupt");
    let scene = folder.file("cube.toml", CUBE);
    let (report, save) = (folder.path("report.json"), folder.path("save"));
    let arguments = [
        "run",
        text(&scene),
        "--format",
        "none",
        "--time",
        "100000",
        "--report",
        text(&report),
        "--save",
        text(&save),
    ];
    let child =
        pliant().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut child = Running(child);
    // The lines before the first step are the sign that the handler is in place.
    let mut lines =
        std::io::BufRead::lines(std::io::BufReader::new(child.0.stdout.take().unwrap()));
    assert!(lines.any(|line| line.unwrap().starts_with("time step")));
    // The shell has `kill` built in; not every system has it as a program.
    let kill = format!("kill -INT {}", child.0.id());
    let killed = std::process::Command::new("sh").args(["-c", &kill]).status();
    assert!(killed.unwrap().success());
    lines.for_each(drop);
    assert_eq!(child.0.wait().unwrap().code(), Some(130));
    let report = json(&report);
    assert!(report["faults"].as_array().unwrap().is_empty());
    assert!(save.exists());
}
