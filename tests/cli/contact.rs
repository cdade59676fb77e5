//! What the program tells of contact between bodies.

use super::{Folder, all, lattice, report};

/// Cubes in one another, each side cut into so many parts.
fn cubes_in_one_another(cubes: usize, parts: usize) -> String {
    let cube = |index: usize| {
        let x = 0.011 * index as f64;
        lattice(&index.to_string(), parts, 1.0, &format!("position = [{x}, {x}, {x}]"))
    };
    let world = "[world]\ngravity = [0.0, 0.0, 0.0]\n".to_owned();
    world + &(0..cubes).map(cube).collect::<String>()
}

/// The warnings that say this.
fn told(report: &serde_json::Value, part: &str) -> Vec<String> {
    let warnings = all(report, "warnings").iter().map(|warning| warning.as_str().unwrap());
    warnings.filter(|warning| warning.contains(part)).map(String::from).collect()
}

/// The one warning that says this, which was printed, too.
fn warned((report, said): &(serde_json::Value, String), part: &str) -> String {
    let told = told(report, part);
    assert_eq!(told.len(), 1, "{:?}", report["warnings"]);
    assert!(said.contains(&format!("warning: {}", told[0])), "{said}");
    told[0].clone()
}

const TWO_STEPS: [&str; 2] = ["--steps", "2"];

#[test]
fn grown_lists_are_told() {
    let folder = Folder::new("grown");
    // Two times 9³ points, nearly all in the other body: more than the 512 that there is room for at first.
    let run = report(&folder, &cubes_in_one_another(2, 8), &TWO_STEPS);
    assert!(warned(&run, "contact lists were enlarged ").starts_with("contact lists"));
    let (report, _) = run;
    assert_eq!(report["steps"], 2);
    assert!(report["contact"]["points_max"].as_u64().unwrap() > 512);
    assert_eq!(report["contact"]["overflow"], 0);
}

#[test]
fn points_in_too_many_bodies_are_told() {
    let folder = Folder::new("overflowed");
    let run = report(&folder, &cubes_in_one_another(6, 2), &TWO_STEPS);
    let overflow = run.0["contact"]["overflow"].as_u64().unwrap();
    let warning = warned(&run, "more than 4 bodies at once");
    assert!(overflow > 0 && warning.starts_with(&overflow.to_string()));
    // Five are four others at most.
    let (five, _) = report(&folder, &cubes_in_one_another(5, 2), &TWO_STEPS);
    assert_eq!(five["contact"]["overflow"], 0);
    assert_eq!(told(&five, "bodies at once"), [""; 0]);
}

#[test]
fn colliding_triangles_are_counted_in_the_frames() {
    let folder = Folder::new("triangles");
    let scene = "[world]\nfloor = 0.0\nduration = 0.3\n".to_owned()
        + &lattice("below", 2, 0.4, "position = [0.0, 0.2, 0.0]")
        + &lattice("above", 2, 0.4, "position = [0.05, 0.62, 0.05]");
    let (report, _) = report(&folder, &scene, &[]);
    let frames = all(&report, "samples");
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
    let told = |step: &str| told(&report(&folder, &scene(step), &[]).0, "contact looks");
    let found = told("step = 5e-3");
    assert_eq!(found.len(), 1, "{found:?}");
    let parts = [
        "\"stone\" moved at 40.000 m/s, that is 2.000e-1 m per step",
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
    let run = report(&folder, &(body("a") + &body("b")), &TWO_STEPS);
    // Each of the 120 is near all 60 of the other, in both steps; those without a contact do not count.
    let dropped = run.0["contact"]["dropped"].as_u64().unwrap();
    assert!(
        dropped.is_multiple_of(44) && dropped > 2 * 60 * 44 && dropped <= 2 * 120 * 44,
        "{dropped}"
    );
    assert!(warned(&run, "more neighbours than its list holds").starts_with(&dropped.to_string()));
    assert_eq!(told(&run.0, "bodies at once"), [""; 0]);
}

/// Meshes that a step carries further than both bodies are thick together, and bodies that start in the floor and in each
/// other so deep that points find no penetration vector.
#[test]
fn what_contact_cannot_do_is_told() {
    let folder = Folder::new("beyond");
    let run = |scene: &str| report(&folder, scene, &[]).0;
    let bullet = |speed: f64| {
        let material = "young = 1e4\nrelaxation = 0.01\ndensity = 1000.0";
        let flies =
            format!("{material}\nposition = [-9.0, 0.0, 0.0]\nvelocity = [{speed}, 0.0, 0.0]");
        "[world]\nduration = 0.1\ngravity = [0.0, 0.0, 0.0]\nstep = 0.01\n".to_owned()
            + &lattice("bullet", 2, 0.2, &flies)
            + &lattice("target", 2, 1.0, material)
    };
    let found = told(&run(&bullet(70.0)), "may pass through other bodies");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("\"bullet\" moved at 70.000 m/s"), "{found:?}");
    assert!(found[0].contains("as thick as a plate of 4.000e-1 m"), "{found:?}");
    assert_eq!(told(&run(&bullet(35.0)), "may pass through other bodies"), [""; 0]);

    let block = |name: &str, x: f64| {
        let material = "young = 1e5\nrelaxation = 0.01\ndensity = 1000.0";
        lattice(name, 2, 1.0, &format!("position = [{x}, 0.4, 0.0]\n{material}"))
    };
    let world = "[world]\nduration = 0.5\nfloor = 0.0\nintegrator = \"vbd\"\n";
    let within = world.to_owned() + &block("a", 0.0) + &block("b", 0.0);
    let within = run(&within);
    assert_eq!(told(&within, "no penetration vector").len(), 1);
    assert_eq!(told(&within, "0.1 m inside the floor").len(), 1);
    let pressed = |low: f64| {
        let ball = "[[body]]\nname = \"ball\"\nkind = \"rigid\"\nmesh = { sphere = 0.1 }\nposition = [0, 0.1, 0]\n";
        let press = "[[solid]]\nname = \"press\"\nkind = \"box\"\nsize = [1, 0.1, 1]\nposition = [0, 0.3, 0]\n";
        let moves = format!(
            "[[event]]\nkind = \"move\"\nsolid = \"press\"\ntimes = [0, 0.4]\npositions = [[0, 0.3, 0], [0, {low}, 0]]\n"
        );
        told(&run(&(world.to_owned() + ball + press + &moves)), "pressed harder").len()
    };
    assert_eq!([0.25, 0.15].map(pressed), [0, 1]);
    let beside = world.to_owned() + &block("a", 0.0) + &block("b", 1.5);
    assert_eq!(told(&run(&beside), "no penetration vector"), [""; 0]);
}

/// Rigid bodies see each other come, however fast; a body that deforms sees what it meets a step late. Rolling, tipping and sleep
/// are in the report.
#[test]
fn fast_rigid_bodies_and_their_samples_are_told() {
    let folder = Folder::new("fast");
    let rigid = |name: &str, mesh: &str, more: &str| {
        format!("[[body]]\nname = \"{name}\"\nkind = \"rigid\"\nmesh = {{ {mesh} }}\n{more}\n")
    };
    let world = "[world]\nduration = 0.02\ngravity = [0.0, 0.0, 0.0]\nstep = 0.001\n".to_owned();
    let ball =
        rigid("ball", "sphere = 0.01", "position = [-0.5, 0.0, 0.0]\nvelocity = [200.0, 0.0, 0.0]");
    let plate = rigid("plate", "box = [0.003, 0.3, 0.3]", "");
    let (own, _) = report(&folder, &(world.clone() + &ball + &plate), &[]);
    assert_eq!(told(&own, "may pass through other bodies"), [""; 0]);
    let soft = lattice(
        "plate",
        2,
        0.1,
        "young = 1e6\nrelaxation = 0.01\ndensity = 1000.0\nposition = [0.0, 1.0, 0.0]",
    );
    let (own, _) = report(&folder, &(world.clone() + &ball + &soft), &[]);
    let found = told(&own, "may pass through other bodies");
    assert!(found.len() == 1 && found[0].contains("\"ball\" moved at 200"), "{found:?}");
    let late = world.replace("step = 0.001", "step = 0.001\nnarrow = \"triangles\"");
    let (own, _) = report(&folder, &(late + &ball + &plate), &[]);
    assert_eq!(told(&own, "may pass through other bodies").len(), 1);

    let dice = rigid("die", "box = [0.1, 0.1, 0.1]", "position = [0.0, 0.05, 0.0]")
        + &rigid(
            "top",
            "sphere = 0.05",
            "position = [1.0, 9.0, 0.0]\nangular_velocity = [0.0, 2.0, 0.0]",
        );
    let (own, _) =
        report(&folder, &("[world]\nduration = 1.0\nfloor = 0.0\n".to_owned() + &dice), &[]);
    let samples = all(&own, "samples");
    let [first, last] = [&samples[0]["bodies"], &samples[samples.len() - 1]["bodies"]];
    assert!(first[0]["asleep"] == false && last[0]["asleep"] == true, "{last}");
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    assert!((number(&last[1]["velocity"][1]) + 9.81).abs() < 0.01, "{last}");
    assert!((number(&last[1]["angular_velocity"][1]) - 2.0).abs() < 1e-4, "{last}");
    // Half of two radians.
    assert!((number(&last[1]["orientation"][1]) - 1.0_f64.sin()).abs() < 0.01, "{last}");
    assert!(number(&own["contact"]["contacts_mean"]) > 0.0, "{}", own["contact"]);
}
