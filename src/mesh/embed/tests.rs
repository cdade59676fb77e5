#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
use super::*;
use crate::mesh::surface::tests::{cube_surface, joined, sphere};
use crate::mesh::topology::surface_triangles;

/// Places every skin point by its tetrahedron's corners.
fn placed(mesh: &TetMesh, embedding: &Embedding) -> Vec<DVec3> {
    let corners = embedding
        .tets
        .iter()
        .map(|&t| mesh.tets[t as usize].map(|c| mesh.points[c as usize]));
    corners
        .zip(&embedding.weights)
        .map(|(x, w)| x[0] * w[0] + x[1] * w[1] + x[2] * w[2] + x[3] * w[3])
        .collect()
}

/// What must hold of every embedding; returns the number of kept cubes.
fn check(surface: &Surface, cells: u32) -> usize {
    let (mut mesh, embedding) = embed(surface, cells).unwrap();
    let diagonal = surface.bounds().diagonal();
    for (got, want) in placed(&mesh, &embedding).iter().zip(&embedding.skin.points) {
        assert!(got.distance(*want) <= 1e-12 * diagonal, "{got} {want}");
    }
    for weights in &embedding.weights {
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(weights.iter().all(|&w| w > -1e-5), "{weights:?}");
    }
    // A linear map of the lattice is the same map of the skin.
    let map = DMat3::from_cols(
        DVec3::new(1.0, 0.2, 0.0),
        DVec3::new(-0.3, 0.8, 0.5),
        DVec3::new(0.1, 0.0, 1.5),
    );
    mesh.points.iter_mut().for_each(|p| *p = map * *p);
    for (got, want) in placed(&mesh, &embedding).iter().zip(&embedding.skin.points) {
        assert!(got.distance(map * *want) <= 1e-11 * diagonal);
    }
    mesh.points.iter_mut().for_each(|p| *p = map.inverse() * *p);
    assert_eq!(
        TetMesh::new(mesh.points.clone(), mesh.tets.clone()).unwrap(),
        mesh,
        "in order, no point unused"
    );
    assert_eq!(mesh.tets.len() % 5, 0);
    mesh.tets.len() / 5
}

#[test]
fn a_cube_fills_its_lattice_exactly() {
    let cube = cube_surface(2, DVec3::splat(1.7));
    for cells in [1, 2, 3, 5, 10] {
        assert_eq!(check(&cube, cells), (cells as usize).pow(3));
    }
    let (mesh, _) = embed(&cube, 5).unwrap();
    assert_eq!((mesh.points.len(), mesh.edges().len()), (216, 990));
    assert_eq!(surface_triangles(&mesh.tets).len(), 300);
    assert!((mesh.total_volume() - 1.7f64.powi(3)).abs() < 1e-12);
}

#[test]
fn the_lattice_is_fitted_to_the_box() {
    let plate = cube_surface(1, DVec3::new(10.0, 4.4, 0.01));
    let (mesh, _) = embed(&plate, 10).unwrap();
    assert_eq!(check(&plate, 10), 10 * 4);
    let (got, want) = (mesh.bounds(), plate.bounds());
    assert!(got.min.distance(want.min) < 1e-12 && got.max.distance(want.max) < 1e-12);
}

#[test]
fn a_sphere_keeps_its_cubes_and_leaves_the_corners_out() {
    let kept = check(&sphere(40), 12);
    // The ball's share of its box is π/6; the cubes at its surface come on top.
    assert!(kept > 905 && kept < 1500, "{kept}");
    let (mesh, _) = embed(&sphere(40), 12).unwrap();
    assert!(mesh.total_volume() > 4.1);
    assert!(
        mesh.points
            .iter()
            .all(|p| p.length() < 1.0 + 2.0 * 3f64.sqrt() / 12.0),
        "no far corner is kept"
    );
}

#[test]
fn a_face_in_a_lattice_plane_keeps_only_the_cubes_behind_it() {
    // An L of three cubes, its inner faces in the planes of a lattice of two or four cubes.
    let lattice = Lattice::new([2, 2, 1], DVec3::ZERO, DVec3::new(2.0, 2.0, 1.0)).unwrap();
    let tets = lattice
        .cubes()
        .filter(|c| c.x + c.y < 2)
        .flat_map(|c| lattice.tets(c))
        .collect();
    let solid = TetMesh::new(lattice.points().collect(), tets).unwrap();
    let surface = Surface::new(solid.points.clone(), solid.surface_triangles(), None).unwrap();
    assert_eq!(check(&surface, 2), 3);
    assert_eq!(check(&surface, 4), 3 * 8);
    // With three cubes the inner faces halve the middle ones: all are touched but the outer corner's column.
    assert_eq!(check(&surface, 3), 3 * 3 * 2 - 2);
}

#[test]
fn size_and_place_do_not_matter() {
    let sphere = sphere(24);
    let want = check(&sphere, 9);
    for scale in [1e-6, 1e-3, 1e3, 1e6] {
        let mut scaled = sphere.clone();
        scaled
            .points
            .iter_mut()
            .for_each(|p| *p = (*p + DVec3::new(3.0, -7.0, 1.0)) * scale);
        assert_eq!(check(&scaled, 9), want, "{scale}");
    }
}

#[test]
fn a_flipped_surface_is_turned_over() {
    let mut flipped = sphere(24);
    flipped.flip();
    assert_eq!(check(&flipped, 9), check(&sphere(24), 9));
    let (_, embedding) = embed(&flipped, 9).unwrap();
    assert!(embedding.skin.volume() > 4.0);
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
        assert!(check(&moved(by), 16) > 500, "{by}");
    }
    let cube = cube_surface(1, DVec3::ONE);
    let mut beside = cube.clone();
    beside.points.iter_mut().for_each(|p| p.x += 1.0);
    assert_eq!(check(&joined(&cube, &beside), 8), 8 * 4 * 4);
}

#[test]
fn a_cavity_stays_empty() {
    let mut inner = sphere(24);
    inner.points.iter_mut().for_each(|p| *p *= 0.7);
    inner.flip();
    let hollow = joined(&sphere(24), &inner);
    let (full, kept) = (check(&sphere(24), 24), check(&hollow, 24));
    assert!(kept < full - 1500, "{kept} of {full}");
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
        assert!(
            message.contains("open: 40 of its edges"),
            "{cells}: {message}"
        );
    }
    let mut box_without_lid = cube_surface(4, DVec3::ONE);
    let points = box_without_lid.points.clone();
    box_without_lid
        .triangles
        .retain(|t| !t.iter().all(|&i| points[i as usize].y == 0.5));
    let message = embed(&box_without_lid, 8).unwrap_err().to_string();
    assert!(message.contains("open: 16 of its edges"), "{message}");
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
    let tilted: Vec<DVec3> = square
        .iter()
        .map(|p| *p + DVec3::Y * (p.x + 0.3 * p.z))
        .collect();
    refused(
        &Surface::new(tilted, vec![[0, 1, 2], [0, 2, 3]], None).unwrap(),
        5,
        "open",
    );
    refused(
        &Surface::new(vec![DVec3::ONE; 3], vec![[0, 1, 2]], None).unwrap(),
        5,
        "welding",
    );
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
