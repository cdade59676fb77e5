//! Geometry alone decides: how a mesh is numbered, or whether the scene is mirrored, changes nothing; edges that cross push
//! along the normal of both.

use std::f64::consts::FRAC_PI_4;

use glam::{DQuat, DVec3};
use pliant::mesh::{Lattice, TetMesh};
use pliant::scene::{Body, Integrator, Kind, Mass, MeshSource, Pull, Scene, ShapeMatching};

use crate::collide_support::*;
use crate::support::*;

/// What rounding may leave of the same scene in another form [m].
const ROUNDING: f64 = 1e-4;

/// A mesh, and for each of its points the number in the mesh that it was made from.
type Numbered = (TetMesh, Vec<usize>);

fn shuffle<T>(things: &mut [T], random: &mut Random) {
    for last in (1..things.len()).rev() {
        things.swap(last, random.index(0, last + 1));
    }
}

/// The same mesh with points, tetrahedra and their corners in another order.
fn renumbered(mesh: &TetMesh, random: &mut Random) -> Numbered {
    let mut order: Vec<usize> = (0..mesh.points.len()).collect();
    shuffle(&mut order, random);
    let mut number = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, old)| number[*old] = new as u32);
    let mut tets = mesh.tets.clone();
    shuffle(&mut tets, random);
    for tet in &mut tets {
        shuffle(tet, random);
        *tet = tet.map(|old| number[old as usize]);
    }
    let points = order.iter().map(|old| mesh.points[*old]).collect();
    (TetMesh::new(points, tets).unwrap(), order)
}

fn mirrored(x: DVec3) -> DVec3 {
    DVec3::new(-x.x, x.y, x.z)
}

fn mirror(mesh: &TetMesh) -> Numbered {
    let points = mesh.points.iter().map(|x| mirrored(*x)).collect();
    (TetMesh::new(points, mesh.tets.clone()).unwrap(), (0..mesh.points.len()).collect())
}

/// Two cubes that hit each other with an edge ahead and land on a floor: angles and places of both.
type Pose = [[[f64; 3]; 2]; 2];

const POSES: [Pose; 2] = [
    [
        [[-0.7919, -1.1905, -0.3118], [-0.3562, 0.4633, -0.0197]],
        [[1.2539, 0.9014, 0.7955], [0.3589, 0.5573, -0.0447]],
    ],
    [
        [[-0.8199, 1.3869, -1.121], [-0.3782, 0.467, -0.0505]],
        [[1.4974, -0.8718, 0.4256], [0.3684, 0.5406, -0.001]],
    ],
];

/// What the cubes are made of and how they are stepped.
#[derive(Clone)]
struct Cubes {
    kind: Kind,
    integrator: Integrator,
}

impl Cubes {
    fn new(kind: Kind, integrator: Integrator) -> Self {
        Self { kind, integrator }
    }

    /// Where their points are after 0.8 s, body by body in the order of the lattice. `form`: the mesh of a body.
    fn end(
        &self,
        pose: &Pose,
        is_mirrored: bool,
        mut form: impl FnMut(&TetMesh) -> Numbered,
    ) -> Vec<DVec3> {
        let lattice = TetMesh::lattice([3; 3], DVec3::splat(0.4)).unwrap();
        let mut scene = standing([]);
        let mut orders = Vec::new();
        for (index, [rotation, position]) in pose.iter().enumerate() {
            let (mesh, order) = form(&lattice);
            let mut body = Body::new(format!("cube {index}"), MeshSource::Tets(mesh));
            (body.mass, body.kind) = (Mass::Density(1000.0), self.kind.clone());
            (body.rotation, body.position) = (*rotation, *position);
            body.velocity = [if index == 0 { 1.5 } else { -1.5 }, 0.0, 0.0];
            if is_mirrored {
                let [x, y, z] = body.rotation;
                body.rotation = [x, -y, -z];
                body.position[0] *= -1.0;
                body.velocity[0] *= -1.0;
            }
            scene.bodies.push(body);
            orders.push(order);
        }
        scene.world.integrator = self.integrator;
        let mut world = world(&scene);
        advance(&mut world, 0.8);
        let got = places(&mut world);
        let mut ends = vec![DVec3::ZERO; got.len()];
        let numbers = orders
            .iter()
            .enumerate()
            .flat_map(|(k, order)| order.iter().map(move |i| k * order.len() + i));
        numbers.zip(got).for_each(|(i, x)| ends[i] = x);
        ends
    }

    /// How far they are apart where their meshes are numbered otherwise [m].
    fn renumbered(&self, pose: &Pose) -> f64 {
        let plain = self.end(pose, false, |mesh| (mesh.clone(), (0..mesh.points.len()).collect()));
        let mut random = Random::new(5);
        apart(&plain, &self.end(pose, false, |mesh| renumbered(mesh, &mut random)))
    }

    /// How far they are apart in a mirror [m].
    fn mirrored(&self, pose: &Pose) -> f64 {
        let plain = self.end(pose, false, |mesh| (mesh.clone(), (0..mesh.points.len()).collect()));
        let back: Vec<_> = self.end(pose, true, mirror).into_iter().map(mirrored).collect();
        apart(&plain, &back)
    }
}

fn shape_matched() -> Kind {
    ShapeMatching { pull: Pull::Frequency(30.0), relaxation: 3e-3, ..ShapeMatching::default() }
        .into()
}

#[test]
fn numbers_do_not_matter_to_cubes_that_collide() {
    for (name, kind) in
        [("springs", springs(2e5, 3e-3)), ("fem", fem(2e5, 0.3, 3e-3)), ("shape", shape_matched())]
    {
        for (k, pose) in POSES.iter().enumerate() {
            let off = Cubes::new(kind.clone(), Integrator::Verlet).renumbered(pose);
            assert!(off < ROUNDING, "{name}, pose {k}: {off:e} m");
        }
    }
}

/// Colours follow from where vertices are.
#[test]
fn numbers_do_not_matter_to_cubes_that_collide_in_implicit_steps() {
    for (name, kind) in [("springs", springs(2e5, 3e-3)), ("fem", fem(2e5, 0.3, 3e-3))] {
        for (k, pose) in POSES.iter().enumerate() {
            let off = Cubes::new(kind.clone(), Integrator::Vbd).renumbered(pose);
            assert!(off < ROUNDING, "{name}, pose {k}: {off:e} m");
        }
    }
}

#[test]
fn a_mirror_does_not_matter_to_cubes_that_collide() {
    for (name, kind) in
        [("springs", springs(2e5, 3e-3)), ("fem", fem(2e5, 0.3, 3e-3)), ("shape", shape_matched())]
    {
        for (k, pose) in POSES.iter().enumerate() {
            let off = Cubes::new(kind.clone(), Integrator::Verlet).mirrored(pose);
            assert!(off < ROUNDING, "{name}, pose {k}: {off:e} m");
        }
    }
}

/// Colours of a mirrored mesh are others, so that this holds as far as the sweeps have converged.
#[test]
fn a_mirror_does_not_matter_to_cubes_that_collide_in_implicit_steps() {
    for (name, kind) in [("springs", springs(2e5, 3e-3)), ("fem", fem(2e5, 0.3, 3e-3))] {
        for (k, pose) in POSES.iter().enumerate() {
            let off = Cubes::new(kind.clone(), Integrator::Vbd).mirrored(pose);
            assert!(off < ROUNDING, "{name}, pose {k}: {off:e} m");
        }
    }
}

/// A square bar of 0.2 m, on its edge, turned about the vertical.
fn bar(degrees: f64, height: f64) -> TetMesh {
    let size = DVec3::new(1.0, 0.2, 0.2);
    let lattice = Lattice::new([5, 1, 1], -0.5 * size, size).unwrap();
    let turn = DQuat::from_rotation_y(degrees.to_radians()) * DQuat::from_rotation_x(FRAC_PI_4);
    let points = lattice.points().map(|x| turn * x + height * DVec3::Y).collect();
    TetMesh::new(points, lattice.cubes().flat_map(|cube| lattice.tets(cube)).collect()).unwrap()
}

/// One bar lies across a held one, at first 21 mm in it: it comes up straight, to where only edges touch.
#[test]
fn bars_that_cross_on_their_edges_part_along_the_normal_of_both() {
    let diagonal = 0.2 * 2.0_f64.sqrt();
    let all = [20.0, 45.0, 70.0, 90.0];
    let cases =
        [("springs", springs(3e7, 3e-3), &all[..]), ("fem", fem(3e7, 0.3, 3e-3), &all[1..2])];
    for (name, kind, angles) in cases {
        for &degrees in angles {
            let bars = [bar(0.0, 0.0), bar(degrees, diagonal - 0.021)];
            let body = |mesh: TetMesh| {
                let mut body = Body::new("bar", MeshSource::Tets(mesh));
                (body.mass, body.kind) = (Mass::Density(1000.0), kind.clone());
                body
            };
            let mut scene: Scene = meeting(bars.map(body));
            scene.world.gravity = [0.0, -G, 0.0];
            scene.bodies[0].pin = vec![EVERYWHERE];
            let mut world = world(&scene);
            let end = advance(&mut world, 0.5);
            let centre = centre(&world, &end, 1);
            assert!((centre.y - diagonal).abs() < 1e-3, "{name}, {degrees}°: {centre}");
            assert!(centre.with_y(0.0).length() < 3e-4, "{name}, {degrees}°: {centre}");
        }
    }
}
