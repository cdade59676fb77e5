//! Bodies that the tests use: blocks of tetrahedra, single ones, and random poses.

use glam::DVec3;

use crate::mesh::topology::{edges, surface_triangles};
use crate::reference::contact::{BodyContact, Scene};
use crate::reference::tets;

pub use crate::reference::tests::lattice::{Random, rotation};

/// Points and tetrahedra.
#[derive(Clone)]
pub struct Shape {
    pub position: Vec<DVec3>,
    pub tets: Vec<[usize; 4]>,
}

impl Shape {
    /// Moved point by point.
    pub fn map(mut self, moved: impl FnMut(DVec3) -> DVec3) -> Self {
        self.position = self.position.into_iter().map(moved).collect();
        self
    }

    /// Both as one.
    pub fn joined(mut self, other: &Self) -> Self {
        let first = self.position.len();
        self.tets.extend(other.tets.iter().map(|tet| tet.map(|c| c + first)));
        self.position.extend(&other.position);
        self
    }

    /// Moved as a whole.
    pub fn shifted(self, by: DVec3) -> Self {
        self.map(|x| x + by)
    }
}

/// n cells of size `cell` along the axes from the origin, six tetrahedra in each: one per order of the axes along which
/// a path of three edges leads from the lowest to the highest corner (Kuhn 1960).
pub fn block(n: [usize; 3], cell: DVec3) -> Shape {
    let index = |p: [usize; 3]| (p[0] * (n[1] + 1) + p[1]) * (n[2] + 1) + p[2];
    let mut shape = Shape { position: Vec::new(), tets: Vec::new() };
    for a in 0..=n[0] {
        for b in 0..=n[1] {
            for c in 0..=n[2] {
                shape.position.push(DVec3::new(a as f64, b as f64, c as f64) * cell);
                if a == n[0] || b == n[1] || c == n[2] {
                    continue;
                }
                for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
                    let mut corner = [a, b, c];
                    let path = [None, Some(0), Some(1), Some(2)].map(|step: Option<usize>| {
                        step.into_iter().for_each(|s| corner[order[s]] += 1);
                        index(corner)
                    });
                    shape.tets.push(path);
                }
            }
        }
    }
    shape
}

/// A unit cube of n³ cells about the origin.
pub fn cube(n: usize) -> Shape {
    block([n; 3], DVec3::splat(1.0 / n as f64)).shifted(DVec3::splat(-0.5))
}

/// A tetrahedron with its tip at the origin and its base in the plane y = 1, upright: its axis is the tip's normal.
pub fn spike() -> Shape {
    let base = |turn: f64| DVec3::new(turn.cos(), 1.0, turn.sin());
    let third = std::f64::consts::TAU / 3.0;
    Shape {
        position: vec![DVec3::ZERO, base(0.0), base(third), base(2.0 * third)],
        tets: vec![[0, 1, 2, 3]],
    }
}

/// What the bodies of the tests are like: no margin, no friction, edges of 0.2 m, touching everything.
pub const PLAIN: BodyContact = BodyContact {
    margin: 0.0,
    edge: 0.2,
    radius: 0.0,
    friction: 0.0,
    group: 1,
    mask: u32::MAX,
    replica: 0,
    self_contact: false,
    rigid: false,
    thickness: 1.0 / 3.0,
};

/// No bodies, a step of 1 ms.
pub fn empty() -> Scene {
    Scene { step: 1e-3, floor: 2e-5, ..Scene::default() }
}

/// Adds a body at rest, 0.5 kg per particle; returns its first particle. Its springs are the edges of its tetrahedra,
/// its surface the faces that only one of them has.
pub fn add(scene: &mut Scene, shape: &Shape, body: BodyContact) -> usize {
    let first = scene.position.len();
    let count = shape.position.len();
    let index = scene.bodies.len();
    scene.bodies.push(body);
    scene.position.extend(&shape.position);
    scene.velocity.extend(vec![DVec3::ZERO; count]);
    scene.inverse_mass.extend(vec![2.0; count]);
    scene.body.extend(vec![index; count]);
    let upright = |tet: &[usize; 4]| {
        let mut tet = *tet;
        if tets::volume(tet, &shape.position) < 0.0 {
            tet.swap(2, 3);
        }
        tet.map(|c| c as u32)
    };
    let tets: Vec<_> = shape.tets.iter().map(upright).collect();
    let place = |c: u32| first + c as usize;
    scene.tets.extend(tets.iter().map(|tet| tet.map(place)));
    scene.edges.extend(edges(&tets).into_iter().map(|edge| edge.map(place)));
    scene.surface.extend(surface_triangles(&tets).into_iter().map(|face| face.map(place)));
    first
}

/// A scene of one body after the other, all alike.
pub fn scene(shapes: &[Shape], body: BodyContact) -> Scene {
    let mut scene = empty();
    shapes.iter().for_each(|s| {
        add(&mut scene, s, body);
    });
    scene
}

/// Two cubes of n³ cells at random poses, the second within half a side of the first, with velocities up to 1 m/s.
pub fn two_cubes(n: usize, seed: u64, body: BodyContact) -> Scene {
    let mut random = Random::new(seed);
    let mut pose = |reach: f64| {
        let (turn, shift) = (rotation(&mut random), reach * random.vector(1.0));
        cube(n).map(|x| turn * x + shift)
    };
    let mut scene = scene(&[pose(0.1), pose(0.9)], body);
    for v in &mut scene.velocity {
        *v = random.vector(1.0);
    }
    for w in &mut scene.inverse_mass {
        *w = 1.0 + 0.9 * random.between(-1.0, 1.0);
    }
    scene
}

#[test]
fn blocks_have_the_volume_and_surface_of_their_cells() {
    let scene = scene(&[block([2, 3, 1], DVec3::new(0.5, 0.2, 1.5))], PLAIN);
    let volumes = scene.tets.iter().map(|t| tets::volume(*t, &scene.position));
    assert!((volumes.sum::<f64>() - 0.9).abs() < 1e-12);
    let mut area = DVec3::ZERO;
    let mut size = 0.0;
    for &[a, b, c] in &scene.surface {
        let x = &scene.position;
        let half = 0.5 * (x[b] - x[a]).cross(x[c] - x[a]);
        area += half;
        size += half.length();
        let middle = (x[a] + x[b] + x[c]) / 3.0 - DVec3::new(0.5, 0.3, 0.75);
        assert!(middle.dot(half) > 0.0, "outwards");
    }
    // the box 1 × 0.6 × 1.5 has a surface of 2 (0.6 + 1.5 + 0.9) and it is closed
    assert!((size - 6.0).abs() < 1e-12 && area.length() < 1e-12);
}
