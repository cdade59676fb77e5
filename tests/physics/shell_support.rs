//! Surfaces that shells are made of.

use glam::DVec3;
use pliant::mesh::{Surface, TetMesh};
use pliant::scene::{Body, Mass, MeshSource};

use crate::support::*;

/// How the squares of a flat sheet are cut in two.
#[derive(Clone, Copy, Debug)]
pub enum Cut {
    OneWay,
    Alternating,
    /// Rows shifted by halves: nearly equilateral triangles.
    Shifted,
}

/// A flat sheet of `cells` along x and y, centred on the origin, its inner points moved in its plane by up to `jitter`
/// cells.
pub fn sheet(cells: [u32; 2], size: [f64; 2], cut: Cut, jitter: f64) -> Surface {
    let mut random = Random::new(5);
    let [nx, ny] = cells;
    let step = [size[0] / f64::from(nx), size[1] / f64::from(ny)];
    let mut points = Vec::new();
    for j in 0..=ny {
        for i in 0..=nx {
            let inner = i > 0 && i < nx && j > 0 && j < ny;
            let shift = match cut {
                Cut::Shifted if i > 0 && i < nx => 0.5 * f64::from(j % 2) - 0.25,
                _ => 0.0,
            };
            let moved = if inner { jitter * random.vector(1.0) } else { DVec3::ZERO };
            points.push(DVec3::new(
                (f64::from(i) + shift + moved.x) * step[0] - 0.5 * size[0],
                (f64::from(j) + moved.y) * step[1] - 0.5 * size[1],
                0.0,
            ));
        }
    }
    let mut triangles = Vec::new();
    for j in 0..ny {
        for i in 0..nx {
            let at = |a: u32, b: u32| (j + b) * (nx + 1) + i + a;
            let rising = match cut {
                Cut::OneWay => true,
                Cut::Alternating => (i + j) % 2 == 0,
                Cut::Shifted => j % 2 == 1,
            };
            triangles.extend(if rising {
                [[at(0, 0), at(1, 0), at(1, 1)], [at(0, 0), at(1, 1), at(0, 1)]]
            } else {
                [[at(0, 0), at(1, 0), at(0, 1)], [at(1, 0), at(1, 1), at(0, 1)]]
            });
        }
    }
    Surface::new(points, triangles, None).unwrap()
}

/// The closed surface of a cube of `n`³ cells, its points blown up to the unit sphere.
pub fn ball(n: u32) -> Surface {
    let mesh = TetMesh::lattice([n; 3], DVec3::splat(2.0)).unwrap();
    let used = Surface::new(mesh.points.clone(), mesh.surface_triangles(), None).unwrap();
    let mut ball = used.welded();
    ball.points.iter_mut().for_each(|x| *x = x.normalize());
    ball
}

pub fn shell(surface: Surface) -> Body {
    let mut body = Body::new("shell", MeshSource::Surface { surface, cells: 1 });
    body.shell = true;
    body.radius = Some(0.005);
    body.mass = Mass::Density(1000.0);
    body.kind = constants(5.0, 0.0, 0.0);
    body
}

/// A sheet one tetrahedron thick.
pub fn slab() -> Body {
    lattice("slab", [6, 6, 1], [0.6, 0.6, 0.05], 1000.0, constants(2.0, 1.0, 0.0))
}
