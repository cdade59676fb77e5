//! Windows are resized, minimised and closed, and devices are lost.

use crate::view::{View, scene, two_bodies};

/// Hides the panel.
const F2: u32 = 0xffbf;

#[test]
fn sizes() {
    let mut view = View::new("sizes", &scene("soft_cube.toml"), &[]);
    for (width, height) in [(900, 500), (200, 700), (1, 1), (640, 480)] {
        view.display.resize(view.window, width, height);
        view.wait("the new size", |line| line["size"] == serde_json::json!([width, height]));
        view.pass(3);
        view.picture(&format!("{width}x{height}"));
    }
    // A hidden window is no reason to stop.
    view.display.show(view.window, false);
    let hidden = view.pass(5);
    view.wait("time goes on", |line| line["time"].as_f64() > hidden["time"].as_f64());
    view.display.show(view.window, true);
    view.pass(5);
    view.picture("restored");
    view.close();
}

#[test]
fn lost_devices() {
    let mut view = View::new("lost", &scene("soft_cube.toml"), &["--lose-device", "40"]);
    let line = view.wait("it says so", |line| {
        line["notice"].as_str().is_some_and(|notice| notice.contains("device was lost"))
    });
    let later = view.wait("it goes on", |next| {
        next["time"].as_f64() > line["time"].as_f64().map(|time| time + 0.2)
    });
    assert!(later["frame"].as_u64() > Some(41));
    view.pass(3);
    let picture = view.picture("after");
    let colors: std::collections::BTreeSet<_> = picture.chunks_exact(4).collect();
    assert!(colors.len() > 500, "{} colours", colors.len());
    view.close();
}

/// With two pixels in a point the pointer meets what it shows.
#[test]
fn fine_screens() {
    let camera = ["--camera", "0,1,8:0,1,0"];
    let mut view = View::open("fine", &two_bodies("fine"), &camera, "500x375", "2");
    assert_eq!(view.line()["size"], serde_json::json!([1000, 750]));
    view.display.keys(&[F2]);
    view.wait("no panel", |line| line["panel"] == false);
    view.display.move_to(500, 470);
    view.pass(2);
    view.display.press(1);
    let line = view.wait("a pull", |line| line["pulls"] == true);
    assert_eq!(line["active"], "pulled");
    view.display.move_to(750, 200);
    view.wait("it follows", |line| line["centroid"][0].as_f64() > Some(0.3));
    view.picture("pulled");
    view.close();
}
