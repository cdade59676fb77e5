//! What the README shows.

use super::*;

/// The scene of the README is the one in `scenes/`, and what it says of it holds.
#[test]
fn the_readmes_scene_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let (_, block) = readme.split_once("```toml\n").unwrap();
    let (scene, _) = block.split_once("```").unwrap();
    let file = std::fs::read_to_string(root.join("scenes/first.toml")).unwrap();
    assert_eq!(scene, file);
    let folder = Folder::new("readme");
    let report = folder.path("report.json");
    let path = "scenes/first.toml";
    let said =
        succeed(&["run", path, "--format", "none", "--time", "1", "--report", text(&report)]);
    let report = json(&report);
    for body in all(&report, "bodies") {
        let number = |key: &str| body[key].as_f64().unwrap();
        let kept = number("volume") / number("volume_rest");
        assert!(number("inverted_tets") == 0.0 && (0.8..1.2).contains(&kept), "{body}");
        let name = body["name"].as_str().unwrap();
        assert!(said.contains(&format!("\n{name}: ")), "{said}");
    }
    let jelly = report["bodies"][1]["mass"].as_f64().unwrap();
    assert!((jelly - 1050.0 * 0.25_f64.powi(3)).abs() < 1e-9, "{jelly} kg");
}

/// Masses and volumes end a run: of eight bodies each, then of all.
#[test]
fn bodies_are_weighed() {
    let folder = Folder::new("weighed");
    let scene = |bodies: usize| {
        let more = |k| format!("position = [{k}, 0.0, 0.0]\nmass = 2.5");
        let body = |k| lattice(&format!("b{k}"), 1, 0.1, &more(k));
        (0..bodies).map(body).collect::<String>()
    };
    let run = |bodies| report(&folder, &scene(bodies), &["--steps", "1"]).1;
    let line = |k: usize| format!("b{k}: 2.5 kg, rest volume 0.001 m³, now 1 times that\n");
    let few = run(8);
    assert!((0..8).all(|k| few.contains(&line(k))), "{few}");
    assert!(!few.contains("all "), "{few}");
    let many = run(10);
    assert!(many.contains(&line(7)) && !many.contains(&line(8)), "{many}");
    assert!(many.contains("\nall 10 bodies: 25 kg, rest volume 0.01 m³\n"), "{many}");
}

/// Of those that are held nothing is weighed, and the sum is of the others.
#[test]
fn what_is_held_is_not_weighed() {
    let folder = Folder::new("held");
    let held = "[[body]]\nname = \"h\"\nkind = \"rigid\"\nheld = true\nmesh = { box = [1.0, 1.0, 1.0] }\n\
                position = [0.0, 5.0, 0.0]\n";
    let ball = |k: usize| {
        format!(
            "[[body]]\nname = \"b{k}\"\nkind = \"rigid\"\nmesh = {{ sphere = 0.1 }}\nmass = 2.0\nposition = [{k}, 0.0, 0.0]\n"
        )
    };
    let scene = held.to_owned() + &(0..9).map(ball).collect::<String>();
    let (report, said) = report(&folder, &scene, &["--steps", "1"]);
    assert!(said.contains("\nh: held\n"), "{said}");
    assert!(said.contains("all 9 bodies that are not held: 18 kg"), "{said}");
    assert!(report["bodies"][0]["mass"].is_null(), "{}", report["bodies"][0]);
    assert_eq!(report["bodies"][1]["mass"], 2.0);
    // Of nine at y = 0 there is as good as none, of one at y = 5 m there were 49 kJ.
    let gravity = report["energy"]["gravity"].as_f64().unwrap();
    assert!(gravity.abs() < 1.0, "{gravity} J");
}
