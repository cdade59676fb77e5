mod weights;

use super::*;
use crate::extreme;
use crate::mesh::fit::least_altitude;
use crate::mesh::surface::tests::{cube_surface, joined, sphere};
use crate::mesh::tet_distance;
use crate::mesh::topology::surface_triangles;

/// Places every skin point by its tetrahedron's corners.
fn placed(mesh: &TetMesh, embedding: &Embedding) -> Vec<DVec3> {
    let corners =
        embedding.tets.iter().map(|&t| mesh.tets[t as usize].map(|c| mesh.points[c as usize]));
    corners
        .zip(&embedding.weights)
        .map(|(x, w)| x[0] * w[0] + x[1] * w[1] + x[2] * w[2] + x[3] * w[3])
        .collect()
}

/// The tetrahedra's corners.
fn tets(mesh: &TetMesh) -> impl Iterator<Item = [DVec3; 4]> {
    let corners = |tet: &[u32; 4]| tet.map(|i| mesh.points[i as usize]);
    mesh.tets.iter().map(corners)
}

/// What must hold of every embedding; returns the number of tetrahedra.
fn check(surface: &Surface, cells: u32) -> usize {
    let Embedded { mut mesh, embedding, parts } = embed(surface, cells).unwrap();
    let diagonal = surface.bounds().diagonal();
    for (got, want) in placed(&mesh, &embedding).iter().zip(&embedding.skin.points) {
        assert!(got.distance(*want) <= 1e-11 * diagonal, "{got} {want}");
    }
    for weights in &embedding.weights {
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let size = surface.bounds().size();
    let cubes = (size / size.max_element() * f64::from(cells)).round();
    let cube = (size / cubes.max(DVec3::ONE)).min_element();
    // The fewer cells, the less thin they may become: 0.09 from six cells on, 0.21 up to three.
    let least = 0.21 - 0.04 * (f64::from(cells) - 3.0).clamp(0.0, 3.0);
    for corners in tets(&mesh) {
        let altitude = least_altitude(corners);
        assert!(altitude > least * cube, "{altitude} of {cube}");
    }
    assert_eq!(parts.len(), mesh.tets.len());
    for part in &parts {
        assert!(part.carried.iter().all(|share| *share > 0.0), "{part:?}");
        assert!(part.stiff > 0.0 && part.fullness > 0.0, "{part:?}");
    }
    // A linear map of the lattice is the same map of the skin.
    let map = DMat3::from_cols(
        DVec3::new(1.0, 0.2, 0.0),
        DVec3::new(-0.3, 0.8, 0.5),
        DVec3::new(0.1, 0.0, 1.5),
    );
    mesh.points.iter_mut().for_each(|p| *p = map * *p);
    for (got, want) in placed(&mesh, &embedding).iter().zip(&embedding.skin.points) {
        assert!(got.distance(map * *want) <= 1e-10 * diagonal);
    }
    mesh.points.iter_mut().for_each(|p| *p = map.inverse() * *p);
    assert_eq!(
        TetMesh::new(mesh.points.clone(), mesh.tets.clone()).unwrap(),
        mesh,
        "in order, no point unused"
    );
    mesh.tets.len()
}

#[test]
fn a_cube_fills_its_lattice_exactly() {
    let cube = cube_surface(2, DVec3::splat(1.7));
    for cells in [1, 2, 3, 5, 10] {
        assert_eq!(check(&cube, cells), 5 * (cells as usize).pow(3));
    }
    let Embedded { mesh, parts, .. } = embed(&cube, 5).unwrap();
    assert_eq!((mesh.points.len(), mesh.edges().len()), (216, 990));
    assert_eq!(surface_triangles(&mesh.tets).len(), 300);
    assert!((mesh.total_volume() - 1.7f64.powi(3)).abs() < 1e-12);
    let lattice = TetMesh::lattice([5; 3], DVec3::splat(1.7)).unwrap();
    for (got, want) in mesh.points.iter().zip(&lattice.points) {
        assert!(got.distance(*want) < 1e-12, "nothing moves: {got} {want}");
    }
    let inside: f64 = parts.iter().zip(0..).map(|(part, i)| part.inside() * mesh.volume(i)).sum();
    assert!((inside / mesh.total_volume() - 1.0).abs() < 1e-3, "{inside}");
    for part in &parts {
        // Points at the corners of what they carry have too much inertia: outer ones weigh less, inner ones more.
        assert!((0.5..1.25).contains(&part.inside()), "{part:?}");
        let least = part.carried.into_iter().fold(f64::INFINITY, extreme::least);
        assert!(((4.0 * least).min(0.99)..1.003).contains(&part.stiff), "none is thin: {part:?}");
        assert!((part.fullness - 1.0).abs() < 1e-12, "{part:?}");
    }
}

#[test]
fn the_lattice_is_fitted_to_the_box() {
    let plate = cube_surface(1, DVec3::new(10.0, 4.4, 0.01));
    let mesh = embed(&plate, 10).unwrap().mesh;
    assert_eq!(check(&plate, 10), 5 * 10 * 4);
    let (got, want) = (mesh.bounds(), plate.bounds());
    assert!(got.min.distance(want.min) < 1e-12 && got.max.distance(want.max) < 1e-12);
}

#[test]
fn the_tetrahedra_of_a_sphere_are_a_sphere() {
    for cells in [8, 12, 20] {
        check(&sphere(40), cells);
        let mesh = embed(&sphere(40), cells).unwrap().mesh;
        let volume = mesh.total_volume() / sphere(40).volume();
        assert!((volume - 1.0).abs() < 0.01, "{volume}");
        let farthest = mesh.points.iter().map(|p| p.length()).fold(0.0, extreme::greatest);
        assert!(farthest < 1.01, "{farthest}");
    }
}

#[test]
fn a_face_in_a_lattice_plane_keeps_only_the_cubes_behind_it() {
    // An L of three cubes, its inner faces in the planes of a lattice of two or four cubes.
    let lattice = Lattice::new([2, 2, 1], DVec3::ZERO, DVec3::new(2.0, 2.0, 1.0)).unwrap();
    let tets = lattice.cubes().filter(|c| c.x + c.y < 2).flat_map(|c| lattice.tets(c)).collect();
    let solid = TetMesh::new(lattice.points().collect(), tets).unwrap();
    let surface = Surface::new(solid.points.clone(), solid.surface_triangles(), None).unwrap();
    assert_eq!(check(&surface, 2), 5 * 3);
    assert_eq!(check(&surface, 4), 5 * 3 * 8);
    // With five cubes the inner faces halve the middle ones, whose points are drawn onto them.
    check(&surface, 5);
    let volume = embed(&surface, 5).unwrap().mesh.total_volume();
    assert!((volume - 3.0).abs() < 0.05, "{volume}");
    // With three they may not become as thin as that.
    check(&surface, 3);
}

#[test]
fn size_and_place_do_not_matter() {
    let sphere = sphere(24);
    let want = check(&sphere, 9);
    for scale in [1e-6, 1e-3, 1e3, 1e6] {
        let mut scaled = sphere.clone();
        scaled.points.iter_mut().for_each(|p| *p = (*p + DVec3::new(3.0, -7.0, 1.0)) * scale);
        assert_eq!(check(&scaled, 9), want, "{scale}");
    }
}

#[test]
fn a_flipped_surface_is_turned_over() {
    let mut flipped = sphere(24);
    flipped.flip();
    assert_eq!(check(&flipped, 9), check(&sphere(24), 9));
    let embedded = embed(&flipped, 9).unwrap();
    assert!(embedded.embedding.skin.volume() > 4.0);
}

/// Every third triangle the other way round, as programs write them that do not care; the whole inside out, too; and with
/// a cavity, whose border faces inward.
#[test]
fn triangles_that_face_either_way_are_turned() {
    let mut hollow = sphere(20);
    let mut within = sphere(12);
    within.points.iter_mut().for_each(|x| *x *= 0.4);
    within.flip();
    let first = hollow.points.len() as u32;
    hollow.points.extend(within.points);
    let within = within.triangles.iter().map(|t| t.map(|i| first + i));
    hollow.triangles.extend(within);
    for surface in [sphere(20), legged(), hollow] {
        let want = embed(&surface, 8).unwrap();
        let mut mixed = surface.clone();
        for triangle in mixed.triangles.iter_mut().step_by(3) {
            triangle.swap(1, 2);
        }
        assert!(mixed.open_edges() > 0);
        let mut oriented = mixed.clone();
        oriented.orient();
        assert_eq!(oriented, surface);
        assert_eq!(embed(&mixed, 8).unwrap(), want);
    }
    // A strip with half a turn has one side.
    let points = (0..10).map(|i| {
        let (angle, side) =
            (0.2 * std::f64::consts::PI * f64::from(i / 2 * 2), f64::from(i % 2) - 0.5);
        let tilt = 0.5 * angle;
        let radius = 1.0 + side * tilt.cos();
        DVec3::new(radius * angle.cos(), side * tilt.sin(), radius * angle.sin())
    });
    let mut triangles = Vec::new();
    for i in 0..4 {
        triangles.extend([[2 * i, 2 * i + 1, 2 * i + 2], [2 * i + 2, 2 * i + 1, 2 * i + 3]]);
    }
    triangles.extend([[8, 9, 1], [1, 9, 0]]);
    let mut strip = Surface::new(points.collect(), triangles, None).unwrap();
    let before = strip.clone();
    strip.orient();
    assert_eq!(strip, before);
}

#[test]
fn interpenetrating_and_touching_shells_are_one_body() {
    let ball = sphere(24);
    let moved = |by: f64| {
        let mut other = ball.clone();
        other.points.iter_mut().for_each(|p| p.x += by);
        joined(&ball, &other)
    };
    for by in [0.0, 0.5, 1.0, 2.0] {
        assert!(check(&moved(by), 16) > 2500, "{by}");
    }
    let cube = cube_surface(1, DVec3::ONE);
    let mut beside = cube.clone();
    beside.points.iter_mut().for_each(|p| p.x += 1.0);
    assert_eq!(check(&joined(&cube, &beside), 8), 5 * 8 * 4 * 4);
}

#[test]
fn a_cavity_stays_empty() {
    let mut inner = sphere(24);
    inner.points.iter_mut().for_each(|p| *p *= 0.7);
    inner.flip();
    let hollow = joined(&sphere(24), &inner);
    let (full, kept) = (check(&sphere(24), 24), check(&hollow, 24));
    assert!(kept < full - 7500, "{kept} of {full}");
}

#[test]
fn small_openings_are_forgiven_and_large_ones_refused_with_their_edges() {
    let mut ball = sphere(40);
    ball.triangles.truncate(ball.triangles.len() - 40);
    assert_eq!(ball.open_edges(), 40);
    check(&ball, 12);
    let mut bowl = sphere(40);
    bowl.triangles.truncate(bowl.triangles.len() / 2);
    for cells in [1, 2, 5, 12, 20] {
        let message = embed(&bowl, cells).unwrap_err().to_string();
        assert!(message.contains("open: 40 edges"), "{cells}: {message}");
    }
    let mut box_without_lid = cube_surface(4, DVec3::ONE);
    let points = box_without_lid.points.clone();
    box_without_lid.triangles.retain(|t| !t.iter().all(|&i| points[i as usize].y == 0.5));
    let message = embed(&box_without_lid, 8).unwrap_err().to_string();
    assert!(message.contains("open: 16 edges"), "{message}");
}

#[test]
fn sheets_and_nothing_are_refused() {
    let refused = |surface: &Surface, cells: u32, word: &str| {
        let message = embed(surface, cells).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    let square = vec![DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Z, DVec3::Z];
    let flat = Surface::new(square.clone(), vec![[0, 1, 2], [0, 2, 3]], None).unwrap();
    refused(&flat, 5, "flat");
    let tilted: Vec<DVec3> = square.iter().map(|p| *p + DVec3::Y * (p.x + 0.3 * p.z)).collect();
    refused(&Surface::new(tilted, vec![[0, 1, 2], [0, 2, 3]], None).unwrap(), 5, "open");
    refused(&Surface::new(vec![DVec3::ONE; 3], vec![[0, 1, 2]], None).unwrap(), 5, "welding");
    let cube = cube_surface(1, DVec3::ONE);
    refused(&cube, 0, "cells is 0, wanted 1 to 512");
    refused(&cube, 513, "cells is 513");
    refused(&cube, 512, "134217728 cubes");
}

/// 12 800 triangles in 20³ cubes: what `pliant mesh` does while the user waits.
#[test]
fn a_fine_surface_is_embedded_quickly() {
    let fine = sphere(80);
    assert!(fine.triangles.len() > 12_000);
    let start = std::time::Instant::now();
    check(&fine, 20);
    let elapsed = start.elapsed();
    assert!(elapsed.as_secs_f64() < 5.0, "{elapsed:?}");
}

/// A long body with thin limbs: a ball on two legs a sixth as thick.
fn legged() -> Surface {
    let mut ball = sphere(24);
    ball.points.iter_mut().for_each(|p| p.y = 0.6 * p.y + 2.0);
    let leg = |x: f64| {
        let mut leg = sphere(16);
        let place = |p: &DVec3| DVec3::new(x + 0.16 * p.x, 0.9 + 0.9 * p.y, 0.16 * p.z + 0.03);
        leg.points = leg.points.iter().map(place).collect();
        leg
    };
    joined(&joined(&ball, &leg(-0.5)), &leg(0.5))
}

/// In every direction, in parts of the longest side.
#[test]
fn the_border_reaches_as_far_as_the_surface() {
    for (surface, cells) in [(sphere(40), 8), (legged(), 12), (legged(), 20)] {
        let Embedded { mesh, embedding, .. } = embed(&surface, cells).unwrap();
        let size = surface.bounds().size().max_element();
        for i in 0..300 {
            let (a, z) = (0.731 * f64::from(i), 1.0 - f64::from(i) / 150.0);
            let r = (1.0 - z * z).sqrt();
            let direction = DVec3::new(r * a.cos(), z, r * a.sin());
            let reach = |points: &[DVec3]| {
                points.iter().map(|x| x.dot(direction)).fold(f64::MIN, extreme::greatest)
            };
            let gap = (reach(&mesh.points) - reach(&embedding.skin.points)) / size;
            assert!(gap.abs() < 0.01, "{cells} cells, {direction}: {gap}");
        }
    }
}

#[test]
fn thin_limbs_survive() {
    let legged = legged();
    for cells in [4, 6, 9] {
        check(&legged, cells);
        let Embedded { mesh, embedding, .. } = embed(&legged, cells).unwrap();
        let cube = legged.bounds().size().max_element() / f64::from(cells);
        for (x, &tet) in embedding.skin.points.iter().zip(&embedding.tets) {
            let corners = mesh.tets[tet as usize].map(|i| mesh.points[i as usize]);
            let outside = tet_distance(*x, corners);
            assert!(outside < 0.2 * cube, "{cells} cells, {x}: {outside}");
        }
    }
}

#[test]
fn the_numbering_of_the_surface_does_not_matter() {
    let surface = legged();
    let mut turned = surface.clone();
    let last = surface.points.len() as u32 - 1;
    turned.points.reverse();
    turned.triangles.reverse();
    for triangle in &mut turned.triangles {
        *triangle = triangle.map(|i| last - i);
        triangle.rotate_left(1);
    }
    let (a, b) = (embed(&surface, 9).unwrap(), embed(&turned, 9).unwrap());
    assert_eq!(a.mesh.tets, b.mesh.tets);
    for (x, y) in a.mesh.points.iter().zip(&b.mesh.points) {
        assert!(x.distance(*y) < 1e-6, "{x} {y}");
    }
}
