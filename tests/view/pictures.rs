//! Pictures without a window beside stored small ones: whatever the driver, they look alike.

use std::path::Path;
use std::process::Command;

use crate::view::scene;

/// Size of the pictures, and of the parts whose means are stored [pixels].
const SIZE: [usize; 2] = [320, 192];
const PART: usize = 8;
/// Mean and largest difference of the means, of 255. Drivers sample edges otherwise; a body that is missing or of another
/// colour changes dozens of parts by more than a hundred.
const MEAN: f64 = 1.0;
const MOST: f64 = 40.0;

/// Mean red, green and blue of each part, row by row.
fn means(path: &Path) -> Vec<[f64; 3]> {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!([info.width as usize, info.height as usize], SIZE);
    let parts = SIZE.map(|side| side / PART);
    let mut means = vec![[0.0; 3]; parts[0] * parts[1]];
    for (at, pixel) in pixels.chunks_exact(3).enumerate() {
        let (x, y) = (at % SIZE[0] / PART, at / SIZE[0] / PART);
        for (mean, byte) in means[y * parts[0] + x].iter_mut().zip(pixel) {
            *mean += f64::from(*byte) / (PART * PART) as f64;
        }
    }
    means
}

/// `PLIANT_RENEW_PICTURES=1` stores them anew: to be looked at before they are committed.
#[test]
fn pictures_are_those_that_were_looked_at() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/view/pictures");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("view-stored");
    std::fs::create_dir_all(&folder).unwrap();
    let close = ["--camera", "0.8,0.9,1.3:-0.2,0.5,0"];
    let dogs: &[(&str, &[&str])] = &[
        ("smooth", &[]),
        ("light", &["--background", "light"]),
        ("edges", &["--surface", "edges"]),
        ("wireframe", &["--surface", "wireframe"]),
        ("strain", &["--color", "strain"]),
        ("panel", &["--panel", "--color", "pressure"]),
    ];
    let mut wrong = Vec::new();
    for (name, arguments) in dogs {
        let path = folder.join(format!("{name}.png"));
        let status = Command::new(env!("CARGO_BIN_EXE_pliant"))
            .arg("view")
            .arg(scene("soft_four_dogs.toml"))
            .args(["--size", "320x192", "--time", "0.3", "--screenshot"])
            .arg(&path)
            .args(close)
            .args(*arguments)
            .env("XDG_RUNTIME_DIR", std::env::temp_dir())
            .status()
            .unwrap();
        assert!(status.success(), "{name}");
        let kept = stored.join(format!("{name}.png"));
        if std::env::var_os("PLIANT_RENEW_PICTURES").is_some() {
            std::fs::copy(&path, &kept).unwrap();
        }
        let (found, want) = (means(&path), means(&kept));
        let differences =
            found.iter().flatten().zip(want.iter().flatten()).map(|(a, b)| (a - b).abs());
        let (sum, most) = differences.fold((0.0, 0.0_f64), |(sum, most), x| (sum + x, most.max(x)));
        let mean = sum / (3 * found.len()) as f64;
        if mean > MEAN || most > MOST {
            wrong.push(format!(
                "{name}: {mean:.2} on average, {most:.1} at most ({})",
                path.display()
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
