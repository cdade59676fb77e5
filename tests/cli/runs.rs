//! `pliant run`: reports, frames, what is picked, what is lost.

use std::path::Path;

use super::{CUBE, Folder, all, json, output, pliant, refuse, report, succeed, text};

#[test]
fn report_has_all_keys() {
    let folder = Folder::new("keys");
    let (report, _) = report(&folder, CUBE, &[]);
    let sample = &report["samples"][0];
    let wanted = [
        (
            &report,
            "pliant scene adapter steps time integrator picked step wall_s steps_per_s state_hash counts passes contact \
             energy momentum samples bodies warnings faults step_min step_max steps_retaken",
        ),
        (&report["adapter"], "name backend kind"),
        (&report["counts"], "bodies particles springs tets triangles clusters rigid"),
        (&report["passes"][0], "name calls mean_us max_us"),
        (
            &report["contact"],
            "searches contacts_mean points_mean points_max triangles_mean triangles_max penetration_mean penetration_max overflow dropped lost",
        ),
        (&report["energy"], "kinetic elastic gravity"),
        (&report["momentum"], "linear angular"),
        (sample, "time kinetic elastic gravity colliding_triangles bodies"),
        (&sample["bodies"][0], "centroid kinetic elastic"),
        (
            &report["bodies"][0],
            "name kind mass edge centroid aabb volume volume_rest kinetic max_speed inverted_tets linear_momentum angular_momentum",
        ),
    ];
    for (value, keys) in wanted {
        for key in keys.split(' ') {
            assert!(value.get(key).is_some(), "{key} is missing");
        }
    }
    assert_eq!(report["counts"]["particles"], 27);
    assert_eq!(report["counts"]["tets"], 40);
    assert_eq!(report["state_hash"].as_str().unwrap().len(), 16);
    assert_eq!(all(&report, "samples").len(), 13, "frames 0 to 12 of 0.2 s at 60 per second");
    assert!((report["time"].as_f64().unwrap() - 0.2).abs() < 1e-9);
    // At rest height the potential energy is m g h; the centre starts 0.25 m up.
    let gravity = sample["gravity"].as_f64().unwrap();
    assert!((gravity - 27.0 * 0.05 * 9.81 * 0.25).abs() < 1e-4, "{gravity}");
}

#[test]
fn frames_come_in_every_format() {
    let folder = Folder::new("formats");
    let (scene, out) = (folder.file("cube.toml", CUBE), folder.path("new/out"));
    let report = out.join("report.json");
    let files =
        ["--report", text(&report), "--out", text(&out), "--format", "vtu,obj,ply,usda,usdc,png"];
    let pictures = ["--fps", "30", "--size", "80x60"];
    succeed(&[&["run", text(&scene)], &files[..], &pictures].concat());
    for ending in ["vtu", "obj", "ply", "png"] {
        for frame in 0..=6 {
            let path = out.join(format!("frame_{frame:05}.{ending}"));
            let there = std::fs::metadata(&path).is_ok_and(|file| file.len() > 100);
            assert!(there, "{}", path.display());
        }
        assert!(!out.join(format!("frame_00007.{ending}")).exists());
    }
    let materials = std::fs::read_to_string(out.join("scene.mtl")).unwrap();
    assert!(materials.contains("newmtl cube\n"), "{materials}");
    let usda = std::fs::read_to_string(out.join("scene.usda")).unwrap();
    assert!(usda.starts_with("#usda 1.0") && usda.contains("upAxis = \"Y\""));
    let usdc = std::fs::read(out.join("scene.usdc")).unwrap();
    assert!(usdc.starts_with(b"PXR-USDC") && usdc.len() < usda.len());
}

/// Solids move in files as they do in the world, and the camera is the one asked for.
#[test]
fn scenes_have_solids_and_a_camera() {
    let folder = Folder::new("scene-solids");
    let moving = "[[solid]]\nkind = \"box\"\nposition = [3.0, 0.0, 0.0]\nsize = [1.0, 1.0, 1.0]\n\
                  [[event]]\nkind = \"move\"\nsolid = 1\nvelocity = [2.0, 0.0, 0.0]\n";
    let (scene, out) = (folder.file("cube.toml", format!("{CUBE}{moving}")), folder.path("out"));
    let files = ["--out", text(&out), "--format", "usda,obj", "--fps", "10", "--time", "0.2"];
    let camera = ["--camera", "1,2,3:0,0.5,0"];
    succeed(&[&["run", text(&scene)], &files[..], &camera].concat());
    let usda = std::fs::read_to_string(out.join("scene.usda")).unwrap();
    assert!(usda.contains("double3 xformOp:translate = (1.0, 2.0, 3.0)\n"), "the camera");
    let (_, solid) = usda.split_once("def Mesh \"solid_1\"").unwrap();
    let (_, places) = solid.split_once("translate.timeSamples = {\n").unwrap();
    let place = |line: &str| -> f64 {
        let (_, x) = line.split_once(": (").unwrap();
        x.split_once(',').unwrap().0.parse().unwrap()
    };
    let places: Vec<f64> = places.lines().take(3).map(place).collect();
    for (got, wanted) in places.iter().zip([3.0, 3.2, 3.4]) {
        assert!((got - wanted).abs() < 0.01, "{places:?}");
    }
    let obj = std::fs::read_to_string(out.join("frame_00002.obj")).unwrap();
    assert!(obj.contains("\no solid 1\nusemtl solid_1\nv 3.") && obj.contains("\no floor\n"));
}

/// Frame k belongs to the first step with t ≥ k/fps − h/2.
#[test]
fn frames_follow_a_fixed_step() {
    let folder = Folder::new("fixed");
    let scene = CUBE.replace("[world]", "[world]\nstep = 0.0007");
    let (report, _) = report(&folder, &scene, &["--fps", "100", "--time", "0.05"]);
    assert_eq!(report["steps"], 71, "round(0.05/0.0007)");
    assert_eq!(all(&report, "samples").len(), 6);
    for (k, sample) in all(&report, "samples").iter().enumerate() {
        let time = sample["time"].as_f64().unwrap();
        let steps = time / 0.0007;
        assert!((steps - steps.round()).abs() < 1e-6);
        let late = time - (k as f64 * 0.01 - 0.00035);
        assert!((-1e-9..0.0007).contains(&late), "{k}: {time}");
    }
}

#[test]
fn what_is_picked_is_said_and_kept() {
    let folder = Folder::new("auto");
    let open = CUBE.replace("[world]", "[world]\nintegrator = \"auto\"");
    let scene = folder.file("cube.toml", &open);
    let [whole, half, save] =
        ["whole.json", "half.json", "half.save"].map(|name| folder.path(name));
    let run = |arguments: &[&str]| {
        let run =
            output(pliant().args(
                [&["run", text(&scene), "--format", "none", "--steps"][..], arguments].concat(),
            ));
        assert!(run.status.success());
        String::from_utf8(run.stderr).unwrap()
    };
    let said = run(&["40", "--report", text(&whole)]);
    run(&["20", "--save", text(&save)]);
    let kept = run(&["40", "--resume", text(&save), "--report", text(&half)]);
    assert_eq!(run(&["1", "--quiet"]), "");
    let [whole, half] = [&whole, &half].map(|path| json(path));
    assert_eq!(whole["state_hash"], half["state_hash"]);
    let picked = whole["integrator"].as_str().unwrap();
    let reason = whole["picked"]["reason"].as_str().unwrap();
    assert!(reason.starts_with("picked: the longest good step of verlet, "));
    assert_eq!(said, format!("integrator {picked}, {reason}\n"));
    let want = format!("integrator {picked}, as the saved run had picked it\n");
    assert_eq!(kept, want);
    assert_eq!(whole["picked"]["integrator"], picked);
    assert_eq!(half["picked"]["integrator"], picked);

    let (report, _) = report(&folder, &open.replace("auto", picked), &["--steps", "40"]);
    assert_eq!(report["state_hash"], whole["state_hash"]);
    assert!(report["picked"].is_null());
}

#[test]
fn a_word_for_no_integrator_is_refused() {
    let folder = Folder::new("automatic");
    let scene = CUBE.replace("[world]", "[world]\nintegrator = \"automatic\"");
    let message = refuse(&["run", text(&folder.file("cube.toml", &scene))]);
    for part in ["line 3", "world.integrator", "\"automatic\"", "verlet", "auto"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_lost_simulation_is_reported_and_what_was_computed_is_written() {
    let folder = Folder::new("fault");
    let long = CUBE.replace("duration = 0.2", "step = 0.02\nduration = 5.0");
    let scene = folder.file("cube.toml", &long);
    let (report, save, out) = (folder.path("report.json"), folder.path("save"), folder.path("out"));
    let arguments =
        ["--report", text(&report), "--save", text(&save), "--out", text(&out), "--format", "obj"];
    let message = refuse(&[&["run", text(&scene)][..], &arguments[..]].concat());
    assert!(["cube", "step", "stability bound"].iter().all(|p| message.contains(p)), "{message}");
    let report = json(&report);
    assert_eq!(all(&report, "faults").len(), 1);
    assert!(!all(&report, "warnings").is_empty() && !all(&report, "samples").is_empty());
    assert!(save.exists() && out.join("frame_00000.obj").exists());
    // The state kept is the last good one, and can be gone on from.
    let steps = report["steps"].to_string();
    let again = folder.path("again.json");
    let resumed = ["--resume", text(&save), "--steps", &steps, "--report", text(&again)];
    succeed(&[&["run", text(&scene), "--format", "none"][..], &resumed[..]].concat());
    assert_eq!(json(&again)["state_hash"], report["state_hash"]);
}

#[test]
fn quiet_prints_nothing() {
    let folder = Folder::new("quiet");
    let scene = folder.file("cube.toml", CUBE);
    let output = output(pliant().args(["run", text(&scene), "--format", "none", "--quiet"]));
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn every_scene_runs() {
    let folder = Folder::new("scenes");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes")).unwrap() {
        let (path, report) = (entry.unwrap().path(), folder.path("report.json"));
        succeed(&[
            "run",
            text(&path),
            "--format",
            "none",
            "--time",
            "0.03",
            "--report",
            text(&report),
        ]);
        let report = json(&report);
        // Some start collapsed or inside out on purpose.
        let whole = !std::fs::read_to_string(&path).unwrap().contains("stretch");
        for warning in all(&report, "warnings") {
            let warning = warning.as_str().unwrap();
            // More room in time is no defect of a scene.
            let meant = !whole && warning.contains("passes through itself")
                || warning.contains("contact lists were enlarged");
            assert!(meant, "{}: {warning}", path.display());
        }
        for body in all(&report, "bodies") {
            let inverted = body["inverted_tets"].as_u64().unwrap();
            assert!(!whole || inverted == 0, "{}: {inverted}", path.display());
        }
    }
}

/// The names of the files in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Without `--format` pictures and a report lie in a folder named after the scene; a run that is repeated leaves none of the
/// frames of the one before, one that goes on from a save those before it.
#[test]
fn a_run_leaves_pictures_and_a_report() {
    let folder = Folder::new("default");
    let scene = folder.file("cube.toml", CUBE);
    let run = |arguments: &[&str]| {
        let all =
            [&["run", text(&scene), "--fps", "10", "--size", "64x48"][..], arguments].concat();
        let output = output(pliant().current_dir(folder.path("")).args(all));
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let out = folder.path("out/cube");
    let save = folder.path("save");
    let said = run(&["--time", "0.3"]);
    let frame = |k: u64| format!("frame_{k:05}.png");
    let state = |k: u64| format!("frame_{k:05}.state");
    let frames = |of: std::ops::Range<u64>| of.flat_map(|k| [frame(k), state(k)]);
    let with_report = |of| frames(of).chain(["report.json".to_owned()]).collect::<Vec<_>>();
    assert_eq!(names(&out), with_report(0..4));
    for part in [
        "out/cube/frame_00000.png to frame_00003.png",
        "out/cube/frame_00000.state to frame_00003.state",
        "out/cube/report.json",
    ] {
        assert!(said.contains(&format!("wrote {part}\n")), "{said}");
    }
    assert!(json(&out.join("report.json"))["samples"].as_array().unwrap().len() == 4);
    // What is not a frame of this kind stays.
    let others = ["frame_00007.obj", "frame_12.png", "frame_one.png", "notes.txt"];
    others.iter().for_each(|name| std::fs::write(out.join(name), "").unwrap());
    // A run that does not begin leaves all as it was.
    let before = names(&out);
    refuse(&["run", text(&scene), "--out", text(&out), "--save", "/nowhere/save"]);
    assert_eq!(names(&out), before);
    run(&["--time", "0.1", "--save", text(&save)]);
    let mut wanted = with_report(0..2);
    wanted.extend(others.map(str::to_owned));
    wanted.sort();
    assert_eq!(names(&out), wanted);
    let said = run(&["--time", "0.3", "--resume", text(&save)]);
    assert!(said.contains("wrote out/cube/frame_00001.png to frame_00003.png\n"), "{said}");
    assert!(out.join(frame(0)).exists() && out.join(frame(3)).exists());
}

/// A mesh file falls on a floor, as in the window.
#[test]
fn a_mesh_file_is_run_as_it_is_shown() {
    let folder = Folder::new("mesh");
    let out = folder.path("dog");
    let arguments = ["--time", "0.02", "--fps", "50", "--size", "64x48", "--out", text(&out)];
    let said = succeed(&[&["run", "assets/dog.obj"][..], &arguments].concat());
    assert!(said.contains("\ndog: "), "{said}");
    let frames = [0, 1].map(|k| ["png", "state"].map(|end| format!("frame_{k:05}.{end}")));
    let mut wanted: Vec<_> = frames.into_iter().flatten().collect();
    wanted.push("report.json".into());
    assert_eq!(names(&out), wanted);
}

/// The ends of the colour scale are in the corner of a picture that has one.
#[test]
fn colors_have_a_legend() {
    let folder = Folder::new("legend");
    let scene = folder.file("cube.toml", CUBE);
    let ends = |color: &str| {
        let out = folder.path(color);
        let short = ["--time", "0.2", "--fps", "5", "--size", "640x360", "--format", "png"];
        let colored = ["--color", color, "--out", text(&out)];
        succeed(&[&["run", text(&scene)], &short[..], &colored].concat());
        let file = std::fs::File::open(out.join("frame_00001.png")).unwrap();
        let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        let stride = info.line_size / info.width as usize;
        let rows = pixels.chunks(info.line_size).take(60);
        let corner: Vec<_> = rows.flat_map(|row| row[400 * stride..].chunks(stride)).collect();
        // The first and the last of 64 parts of the scale.
        [[7, 98, 189], [182, 35, 35]].map(|end: [u8; 3]| {
            let like = |pixel: &&&[u8]| (0..3).all(|k| pixel[k].abs_diff(end[k]) < 8);
            corner.iter().filter(like).count()
        })
    };
    assert_eq!(ends("body"), [0, 0]);
    let [low, high] = ends("strain");
    assert!((8..400).contains(&low) && (8..400).contains(&high), "{low} {high}");
}

/// Pictures alone leave no states behind; what the options are of says so where none is drawn.
#[test]
fn pictures_are_drawn_as_asked_for() {
    let folder = Folder::new("pictures");
    let scene = folder.file("cube.toml", CUBE);
    let short = ["--time", "0.1", "--fps", "20", "--size", "64x48"];
    let run = |out: &str, arguments: &[&str]| {
        let out = folder.path(out);
        let to = ["--out", text(&out)];
        let said = succeed(&[&["run", text(&scene)], &short[..], &to, arguments].concat());
        (names(&out), said)
    };
    let three = [0, 1, 2].map(|k| format!("frame_{k:05}.png"));
    // States of a longer run before it go, too: they would be played as this one's.
    succeed(&["run", text(&scene), "--format", "state", "--out", text(&folder.path("plain"))]);
    let (plain, _) = run("plain", &["--format", "png"]);
    assert_eq!(plain, [&three[..], &["report.json".to_owned()]].concat());
    let options =
        ["--color", "strain", "--background", "light", "--surface", "edges", "--follow", "cube"];
    let (colored, said) = run("colored", &[&["--format", "apng,png"][..], &options].concat());
    assert_eq!(colored, [&three[..], &["movie.png".to_owned()]].concat());
    assert!(said.contains("\ncolours: strain up to "), "{said}");
    let bytes = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert_ne!(bytes("plain/frame_00002.png"), bytes("colored/frame_00002.png"));
    let reader = png::Decoder::new(std::io::Cursor::new(bytes("colored/movie.png"))).read_info();
    assert_eq!(reader.unwrap().info().animation_control.unwrap().num_frames, 3);
    let refused =
        |arguments: &[&str]| refuse(&[&["run", text(&scene)], &short[..], arguments].concat());
    for option in [["--camera", "1,1,1:0,0,0"], ["--follow", "cube"], ["--color", "strain"]] {
        let message = refused(&[&["--format", "obj"][..], &option].concat());
        assert!(message.contains(option[0]) && message.contains("--format png"), "{message}");
    }
    let message = refused(&["--follow", "ball", "--out", text(&folder.path("none"))]);
    assert!(message.contains("--follow") && message.contains("\"ball\""), "{message}");
}
