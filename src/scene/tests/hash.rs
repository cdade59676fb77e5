//! What the scene's hash follows and what it ignores.

use super::*;

#[test]
fn the_hash_follows_the_physics() {
    let base = scene_with("world", "step", "0.001").0;
    let hash = |text: &str| parse(text).unwrap().hash();
    assert_eq!(hash(&base), hash(&format!("# a comment\n{base}")));
    for (section, key, value, same) in [
        ("world", "gravity", "[0, -9.82, 0]", false),
        ("world", "floor", "0", false),
        ("world", "integrator", "\"leapfrog\"", false),
        ("world", "friction", "0.6", false),
        ("world", "restitution", "0.1", false),
        ("world", "drag", "0.2", false),
        ("world", "contact", "false", false),
        ("world", "self_contact", "true", false),
        ("world", "projection", "\"half\"", false),
        ("world", "response", "\"source\"", false),
        ("world", "duration", "6", true),
        ("body", "name", "\"top\"", true),
        ("body", "position", "[0, 0, 1e-9]", false),
        ("body", "rotation", "[0, 0, 1]", false),
        ("body", "scale", "[1, 1, 2]", false),
        ("body", "velocity", "[1, 0, 0]", false),
        ("body", "angular_velocity", "[1, 0, 0]", false),
        ("body", "position", "[0, 0, -0.0]", true),
        ("body", "mass", "2", false),
        ("body", "density", "1", false),
        ("body", "distance", "21", false),
        ("body", "volume", "11", false),
        ("body", "damping", "2", false),
        ("body", "damping_mode", "\"explicit\"", false),
        ("body", "friction", "0.5", false),
        ("body", "restitution", "0", false),
        ("body", "group", "1", false),
        ("body", "mask", "1", false),
        ("body", "color", "\"#000000\"", true),
        ("body", "pin", "[{ box = [[0, 0, 0], [1, 1, 1]] }]", false),
        (
            "body",
            "mesh",
            "{ lattice = [2, 2, 1], size = [1, 1, 1] }",
            false,
        ),
        (
            "body",
            "mesh",
            "{ lattice = [2, 2, 2], size = [1, 1, 2] }",
            false,
        ),
        ("soft", "mesh", "{ file = \"cat.obj\" }", false),
        ("soft", "mesh", "{ file = \"dog.obj\", cells = 5 }", false),
        ("soft", "young", "2e4", false),
        ("soft", "relaxation", "0", false),
        ("plane", "normal", "[0, 1, 1]", false),
        ("plane", "position", "[0, 1, 0]", false),
        ("sphere", "radius", "0.6", false),
        ("box", "rotation", "[0, 1, 0]", false),
        ("line_force", "force", "[2, 0, 0]", false),
        ("line_force", "to", "2", false),
        ("line_force", "body", "\"soft\"", false),
        ("wind", "velocity", "[2, 0, 0]", false),
        ("wind", "to", "3", false),
    ] {
        let text = scene_with(section, key, value)
            .0
            .replace("[world]", "[world]\nstep = 0.001");
        assert_eq!(
            hash(&text) == hash(&base),
            same,
            "{section}.{key} = {value}"
        );
    }
    let fixed = |fps| hash(&base.replace("[world]", &format!("[world]\nfps = {fps}")));
    let auto = |fps| {
        hash(
            &base
                .replace("[world]", &format!("[world]\nfps = {fps}"))
                .replace("step = 0.001", ""),
        )
    };
    assert!(fixed(30) == fixed(60) && auto(30) == auto(60) && fixed(60) != auto(60));
    assert_eq!(Scene::default().hash(), Scene::default().hash());
    let mut turned = parse(&base).unwrap();
    turned.bodies[0].skin = Some("fine.obj".into());
    assert_eq!(turned.hash(), hash(&base), "a skin is only drawn");
    turned.bodies[0].order = Order::RotateFirst;
    assert_ne!(turned.hash(), hash(&base));
}
