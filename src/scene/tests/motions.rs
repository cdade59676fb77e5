//! Motions that a scene says.

use super::*;

/// The scene of a press whose motion is said by `rest`, from line 13 on.
fn pressed(rest: &str) -> String {
    "[world]\nfloor = 0\n[[body]]\nname = \"a\"\nmesh = { lattice = [1, 1, 1], size = [1, 1, 1] }\nposition = [3, 0, 0]\n\
     pin = [{ box = [[-1, -1, -1], [1, 1, 1]] }]\n[[solid]]\nname = \"press\"\nkind = \"box\"\nsize = [1, 1, 1]\n\
     position = [0, 1, 0]\n"
        .to_string()
        + rest
}

/// The motion of the scene.
fn moves(rest: &str) -> Vec<Event> {
    parse(&pressed(rest)).unwrap().events
}

#[test]
fn keyframes_are_places_at_times() {
    let places = |what, positions: &[[f64; 3]], rotations: &[[f64; 3]]| Event::Keyframes {
        what,
        times: vec![0.5, 2.0],
        positions: positions.to_vec(),
        rotations: rotations.to_vec(),
    };
    let right = std::f64::consts::FRAC_PI_2;
    let event = |what: &str| format!("[[event]]\nkind = \"move\"\n{what}\ntimes = [0.5, 2]\n");
    let solid = event("solid = \"press\"");
    let at = [0.0, 1.0, 0.0];
    assert_eq!(
        moves(&(solid.clone() + "positions = [[0, 1, 0], [0, 0.5, 0]]")),
        [places(Movable::Solid(1), &[at, [0.0, 0.5, 0.0]], &[[0.0; 3]; 2])]
    );
    assert_eq!(
        moves(&(solid.clone() + "rotations_degrees = [[0, 0, 0], [90, 0, 0]]")),
        [places(Movable::Solid(1), &[at; 2], &[[0.0; 3], [right, 0.0, 0.0]])]
    );
    let pins = event("body = \"a\"");
    assert_eq!(
        moves(&(pins + "rotations = [[0, 0, 0], [1, 0, 0]]")),
        [places(Movable::Pins("a".into()), &[[3.0, 0.0, 0.0]; 2], &[[0.0; 3], [1.0, 0.0, 0.0]])]
    );
    let floor = event("solid = \"floor\"") + "positions = [[0, 0, 0], [0, -1, 0]]";
    assert_eq!(
        moves(&floor),
        [places(Movable::Solid(0), &[[0.0; 3], [0.0, -1.0, 0.0]], &[[0.0; 3]; 2])]
    );
    let refused = |from: &str, to: &str, want: &str| {
        let text = solid.clone() + "positions = [[0, 1, 0], [0, 0.5, 0]]";
        let message = refusal(&pressed(&text.replace(from, to)));
        assert!(message.contains(want), "{message}, wanted {want}");
    };
    refused(
        "[0.5, 2]",
        "[2, 0.5]",
        "line 16: event 1.times: is 0.5 after 2, wanted at least two times [s], ascending",
    );
    refused("[0.5, 2]", "[2, 2]", "event 1.times: is 2 after 2");
    refused("[0.5, 2]", "[2]", "event 1.times: is [2.0]");
    refused("[0.5, 2]", "[]", "event 1.times: is []");
    refused("[0.5, 2]", "[-1, 2]", "event 1.times: is -1");
    refused(
        "[0.5, 2]",
        "[0.5, nan]",
        "event 1.times: is [0.5, nan], wanted an array of finite numbers",
    );
    refused(
        "[0.5, 2]",
        "[0.5, 1, 2]",
        "line 17: event 1.positions: is 2 of them, wanted 3, one for each of times",
    );
    refused(
        "[0, 1, 0]",
        "[0, 0, 0]",
        "event 1.positions: is [0.0, 0.0, 0.0] first, wanted [0.0, 1.0, 0.0] [m] first, where it starts",
    );
    refused("[0, 0.5, 0]", "[0, 1e5, 0]", "event 1.positions: is 66666");
    refused("[0, 0.5, 0]", "[0, 2e6, 0]", "event 1.positions: is [0.0, 2000000.0, 0.0]");
    refused(
        "[0, 0.5, 0]",
        "[0, 1]",
        "event 1.positions: is [[0, 1, 0], [0, 1]], wanted an array of arrays of 3",
    );
    refused("times = [0.5, 2]\n", "", "event 1.times: is missing");
    refused("positions", "velocity = [1, 0, 0]\npositions", "event 1.velocity: is not a known key");
    refused(
        "positions",
        "rotations = [[1, 0, 0], [0, 0, 0]]\npositions",
        "event 1.rotations: is [1.0, 0.0, 0.0] first",
    );
    refused(
        "positions",
        "rotations = []\nrotations_degrees = []\npositions",
        "line 18: event 1.rotations_degrees: conflicts with rotations",
    );
    refused(
        "positions",
        "rotations_degrees = [[0, 0, 0], [0, 2e6, 0]]\npositions",
        "line 17: event 1.rotations_degrees: is [0.0, 2000000.0, 0.0]",
    );
}

#[test]
fn motions_of_one_thing_follow_each_other() {
    let event = |more: &str| format!("[[event]]\nkind = \"move\"\n{more}\n");
    let press = |times: &str| event(&format!("solid = 1\n{times}"));
    let places = event("solid = \"press\"\ntimes = [5, 6]\npositions = [[0, 1, 0], [0, 2, 0]]");
    let down = press("from = 1\nto = 2");
    for others in [
        press("from = 2\nto = 3"),
        press("to = 1"),
        press("from = 2.5") + &press("from = 0\nto = 0.5"),
        event("body = \"a\"\nfrom = 1"),
        event("solid = 0\nfrom = 1"),
    ] {
        assert!(moves(&(down.clone() + &others)).len() > 1);
    }
    for (others, want) in [
        (
            press("from = 1.5\nto = 3"),
            "event 2.solid: is \"press\", which event 1 moves from 1 s to 2 s, wanted",
        ),
        (press("from = 0"), "event 2.solid: is \"press\", which event 1 moves from 1 s to 2 s"),
        (
            press("from = 3") + &press("from = 9\nto = 10"),
            "event 3.solid: is \"press\", which event 2 moves from 3 s to inf s",
        ),
        (places.clone(), "event 2.solid: is \"press\", which event 1 moves from 1 s to 2 s"),
        (
            event("body = \"a\"") + &event("body = \"a\"\nfrom = 3"),
            "event 3.body: is \"a\", which event 2 moves",
        ),
    ] {
        let message = refusal(&pressed(&(down.clone() + &others)));
        assert!(message.contains(want), "{message}, wanted {want}");
    }
    let message = refusal(&pressed(&(places + &down)));
    assert!(
        message.contains("event 2.solid: is \"press\", which event 1 moves by keyframes"),
        "{message}"
    );
}
