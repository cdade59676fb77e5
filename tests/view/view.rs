//! The program in a window, and the line that it writes about each frame.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::display::Display;

/// How long something may take on a busy machine without a GPU.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running viewer. What it shows lies over 640 × 480 pixels, the panel over the left 300 or so.
pub struct View {
    pub display: Display,
    pub window: u32,
    child: Child,
    pub folder: PathBuf,
}

impl View {
    /// Opens a file with more arguments, and waits for the first frames.
    pub fn new(name: &str, file: &Path, arguments: &[&str]) -> Self {
        Self::open(name, file, arguments, "640x480", "1")
    }

    /// The same with a window of this size in points, and so many pixels in a point.
    pub fn open(name: &str, file: &Path, arguments: &[&str], size: &str, scale: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("view-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let display = Display::new();
        let errors = std::fs::File::create(folder.join("errors")).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_pliant"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .arg("view")
            .arg(file)
            .args(["--size", size, "--trace"])
            .arg(folder.join("trace"))
            .arg("--out")
            .arg(&folder)
            .args(arguments)
            .env("DISPLAY", &display.name)
            .env("WINIT_X11_SCALE_FACTOR", scale)
            .env_remove("WAYLAND_DISPLAY")
            .env("XDG_RUNTIME_DIR", std::env::temp_dir())
            .stdout(Stdio::null())
            .stderr(errors)
            .spawn()
            .unwrap();
        let window = display.find("pliant");
        let mut view = Self { display, window, child, folder };
        view.wait("the first frames", |line| line["frame"].as_u64() > Some(2));
        view.display.focus(view.window);
        view
    }

    /// All lines so far.
    pub fn lines(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.folder.join("trace")).unwrap_or_default();
        // The last may not be whole yet.
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// The newest line.
    pub fn line(&self) -> Value {
        self.lines().pop().unwrap_or_default()
    }

    /// The first new line for which this holds.
    pub fn wait(&mut self, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let line = self.line();
            if !line.is_null() && holds(&line) {
                return line;
            }
            let ended = self.child.try_wait().unwrap();
            let errors = || std::fs::read_to_string(self.folder.join("errors")).unwrap_or_default();
            assert!(ended.is_none(), "{what}: ended with {ended:?}: {}", errors());
            assert!(start.elapsed() < PATIENCE, "{what}: {line}\n{}", errors());
            sleep(Duration::from_millis(20));
        }
    }

    /// Frames go on.
    pub fn pass(&mut self, frames: u64) -> Value {
        let frame = self.line()["frame"].as_u64().unwrap();
        self.wait("more frames", |line| line["frame"].as_u64() > Some(frame + frames))
    }

    /// Saves what the window shows, for people, and returns it.
    pub fn picture(&self, name: &str) -> Vec<u8> {
        let (width, height, mut pixels) = self.display.picture(self.window);
        for pixel in pixels.chunks_exact_mut(4) {
            pixel.swap(0, 2);
            pixel[3] = 255;
        }
        let image = pliant::render::Image { width, height, pixels };
        pliant::render::write_png(&self.folder.join(format!("{name}.png")), &image).unwrap();
        image.pixels
    }

    /// Its window is closed, and it ends.
    pub fn close(self) {
        self.display.close(self.window);
        self.end();
    }

    /// The program ends by itself, well.
    pub fn end(mut self) {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                let errors = std::fs::read_to_string(self.folder.join("errors")).unwrap();
                assert_eq!(status.code(), Some(0), "{errors}");
                return;
            }
            sleep(Duration::from_millis(20));
        }
        panic!("it does not end");
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A scene of the checkout.
pub fn scene(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name)
}

/// Three numbers of a line.
pub fn triple(value: &Value) -> [f64; 3] {
    [0, 1, 2].map(|k| value[k].as_f64().unwrap())
}

/// How far apart two such are.
pub fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// How many bytes of two pictures differ by more than a little.
pub fn changed(a: &[u8], b: &[u8]) -> usize {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).filter(|(a, b)| a.abs_diff(**b) > 8).count()
}

/// A scene of two bodies, of which the first is far aside: its file.
pub fn two_bodies(name: &str) -> PathBuf {
    let text = r##"
        [world]
        floor = 0.0
        [[body]]
        name = "other"
        mesh = { lattice = [2, 2, 2], size = [0.4, 0.4, 0.4] }
        position = [-3.0, 0.21, 0.0]
        density = 1000.0
        young = 1e5
        relaxation = 0.02
        [[body]]
        name = "pulled"
        mesh = { lattice = [3, 3, 3], size = [1.0, 1.0, 1.0] }
        position = [0.0, 0.51, 0.0]
        density = 1000.0
        young = 1e5
        relaxation = 0.02
    "##;
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.toml"));
    std::fs::write(&file, text).unwrap();
    file
}
