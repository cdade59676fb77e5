//! Windows are resized, minimised and closed, and devices are lost.

use crate::view::{View, scene};

#[test]
fn sizes() {
    let mut view = View::new("sizes", &scene("soft_cube.toml"), &[]);
    for (width, height) in [(900, 500), (200, 700), (1, 1), (640, 480)] {
        view.display.resize(view.window, width, height);
        view.wait("the new size", |line| {
            line["size"] == serde_json::json!([width, height])
        });
        view.pass(3);
        view.picture(&format!("{width}x{height}"));
    }
    // A hidden window is no reason to stop.
    view.display.show(view.window, false);
    let hidden = view.pass(5);
    view.wait("time goes on", |line| {
        line["time"].as_f64() > hidden["time"].as_f64()
    });
    view.display.show(view.window, true);
    view.pass(5);
    view.picture("restored");
    view.display.close(view.window);
    view.end();
}

#[test]
fn lost_devices() {
    let mut view = View::new("lost", &scene("soft_cube.toml"), &["--lose-device", "40"]);
    let line = view.wait("it says so", |line| {
        line["notice"]
            .as_str()
            .is_some_and(|notice| notice.contains("device was lost"))
    });
    let later = view.wait("it goes on", |next| {
        next["time"].as_f64() > line["time"].as_f64().map(|time| time + 0.2)
    });
    assert!(later["frame"].as_u64() > Some(41));
    view.pass(3);
    let picture = view.picture("after");
    let colors: std::collections::BTreeSet<_> = picture.chunks_exact(4).collect();
    assert!(colors.len() > 500, "{} colours", colors.len());
    view.display.close(view.window);
    view.end();
}
