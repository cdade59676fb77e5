//! What the mouse does.

use crate::view::{View, apart, scene, triple, two_bodies};

const F2: u32 = 0xffbf;
const LEFT: u8 = 1;
const MIDDLE: u8 = 2;
const RIGHT: u8 = 3;
const WHEEL_UP: u8 = 4;
const WHEEL_DOWN: u8 = 5;

/// Drags in a few moves.
fn drag(view: &mut View, button: u8, from: (i16, i16), to: (i16, i16)) {
    view.display.move_to(from.0, from.1);
    view.pass(2);
    view.display.press(button);
    view.pass(2);
    for k in 1..=4 {
        let between = |a: i16, b: i16| a + (b - a) * k / 4;
        view.display.move_to(between(from.0, to.0), between(from.1, to.1));
        view.pass(1);
    }
}

#[test]
fn cameras() {
    let mut view = View::new("mouse", &scene("soft_cube.toml"), &["--paused"]);
    let now = |view: &View| (triple(&view.line()["eye"]), triple(&view.line()["target"]));
    let start = now(&view);
    drag(&mut view, RIGHT, (400, 200), (460, 230));
    view.display.release(RIGHT);
    view.pass(2);
    let turned = now(&view);
    assert!(
        apart(turned.0, start.0) > 0.2 && apart(turned.1, start.1) < 1e-6,
        "{start:?} {turned:?}"
    );
    view.picture("right-drag");
    drag(&mut view, MIDDLE, (400, 200), (440, 200));
    view.display.release(MIDDLE);
    view.pass(2);
    let panned = now(&view);
    let moved = apart(panned.1, turned.1);
    assert!(moved > 0.05 && (apart(panned.0, turned.0) - moved).abs() < 1e-4, "{moved}");
    view.picture("middle-drag");
    for (wheel, nearer) in [(WHEEL_UP, true), (WHEEL_DOWN, false)] {
        let before = now(&view);
        let distance = apart(before.0, before.1);
        view.display.move_to(450, 250);
        for _ in 0..3 {
            view.display.press(wheel);
            view.display.release(wheel);
        }
        view.wait("the wheel zooms", |line| {
            let distance_now = apart(triple(&line["eye"]), triple(&line["target"]));
            if nearer { distance_now < 0.8 * distance } else { distance_now > 1.2 * distance }
        });
    }
    // After a release moves do nothing.
    view.pass(2);
    let before = now(&view);
    view.display.move_to(600, 100);
    view.pass(3);
    assert_eq!(now(&view), before);
    view.close();
}

/// The pointer takes the body that it meets, which follows it; let go, it falls.
#[test]
fn pulls() {
    let file = two_bodies("pulls");
    let mut view = View::new("pulls", &file, &["--camera", "0,1,8:0,1,0"]);
    assert_eq!(view.line()["active"], "other");
    // The body's middle lies in the picture's middle, half a metre below.
    let centre = |view: &mut View| {
        triple(&view.wait("sums", |line| !line["centroid"].is_null())["centroid"])
    };
    view.display.keys(&[F2]);
    view.wait("no panel", |line| line["panel"] == false);
    view.display.move_to(320, 300);
    view.pass(2);
    view.display.press(LEFT);
    let line = view.wait("a pull", |line| line["pulls"] == true);
    assert_eq!(line["active"], "pulled");
    view.pass(2);
    let start = centre(&mut view);
    view.display.move_to(480, 150);
    view.wait("the body follows", |line| {
        line["centroid"].is_array()
            && triple(&line["centroid"])[0] > start[0] + 0.3
            && triple(&line["centroid"])[1] > start[1] + 0.2
    });
    view.picture("pulled");
    view.display.release(LEFT);
    view.wait("let go", |line| line["pulls"] == false);
    view.wait("it falls", |line| triple(&line["centroid"])[1] < start[1] + 0.1);
    // Beside all bodies the active one's nearest point is taken.
    view.display.move_to(600, 60);
    view.pass(2);
    view.display.press(LEFT);
    let line = view.wait("a pull from afar", |line| line["pulls"] == true);
    assert_eq!(line["active"], "pulled");
    view.display.release(LEFT);
    view.wait("let go", |line| line["pulls"] == false);
    view.close();
}

/// A slider acts in the next frame, and the automatic step follows.
#[test]
fn sliders() {
    let mut view = View::new("sliders", &scene("soft_cube.toml"), &[]);
    let before = view.pass(3);
    view.picture("before");
    let (x, y) = (78, 161);
    drag(&mut view, LEFT, (x, y), (x + 20, y));
    let moved = view.wait("the modulus", |line| {
        line["material"].as_f64() > Some(2.0 * before["material"].as_f64().unwrap())
    });
    view.display.release(LEFT);
    view.pass(2);
    view.picture("after");
    let value = |line: &serde_json::Value, field: &str| line[field].as_f64().unwrap();
    let stiffer = value(&moved, "material") / value(&before, "material");
    let shorter = value(&before, "step") / value(&moved, "step");
    assert!(shorter > 1.3 && shorter < 1.5 * stiffer.sqrt(), "{stiffer}: {shorter}");
    // No frame between has the new modulus and the old step, and time goes on.
    let lines = view.lines();
    for pair in lines.windows(2) {
        assert!(value(&pair[1], "time") >= value(&pair[0], "time"));
        let same = [value(&pair[0], "material"), value(&pair[0], "step")]
            == [value(&pair[1], "material"), value(&pair[1], "step")];
        let way = |field: &str| value(&pair[1], field) - value(&pair[0], field);
        let both = way("material") * way("step") <= 0.0;
        assert!(same || both, "{} {}", pair[0], pair[1]);
    }
    assert_eq!(view.line()["eye"], before["eye"]);
    view.close();
}
