//! The text format of the thesis.

use super::*;

const CUBES: &str = "\
# three models, in the order of their heights
DeformableModels

DeformableModel {
  Name Lower cube   # its name has a blank
  Path ../meshes/cube 5.node
  Immersed cube.obj
  Color 0xFF8000
  Mass 0.05
  Scale 1 2 .5
  Translate -1 +2.5 3e-1
  Rotate 0 0.1 -0.2
  Damping 2
  DistancePreservation 60
  VolumePreservation 20.5
}
DeformableModel
{
\tPath dog.obj }
DeformableModel { Path bar.msh }
DeformableModel { Color 255
 Name Lower cube
 Path a }
";

#[test]
fn every_key_is_read() {
    let scene = parse(CUBES).unwrap();
    assert_eq!(scene.folder, Path::new("some"));
    assert_eq!(scene.world, WorldSettings { floor: Some(0.0), ..WorldSettings::default() });
    let body = &scene.bodies[0];
    assert_eq!(body.name, "Lower cube");
    assert!(
        matches!(&body.mesh, MeshSource::File { path, cells: 5 } if path == Path::new("../meshes/cube 5.node"))
    );
    assert_eq!(body.skin.as_deref(), Some(Path::new("cube.obj")));
    assert_eq!(body.color, [0xff, 0x80, 0x00]);
    assert_eq!(body.mass, Mass::Point(0.05));
    assert_eq!(
        (body.scale, body.position, body.rotation),
        ([1.0, 2.0, 0.5], [-1.0, 2.5, 0.3], [0.0, 0.1, -0.2])
    );
    assert_eq!(body.order, Order::RotateFirst);
    assert_eq!(
        body.kind,
        Kind::Springs(Springs::Constants { distance: 60.0, volume: 20.5, damping: 2.0 })
    );
}

#[test]
fn what_is_left_out_has_the_documented_default() {
    let scene = parse(CUBES).unwrap();
    let names: Vec<&str> = scene.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["Lower cube", "N/A 2", "N/A 3", "Lower cube 2"]);
    assert_eq!(scene.bodies[3].color, [0, 0, 255]);
    let body = &scene.bodies[1];
    assert!(
        matches!(&body.mesh, MeshSource::File { path, cells: 5 } if path == Path::new("dog.obj"))
    );
    assert_eq!(body.skin, None);
    assert_eq!(body.color, [0xc8, 0xc8, 0x64]);
    assert_eq!(body.mass, Mass::Point(1.0));
    assert_eq!((body.scale, body.position, body.rotation), ([1.0; 3], [0.0; 3], [0.0; 3]));
    assert_eq!(
        body.kind,
        Kind::Springs(Springs::Constants { distance: 20.0, volume: 10.0, damping: 1.0 })
    );
}

#[test]
fn the_first_word_tells_the_format() {
    let block = "DeformableModels\r\nDeformableModel{Path a.node}\r\n";
    // A brace that touches a value is part of it; here the block stays open.
    assert!(refusal(block).contains("DeformableModel 1: is open"));
    let block = block.replace("node}", "node }");
    for before in ["", "\u{feff}", "# DeformableModel\n\n\t", "\u{feff}#\n"] {
        assert_eq!(parse(&format!("{before}{block}")).unwrap().bodies.len(), 1);
    }
    for before in ["x ", "[world]\n", "DeformableModel\n"] {
        assert!(refusal(&format!("{before}{block}")).contains("not TOML"));
    }
}

#[test]
fn errors_name_line_key_value_and_what_was_wanted() {
    #[rustfmt::skip]
    let cases = [
        ("Mass x", "line 4: DeformableModel 1.Mass: is \"x\", wanted a finite number"),
        ("Mass", "line 4: DeformableModel 1.Mass: is \"\", wanted a finite number"),
        ("Mass nan", "line 4: DeformableModel 1.Mass: is \"nan\", wanted a finite number"),
        ("Mass 1 2", "line 4: DeformableModel 1.Mass: is \"1 2\", wanted a finite number"),
        ("Mass 1,5", "line 4: DeformableModel 1.Mass: is \"1,5\", wanted a finite number"),
        ("Mass 0", "line 4: DeformableModel 1.Mass: is 0, wanted a number > 0"),
        ("Mass -1", "line 4: DeformableModel 1.Mass: is -1, wanted a number > 0"),
        ("Damping -1", "line 4: DeformableModel 1.Damping: is -1, wanted a number ≥ 0"),
        ("Damping inf", "line 4: DeformableModel 1.Damping: is \"inf\", wanted a finite"),
        ("DistancePreservation -1", "1.DistancePreservation: is -1, wanted a number ≥ 0"),
        ("VolumePreservation 1e99", "1.VolumePreservation: is 1e99, wanted a number ≥ 0"),
        ("Scale 1 1", "line 4: DeformableModel 1.Scale: is \"1 1\", wanted three finite"),
        ("Scale 1 1 1 1", "DeformableModel 1.Scale: is \"1 1 1 1\", wanted three finite"),
        ("Scale 1 0 1", "DeformableModel 1.Scale: is [1.0, 0.0, 1.0], wanted three numbers > 0"),
        ("Translate 1 2 x", "DeformableModel 1.Translate: is \"1 2 x\", wanted three finite"),
        ("Translate 0 2e6 0", "1.Translate: is [0.0, 2000000.0, 0.0], wanted three finite"),
        ("\nRotate 0 1 NaN", "line 5: DeformableModel 1.Rotate: is \"0 1 NaN\", wanted three"),
        ("Rotate 0 1 1e7", "1.Rotate: is [0.0, 1.0, 10000000.0], wanted three finite"),
        ("Color #ff0000", "line 4: DeformableModel 1.Color: is \"\", wanted a whole number"),
        ("Color red", "line 4: DeformableModel 1.Color: is \"red\", wanted a whole number"),
        ("Color -1", "line 4: DeformableModel 1.Color: is \"-1\", wanted a whole number"),
        ("Color +1", "line 4: DeformableModel 1.Color: is \"+1\", wanted a whole number"),
        ("Color 0x+1", "line 4: DeformableModel 1.Color: is \"0x+1\", wanted a whole number"),
        ("Color 0x", "line 4: DeformableModel 1.Color: is \"0x\", wanted a whole number"),
        ("Color 16777216", "1.Color: is \"16777216\", wanted a whole number from 0 to 0xffffff"),
        ("Color 99999999999", "DeformableModel 1.Color: is \"99999999999\", wanted a whole"),
        ("Name", "line 4: DeformableModel 1.Name: is \"\", wanted a name"),
        ("Name \u{7}", "line 4: DeformableModel 1.Name: is \"\\u{7}\", wanted one line"),
        ("Immersed", "line 4: DeformableModel 1.Immersed: is \"\", wanted the path"),
        ("Weight 1", "line 4: DeformableModel 1.Weight: is not a known key, wanted one of: Name, Path"),
        ("mass 1", "line 4: DeformableModel 1.mass: is not a known key"),
        ("{ Mass 1", "line 4: DeformableModel 1.{: is not a known key"),
        ("Mass 1\nMass 2", "line 5: DeformableModel 1.Mass: is \"2\" and already \"1\" on line 4, wanted each"),
        ("Path b", "line 4: DeformableModel 1.Path: is \"b\" and already \"a\" on line 3"),
    ];
    for (keys, want) in cases {
        let message = refusal(&format!("DeformableModels\nDeformableModel {{\nPath a\n{keys}\n}}"));
        assert!(message.contains(want), "{message}\n{want}");
        assert!(message.starts_with(PATH) && !message.contains('\n'), "{message}");
    }
}

#[test]
fn texts_of_the_wrong_shape_are_refused() {
    #[rustfmt::skip]
    let cases = [
        ("", "line 1: DeformableModel: is missing, wanted at least one DeformableModel {"),
        ("\nDeformableModel", "line 2: DeformableModel 1: is open, wanted { … }"),
        ("\nDeformableModel\n{\nPath a", "line 2: DeformableModel 1: is open, wanted { … }"),
        ("\nDeformableModel Path a", "line 2: text: is \"Path\", wanted { after DeformableModel"),
        ("\nDeformableModel { }", "line 2: DeformableModel 1.Path: is missing, wanted a mesh file"),
        ("\nDeformableModel { Path }", "line 2: DeformableModel 1.Path: is \"\", wanted the path"),
        ("\nDeformableModel { Path a }\n}", "line 3: text: is \"}\", wanted DeformableModel"),
        ("\nPath a", "line 2: text: is \"Path\", wanted DeformableModel"),
        (" DeformableModels", "line 1: text: is \"DeformableModels\", wanted DeformableModel"),
        ("{", "line 1: text: is \"{\", wanted DeformableModel"),
    ];
    for (text, want) in cases {
        let message = refusal(&format!("DeformableModels{text}"));
        assert!(message.contains(want), "{message}\n{want}");
    }
}

#[test]
fn many_bodies_of_one_name_take_no_long_time() {
    let block = "DeformableModel { Name a\nPath b }\n";
    let scene = parse(&format!("DeformableModels\n{}", block.repeat(30_000))).unwrap();
    assert_eq!(scene.bodies[29_999].name, "a 30000");
    let names = ["a 2", "a", "a", "a", "a 2"]
        .map(|name| format!("DeformableModel {{ Name {name}\nPath b }}\n"));
    let scene = parse(&format!("DeformableModels\n{}", names.concat())).unwrap();
    let names: Vec<&str> = scene.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["a 2", "a", "a 3", "a 4", "a 2 2"]);
}

/// Every text that is made of a good one by cutting it, dropping a line or changing a character.
#[test]
fn damaged_texts_are_scenes_or_errors_of_one_line() {
    let (mut read, mut refused) = (0, 0);
    let mut count = |text: &str| match parse(text) {
        Ok(scene) => {
            scene.check().unwrap();
            scene.hash();
            read += 1;
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{error}");
            refused += 1;
        }
    };
    for i in 0..CUBES.len() {
        count(&CUBES[..i]);
        for c in ["", "\0", " ", "\n", "{", "}", "#", "9", "-", "é", "\u{2028}", "\u{feff}"] {
            count(&[&CUBES[..i], c, &CUBES[i + 1..]].concat());
        }
    }
    let lines: Vec<&str> = CUBES.lines().collect();
    for i in 0..lines.len() {
        let mut fewer = lines.clone();
        fewer.remove(i);
        count(&fewer.join("\n"));
    }
    assert!(read > 1000 && refused > 1000, "{read} {refused}");
}
