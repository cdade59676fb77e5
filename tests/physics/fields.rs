//! Constants that differ within a body: by regions and by the arrays of mesh files.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::internals::model::Model;
use pliant::mesh::{self, Mesh, TetMesh};
use pliant::scene::{Body, Constant, DampingMode, Integrator, Kind, MeshSource, Region, Step};

use crate::bar_support::*;
use crate::fields_support::*;
use crate::support::*;

/// Strains along x of the middles of the left and of the right half of a bar, held at its left end and pulled at the
/// other by `stress` [Pa].
fn strains(mut body: Body, stress: f64) -> [f64; 2] {
    body.mesh = MeshSource::Lattice { cubes: [16, 2, 2], size: [1.6, 0.2, 0.2] };
    let mut scene = held(body);
    pull(&mut scene, DVec3::X * stress * 0.2 * 0.2);
    let (_, start, x) = settled(&mut scene, slowest(1e5, 1.6), 20.0);
    let layer = |at: f64| layer(&start, at, |i| x[i].x);
    [[-0.6, -0.2], [0.2, 0.6]].map(|[a, b]| (layer(b) - layer(a)) / (b - a) - 1.0)
}

#[test]
fn halves_of_a_bar_stretch_by_their_moduli() {
    let plain = strains(bar(springs(1e5, 2e-3), Vec::new()), 200.0);
    let of = |factor: f64| {
        let right = region(RIGHT, &[(Constant::Young, factor * 1e5)]);
        strains(bar(springs(1e5, 2e-3), vec![right]), 200.0)
    };
    let (stiff, soft) = (of(4.0), of(0.5));
    assert!((plain[0] / 2e-3 - 1.0).abs() < 0.15 && (plain[1] / plain[0] - 1.0).abs() < 0.01);
    for (strains, wanted) in [(stiff, 0.25), (soft, 2.0)] {
        assert!((strains[0] / plain[0] - 1.0).abs() < 0.02, "{strains:?}");
        assert!((strains[1] / plain[1] / wanted - 1.0).abs() < 5e-3, "{strains:?}");
    }
}

/// The same in constants of springs, whose stiffness is in proportion to all of them.
#[test]
fn halves_of_a_bar_stretch_by_their_constants() {
    let kind = |factor: f64| -> Kind { constants(20.0 * factor, 10.0 * factor, 0.04) };
    let four = [(Constant::Distance, 80.0), (Constant::Volume, 40.0)];
    let plain = strains(bar(kind(1.0), Vec::new()), 100.0);
    let mixed = strains(bar(kind(1.0), vec![region(RIGHT, &four)]), 100.0);
    assert!((mixed[0] / plain[0] - 1.0).abs() < 0.02, "{mixed:?}");
    assert!((4.0 * mixed[1] / plain[1] - 1.0).abs() < 5e-3, "{mixed:?}");
}

/// Positions after some steps of a turning, stretched bar.
fn after_steps(mut body: Body, mode: Option<DampingMode>) -> Vec<DVec3> {
    body.angular_velocity = [2.0, -1.0, 3.0];
    (body.stretch, body.damping_mode) = ([1.2, 0.9, 1.0], mode);
    let mut world = world(&floating(body, Integrator::Verlet, Step::Fixed(4e-4)));
    world.step(200).unwrap();
    let [x, _] = read(&mut world);
    x
}

#[test]
fn a_region_over_all_is_as_the_plain_body() {
    let all = [(Constant::Distance, 30.0), (Constant::Volume, 15.0), (Constant::Damping, 0.3)];
    let stiff = [(Constant::Young, 1e5), (Constant::Relaxation, 5e-3)];
    let cases = [
        (constants(30.0, 15.0, 0.3), constants(1.0, 2.0, 0.0), region(EVERYWHERE, &all)),
        (springs(1e5, 5e-3), springs(3e4, 0.0), region(EVERYWHERE, &stiff)),
    ];
    for (plain, other, everywhere) in cases {
        let regions = vec![everywhere];
        for mode in DampingMode::ALL {
            let wanted = after_steps(bar(plain.clone(), Vec::new()), Some(mode));
            let found = after_steps(bar(other.clone(), regions.clone()), Some(mode));
            let off = apart(&wanted, &found);
            assert!(off < 2e-5, "{}: {off:e}", mode.name());
            let untouched = after_steps(bar(other.clone(), Vec::new()), Some(mode));
            assert!(apart(&wanted, &untouched) > 1e-3, "{}", mode.name());
        }
    }
}

#[test]
fn later_regions_prevail_and_densities_add_up() {
    let right = region(RIGHT, &[(Constant::Density, 3000.0), (Constant::Young, 1.0)]);
    let core = region(CORE, &[(Constant::Density, 500.0), (Constant::Young, 7e5)]);
    let model = |regions: Vec<Region>| {
        let scene = floating(bar(springs(1e5, 0.0), regions), Integrator::Verlet, Step::Auto);
        world(&scene).model().clone()
    };
    let mass = |regions: Vec<Region>| model(regions).masses.iter().sum::<f64>();
    let (whole, half, inner) = (0.8 * 0.16, 0.4 * 0.16, 0.6 * 0.04);
    #[rustfmt::skip]
    let cases = [
        (vec![], 1000.0 * whole),
        (vec![right.clone()], 1000.0 * half + 3000.0 * half),
        (vec![right.clone(), core.clone()],
            500.0 * inner + 1000.0 * (half - 0.5 * inner) + 3000.0 * (half - 0.5 * inner)),
        (vec![core.clone(), right.clone()], 500.0 * 0.5 * inner + 1000.0 * (half - 0.5 * inner) + 3000.0 * half),
    ];
    for (regions, wanted) in cases {
        let found = mass(regions);
        assert!((found / wanted - 1.0).abs() < 1e-12, "{found} kg, wanted {wanted} kg");
    }
    // Inside of the core all springs are as stiff as in a body that is so all over, by the last region that holds them.
    let stiffest = |regions| {
        let springs = model(regions).springs;
        springs.iter().map(|spring| spring.distance).fold(0.0, extreme::greatest)
    };
    let all = stiffest(vec![region(EVERYWHERE, &[(Constant::Young, 7e5)])]);
    assert_eq!(stiffest(vec![right.clone(), core.clone()]), all);
    assert_eq!(stiffest(vec![core.clone(), right]), all);
    let covered = region(EVERYWHERE, &[(Constant::Young, 1e5)]);
    assert!(stiffest(vec![core, covered]) < 0.2 * all);
}

#[test]
fn arrays_of_mesh_files_are_as_regions() {
    let folder = Folder::new("fields");
    let mesh = core();
    let constants =
        [(Constant::Young, 5e5), (Constant::Density, 2000.0), (Constant::Relaxation, 1e-3)];
    let by_region = bar(springs(1e5, 5e-3), vec![region(CORE, &constants)]);
    let mut sources = vec![MeshSource::Tets(mesh.clone())];
    for name in ["core.vtu", "core.msh"] {
        let path = folder.path(name);
        mesh::write(&path, &Mesh::Tets(mesh.clone())).unwrap();
        sources.push(MeshSource::File { path, cells: 1 });
    }
    let model = |body: &Body| {
        let scene = floating(body.clone(), Integrator::Verlet, Step::Fixed(4e-4));
        world(&scene).model().clone()
    };
    let wanted = model(&by_region);
    for mesh in sources {
        let mut body = bar(springs(3e3, 0.3), Vec::new());
        body.mesh = mesh;
        body.cell_data = constants.map(|(constant, _)| constant).to_vec();
        let found = model(&body);
        let label: String = format!("{:?}", body.mesh).chars().take(80).collect();
        same_constants(&found, &wanted, &label);
        let [found, wanted] = [&body, &by_region].map(|body| after_steps(body.clone(), None));
        let off = apart(&found, &wanted);
        assert!(off < 2e-5, "{label}: {off:e} m");
        // Regions prevail over arrays.
        body.regions = vec![region(EVERYWHERE, &constants)];
        let over = model(&body);
        let first = over.springs[0].distance;
        assert!(over.springs.iter().all(|s| s.distance == first), "{label}");
    }
}

/// A bar with arrays of constants that differ in its core, and one that is none.
fn core() -> TetMesh {
    let plain = TetMesh::lattice([8, 4, 4], DVec3::new(0.8, 0.4, 0.4)).unwrap();
    let value = |corners: &[u32; 4], inside: f64, outside: f64| {
        let sum: DVec3 = corners.iter().map(|i| plain.points[*i as usize]).sum();
        if CORE.contains((0.25 * sum).to_array()) { inside } else { outside }
    };
    let array = |inside, outside| plain.tets.iter().map(|t| value(t, inside, outside)).collect();
    let cell_data = BTreeMap::from([
        ("young".to_owned(), array(5e5, 1e5)),
        ("density".to_owned(), array(2000.0, 1000.0)),
        ("relaxation".to_owned(), array(1e-3, 5e-3)),
        ("colour".to_owned(), array(1.0, 2.0)),
    ]);
    plain.clone().with_cell_data(cell_data).unwrap()
}

/// To rounding: k_D is E times a number that has the body's own E as a factor.
fn same_constants(found: &Model, wanted: &Model, label: &str) {
    for (a, b) in found.springs.iter().zip(&wanted.springs) {
        assert_eq!(a.points, b.points, "{label}");
        assert!((a.distance / b.distance - 1.0).abs() < 1e-12, "{label}");
        assert!((a.damping / b.damping - 1.0).abs() < 1e-12, "{label}");
    }
    for (a, b) in found.tets.iter().zip(&wanted.tets) {
        assert!((a.volume / b.volume - 1.0).abs() < 1e-12, "{label}");
    }
    assert_eq!(found.masses, wanted.masses, "{label}");
}

#[test]
fn what_cannot_differ_is_refused() {
    let mesh = |name: &str, value: f64| {
        let plain = TetMesh::lattice([1; 3], DVec3::ONE).unwrap();
        let mut values = vec![1e5; plain.tets.len()];
        values[3] = value;
        MeshSource::Tets(TetMesh {
            cell_data: BTreeMap::from([(name.to_owned(), values)]),
            ..plain
        })
    };
    let plain = bar(springs(1e5, 0.0), Vec::new());
    let body = |mesh, constant| Body { mesh, cell_data: vec![constant], ..plain.clone() };
    let cloud = MeshSource::Points(vec![DVec3::ZERO, DVec3::X]);
    let points = body(cloud.clone(), Constant::Young);
    let regions = vec![region(EVERYWHERE, &[(Constant::Young, 1.0)])];
    let points_region = Body { mesh: cloud, regions, ..plain.clone() };
    for (want, body) in [
        (
            "body \"bar\".mesh: has no array \"young\" with one number per tetrahedron, as cell_data requires; it has: density",
            body(mesh("density", 1.0), Constant::Young),
        ),
        ("it has: none", Body { cell_data: vec![Constant::Young], ..plain.clone() }),
        (
            "body \"bar\".cell_data: young of tetrahedron 3 is -1, wanted a number > 0",
            body(mesh("young", -1.0), Constant::Young),
        ),
        (
            "body \"bar\".cell_data: density of tetrahedron 3 is 0, wanted a number > 0",
            body(mesh("density", 0.0), Constant::Density),
        ),
        (
            "body \"bar\".cell_data is \"distance\", wanted a constant of this material: density, young, relaxation",
            body(mesh("distance", 1.0), Constant::Distance),
        ),
        ("is a point cloud, wanted tetrahedra, which cell_data requires", points),
        ("is a point cloud, wanted tetrahedra, which region requires", points_region),
    ] {
        let scene = floating(body, Integrator::Verlet, Step::Auto);
        let message = World::new(context(), &scene).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains(want), "{message}\nwanted {want}");
    }
}
