use super::*;
use crate::extreme;

/// Triangles with corners of their own and their true normals.
fn exploded(positions: &[Vec3], indices: &[u32]) -> Mesh {
    let corners: Vec<_> = indices.iter().map(|&i| positions[i as usize]).collect();
    let normals = corners.chunks_exact(3).flat_map(|corner| {
        let normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
        [normal.normalize(); 3]
    });
    let all: Vec<u32> = (0..corners.len() as u32).collect();
    Mesh::new(&corners, &normals.collect::<Vec<_>>(), &all)
}

fn styled(mesh: &Mesh, style: SurfaceStyle, closed: bool) -> Drawn<'_> {
    Drawn::Surface(DrawnSurface { style, closed, ..mesh.surface(RED) })
}

const DARK: Look = Look {
    floor: Some(0.0),
    solids: Vec::new(),
    background: Background::Dark,
    light: Vec3::new(-0.45, 1.0, 0.5),
    scale: 1.0,
    left: 0,
    left_color: LEFT,
};

const LEFT: [u8; 3] = [200, 90, 7];

/// Covered columns have their colour, and beside them is the picture of a narrower target.
#[test]
fn covered_columns_are_left_out() {
    let mesh = Mesh::octahedron();
    for look in [floor(), DARK] {
        let picture = |width, left| {
            let mut renderer = renderer(width, 90);
            let look = Look { left, left_color: LEFT, ..look.clone() };
            let body = styled(&mesh, SurfaceStyle::Edges, true);
            renderer.shot(&camera(), &look, &[body])
        };
        let (covered, narrow) = (picture(160, 40), picture(120, 0));
        for (y, x) in (0..90).flat_map(|y| (0..160).map(move |x| (y, x))) {
            let (found, want) = match x {
                0..40 => (&covered.pixel(x, y)[..3], LEFT),
                _ => {
                    let [r, g, b, _] = narrow.pixel(x - 40, y);
                    (&covered.pixel(x, y)[..3], [r, g, b])
                }
            };
            let off = found.iter().zip(want).map(|(a, b)| a.abs_diff(b)).max();
            assert!(off <= Some(2), "({x}, {y}): {found:?}, wanted {want:?}");
        }
        // However much is covered, a column is left.
        assert_eq!(picture(40, 4000).pixel(0, 0)[..3], LEFT);
    }
}

#[test]
fn flat_triangles_have_their_own_normals() {
    let round = Mesh::octahedron();
    let split = exploded(&AXES.map(|axis| 0.6 * Vec3::Y + 0.5 * axis), &OCTAHEDRON);
    let mut renderer = renderer(120, 90);
    for look in [floor(), DARK] {
        for closed in [true, false] {
            let mut picture = |body| renderer.shot(&camera(), &look, &[body]);
            let flat = picture(styled(&round, SurfaceStyle::Flat, closed));
            let want = picture(styled(&split, SurfaceStyle::Smooth, closed));
            let smooth = picture(styled(&round, SurfaceStyle::Smooth, closed));
            assert!(largest_difference(&flat, &want) <= 2, "{look:?} {closed}");
            assert!(largest_difference(&flat, &smooth) > 20, "{look:?} {closed}");
            assert_eq!(flat, picture(styled(&round, SurfaceStyle::Flat, closed)));
        }
    }
}

#[test]
fn flat_triangles_may_begin_anywhere_in_the_indices() {
    let mut renderer = renderer(32, 32);
    let camera = Camera::parse("0.5,0.3,4:0,0,0").unwrap();
    let mut pictures = Vec::new();
    for before in 0..5_usize {
        let indices: Vec<u32> = std::iter::repeat_n(0, before).chain([0, 1, 2, 0, 1]).collect();
        let mesh = Mesh::new(&triangle(1.0, 0.0), &[Vec3::Z; 3], &indices);
        let first = before as u32;
        for end in [first + 3, first + 5] {
            let body = Drawn::Surface(DrawnSurface {
                index_range: first..end,
                style: SurfaceStyle::Edges,
                ..mesh.surface(RED)
            });
            pictures.push(renderer.shot(&camera, &Look::default(), &[body]));
        }
    }
    assert_eq!(order(pictures[0].pixel(16, 16))[0], 'r');
    assert!(pictures.iter().all(|picture| *picture == pictures[0]));
}

/// A square across the view, cut into `cells` by `cells` squares of two triangles each.
fn square(cells: u32) -> Mesh {
    let at = |k: u32| k as f32 / cells as f32 - 0.5;
    let points: Vec<_> =
        (0..=cells).flat_map(|y| (0..=cells).map(move |x| Vec3::new(at(x), at(y), 0.0))).collect();
    let indices: Vec<_> = (0..cells * cells)
        .flat_map(|cell| {
            let a = cell / cells * (cells + 1) + cell % cells;
            let b = a + cells + 1;
            [a, a + 1, b, b, a + 1, b + 1]
        })
        .collect();
    let normals = vec![Vec3::Z; points.len()];
    Mesh::new(&points, &normals, &indices)
}

/// By how much the second picture is darker, per pixel, as a share of the first.
fn darker(plain: &Image, lined: &Image) -> Vec<f64> {
    let light = |pixel: &[u8; 4]| f64::from(color::linear(pixel[0]));
    (pixels(plain).iter().zip(pixels(lined)))
        .map(|(a, b)| 1.0 - light(b) / light(a).max(1e-3))
        .collect()
}

#[test]
fn edges_are_lines_of_one_width_however_far() {
    let mesh = square(2);
    let mut renderer = renderer(128, 128);
    for (distance, scale) in [(2.0, 1.0), (4.0, 1.0), (8.0, 1.0), (4.0, 2.0)] {
        let camera = Camera::parse(&format!("0,0,{distance}:0,0,0")).unwrap();
        let look = Look { scale, ..Look::default() };
        let mut picture = |style| {
            let body = styled(&mesh, style, true);
            renderer.shot(&camera, &look, &[body])
        };
        let dark = darker(&picture(SurfaceStyle::Flat), &picture(SurfaceStyle::Edges));
        // Across the upright line in the middle, off the slanted ones: 0.8 of 1.2 points of light are missing.
        let metre = 64.0 / (distance * 0.3_f64.tan());
        let row = (64.0 - 0.125 * metre) as usize;
        let reach = (0.1 * metre) as usize;
        let across: f64 = (64 - reach..64 + reach).map(|x| dark[128 * row + x]).sum();
        let want = 0.8 * 1.2 * f64::from(scale);
        assert!((across - want).abs() < 0.2 * want, "{distance} m: {across}, wanted {want}");
        // Nothing in the middle of a triangle.
        let (x, y) = (64.0 + 0.33 * metre, 64.0 - 0.33 * metre);
        assert!(dark[128 * y as usize + x as usize].abs() < 0.02, "{distance} m");
    }
}

#[test]
fn edges_vanish_where_triangles_are_small() {
    let mesh = square(64);
    let mut renderer = renderer(128, 128);
    let mut greatest = |distance: f32| {
        let camera = Camera::parse(&format!("0,0,{distance}:0,0,0")).unwrap();
        let mut picture = |style| {
            let body = styled(&mesh, style, true);
            renderer.shot(&camera, &Look::default(), &[body])
        };
        let dark = darker(&picture(SurfaceStyle::Flat), &picture(SurfaceStyle::Edges));
        dark.into_iter().fold(0.0, extreme::greatest)
    };
    // Squares of 26, of 3 and of 1 pixels.
    assert!(greatest(0.25) > 0.5);
    assert!(greatest(2.2) < 0.02);
    assert!(greatest(6.0) < 0.02);
}

#[test]
fn the_active_body_glows_at_its_outline_and_keeps_its_look() {
    let mesh = Mesh::octahedron();
    let mut renderer = renderer(120, 90);
    for look in [floor(), DARK] {
        for style in [SurfaceStyle::Smooth, SurfaceStyle::Flat] {
            let mut picture = |active| {
                let body = Drawn::Surface(DrawnSurface { style, active, ..mesh.surface(BLUE) });
                renderer.shot(&camera(), &look, &[body])
            };
            let (plain, active) = (picture(false), picture(true));
            assert!(largest_difference(&plain, &active) > 40, "{look:?} {style:?}");
            assert_eq!(order(active.pixel(60, 45))[0], 'b');
            assert_eq!(active.pixel(2, 2), plain.pixel(2, 2));
        }
    }
    // Seen straight from the front it has the colour it has.
    let sheet = square(1);
    let front = Camera::parse("0,0,2:0,0,0").unwrap();
    let [plain, active] = [false, true].map(|active| {
        let body = Drawn::Surface(DrawnSurface { active, ..sheet.surface(BLUE) });
        let picture = renderer.render_to_image(&front, &Look::default(), &[body]);
        picture.unwrap().pixel(60, 45)
    });
    assert!(difference(plain, active) < 3, "{plain:?} {active:?}");
}

/// Across the edge of a plate's shadow, from the light on one side to the full shadow on the other.
#[test]
fn shadows_have_soft_edges_without_steps() {
    let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
    let corners = corners.map(|(x, z)| Vec3::new(x, 0.5, z));
    let plate = Mesh::new(&corners, &[Vec3::Y; 4], &[0, 2, 1, 1, 2, 3]);
    let look = Look { light: Vec3::new(0.0, 1.0, 0.9), ..floor() };
    // Straight down between the grid's lines, from below the plate; its edge falls on z = 0.05.
    let camera = Camera::parse("0.05,0.4,0.05:0.05,0,0.05").unwrap();
    let mut renderer = renderer(64, 720);
    for closed in [false, true] {
        let body = Drawn::Surface(DrawnSurface { closed, ..plate.surface(RED) });
        let image = renderer.shot(&camera, &look, &[body]);
        for x in [20, 32, 41] {
            let column: Vec<_> = (300..420).map(|y| luminance(image.pixel(x, y))).collect();
            let (dark, bright) = (column[0], column[119]);
            assert!(dark * 10 < bright * 8, "{dark} {bright}");
            assert!(column.is_sorted(), "{column:?}");
            let middle = column.iter().position(|&l| 2 * l > dark + bright).unwrap();
            assert!(middle.abs_diff(60) <= 4, "{middle}");
            // Four texels of 1.8 pixels, less the ends that round to the full values.
            let mut levels = column.clone();
            levels.dedup();
            assert!((7..12).contains(&levels.len()), "{column:?}");
        }
    }
}
