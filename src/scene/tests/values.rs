//! Checks that involve more than one value, and scenes made in code.

use super::*;

#[test]
fn fields_that_exclude_or_need_each_other() {
    let body = "[[body]]\nname = \"a\"\nmesh = { lattice = [1, 1, 1], size = [1, 1, 1] }\n";
    for (rest, want) in [
        (
            "mass = 1\ndensity = 1",
            "line 5: body \"a\".density: is given beside mass",
        ),
        (
            "young = 1\nrelaxation = 1\nmass = 1\nvolume = 1",
            "line 7: body \"a\".volume: is given beside young",
        ),
        (
            "young = 1\nrelaxation = 1",
            "line 1: body \"a\".density: is missing",
        ),
        (
            "young = 1\nmass = 1",
            "line 1: body \"a\".relaxation: is missing",
        ),
        (
            "relaxation = 1\nmass = 1",
            "line 1: body \"a\".young: is missing",
        ),
        (
            "damping_mode = \"exact\"\n[world]\nintegrator = \"rk4\"",
            "line 4: body \"a\".damping_mode: is \"exact\" with integrator \"rk4\"",
        ),
        (
            "damping_mode = \"capped\"\n[world]\nintegrator = \"euler\"",
            "line 4: body \"a\".damping_mode: is \"capped\" with integrator \"euler\"",
        ),
        (
            "[[event]]\nkind = \"wind\"\nvelocity = [1, 0, 0]",
            "line 4: event 1: is wind in a world whose drag is 0",
        ),
    ] {
        let message = refusal(&format!("{body}{rest}"));
        assert!(message.contains(want), "{message}");
    }
    for rest in [
        "young = 1\nrelaxation = 1\nmass = 1",
        "damping_mode = \"explicit\"\n[world]\nintegrator = \"midpoint\"",
    ] {
        assert!(parse(&format!("{body}{rest}")).is_ok());
    }
}

#[test]
fn repeated_names_are_refused_where_they_repeat() {
    let body = "[[body]]\nname = \"a\"\nmesh = { lattice = [1, 1, 1], size = [1, 1, 1] }\n";
    let message = refusal(&body.repeat(3));
    assert!(
        message.contains("line 5: body 2.name: is \"a\", wanted a name that no other body has"),
        "{message}"
    );
}

#[test]
fn solids_line_forces_and_cubes_are_bounded() {
    let mut scene = parse(EXAMPLE).unwrap();
    scene.solids = vec![scene.solids[0].clone(); 255];
    scene.events = vec![scene.events[0].clone(); 256];
    scene.check().unwrap();
    scene.solids.push(scene.solids[0].clone());
    assert!(
        scene
            .check()
            .unwrap_err()
            .to_string()
            .contains("at most 256 solids")
    );
    scene.world.floor = None;
    scene.check().unwrap();
    scene.events.push(scene.events[0].clone());
    assert!(
        scene
            .check()
            .unwrap_err()
            .to_string()
            .starts_with("event 257 is line force number 257")
    );
    let mut scene = Scene {
        bodies: ["a", "b", "c"]
            .map(|name| Body::lattice(name, [250; 3], [1.0; 3]))
            .into(),
        ..Scene::default()
    };
    scene.check().unwrap();
    scene.bodies.push(Body::lattice("d", [250; 3], [1.0; 3]));
    assert!(
        scene
            .check()
            .unwrap_err()
            .to_string()
            .starts_with("body \"d\".mesh.lattice is [250, 250, 250], 62500000 cubes")
    );
    scene.bodies = vec![Body::lattice("a", [300; 3], [1.0; 3])];
    assert!(
        scene
            .check()
            .unwrap_err()
            .to_string()
            .contains("is [300, 300, 300] = 27000000 cubes")
    );
}

#[test]
fn scenes_from_code_are_checked_alike() {
    let base = parse(&scene_with("wind", "velocity", "[3, 0, 0]").0).unwrap();
    let refused = |at: &str, change: fn(&mut Scene)| {
        let mut scene = base.clone();
        change(&mut scene);
        let message = scene.check().unwrap_err().to_string();
        assert!(message.starts_with(at), "{message}");
    };
    refused("world.gravity is [0.0, NaN, 0.0]", |s| {
        s.world.gravity[1] = f64::NAN
    });
    refused("world.step is NaN", |s| {
        s.world.step = Step::Fixed(f64::NAN)
    });
    refused("world.fps is inf", |s| s.world.fps = f64::INFINITY);
    refused("body 2.name is \"top\"", |s| {
        s.bodies[1].name = "top".into()
    });
    refused("body \"top\".mass is NaN", |s| {
        s.bodies[0].mass = Mass::PerPoint(f64::NAN)
    });
    refused("body \"soft\".young is -1", |s| {
        s.bodies[1].kind = Kind::Springs(Springs::Moduli {
            young: -1.0,
            relaxation: 0.0,
        })
    });
    refused("body \"top\".skin is", |s| {
        s.bodies[0].skin = Some("".into())
    });
    refused("body \"top\".scale is [1.0, NaN, 1.0]", |s| {
        s.bodies[0].scale[1] = f64::NAN
    });
    refused("body \"top\".pin[0].box", |s| {
        s.bodies[0].pin = vec![Aabb {
            min: [f64::NAN; 3],
            max: [1.0; 3],
        }]
    });
    refused("solid 2.radius is NaN", |s| {
        s.solids[1] = Solid::Sphere {
            position: [0.0; 3],
            radius: f64::NAN,
        }
    });
    refused("solid 1.normal", |s| {
        s.solids[0] = Solid::Plane {
            position: [0.0; 3],
            normal: [0.0; 3],
        }
    });
    refused("event 2.to is NaN", |s| {
        s.events[1] = Event::Wind {
            velocity: [0.0; 3],
            from: 0.0,
            to: f64::NAN,
        }
    });
}

#[test]
fn errors_name_the_line_inside_of_tables_and_arrays() {
    let head = "[[body]]\nname = \"a\"\n";
    for (rest, want) in [
        (
            "[body.mesh]\nlattice = [1, 1, 1]\nsize = [1, 1, -1]",
            "line 5: body \"a\".mesh.size: is -1",
        ),
        (
            "[body.mesh]\nlattice = [1, 1, 1]",
            "line 3: body \"a\".mesh.size: is missing",
        ),
        ("mesh.file = \"\"", "line 3: body \"a\".mesh.file: is \"\""),
        (
            "mesh.file = \"b\"\n[[body.pin]]\nbox = [[0, 0, 0], [1, 1, 1]]\n[[body.pin]]\nbox = [[0, 0, 0], [1, 1, -1]]",
            "line 7: body \"a\".pin[1].box: is [0.0, 0.0, 0.0] to [1.0, 1.0, -1.0]",
        ),
        (
            "mesh.file = \"b\"\npin = [{ box = [[0, 0, 0], [1, 1, 1]] },\n{ box = [[0, 0, 0], [1, 1, \"x\"]] }]",
            "line 5: body \"a\".pin[1].box: is [[0, 0, 0]",
        ),
    ] {
        let message = refusal(&format!("{head}{rest}"));
        assert!(message.contains(want), "{message}");
    }
    let body = |name: &str, mass: i32| {
        format!("[[body]]\nname = \"{name}\"\nmesh.file = \"m\"\nmass = {mass}\n")
    };
    let message = refusal(&format!("\u{feff}{}{}", body("a", 1), body("a\\\".b", -1)));
    assert!(
        message.contains("line 8: body \"a\\\".b\".mass: is -1"),
        "{message}"
    );
    let message = refusal(
        &(1..=10)
            .map(|i| body(&i.to_string(), if i < 10 { 1 } else { -1 }))
            .collect::<String>(),
    );
    assert!(message.contains("line 40: body \"10\".mass"), "{message}");
}
