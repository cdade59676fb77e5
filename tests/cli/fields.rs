//! What the fields of frames refer to.

use super::*;
use base64::prelude::{BASE64_STANDARD, Engine};

/// Two bars of 2 m × 1 m × 1 m, one of them squashed to a fifth and shifted, one inside out and turned, at their start.
const BARS: &str = r#"
[world]
gravity = [0.0, 0.0, 0.0]
duration = 0.1

[[body]]
name = "squashed"
kind = "fem"
mesh = { lattice = [2, 1, 1], size = [2.0, 1.0, 1.0] }
density = 1000.0
young = 1e5
poisson = 0.3
position = [5.0, 1.0, 0.0]
stretch = [1.0, 0.2, 1.0]

[[body]]
name = "mirrored"
kind = "fem"
mesh = { lattice = [2, 1, 1], size = [2.0, 1.0, 1.0] }
density = 1000.0
young = 1e5
poisson = 0.3
position = [-5.0, 1.0, 0.0]
rotation = [0.0, 0.0, 1.5707963267948966]
stretch = [1.0, -1.0, 1.0]
"#;

/// The numbers of an array of f32 in a VTU file.
fn array(vtu: &str, name: &str) -> Vec<f32> {
    let start = vtu.find(&format!("Name=\"{name}\"")).unwrap();
    let text = &vtu[start..];
    let text = &text[text.find('>').unwrap() + 1..];
    let bytes = BASE64_STANDARD.decode(&text[..text.find('<').unwrap()]).unwrap();
    let (numbers, rest) = bytes[8..].as_chunks::<4>();
    assert!(rest.is_empty());
    numbers.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

/// Not to the stretched start.
#[test]
fn displacements_and_volume_ratios_are_against_the_rest_shape() {
    let folder = Folder::new("fields");
    let (scene, out) = (folder.file("bars.toml", BARS), folder.path("out"));
    let arguments = ["--time", "0", "--format", "vtu", "--out", text(&out)];
    succeed(&[&["run", text(&scene)][..], &arguments[..]].concat());
    let vtu = std::fs::read_to_string(out.join("frame_00000.vtu")).unwrap();
    let ratios = array(&vtu, "volume_ratio");
    let (squashed, mirrored) = ratios.split_at(ratios.len() / 2);
    assert!(squashed.iter().all(|r| (r - 0.2).abs() < 1e-5), "{ratios:?}");
    assert!(mirrored.iter().all(|r| (r + 1.0).abs() < 1e-5), "{ratios:?}");
    let (moved, x) = (array(&vtu, "displacement"), array(&vtu, "Points"));
    let (moved, x) = (moved.as_chunks::<3>().0, x.as_chunks::<3>().0);
    assert_eq!(moved.len(), 24);
    for (i, (d, x)) in moved.iter().zip(x).enumerate() {
        // At a height of 0.1 m from the middle where 0.5 m were; mirrored about the plane through the middle.
        let wanted =
            if i < 12 { [0.0, -4.0 * (x[1] - 1.0), 0.0] } else { [2.0 * (x[0] + 5.0), 0.0, 0.0] };
        for axis in 0..3 {
            assert!((d[axis] - wanted[axis]).abs() < 1e-5, "{i}: {d:?} {wanted:?}");
        }
    }
}
