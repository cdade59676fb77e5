//! What bodies cannot be, and constants that differ in bodies of all kinds.
use glam::DVec3;

use super::Model;
use crate::mesh::{Surface, TetMesh};
use crate::scene::{
    Aabb, Body, Clusters, Constant, Fem, Kind, Mass, MeshShape, MeshSource, Mode, Region, Rigid,
    Scene, Shape, ShapeMatching,
};

fn built(body: Body) -> crate::Result<Model> {
    let scene = Scene { bodies: vec![body], ..Scene::default() };
    Model::new(&scene, "", u64::MAX)
}

fn refusal(body: Body) -> String {
    built(body).map(|_| ()).unwrap_err().to_string()
}

fn shape() -> Kind {
    Kind::Shape(ShapeMatching::default())
}

/// A shell of kind "shape", or of springs.
fn shell(points: &[DVec3], triangles: &[[u32; 3]], kind: Kind) -> Body {
    let surface = Surface::new(points.to_vec(), triangles.to_vec(), None).unwrap();
    let mut body = Body::new("s", MeshSource::Surface { surface, cells: 12 });
    (body.shell, body.kind, body.radius) = (true, kind, Some(0.01));
    body
}

fn cloud() -> Body {
    let points = (0..4).map(|i| DVec3::X * f64::from(i));
    let mut body = Body::new("c", MeshSource::Points(points.collect()));
    (body.kind, body.radius) = (shape(), Some(0.5));
    body
}

fn within(min: [f64; 3], max: [f64; 3]) -> Aabb {
    Aabb { min, max }
}

fn density(within: Aabb, density: f64) -> Region {
    Region { within, constants: vec![(Constant::Density, density)] }
}

#[test]
fn a_shell_without_a_triangle_left_is_refused() {
    let point = DVec3::new(1.0, 2.0, 3.0);
    for kind in [shape(), Kind::default()] {
        for (points, triangles) in [
            (vec![DVec3::ZERO, DVec3::X, point], vec![[0, 1, 1]]),
            (vec![point; 4], vec![[0, 1, 2], [1, 2, 3]]),
        ] {
            let message = refusal(shell(&points, &triangles, kind.clone()));
            let want = format!(
                "body \"s\".mesh: all {} triangles of the shell are degenerate",
                triangles.len()
            );
            assert!(message.contains(&want), "{message}");
        }
    }
    // A triangle without area holds three points together.
    let line = [DVec3::ZERO, DVec3::X, 2.0 * DVec3::X];
    let mut light = shell(&line, &[[0, 1, 2]], shape());
    light.mass = Mass::Point(1.0);
    let model = built(light).unwrap();
    assert_eq!((model.positions.len(), model.clusters.len()), (3, 1));
    let mut heavy = shell(&line, &[[0, 1, 2]], shape());
    heavy.mass = Mass::Density(1000.0);
    let message = refusal(heavy);
    assert!(message.starts_with("body \"s\".density is such that point "), "{message}");
    assert!(message.contains("all triangles around it are degenerate"), "{message}");
}

#[test]
fn boxes_that_hold_nothing_are_refused() {
    let nowhere = || within([2.0, 0.0, 0.0], [3.0, 1.0, 1.0]);
    let spans = "[-0.5, -0.5, -0.5] to [0.5, 0.5, 0.5]";
    let mut pinned = Body::lattice("a", [2; 3], [1.0; 3]);
    pinned.pin = vec![within([-1.0; 3], [0.0; 3]), nowhere()];
    let mut region = Body::lattice("a", [2; 3], [1.0; 3]);
    region.mass = Mass::Density(1000.0);
    region.regions = vec![density(nowhere(), 1.0)];
    let mut clusters = Body::lattice("a", [2; 3], [1.0; 3]);
    clusters.kind = Kind::Shape(ShapeMatching {
        clusters: Clusters::Boxes(vec![within([-1.0; 3], [1.0; 3]), nowhere()]),
        ..ShapeMatching::default()
    });
    for (at, body) in
        [("pin[1].box", pinned), ("region[0].box", region), ("clusters[1].box", clusters)]
    {
        let message = refusal(body);
        let want =
            format!("body \"a\".{at} is [2.0, 0.0, 0.0] to [3.0, 1.0, 1.0], which contains no");
        assert!(message.starts_with(&want), "{message}");
        assert!(message.contains(spans), "{message}");
    }
}

#[test]
fn what_a_mesh_makes_no_use_of_is_refused() {
    let from = |file: &str| {
        let path = format!("{}/assets/{file}", env!("CARGO_MANIFEST_DIR"));
        let mut body = Body::new("s", MeshSource::File { path: path.into(), cells: 7 });
        body.kind = shape();
        body
    };
    let mut sheet = from("sheet.ply");
    sheet.shell = true;
    for body in [sheet, from("torus.xyz")] {
        let message = refusal(body);
        let want = "body \"s\".mesh.cells is 7, wanted no such key";
        assert!(message.starts_with(want), "{message}");
    }
    assert!(built(from("bar.msh")).is_ok());
    let mut stiff = cloud();
    stiff.regions = vec![Region {
        within: within([-1.0; 3], [9.0; 3]),
        constants: vec![(Constant::Young, 1.0)],
    }];
    let message = refusal(stiff);
    assert!(message.contains("wanted tetrahedra, which region requires"), "{message}");
}

/// The two triangles of a square, of which each has its own corners, and a point of none.
#[test]
fn clusters_of_a_shell_go_by_the_numbers_of_the_mesh() {
    let [a, b, c, d] = [DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y, DVec3::Y];
    let points = [9.0 * DVec3::Z, a, b, c, a, c, d];
    let with = |lists: Vec<Vec<u32>>| {
        let kind = Kind::Shape(ShapeMatching {
            clusters: Clusters::Given(lists),
            ..ShapeMatching::default()
        });
        shell(&points, &[[1, 2, 3], [4, 5, 6]], kind)
    };
    let model = built(with(vec![vec![1, 2, 3], vec![4, 5, 6]])).unwrap();
    assert_eq!(model.positions.len(), 4);
    let places = |k: usize| {
        let members = model.clusters[k].members.iter();
        let mut places: Vec<_> = members.map(|i| model.positions[*i as usize]).collect();
        places.sort_by(|p, q| (p.x + 2.0 * p.y).total_cmp(&(q.x + 2.0 * q.y)));
        places
    };
    assert_eq!((places(0), places(1)), (vec![a, b, c], vec![a, d, c]));
    let message = refusal(with(vec![vec![0, 1, 2, 3, 6]]));
    let want = "body \"s\".clusters[0] is with point 0, which no triangle uses";
    assert!(message.starts_with(want), "{message}");
}

#[test]
fn density_differs_in_bodies_of_every_kind() {
    let half = || within([-9.0; 3], [0.0, 9.0, 9.0]);
    let mass = |body: Body| built(body).unwrap().masses.iter().sum::<f64>();
    for kind in [shape(), Kind::default(), Fem::undamped(1e5, 0.3).into()] {
        let mut body = Body::lattice("a", [4, 2, 2], [2.0, 1.0, 1.0]);
        (body.kind, body.mass) = (kind.clone(), Mass::Density(1000.0));
        assert!((mass(body.clone()) - 2000.0).abs() < 1e-9);
        body.regions = vec![density(half(), 3000.0)];
        assert!((mass(body.clone()) - 4000.0).abs() < 1e-9, "{kind:?}");
        let lattice = TetMesh::lattice([4, 2, 2], DVec3::new(2.0, 1.0, 1.0)).unwrap();
        let values = (0..lattice.tets.len()).map(|i| if i % 2 == 0 { 500.0 } else { 0.5 });
        let own = [("density".to_string(), values.collect::<Vec<_>>())];
        let want: f64 = (0..lattice.tets.len()).map(|i| lattice.volume(i) * own[0].1[i]).sum();
        body.mesh = MeshSource::Tets(lattice.with_cell_data(own.into()).unwrap());
        (body.regions, body.cell_data) = (Vec::new(), vec![Constant::Density]);
        assert!((mass(body) - want).abs() < 1e-9, "{kind:?}");
    }
    // Points at 0, 1, 2 and 3 of a metre cubed each; then two triangles, a fiftieth of a metre thick.
    let mut points = cloud();
    (points.mass, points.regions) = (Mass::Density(10.0), vec![density(half(), 70.0)]);
    assert!((mass(points) - 100.0).abs() < 1e-9);
    let square = [DVec3::ZERO, -DVec3::X, DVec3::Y, DVec3::X + DVec3::Y];
    let mut sheet = shell(&square, &[[0, 2, 1], [0, 3, 2]], shape());
    sheet.mass = Mass::Density(100.0);
    let whole = mass(sheet.clone());
    sheet.regions = vec![density(half(), 200.0)];
    assert!((whole - 2.0).abs() < 1e-9 && (mass(sheet) - 3.0).abs() < 1e-9);
}

/// Whatever its kind and mesh: as by density, but of another sum, which the number of its points does not change.
#[test]
fn a_body_weighs_what_it_is_told() {
    let square = [DVec3::ZERO, -DVec3::X, DVec3::Y, DVec3::X + DVec3::Y];
    let sheet = shell(&square, &[[0, 2, 1], [0, 3, 2]], shape());
    let mut bodies = vec![cloud(), sheet];
    for cubes in [[1, 1, 1], [4, 2, 2]] {
        for kind in [shape(), Kind::default(), Fem::undamped(1e5, 0.3).into()] {
            let mut body = Body::lattice("a", cubes, [2.0, 1.0, 1.0]);
            body.kind = kind;
            bodies.push(body);
        }
    }
    for mut body in bodies {
        let masses = |body: &Body| built(body.clone()).unwrap().masses;
        body.mass = Mass::Density(700.0);
        let by_density = masses(&body);
        let whole: f64 = by_density.iter().sum();
        body.mass = Mass::Body(2.5);
        let shares = masses(&body);
        for (share, mass) in shares.iter().zip(by_density) {
            assert!((share * whole / (2.5 * mass) - 1.0).abs() < 1e-12);
        }
        body.mass = Mass::Point(0.25);
        assert!(masses(&body).iter().all(|mass| *mass == 0.25));
        let model = built(body.clone()).unwrap();
        let volume = model.bodies[0].volume;
        assert!((700.0 * volume / whole - 1.0).abs() < 1e-12, "{body:?}");
        assert!((model.mass(0) - 0.25 * shares.len() as f64).abs() < 1e-12);
    }
}

/// Heavier members count for more in a cluster's centre.
#[test]
fn clusters_weigh_members_by_their_density() {
    let mut body = Body::lattice("a", [2, 1, 1], [2.0, 1.0, 1.0]);
    (body.kind, body.mass) = (shape(), Mass::Density(1000.0));
    body.regions = vec![density(within([-9.0; 3], [0.0, 9.0, 9.0]), 3000.0)];
    let model = built(body).unwrap();
    let arrays = crate::family::shape::ShapeArrays::new(&model);
    let masses = model.masses.iter().zip(&model.rest_positions);
    let centre = masses.map(|(m, x)| *m * *x).sum::<DVec3>() / 4000.0;
    assert!(centre.x < -0.2, "{centre}");
    let cluster = &arrays.clusters[0];
    let found = (cluster.origin + cluster.centre).as_dvec3();
    let middle = model.rest_positions.iter().sum::<DVec3>() / 12.0;
    assert!((found - (centre - middle)).length() < 1e-6, "{found}");
}

#[test]
fn few_members_have_no_quadratic_fit() {
    let mut body = Body::lattice("a", [2; 3], [1.0; 3]);
    body.kind = Kind::Shape(ShapeMatching {
        mode: Mode::Quadratic,
        clusters: Clusters::Tets,
        ..ShapeMatching::default()
    });
    let arrays = crate::family::shape::ShapeArrays::new(&built(body.clone()).unwrap());
    assert!(arrays.fits.is_empty() && arrays.clusters.len() == 40);
    body.kind = Kind::Shape(ShapeMatching { mode: Mode::Quadratic, ..ShapeMatching::default() });
    let arrays = crate::family::shape::ShapeArrays::new(&built(body).unwrap());
    assert_eq!(arrays.fits.len(), 27);
}

#[test]
fn a_needle_is_named() {
    let lattice = TetMesh::lattice([1; 3], DVec3::ONE).unwrap();
    let body = |thin: f64| {
        let mut mesh = lattice.clone();
        let first = mesh.points.len() as u32;
        mesh.points.extend([
            DVec3::X * 3.0,
            DVec3::X * 4.0,
            DVec3::new(3.5, thin, 0.0),
            DVec3::new(3.5, 0.0, thin),
        ]);
        mesh.tets.push([first, first + 1, first + 2, first + 3]);
        let model = built(Body::new("a", MeshSource::Tets(mesh))).unwrap();
        super::sliver::note(&model, &model.bodies[0])
    };
    assert_eq!(body(0.5), "");
    let note = body(0.01);
    assert!(note.contains("tetrahedron 5 is a sliver"), "{note}");
    assert!(note.contains("1.7e-5"), "{note}");
}

/// Shapes weigh what the closed forms say, within 1 %, scaled ones too.
#[test]
fn bodies_of_a_shape_weigh_as_much_as_it() {
    use std::f64::consts::PI;
    let cases = [
        (Shape::Box { size: [0.3, 0.5, 0.2] }, 0.03),
        (Shape::Sphere { radius: 0.3 }, 4.0 / 3.0 * PI * 0.027),
        (Shape::Cylinder { radius: 0.2, length: 0.5 }, PI * 0.02),
        (Shape::Capsule { radius: 0.2, length: 0.5 }, PI * 0.02 + 4.0 / 3.0 * PI * 0.008),
        (Shape::Bipyramid { triangles: 8 }, 4.0 / 3.0),
        (Shape::Torus { radius: 0.4, tube: 0.12 }, 2.0 * PI * PI * 0.4 * 0.0144),
    ];
    for (shape, volume) in cases {
        for (scale, factor) in [([1.0; 3], 1.0), ([2.0, 0.5, 3.0], 3.0)] {
            let mass = Mass::Density(500.0);
            let model = built(Body { scale, mass, ..Body::soft("a", shape) }).unwrap();
            let mass = model.masses.iter().sum::<f64>();
            let off = mass / (500.0 * volume * factor) - 1.0;
            assert!(off.abs() < 0.01, "{shape:?} {scale:?}: {off}");
        }
    }
}

/// A mesh that bodies of several kinds have in common is to each what it is to that body alone, in every order.
#[test]
fn a_mesh_is_made_for_each_kind() {
    let held = Rigid { held: true, shape: Some(MeshShape::Mesh), ..Rigid::default() };
    let kinds: [Kind; 3] = [Rigid::default().into(), held.into(), Fem::default().into()];
    let body = |k: usize| {
        let surface = Shape::Torus { radius: 0.2, tube: 0.05 }.surface();
        let source = MeshSource::Surface { surface, cells: 6 };
        Body { kind: kinds[k].clone(), ..Body::new(format!("{k}"), source) }
    };
    let of = |bodies: &[usize]| {
        let bodies = bodies.iter().map(|k| body(*k)).collect();
        Model::new(&Scene { bodies, ..Scene::default() }, "", u64::MAX)
    };
    let sizes = |model: &Model, i: usize| {
        let own = &model.bodies[i];
        let mass = own.rigid.map(|rigid| rigid.mass.to_bits());
        (own.particles.len(), own.tets.len(), own.volume.to_bits(), mass)
    };
    let alone = [0, 1, 2].map(|k| sizes(&of(&[k]).unwrap(), 0));
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let model = of(&order).unwrap();
        for (i, k) in order.into_iter().enumerate() {
            assert_eq!(sizes(&model, i), alone[k], "{order:?}");
        }
    }
}
