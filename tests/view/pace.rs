//! Simulated time follows the clock on the wall.

use crate::view::{View, scene};

/// Simulated over wall time between two frames, and the last frame.
fn pace(view: &mut View, wall: f64) -> (f64, serde_json::Value) {
    let value = |line: &serde_json::Value, field: &str| line[field].as_f64().unwrap();
    let start = view.pass(5);
    let from = value(&start, "wall");
    let end = view.wait("time passes", |line| line["wall"].as_f64() > Some(from + wall));
    let simulated = value(&end, "time") - value(&start, "time");
    (simulated / (value(&end, "wall") - from), end)
}

#[test]
fn real_time_is_kept() {
    let mut view = View::new("pace", &scene("soft_cube.toml"), &[]);
    // What was owed for the start is caught up by then.
    view.wait("a second", |line| line["time"].as_f64() > Some(1.0));
    // A machine that is busy with something else does not keep up for a moment; one that is free shows within a few
    // tries whether the clock of the window is right.
    let tries: Vec<_> = (0..8)
        .scan(false, |kept, _| {
            let (ratio, line) = (!*kept).then(|| pace(&mut view, 2.0))?;
            let factor = line["factor"].as_f64().unwrap();
            *kept = (ratio - 1.0).abs() < 0.01 && (factor - 1.0).abs() < 0.05;
            Some((*kept, ratio, factor))
        })
        .collect();
    assert!(tries.last().unwrap().0, "kept, ratio, factor: {tries:?}");
    view.close();
}

/// A step so short that no machine keeps up: the factor says by how much it is behind, and pictures keep coming.
#[test]
fn what_is_too_slow_says_so() {
    let text = std::fs::read_to_string(scene("soft_three_cubes.toml")).unwrap();
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("slow.toml");
    std::fs::write(&file, text.replacen("[world]", "[world]\nstep = 1e-5", 1)).unwrap();
    let mut view = View::new("slow", &file, &[]);
    view.pass(10);
    let (ratio, line) = pace(&mut view, 2.5);
    assert!(ratio < 0.9, "{ratio}");
    let lines = view.lines();
    let wall = line["wall"].as_f64().unwrap();
    let lately = lines.iter().filter(|line| line["wall"].as_f64() > Some(wall - 2.5));
    let factors: Vec<_> = lately.map(|line| line["factor"].as_f64().unwrap()).collect();
    let mean = factors.iter().sum::<f64>() / factors.len() as f64;
    assert!((mean / ratio - 1.0).abs() < 0.2, "{mean}, really {ratio}");
    assert!(factors.len() > 5, "{} frames in 2.5 s", factors.len());
    assert!((line["step"].as_f64().unwrap() - 1e-5).abs() < 1e-12);
    view.close();
}
