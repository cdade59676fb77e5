//! Checks that involve more than one value, and what errors say of their places.

use super::*;

/// What follows a body's first lines, and the refusal that it gets.
#[rustfmt::skip]
const CONFLICTS: [(&str, &str); 20] = [
    ("mass = 1\ndensity = 1", "line 4: body \"a\".mass: conflicts with density"),
    ("mass = 1\npoint_mass = 1", "line 5: body \"a\".point_mass: conflicts with mass"),
    ("density = 1\npoint_mass = 1", "line 5: body \"a\".point_mass: conflicts with density"),
    ("young = 1\nrelaxation = 1\nmass = 1\nvolume = 1", "line 7: body \"a\".volume: conflicts with young"),
    ("preset = \"jelly\"\ndamping = 1", "line 5: body \"a\".damping: conflicts with preset"),
    ("kind = \"shape\"\npreset = \"jelly\"", "line 5: body \"a\".preset: has no effect on kind \"shape\""),
    ("preset = \"jam\"", "line 4: body \"a\".preset: is \"jam\", wanted one of: jelly, flesh, foam"),
    ("mass = 1\n[world]\nstep_error = 1e-5", "line 6: world.step_error: has no effect without step = \"adaptive\""),
    ("mass = 1\n[world]\nstep = \"adaptive\"\nstep_error = 0", "line 7: world.step_error: is 0"),
    ("cell_data = [\"density\"]\nmass = 1",
        "line 4: body \"a\".cell_data: is \"density\", wanted density [kg/m³] instead of mass"),
    ("distance = 1\n[[body.region]]\nbox = [[0, 0, 0], [1, 1, 1]]\nvolume = 3\n\
        [[body.region]]\nbox = [[0, 0, 0], [1, 1, 1]]\nvolume = -3",
        "line 10: body \"a\".region[1].volume: is -3, wanted a number ≥ 0"),
    ("kind = \"fem\"\nyoung = 1\npoisson = 0\nmass = 1\ncreep = 2",
        "line 8: body \"a\".creep: has no effect without yield"),
    ("kind = \"shape\"\nfrequency = 3\nalpha = 0.3", "line 5: body \"a\".frequency: conflicts with alpha"),
    ("kind = \"shape\"\noverlap = 1", "line 5: body \"a\".overlap: applies to a grid"),
    ("kind = \"shape\"\nclusters = \"tets\"\noverlap = 1", "line 6: body \"a\".overlap: applies to a grid"),
    ("kind = \"shape\"\nclusters = [2, 2]",
        "line 5: body \"a\".clusters: is [2, 2], wanted [x, y, z] boxes of a grid"),
    ("kind = \"shape\"\nplastic_max = 1", "line 5: body \"a\".plastic_max: has no effect without yield"),
    ("kind = \"shape\"\n[world]\nintegrator = \"euler\"", "line 6: world.integrator: is euler, wanted"),
    ("kind = \"shape\"\n[world]\nintegrator = \"midpoint\"", "line 6: world.integrator: is midpoint, wanted"),
    ("[[event]]\nkind = \"wind\"\nvelocity = [1, 0, 0]", "line 4: event 1: is wind in a world whose drag is 0"),
];

#[test]
fn fields_that_exclude_or_need_each_other() {
    let body = "[[body]]\nname = \"a\"\nmesh = { lattice = [1, 1, 1], size = [1, 1, 1] }\n";
    for (rest, want) in CONFLICTS {
        let message = refusal(&format!("{body}{rest}"));
        assert!(message.contains(want), "{message}");
    }
    for rest in [
        "young = 1\nrelaxation = 1\nmass = 1",
        "young = 1",
        "relaxation = 1",
        "kind = \"fem\"",
        "shell = true\nyoung = 1e5\ndensity = 100",
        "shell = true\nradius = 0.01\nyoung = 1\nrelaxation = 1\ndensity = 1",
        "shell = true\nmass = 1",
        "kind = \"shape\"\nclusters = [2, 1, 1]\noverlap = 0\n[world]\nintegrator = \"rk4\"",
        "kind = \"fem\"\nyoung = 1\npoisson = 0\nmass = 1\n[world]\nintegrator = \"midpoint\"",
        "damping_mode = \"explicit\"\n[world]\nintegrator = \"midpoint\"",
        "damping_mode = \"exact\"\n[world]\nintegrator = \"auto\"",
        "kind = \"shape\"\n[world]\nintegrator = \"auto\"",
        "damping_mode = \"capped\"\n[world]\nintegrator = \"symplectic_euler\"",
    ] {
        assert!(parse(&format!("{body}{rest}")).is_ok());
    }
}

#[test]
fn repeated_names_are_refused_where_they_repeat() {
    let body = "[[body]]\nname = \"a\"\nmesh = { lattice = [1, 1, 1], size = [1, 1, 1] }\n";
    let message = refusal(&body.repeat(3));
    assert!(message.contains("line 5: body 2.name: is \"a\", wanted a unique name"), "{message}");
}

#[test]
fn solids_line_forces_and_cubes_are_bounded() {
    let mut scene = parse(EXAMPLE).unwrap();
    scene.solids[0].name.clear();
    scene.solids = vec![scene.solids[0].clone(); 255];
    scene.events = vec![scene.events[0].clone(); 256];
    scene.check().unwrap();
    scene.solids.push(scene.solids[0].clone());
    assert!(refused(&scene).contains("at most 256 solids"));
    scene.world.floor = None;
    scene.check().unwrap();
    scene.events.push(scene.events[0].clone());
    assert!(refused(&scene).starts_with("event 257 is line force number 257"));
    let mut scene = Scene {
        bodies: ["a", "b", "c"].map(|name| Body::lattice(name, [250; 3], [1.0; 3])).into(),
        ..Scene::default()
    };
    scene.check().unwrap();
    scene.bodies.push(Body::lattice("d", [250; 3], [1.0; 3]));
    assert!(
        refused(&scene).starts_with("body \"d\".mesh.lattice is [250, 250, 250], 62500000 cubes")
    );
    scene.bodies = vec![Body::lattice("a", [300; 3], [1.0; 3])];
    assert!(refused(&scene).contains("is [300, 300, 300] = 27000000 cubes"));
}

/// What implicit integrators take, and what does not go with them.
#[test]
fn implicit_integrators_take_their_own_settings() {
    let scene = |world: &str, body: &str| {
        format!(
            "[[body]]\nname = \"a\"\nmesh = {{ lattice = [1, 1, 1], size = [1, 1, 1] }}\n{body}\n[world]\n{world}"
        )
    };
    let fem = "kind = \"fem\"\nyoung = 1\npoisson = 0\nmass = 1";
    #[rustfmt::skip]
    let cases = [
        ("integrator = \"vbd\"\niterations = 20", ""),
        ("integrator = \"implicit_euler\"\niterations = 3\ntolerance = 1e-4", ""),
        ("integrator = \"vbd\"", fem),
        ("integrator = \"implicit_euler\"", "kind = \"shape\""),
    ];
    for (world, body) in cases {
        let text = scene(world, body);
        assert!(parse(&text).is_ok(), "{text}");
    }
    let corotated = format!("{fem}\nmaterial = \"corotated\"");
    let plastic = format!("{fem}\nyield = 0.1");
    #[rustfmt::skip]
    let cases = [
        ("integrator = \"vbd\"\niterations = 0", "", "world.iterations"),
        ("integrator = \"vbd\"\niterations = 1001", "", "world.iterations"),
        ("integrator = \"rk4\"\niterations = 10", "", "world.iterations"),
        ("integrator = \"vbd\"\ntolerance = 1e-3", "", "world.tolerance"),
        ("integrator = \"implicit_euler\"\ntolerance = 1e-9", "", "world.tolerance"),
        ("integrator = \"vbd\"\nresponse = \"source\"", "", "world.response"),
        ("integrator = \"auto\"\nstep = \"adaptive\"", "", "world.step"),
        ("integrator = \"vbd\"", "damping_mode = \"exact\"", "damping_mode"),
        ("integrator = \"rk4\"", "damping_mode = \"exact\"",
            "damping_mode: is \"exact\" with integrator \"rk4\", wanted \"explicit\""),
        ("integrator = \"euler\"", "damping_mode = \"capped\"",
            "damping_mode: is \"capped\" with integrator \"euler\", wanted \"explicit\""),
        ("integrator = \"vbd\"", "kind = \"shape\"", "kind"),
        ("integrator = \"vbd\"", &corotated, "material"),
        ("integrator = \"vbd\"", &plastic, "yield"),
    ];
    for (world, body, want) in cases {
        let message = parse(&scene(world, body)).unwrap_err().to_string();
        assert!(message.contains(want) && message.contains("wanted"), "{message}");
    }
}

#[test]
fn errors_name_the_line_inside_of_tables_and_arrays() {
    let head = "[[body]]\nname = \"a\"\n";
    #[rustfmt::skip]
    let cases = [
        ("[body.mesh]\nlattice = [1, 1, 1]\nsize = [1, 1, -1]", "line 5: body \"a\".mesh.size: is -1"),
        ("[body.mesh]\nlattice = [1, 1, 1]", "line 3: body \"a\".mesh.size: is missing"),
        ("mesh.file = \"\"", "line 3: body \"a\".mesh.file: is \"\""),
        ("mesh.file = \"b\"\n[[body.pin]]\nbox = [[0, 0, 0], [1, 1, 1]]\n[[body.pin]]\nbox = [[0, 0, 0], [1, 1, -1]]",
            "line 7: body \"a\".pin[1].box: is [0.0, 0.0, 0.0] to [1.0, 1.0, -1.0]"),
        ("mesh.file = \"b\"\npin = [{ box = [[0, 0, 0], [1, 1, 1]] },\n{ box = [[0, 0, 0], [1, 1, \"x\"]] }]",
            "line 5: body \"a\".pin[1].box: is [[0, 0, 0]"),
    ];
    for (rest, want) in cases {
        let message = refusal(&format!("{head}{rest}"));
        assert!(message.contains(want), "{message}");
    }
    let body = |name: &str, mass: i32| {
        format!("[[body]]\nname = \"{name}\"\nmesh.file = \"m\"\nmass = {mass}\n")
    };
    let message = refusal(&format!("\u{feff}{}{}", body("a", 1), body("a\\\".b", -1)));
    assert!(message.contains("line 8: body \"a\\\".b\".mass: is -1"), "{message}");
    let message = refusal(
        &(1..=10).map(|i| body(&i.to_string(), if i < 10 { 1 } else { -1 })).collect::<String>(),
    );
    assert!(message.contains("line 40: body \"10\".mass"), "{message}");
}

#[test]
fn errors_of_later_are_located_in_the_file() {
    let folder = crate::folder::Folder::new("locate");
    let body = |name: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nkind = \"shape\"\nmesh.file = \"m\"\nclusters = [[0, 1],\n [2, 9]]\n"
        )
    };
    let text = format!("[world]\nstep = \"auto\"\n{}{}", body("a"), body("b"));
    let path = folder.file("scene.toml", text);
    let at = |at: &str| {
        let error = Scene::locate(&path, crate::Error::value(at, "x", "y"));
        error.to_string().replace(&path.display().to_string(), "FILE")
    };
    let want = "FILE: line 14: body \"b\".clusters[1]: is x, wanted y";
    assert_eq!(at("body \"b\".clusters[1]"), want);
    assert!(at("world.step").starts_with("FILE: line 2: world.step: is x"));
    assert_eq!(at("the save file"), "the save file is x, wanted y");
}

/// A preset gives what the body does not say itself.
#[test]
fn single_keys_stand_above_a_preset() {
    let read = |rest: &str| {
        let text = format!("[[body]]\nname = \"a\"\nmesh.file = \"m\"\n{rest}");
        let body = parse(&text).unwrap().bodies.remove(0);
        (body.mass, body.kind)
    };
    for preset in Preset::ALL {
        let name = format!("preset = \"{}\"\n", preset.name());
        let plain = (preset.mass(), preset.springs().into());
        assert_eq!(read(&name), plain);
        let fem = (preset.mass(), preset.fem().into());
        assert_eq!(read(&(name.clone() + "kind = \"fem\"")), fem);
        let relaxation = Some(preset.properties().relaxation);
        let firmer = Springs::Moduli { young: Some(3.0), relaxation };
        let heavier = read(&(name.clone() + "young = 3\nmass = 2"));
        assert_eq!(heavier, (Mass::Body(2.0), firmer.into()));
        let stiff = Fem { relaxation, ..Fem::new(3.0, 0.1) };
        let rest = "kind = \"fem\"\nyoung = 3\npoisson = 0.1\ndensity = 7";
        assert_eq!(read(&(name + rest)), (Mass::Density(7.0), stiff.into()));
    }
}

/// What stands in one rigid body, beside a name and a mesh.
fn rigid(more: &str) -> String {
    format!("[[body]]\nname = \"a\"\nkind = \"rigid\"\nmesh = {{ sphere = 0.5 }}\n{more}")
}

#[test]
fn an_unknown_key_is_answered_with_those_of_the_kind() {
    let offered = |text: &str| {
        let message = refusal(text);
        let (_, keys) = message.split_once("wanted one of: ").unwrap();
        keys.split(", ").map(str::to_owned).collect::<Vec<_>>()
    };
    let soft =
        "[[body]]\nname = \"a\"\nmesh = { lattice = [1, 1, 1], size = [1, 1, 1] }\nwobble = 1";
    let (soft, rigid) = (offered(soft), offered(&rigid("wobble = 1")));
    for keys in [&soft, &rigid] {
        let mut once = keys.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), keys.len(), "{keys:?}");
    }
    for key in ["restitution", "held", "rolling_friction", "shape"] {
        assert!(rigid.iter().any(|own| own == key) && !soft.iter().any(|own| own == key), "{key}");
    }
    for key in ["pin", "stretch", "scatter", "seed", "point_mass", "shell", "fitted", "radius"] {
        assert!(soft.iter().any(|own| own == key) && !rigid.iter().any(|own| own == key), "{key}");
    }
    for key in ["name", "density", "mass", "position", "rotation", "velocity", "friction", "mask"] {
        assert!([&soft, &rigid].iter().all(|keys| keys.iter().any(|own| own == key)), "{key}");
    }
}

#[test]
fn restitution_is_of_each_rigid_body() {
    parse(&rigid("restitution = 0.5")).unwrap();
    let message = refusal(&format!("[world]\nrestitution = 0.5\n{}", rigid("")));
    assert!(
        message.contains("world.restitution: is 0.5, wanted 0: rigid bodies have"),
        "{message}"
    );
    assert!(message.contains("[[body]]"), "{message}");
}

#[test]
fn what_is_held_has_no_velocity_of_its_own() {
    for key in ["velocity", "angular_velocity"] {
        let given = format!("{key} = [1, 0, 0]\n");
        parse(&rigid(&given)).unwrap();
        parse(&rigid(&format!("{key} = [0, 0, 0]\nheld = true"))).unwrap();
        let message = refusal(&rigid(&(given + "held = true")));
        assert!(message.contains(&format!("line 5: body \"a\".{key}")), "{message}");
        assert!(message.contains("[[event]] of kind \"move\""), "{message}");
    }
}
