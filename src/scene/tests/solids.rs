//! Solids: meshes among them, their names, and angles.

use super::*;

/// A mesh among the solids is a body that is held; numbers in the file, and errors, go on meaning its tables.
#[test]
fn a_solid_of_triangles_is_a_body() {
    let text = "[[body]]\nname = \"a\"\nmesh = { lattice = [1, 1, 1], size = [1, 1, 1] }\n\
                [[solid]]\nkind = \"mesh\"\nmesh = { file = \"hill.obj\" }\nscale = [2, 2, 2]\nposition = [1, 2, 3]\n\
                [[solid]]\nkind = \"sphere\"\nradius = 0.5\n\
                [[event]]\nkind = \"move\"\nsolid = 1\nangular_velocity = [0, 1, 0]\n\
                [[event]]\nkind = \"move\"\nsolid = 2\n\
                [[attachment]]\nbody = \"a\"\npoints = [0]\nsolid = 1\n";
    let scene = parse(text).unwrap();
    let names: Vec<_> = scene.bodies.iter().map(|body| &body.name[..]).collect();
    assert_eq!((names, scene.solids.len()), (vec!["a", "solid 1"], 1));
    let rigid = Rigid { held: true, shape: Some(MeshShape::Mesh), ..Rigid::default() };
    assert_eq!(scene.bodies[1].kind, rigid.into());
    let moved = |event: &Event| match event {
        Event::Move { what, centre, .. } => (what.clone(), *centre),
        other => panic!("{other:?}"),
    };
    let [first, second] = [0, 1].map(|i| moved(&scene.events[i]));
    assert_eq!(first, (Movable::Pins("solid 1".into()), [1.0, 2.0, 3.0]));
    assert_eq!(second, (Movable::Solid(1), [0.0; 3]));
    assert_eq!(scene.attachments[0].to, AttachedTo::Body("solid 1".into()));
    let refused = |from: &str, to: &str, wanted: &str| {
        let message = refusal(&text.replace(from, to));
        assert!(message.contains(wanted), "{message}, wanted {wanted}");
    };
    refused("[2, 2, 2]", "[2, 0, 2]", "line 7: solid 1.scale");
    refused("0.5", "-0.5", "line 11: solid 2.radius");
    refused("hill.obj", "", "line 6: solid 1.mesh.file");
    refused("scale", "size", "solid 1.size");
    refused("kind = \"mesh\"", "kind = \"cone\"", "plane, sphere, box, mesh");
}

/// Events and attachments speak of solids by names and by numbers, of the floor by 0 and by its name; errors do by names.
#[test]
fn solids_have_names() {
    let text = "[world]\nfloor = 0\n\
                [[body]]\nname = \"a\"\nmesh = { lattice = [1, 1, 1], size = [1, 1, 1] }\n\
                [[solid]]\nkind = \"mesh\"\nname = \"hill\"\nmesh = { file = \"hill.obj\" }\nposition = [1, 2, 3]\n\
                [[solid]]\nkind = \"sphere\"\nname = \"press\"\nradius = 0.5\nfriction = 0.1\nrestitution = 0.5\n\
                color = \"#102030\"\n\
                [[solid]]\nkind = \"plane\"\n\
                [[event]]\nkind = \"move\"\nsolid = \"press\"\n\
                [[attachment]]\nbody = \"a\"\npoints = [0]\nsolid = 0\n";
    let scene = parse(text).unwrap();
    let [press, plane] = &scene.solids[..] else { panic!("{:?}", scene.solids) };
    assert_eq!((&press.name[..], &plane.name[..]), ("press", "solid 3"));
    assert_eq!((press.friction, press.restitution), (Some(0.1), 0.5));
    assert_eq!((press.color, plane.color), (Some([0x10, 0x20, 0x30]), None));
    let labels: Vec<_> = scene.obstacles().iter().map(Solid::label).collect();
    assert_eq!(labels, ["the floor", "solid \"press\"", "solid 3"]);
    let moved = |solid: &str| {
        let scene = parse(&text.replace("solid = \"press\"", &format!("solid = {solid}"))).unwrap();
        match scene.events.into_iter().next() {
            Some(Event::Move { what, .. }) => what,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!([moved("\"press\""), moved("2")], [Movable::Solid(1), Movable::Solid(1)]);
    assert_eq!([moved("\"solid 3\""), moved("3")], [Movable::Solid(2), Movable::Solid(2)]);
    assert_eq!([moved("\"floor\""), moved("0")], [Movable::Solid(0), Movable::Solid(0)]);
    assert_eq!(moved("\"hill\""), Movable::Pins("hill".into()));
    let refused = |from: &str, to: &str, wanted: &str| {
        let message = refusal(&text.replace(from, to));
        assert!(message.contains(wanted), "{message}, wanted {wanted}");
    };
    refused(
        "solid = \"press\"",
        "solid = \"pres\"",
        "event 1.solid: is \"pres\", wanted a number from 0 to 3 or a name: \"floor\", \"hill\"",
    );
    refused(
        "solid = \"press\"",
        "solid = 4",
        "line 22: event 1.solid: is 4, wanted a number from 0 to 3",
    );
    refused("solid = 0", "solid = true", "attachment 1.solid: is true");
    refused("radius = 0.5", "radius = -0.5", "line 14: solid \"press\".radius: is -0.5");
    refused(
        "name = \"press\"",
        "name = \"hill\"",
        "line 13: solid \"hill\".name: is \"hill\", wanted a name that no other",
    );
    refused(
        "name = \"hill\"",
        "name = \"a\"",
        "line 8: solid \"a\".name: is \"a\", wanted a name that no other",
    );
    let mut twice = scene.clone();
    twice.solids[1].name = "press".into();
    assert!(super::refused(&twice).contains("solid \"press\".name is \"press\""));
    twice.solids[1].name = "floor".into();
    assert!(super::refused(&twice).contains("nor the floor"));
}

#[test]
fn angles_are_in_radians_or_in_degrees() {
    let body = "[[body]]\nname = \"a\"\nmesh = { lattice = [1, 1, 1], size = [1, 1, 1] }\nrotation_degrees = [180, 0, -90]\n\
                [[solid]]\nkind = \"box\"\nsize = [1, 1, 1]\nrotation_degrees = [45, 0, 0]\n";
    let scene = parse(body).unwrap();
    let right = std::f64::consts::FRAC_PI_2;
    assert_eq!(scene.bodies[0].rotation, [2.0 * right, 0.0, -right]);
    assert_eq!(scene.solids[0].rotation, [0.5 * right, 0.0, 0.0]);
    for (line, table) in [(4, "body \"a\""), (8, "solid 1")] {
        let mut lines: Vec<_> = body.lines().collect();
        lines.insert(line, "rotation = [0, 0, 0]");
        let message = refusal(&lines.join("\n"));
        let want = format!("line {line}: {table}.rotation_degrees: conflicts with rotation");
        assert!(message.contains(&want), "{message}");
    }
}
