//! What points weigh and tetrahedra bear.

use super::*;
use crate::extreme;
use crate::mesh::fit::least_altitude;
use crate::mesh::moments::Moments;
use crate::mesh::surface::tests::{cube_surface, joined, sphere};

/// The moments of what a closed surface encloses, by the divergence theorem: the signed tetrahedra of its triangles and the
/// origin.
fn moments(surface: &Surface) -> Moments {
    let mut sum = Moments::ZERO;
    for [a, b, c] in (0..surface.triangles.len()).map(|i| surface.corners(i)) {
        let volume = a.dot(b.cross(c)) / 6.0;
        // Exact for quadratic functions: 1/20 at each corner and 4/5 in the middle.
        for (weight, x) in [(0.05, a), (0.05, b), (0.05, c), (0.05, DVec3::ZERO)] {
            sum.add(weight * volume, x);
        }
        sum.add(0.8 * volume, (a + b + c) / 4.0);
    }
    sum
}

/// Those of the points, as heavy as their shares.
fn lumped(embedded: &Embedded) -> Moments {
    let mut sum = Moments::ZERO;
    for (i, tet) in embedded.mesh.tets.iter().enumerate() {
        for (share, &point) in embedded.parts[i].carried.iter().zip(tet) {
            let volume = embedded.mesh.volume(i) * share;
            sum.add(volume, embedded.mesh.points[point as usize]);
        }
    }
    sum
}

fn largest(m: DMat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |a: f64, b| a.max(b.abs()))
}

#[test]
fn points_have_the_volume_centre_and_inertia_of_the_inside() {
    let mut pear = sphere(40);
    for p in &mut pear.points {
        *p *= DVec3::new(1.0, 0.7, 0.5) * (1.0 + 0.4 * p.x);
        p.y += 0.3 * p.x;
    }
    for (surface, cells) in [(&pear, 6), (&pear, 12), (&pear, 24), (&sphere(40), 5)] {
        let (want, got) = (moments(surface), lumped(&embed(surface, cells).unwrap()));
        assert!((got.volume / want.volume - 1.0).abs() < 2e-3, "{cells}");
        assert!(got.centre().distance(want.centre()) < 2e-3, "{cells}");
        let (inertia, off) = (want.about_centre(), got.about_centre() - want.about_centre());
        assert!(largest(off) < 4e-3 * largest(inertia), "{cells}: {off} {inertia}");
    }
}

#[test]
fn what_is_inside_twice_counts_once_and_openings_leak_nothing() {
    let ball = sphere(40);
    let both = joined(&ball, &ball);
    let mut open = ball.clone();
    open.triangles.truncate(open.triangles.len() - 40);
    for surface in [&both, &open] {
        let got = lumped(&embed(surface, 10).unwrap());
        assert!((got.volume / ball.volume() - 1.0).abs() < 5e-3, "{}", got.volume);
    }
}

/// Thin boxes, whatever of their faces the lines that fill them pass.
#[test]
fn boxes_weigh_what_they_enclose() {
    for size in [DVec3::new(3.0, 0.15, 0.15), DVec3::new(1.0, 0.02, 1.0), DVec3::new(0.1, 0.1, 0.7)]
    {
        for cells in [4, 6, 8, 10, 12, 20] {
            let embedded = embed(&cube_surface(1, size), cells).unwrap();
            let inside: f64 = (embedded.parts.iter().enumerate())
                .map(|(i, part)| embedded.mesh.volume(i) * part.inside())
                .sum();
            let part = inside / size.element_product();
            assert!((part - 1.0).abs() < 1e-4, "{size} with {cells} cells: {part}");
        }
    }
}

/// What tetrahedra pull at their corners is no more than 1.3 times what the lattice's do for the same mass; those that are
/// softer than what is inside have a corner that bears no more. Most of a ball is as stiff as what is inside.
#[test]
fn tetrahedra_are_as_stiff_as_their_corners_bear() {
    for (cells, least) in [(6, 0.78), (8, 0.88), (16, 0.96)] {
        let ball = sphere(24);
        let Embedded { mesh, parts, .. } = embed(&ball, cells).unwrap();
        let altitude = ball.bounds().size().max_element() / f64::from(cells) / 3f64.sqrt();
        let mut masses = vec![0.0; mesh.points.len()];
        let mut pulled = masses.clone();
        let (mut stiff, mut inside) = (0.0, 0.0);
        for (i, part) in parts.iter().enumerate() {
            let corners = mesh.tets[i].map(|c| mesh.points[c as usize]);
            let thin = (least_altitude(corners) / altitude).min(1.0);
            stiff += part.stiff * mesh.volume(i);
            inside += part.inside() * mesh.volume(i);
            for (k, c) in mesh.tets[i].iter().enumerate() {
                masses[*c as usize] += part.carried[k] * mesh.volume(i);
                pulled[*c as usize] += 0.25 * part.stiff * mesh.volume(i) / thin.powi(2);
            }
        }
        let loads: Vec<_> = pulled.iter().zip(&masses).map(|(p, m)| p / m).collect();
        let heaviest = loads.iter().copied().fold(0.0, extreme::greatest);
        assert!((1.25..1.301).contains(&heaviest), "{cells}: {heaviest}");
        let soft = |i: usize| {
            let most = mesh.tets[i].map(|c| loads[c as usize]);
            most.into_iter().fold(0.0, extreme::greatest) < 1.28 && parts[i].stiff < 0.5
        };
        assert_eq!((0..parts.len()).filter(|i| soft(*i)).count(), 0, "{cells}");
        println!("{cells}: {:.3} of what is inside is stiff", stiff / inside);
        assert!((least..1.003).contains(&(stiff / inside)), "{cells}: {}", stiff / inside);
    }
}
