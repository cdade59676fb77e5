//! Copies of bodies.

use super::*;

const BODY: &str =
    "[[body]]\nname = \"a\"\nkind = \"rigid\"\nmesh = { sphere = 1 }\nposition = [1, 2, 3]\n";

#[test]
fn copies_stand_in_a_grid_and_have_numbers() {
    let text = format!("{BODY}copies = {{ count = [2, 1, 3], spacing = [10, 20, 30] }}\n{BODY}")
        .replacen("\"a\"", "\"b\"", 1);
    let bodies = parse(&text).unwrap().bodies;
    let found: Vec<_> = bodies.iter().map(|body| (&body.name[..], body.position)).collect();
    let wanted = [
        ("b 1", [1.0, 2.0, 3.0]),
        ("b 2", [11.0, 2.0, 3.0]),
        ("b 3", [1.0, 2.0, 33.0]),
        ("b 4", [11.0, 2.0, 33.0]),
        ("b 5", [1.0, 2.0, 63.0]),
        ("b 6", [11.0, 2.0, 63.0]),
        ("a", [1.0, 2.0, 3.0]),
    ];
    assert_eq!(found, wanted);
    let palette: std::collections::HashSet<_> = bodies.iter().map(|body| body.color).collect();
    assert_eq!(palette.len(), 7, "the body behind them takes the next colour");
    let same = text.replacen("kind", "color = \"#010203\"\nkind", 1);
    assert!(parse(&same).unwrap().bodies[..6].iter().all(|body| body.color == [1, 2, 3]));
}

#[test]
fn copies_are_shaken_within_the_jitter_and_alike_each_time() {
    let read = |name: &str, more: &str| {
        let text = format!(
            "{BODY}copies = {{ count = [50, 4, 1], spacing = [10, 20, 30], jitter = 0.5{more} }}"
        );
        let bodies = parse(&text.replace("\"a\"", name)).unwrap().bodies;
        bodies.into_iter().map(|body| body.position).collect::<Vec<_>>()
    };
    let [plain, again] = [read("\"a\"", ""), read("\"a\"", "")];
    assert_eq!(plain, again);
    assert!(plain != read("\"a\"", ", seed = 1") && plain != read("\"b\"", ""));
    let off = |(i, x): (usize, &[f64; 3])| {
        [x[0] - 1.0 - 10.0 * (i % 50) as f64, x[1] - 2.0 - 20.0 * (i / 50) as f64, x[2] - 3.0]
    };
    let offs: Vec<_> = plain.iter().enumerate().flat_map(off).collect();
    assert!(offs.iter().all(|off| off.abs() <= 0.5));
    let mean = offs.iter().sum::<f64>() / offs.len() as f64;
    let square = offs.iter().map(|off| off * off).sum::<f64>() / offs.len() as f64;
    assert!(mean.abs() < 0.05 && (square - 0.25 / 3.0).abs() < 0.01, "{mean} {square}");
}

/// What is wrong with a copy is wrong in its table.
#[test]
fn errors_of_copies_name_their_table() {
    let table = format!("{BODY}copies = {{ count = [2, 1, 1], spacing = [1, 1, 1] }}\n");
    let refused = |text: &str, want: &str| {
        let message = refusal(text);
        assert!(message.contains(want), "{message}, wanted {want}");
    };
    refused(&table.replace("sphere = 1", "sphere = -1"), "line 4: body \"a\".mesh.sphere: is -1");
    let other = BODY.replace("\"a\"", "\"a 2\"");
    refused(&format!("{table}{other}"), "line 8: body 3.name: is \"a 2\", wanted a unique name");
    refused(
        &format!("{table}{table}"),
        "line 8: body \"a\".name: is \"a 1\", wanted a unique name",
    );
    let many = table.replace("[2, 1, 1]", "[60000, 1, 1]");
    let others = many.replace("\"a\"", "\"b\"");
    refused(
        &format!("{many}{others}"),
        "line 12: body \"b\".copies: makes 120000 copies with those before, wanted at most 100000",
    );
    let event = "[[event]]\nkind = \"line_force\"\nbody = \"a\"\npoint = [0, 0, 0]\nforce = [1, 0, 0]\nfrom = 0\nto = 1";
    refused(&format!("{table}{event}"), "event 1.body: is \"a\"");
    parse(&format!("{table}{}", event.replace("\"a\"", "\"a 2\""))).unwrap();
    let torus = BODY.replace("sphere = 1", "torus = [2, 1]");
    refused(&torus, "line 4: body \"a\".mesh.torus: is of a rigid body, wanted a convex shape");
}
