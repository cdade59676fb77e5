//! What the program tells of contact between bodies.

use super::{Folder, json, succeed, text};

/// Cubes in one another, each side cut into so many parts.
fn cubes_in_one_another(cubes: usize, parts: usize) -> String {
    let mut scene = String::from("[world]\ngravity = [0.0, 0.0, 0.0]\n");
    for index in 0..cubes {
        let x = 0.011 * index as f64;
        scene += &format!(
            "[[body]]\nname = \"{index}\"\nmesh = {{ lattice = [{parts}, {parts}, {parts}], size = [1.0, 1.0, 1.0] }}\n\
             position = [{x}, {x}, {x}]\n"
        );
    }
    scene
}

/// Runs two steps; returns the report and what was printed.
fn run(folder: &Folder, scene: &str) -> (serde_json::Value, String) {
    let (scene, report) = (folder.file("scene.toml", scene), folder.path("report.json"));
    let arguments = ["--steps", "2", "--report", text(&report)];
    let said = succeed(&[&["run", text(&scene)][..], &arguments[..]].concat());
    (json(&report), said)
}

fn warnings(report: &serde_json::Value) -> Vec<String> {
    let warnings = report["warnings"].as_array().unwrap();
    warnings.iter().map(|warning| warning.as_str().unwrap().to_owned()).collect()
}

#[test]
fn grown_lists_are_told() {
    let folder = Folder::new("grown");
    // Two times 9³ points, nearly all in the other body: more than the 512 that there is room for at first.
    let (report, said) = run(&folder, &cubes_in_one_another(2, 8));
    assert_eq!(report["steps"], 2);
    let told: Vec<_> = warnings(&report)
        .into_iter()
        .filter(|warning| warning.starts_with("contact lists were grown "))
        .collect();
    assert_eq!(told.len(), 1, "{:?}", warnings(&report));
    assert!(said.contains(&format!("warning: {}", told[0])), "{said}");
    assert!(report["contact"]["points_max"].as_u64().unwrap() > 512);
    assert_eq!(report["contact"]["overflow"], 0);
}

#[test]
fn points_in_too_many_bodies_are_told() {
    let folder = Folder::new("overflowed");
    let (report, said) = run(&folder, &cubes_in_one_another(6, 2));
    let told: Vec<_> = warnings(&report)
        .into_iter()
        .filter(|warning| warning.contains("more than 4 bodies at once"))
        .collect();
    assert_eq!(told.len(), 1, "{:?}", warnings(&report));
    let overflow = report["contact"]["overflow"].as_u64().unwrap();
    assert!(overflow > 0 && told[0].starts_with(&overflow.to_string()));
    assert!(said.contains(&format!("warning: {}", told[0])), "{said}");
    // Five are four others at most.
    let (report, _) = run(&folder, &cubes_in_one_another(5, 2));
    assert_eq!(report["contact"]["overflow"], 0);
    let overflowed = |warning: &String| warning.contains("bodies at once");
    assert!(!warnings(&report).iter().any(overflowed));
}

#[test]
fn colliding_triangles_are_counted_in_the_frames() {
    let folder = Folder::new("triangles");
    let scene = "[world]\nfloor = 0.0\nduration = 0.3\n\
        [[body]]\nname = \"below\"\nmesh = { lattice = [2, 2, 2], size = [0.4, 0.4, 0.4] }\nposition = [0.0, 0.2, 0.0]\n\
        [[body]]\nname = \"above\"\nmesh = { lattice = [2, 2, 2], size = [0.4, 0.4, 0.4] }\nposition = [0.05, 0.62, 0.05]\n";
    let (scene, report) = (folder.file("scene.toml", scene), folder.path("report.json"));
    succeed(&["run", text(&scene), "--report", text(&report)]);
    let report = json(&report);
    let frames = report["samples"].as_array().unwrap();
    let triangles: Vec<u64> =
        frames.iter().map(|frame| frame["colliding_triangles"].as_u64().unwrap()).collect();
    assert_eq!(triangles[0], 0, "nothing is known before the first step");
    let last = *triangles.last().unwrap();
    // The faces that touch have 8 triangles each; no triangle of the two others far from them takes part.
    assert!((16..96).contains(&last), "{triangles:?}");
    assert_eq!(report["contact"]["triangles_max"].as_u64(), triangles.iter().copied().max());
    let mean = triangles[1..].iter().sum::<u64>() as f64 / (triangles.len() - 1) as f64;
    assert_eq!(report["contact"]["triangles_mean"].as_f64(), Some(mean));
}

#[test]
fn spheres_that_a_step_carries_too_far_are_told() {
    let folder = Folder::new("hasty");
    folder.file("one.xyz", "0 0 0\n");
    let scene = |step: &str| {
        format!(
            "[world]\nduration = 0.02\ngravity = [0.0, 0.0, 0.0]\n{step}\n\
             [[body]]\nname = \"plate\"\nmesh = {{ lattice = [2, 1, 2], size = [1.0, 0.2, 1.0] }}\n\
             [[body]]\nname = \"stone\"\nkind = \"shape\"\nmesh = {{ file = \"one.xyz\" }}\nradius = 0.1\n\
             position = [0.0, 9.0, 0.0]\nvelocity = [0.0, -40.0, 0.0]\n"
        )
    };
    let report = folder.path("report.json");
    let told = |step: &str| {
        let scene = folder.file("scene.toml", &scene(step));
        succeed(&["run", text(&scene), "--report", text(&report)]);
        let of = |warning: &String| warning.contains("contact looks");
        warnings(&json(&report)).into_iter().filter(of).collect::<Vec<_>>()
    };
    let found = told("step = 5e-3");
    assert_eq!(found.len(), 1, "{found:?}");
    let parts = [
        "\"stone\" moved at 40.000 m/s, 2.000e-1 m in a step",
        "1.000e-1 m ahead",
        "at most 2.500e-3 s",
    ];
    assert!(parts.iter().all(|part| found[0].contains(part)), "{found:?}");
    assert_eq!(told("step = 2e-3"), [""; 0]);
    // The automatic step knows how fast bodies start.
    assert_eq!(told("step = \"auto\""), [""; 0]);
}

#[test]
fn partners_without_room_are_told() {
    let folder = Folder::new("partners");
    let heap: String = (0..60)
        .map(|k| format!("{} 0 {}\n", 0.01 * f64::from(k % 10), 0.01 * f64::from(k / 10)))
        .collect();
    folder.file("heap.xyz", &heap);
    let body = |name: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nkind = \"shape\"\nmesh = {{ file = \"heap.xyz\" }}\nradius = 0.2\n"
        )
    };
    let (report, said) = run(&folder, &(body("a") + &body("b")));
    let told: Vec<_> =
        warnings(&report).into_iter().filter(|w| w.contains("had no room in its list")).collect();
    assert_eq!(told.len(), 1, "{:?}", warnings(&report));
    // Each of the 120 is near all 60 of the other, in both steps; those without a contact do not count.
    let dropped = report["contact"]["dropped"].as_u64().unwrap();
    assert!(dropped % 44 == 0 && dropped > 2 * 60 * 44 && dropped <= 2 * 120 * 44, "{dropped}");
    assert!(told[0].starts_with(&dropped.to_string()) && said.contains(&told[0]), "{told:?}");
    assert!(!warnings(&report).iter().any(|w| w.contains("bodies at once")));
}

/// Meshes that a step carries further than both bodies are thick on average, and bodies that start in the floor and in each
/// other so deep that points find no way out.
#[test]
fn what_contact_cannot_do_is_told() {
    let folder = Folder::new("beyond");
    let report = folder.path("report.json");
    let told = |scene: &str| {
        let scene = folder.file("scene.toml", scene);
        succeed(&["run", text(&scene), "--report", text(&report)]);
        warnings(&json(&report))
    };
    let of = |told: &[String], part: &str| -> Vec<String> {
        let those = told.iter().filter(|warning| warning.contains(part));
        those.cloned().collect()
    };
    let bullet = |speed: f64| {
        format!(
            "[world]\nduration = 0.1\ngravity = [0.0, 0.0, 0.0]\nstep = 0.01\n\
             [[body]]\nname = \"bullet\"\nmesh = {{ lattice = [2, 2, 2], size = [0.2, 0.2, 0.2] }}\n\
             position = [-9.0, 0.0, 0.0]\nvelocity = [{speed}, 0.0, 0.0]\nyoung = 1e4\nrelaxation = 0.01\ndensity = 1000.0\n\
             [[body]]\nname = \"target\"\nmesh = {{ lattice = [2, 2, 2], size = [1.0, 1.0, 1.0] }}\n\
             young = 1e4\nrelaxation = 0.01\ndensity = 1000.0\n"
        )
    };
    let found = of(&told(&bullet(70.0)), "may pass through others");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("\"bullet\" moved at 70.000 m/s"), "{found:?}");
    assert!(found[0].contains("measure 1.200e0 m"), "{found:?}");
    assert_eq!(of(&told(&bullet(50.0)), "may pass through others"), [""; 0]);

    let block = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmesh = {{ lattice = [2, 2, 2], size = [1.0, 1.0, 1.0] }}\n\
             position = [{x}, 0.4, 0.0]\nyoung = 1e5\nrelaxation = 0.01\ndensity = 1000.0\n"
        )
    };
    let world = "[world]\nduration = 0.5\nfloor = 0.0\nintegrator = \"vbd\"\n";
    let within = world.to_owned() + &block("a", 0.0) + &block("b", 0.0);
    let within = told(&within);
    assert_eq!(of(&within, "no way out").len(), 1);
    assert_eq!(of(&within, "1.000e-1 m inside the floor").len(), 1);
    let beside = world.to_owned() + &block("a", 0.0) + &block("b", 1.5);
    assert_eq!(of(&told(&beside), "no way out"), [""; 0]);
}
