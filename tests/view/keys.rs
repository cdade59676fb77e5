//! Every key does what the list in the window says.

use serde_json::{Value, json};

use crate::view::{View, apart, changed, scene, triple};

const ESCAPE: u32 = 0xff1b;
const TAB: u32 = 0xff09;
const HOME: u32 = 0xff50;
const LEFT: u32 = 0xff51;
const UP: u32 = 0xff52;
const SHIFT: u32 = 0xffe1;
const F1: u32 = 0xffbe;
const F2: u32 = 0xffbf;
const SPACE: u32 = 0x20;

const fn key(letter: char) -> u32 {
    letter as u32
}

#[test]
fn what_is_shown() {
    let mut view =
        View::new("shown", &scene("soft_four_dogs.toml"), &["--camera", "0.8,0.8,1.2:-0.2,0.45,0"]);
    view.wait("contact", |line| line["time"].as_f64() > Some(0.6));
    view.display.keys(&[key('p')]);
    let paused = view.wait("P pauses", |line| line["paused"] == true);
    view.display.keys(&[F2]);
    view.wait("F2 hides the panel", |line| line["panel"] == false);
    view.pass(2);
    let mut last = view.picture("start");
    let first = paused["active"].clone();
    #[rustfmt::skip]
    let steps: [(&str, &[u32], &str, Value); 19] = [
        ("2-flat", &[key('2')], "surface", "Flat".into()),
        ("3-edges", &[key('3')], "surface", "Edges".into()),
        ("1-smooth", &[key('1')], "surface", "Smooth".into()),
        ("4-wireframe", &[key('4')], "wireframe", true.into()),
        ("f-forces", &[key('f')], "forces", true.into()),
        ("f-no-forces", &[key('f')], "forces", false.into()),
        ("d-ways-out", &[key('d')], "penetrations", true.into()),
        ("d-no-ways-out", &[key('d')], "penetrations", false.into()),
        ("4-surfaces", &[key('4')], "wireframe", false.into()),
        ("tab", &[TAB], "active", "second".into()),
        ("tab-again", &[TAB], "active", "third".into()),
        ("tab-last", &[TAB], "active", "fourth".into()),
        ("tab-round", &[TAB], "active", first),
        ("shift-tab", &[SHIFT, TAB], "active", "fourth".into()),
        ("v-hidden", &[key('v')], "visible", json!([true, true, true, false])),
        ("v-shown", &[key('v')], "visible", json!([true, true, true, true])),
        ("h-keys", &[key('h')], "help", true.into()),
        ("f1-no-keys", &[F1], "help", false.into()),
        ("f2-panel", &[F2], "panel", true.into()),
    ];
    for (name, keys, field, value) in steps {
        view.display.keys(keys);
        view.wait(name, |line| line[field] == value);
        view.pass(2);
        let picture = view.picture(name);
        let different = changed(&last, &picture);
        assert!(different > 100, "{name}: {different} bytes of the picture changed");
        last = picture;
    }
    assert_eq!(view.line()["time"], paused["time"]);
    view.display.keys(&[ESCAPE]);
    view.end();
}

#[test]
fn time() {
    let mut view = View::new("time", &scene("soft_cube.toml"), &[]);
    view.wait("it runs", |line| line["time"].as_f64() > Some(0.2));
    view.display.keys(&[SPACE]);
    let paused = view.wait("Space pauses", |line| line["paused"] == true);
    let later = view.pass(5);
    assert_eq!(later["steps"], paused["steps"]);
    view.display.keys(&[key('n')]);
    let steps = paused["steps"].as_u64().unwrap();
    view.wait("N takes a step", |line| line["steps"] == steps + 1);
    let later = view.pass(3);
    assert_eq!((later["steps"].as_u64(), later["paused"].as_bool()), (Some(steps + 1), Some(true)));
    view.display.keys(&[key('r')]);
    view.wait("R starts again", |line| line["time"] == 0.0);
    view.display.keys(&[key('p')]);
    view.wait("P goes on", |line| line["time"].as_f64() > Some(0.1));
    view.display.keys(&[ESCAPE]);
    view.end();
}

#[test]
fn camera() {
    let mut view = View::new("camera", &scene("soft_cube.toml"), &["--paused"]);
    let eye = |view: &View| (triple(&view.line()["eye"]), triple(&view.line()["target"]));
    let mut press = |name: &str, keys: &[u32]| {
        view.pass(2);
        let (before, target) = eye(&view);
        view.display.keys(keys);
        view.wait(name, |line| apart(triple(&line["eye"]), before) > 1e-4);
        view.pass(2);
        view.picture(name);
        let (after, still) = eye(&view);
        (before, after, apart(target, still), apart(before, target), apart(after, still))
    };
    let home = press("left", &[LEFT]);
    assert!(home.2 < 1e-6 && (home.3 - home.4).abs() < 1e-4, "{home:?}");
    let up = press("up", &[UP]);
    assert!(up.1[1] < up.0[1] - 0.01 || up.1[1] > up.0[1] + 0.01, "{up:?}");
    let near = press("plus", &[key('=')]);
    assert!(near.4 < 0.95 * near.3 && near.2 < 1e-6, "{near:?}");
    let far = press("minus", &[key('-')]);
    assert!((far.4 / near.3 - 1.0).abs() < 1e-3, "{far:?}");
    let back = press("home", &[HOME]);
    // The cube is framed as it is: at the start as at first.
    assert!(apart(back.1, home.0) < 0.05, "{back:?} {home:?}");
    view.close();
}

#[test]
fn pictures() {
    let mut view = View::new("pictures", &scene("soft_cube.toml"), &[]);
    view.display.keys(&[key('s')]);
    view.wait("S says what it wrote", |line| {
        line["notice"].as_str().is_some_and(|notice| notice.contains("screenshot_0001.png"))
    });
    let screenshot = png(&view.folder.join("screenshot_0001.png"));
    assert_eq!(screenshot, (640, 480));
    view.display.keys(&[key('c')]);
    let start = view.wait("C records", |line| line["recorded"].as_u64() > Some(3));
    view.picture("recording");
    view.display.keys(&[key('c')]);
    view.wait("C ends the recording", |line| line["recorded"].is_null());
    let frames = std::fs::read_dir(view.folder.join("recording_0001")).unwrap();
    let mut frames: Vec<_> = frames.map(|entry| entry.unwrap().path()).collect();
    frames.sort();
    assert!(frames.len() > 3, "{frames:?}");
    assert!(frames.iter().all(|frame| png(frame) == (640, 480)));
    // A frame of the recording is a frame of the scene.
    let lines = view.lines();
    let recorded = lines.iter().filter(|line| line["recorded"].as_u64() > Some(1));
    let times: Vec<_> = recorded.map(|line| line["time"].as_f64().unwrap()).collect();
    for pair in times.windows(2) {
        assert!((60.0 * (pair[1] - pair[0]) - 1.0).abs() < 0.3, "{times:?} {start}");
    }
    view.display.keys(&[ESCAPE]);
    view.end();
}

/// A folder has frames of one size.
#[test]
fn recordings_follow_the_size() {
    let mut view = View::new("recordings", &scene("soft_cube.toml"), &[]);
    view.display.keys(&[key('c')]);
    view.wait("C records", |line| line["recorded"].as_u64() > Some(2));
    view.display.resize(view.window, 400, 300);
    view.wait("a new folder", |line| {
        line["size"] == serde_json::json!([400, 300])
            && (2..5).contains(&line["recorded"].as_u64().unwrap())
    });
    view.display.keys(&[key('c')]);
    view.wait("C ends the recording", |line| line["recorded"].is_null());
    view.display.keys(&[ESCAPE]);
    let folder = view.folder.clone();
    view.end();
    let folders: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    assert!(folders.len() > 1, "{folders:?}");
    for folder in folders {
        let frames = std::fs::read_dir(&folder).unwrap();
        let mut sizes: Vec<_> = frames.map(|frame| png(&frame.unwrap().path())).collect();
        sizes.dedup();
        assert_eq!(sizes.len(), 1, "{}: {sizes:?}", folder.display());
    }
}

/// Width and height of a whole PNG file.
fn png(path: &std::path::Path) -> (u32, u32) {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height)
}
