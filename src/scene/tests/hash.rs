//! What the scene's hash follows and what it ignores.

use super::*;

fn hash_of(text: &str) -> u64 {
    parse(text).unwrap().hash()
}

/// A scene of every kind of table with a fixed step.
fn base() -> String {
    scene_with("world", "step", "0.001").0
}

/// Fields of sections with values, and whether the scene is the same in its physics.
#[rustfmt::skip]
const CASES: [(&str, &str, &str, bool); 68] = [
    ("world", "gravity", "[0, -9.82, 0]", false),
    ("world", "floor", "0", false),
    ("world", "integrator", "\"leapfrog\"", false),
    ("world", "integrator", "\"auto\"", false),
    ("world", "friction", "0.6", false),
    ("world", "drag", "0.2", false),
    ("world", "contact", "false", false),
    ("world", "self_contact", "true", false),
    ("world", "sleep", "false", false),
    ("world", "projection", "\"half\"", false),
    ("world", "response", "\"source\"", false),
    ("world", "broad_phase", "\"sweep\"", false),
    ("world", "narrow", "\"sat\"", false),
    ("world", "rigid_integrator", "\"euler\"", false),
    ("world", "duration", "6", true),
    ("body", "name", "\"top\"", true),
    ("body", "position", "[0, 0, 1e-9]", false),
    ("body", "rotation", "[0, 0, 1]", false),
    ("body", "scale", "[1, 1, 2]", false),
    ("body", "velocity", "[1, 0, 0]", false),
    ("body", "angular_velocity", "[1, 0, 0]", false),
    ("body", "position", "[0, 0, -0.0]", true),
    ("body", "mass", "2", false),
    ("body", "point_mass", "2", false),
    ("body", "density", "1", false),
    ("body", "preset", "\"jelly\"", false),
    ("body", "distance", "21", false),
    ("body", "volume", "11", false),
    ("body", "damping", "2", false),
    ("body", "damping_mode", "\"explicit\"", false),
    ("body", "friction", "0.5", false),
    ("body", "group", "1", false),
    ("body", "mask", "1", false),
    ("body", "color", "\"#000000\"", true),
    ("body", "pin", "[{ box = [[0, 0, 0], [1, 1, 1]] }]", false),
    ("body", "mesh", "{ lattice = [2, 2, 1], size = [1, 1, 1] }", false),
    ("body", "mesh", "{ lattice = [2, 2, 2], size = [1, 1, 2] }", false),
    ("body", "kind", "\"springs\"", true),
    ("body", "kind", "\"shape\"", false),
    ("body", "area", "3", false),
    ("body", "area", "0", true),
    ("body", "shell", "true", false),
    ("body", "fitted", "false", false),
    ("body", "radius", "0.1", false),
    ("body", "stretch", "[1, -1, 1]", false),
    ("body", "scatter", "0.1", false),
    ("body", "seed", "1", false),
    ("body", "seed", "0", true),
    ("body", "region", "[{ box = [[0, 0, 0], [1, 1, 1]], young = 1 }]", false),
    ("body", "cell_data", "[\"young\"]", false),
    ("soft", "mesh", "{ file = \"cat.obj\" }", false),
    ("soft", "mesh", "{ file = \"dog.obj\", cells = 5 }", false),
    ("soft", "young", "2e4", false),
    ("soft", "relaxation", "0", false),
    ("plane", "normal", "[0, 1, 1]", false),
    ("plane", "position", "[0, 1, 0]", false),
    ("sphere", "radius", "0.6", false),
    ("sphere", "friction", "0.5", false),
    ("sphere", "restitution", "0.5", false),
    ("sphere", "name", "\"ball\"", true),
    ("sphere", "color", "\"#000000\"", true),
    ("box", "rotation", "[0, 1, 0]", false),
    ("box", "rotation_degrees", "[0, 0, 0]", true),
    ("line_force", "force", "[2, 0, 0]", false),
    ("line_force", "to", "2", false),
    ("line_force", "body", "\"soft\"", false),
    ("wind", "velocity", "[2, 0, 0]", false),
    ("wind", "to", "3", false),
];

#[test]
fn the_hash_follows_the_physics() {
    let base = base();
    assert_eq!(hash_of(&base), hash_of(&format!("# a comment\n{base}")));
    for (section, key, value, same) in CASES {
        let (text, _) = scene_with(section, key, value);
        let text = text.replace("[world]", "[world]\nstep = 0.001");
        let alike = hash_of(&text) == hash_of(&base);
        assert_eq!(alike, same, "{section}.{key} = {value}");
    }
    let mut turned = parse(&base).unwrap();
    turned.bodies[0].skin = Some("fine.obj".into());
    assert_eq!(turned.hash(), hash_of(&base), "a skin is only drawn");
    turned.bodies[0].order = Order::RotateFirst;
    assert_ne!(turned.hash(), hash_of(&base));
}

/// The frames a second where they set the step, and how steps are chosen.
#[test]
fn the_hash_follows_the_step() {
    let base = base();
    let with = |fps, step: &str| {
        let text = base.replace("[world]", &format!("[world]\nfps = {fps}"));
        hash_of(&text.replace("step = 0.001", step))
    };
    let (fixed, auto) = (|fps| with(fps, "step = 0.001"), |fps| with(fps, ""));
    assert!(fixed(30) == fixed(60) && auto(30) == auto(60) && fixed(60) != auto(60));
    let adaptive = |error: &str| with(60, &format!("step = \"adaptive\"\n{error}"));
    let chosen = ["", "step_error = 1e-5", "step_error = 2e-5"].map(adaptive);
    assert!(!chosen.contains(&auto(60)));
    assert!(!chosen[1..].contains(&chosen[0]) && chosen[1] != chosen[2]);
}

#[test]
fn the_hash_follows_what_a_kind_has() {
    let boxes = ["[[0, 0, 0], [1, 1, 1]]", "[[0, 0, 0], [1, 1, 2]]"];
    let region = |i: usize, constants: &str| format!("[{{ box = {}, {constants} }}]", boxes[i]);
    let cluster = |i: usize| format!("[{{ box = {} }}]", boxes[i]);
    let regions = [
        region(0, "young = 1"),
        region(0, "young = 2"),
        region(0, "relaxation = 1"),
        region(1, "young = 1"),
        region(0, "young = 1, relaxation = 1"),
    ];
    let clusters = [
        "\"whole\"",
        "\"tets\"",
        "[1, 1, 1]",
        "[1, 2, 1]",
        "[[0, 1], [2]]",
        "[[0], [1, 2]]",
        &cluster(0),
        &cluster(1),
    ];
    // Values of each key, all of them different scenes; the first is the default, if there is one.
    #[rustfmt::skip]
    let cases: [(&str, &str, bool, &[&str]); 20] = [
        ("fem", "young", false, &["1e4", "2e4"]),
        ("fem", "poisson", false, &["0.3", "0"]),
        ("fem", "relaxation", false, &["0", "0.1"]),
        ("fem", "material", true, &["\"neo_hookean\"", "\"corotated\"", "\"st_venant\""]),
        ("fem", "yield", false, &["0", "0.1", "0.2"]),
        ("fem", "creep", true, &["1", "2"]),
        ("fem", "plastic_max", true, &["1", "2"]),
        ("fem", "cell_data", true, &["[]", "[\"young\"]", "[\"poisson\"]", "[\"young\", \"poisson\"]"]),
        ("fem", "region", false, &regions.each_ref().map(String::as_str)),
        ("fem", "damping_mode", false, &["\"exact\"", "\"explicit\""]),
        ("shape", "alpha", false, &["0.5", "1"]),
        ("shape", "frequency", false, &["5", "0.5", "1"]),
        ("shape", "beta", true, &["0.5", "0"]),
        ("shape", "mode", true, &["\"linear\"", "\"rigid\"", "\"quadratic\""]),
        ("shape", "relaxation", true, &["0", "0.1"]),
        ("shape", "overlap", true, &["1", "0"]),
        ("shape", "yield", false, &["0", "0.1", "0.2"]),
        ("shape", "creep", true, &["1", "2"]),
        ("shape", "plastic_max", true, &["1", "2"]),
        ("shape", "clusters", false, &clusters),
    ];
    for (section, key, first_is_default, values) in cases {
        let hash = |value: &str| hash_of(&scene_with(section, key, value).0);
        let hashes: Vec<_> = values.iter().map(|value| hash(value)).collect();
        for i in 0..hashes.len() {
            for k in 0..i {
                assert_ne!(hashes[i], hashes[k], "{section}.{key}: {values:?}");
            }
        }
        if first_is_default {
            assert_eq!(hashes[0], hash(""), "{section}.{key}");
        }
    }
    let pull = |key: &str| hash_of(&scene_with("shape", key, "0.5").0);
    assert_ne!(pull("alpha"), pull("frequency"));
}

/// Whoever changes this says so in the changelog: states that were saved before no longer fit.
#[test]
fn the_form_of_a_hash_is_stable() {
    let mut scene = Scene::default();
    assert_eq!(scene.hash(), 9_669_572_789_767_615_718);
    scene.bodies.push(Body::lattice("a", [1, 2, 3], [0.5, 1.0, 1.5]));
    assert_eq!(scene.hash(), 2_498_819_730_049_484_519);
}
