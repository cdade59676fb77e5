//! Held triangle meshes: what slides and rolls over them goes as over what they stand for, and what lies in them comes to rest.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::mesh::Surface;
use pliant::scene::{Body, Kind, MeshShape, MeshSource, Rigid, Scene, Shape, Springs};

use crate::rigid::{ball, cuboid, measure};
use crate::support::*;

/// How a square of a grid is cut in two.
#[derive(Clone, Copy, Debug)]
enum Cut {
    One,
    Other,
    InTurns,
}

/// A square of `cells` by `cells` squares, `size` in all, as high as `height` says, that looks up.
fn sheet(cells: u32, size: f64, cut: Cut, height: impl Fn(f64, f64) -> f64) -> Surface {
    let place = |i: u32| (f64::from(i) / f64::from(cells) - 0.5) * size;
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=cells {
        points.extend((0..=cells).map(|j| {
            let (x, z) = (place(i), place(j));
            DVec3::new(x, height(x, z), z)
        }));
    }
    let at = |i: u32, j: u32| i * (cells + 1) + j;
    for i in 0..cells {
        for j in 0..cells {
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
            let first = match cut {
                Cut::One => true,
                Cut::Other => false,
                Cut::InTurns => (i + j).is_multiple_of(2),
            };
            triangles.extend(if first { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
    }
    Surface::new(points, triangles, None).unwrap()
}

fn flat(cells: u32, size: f64, cut: Cut) -> Surface {
    sheet(cells, size, cut, |_, _| 0.0)
}

/// As deep as it is wide in the middle, 1 m across.
fn bowl() -> Surface {
    sheet(14, 1.2, Cut::InTurns, |x, z| 0.9 * (x * x + z * z))
}

fn held(surface: Surface) -> Body {
    Body::held_mesh("mesh", MeshSource::Surface { surface, cells: 1 })
}

/// Where the first body is in each of so many steps, and how fast it goes up.
fn path(scene: &Scene, steps: u64) -> Vec<(Vec3, f32)> {
    let mut world = world(scene);
    let step = |_| {
        world.step(4).unwrap();
        let pose = world.pose(0).unwrap();
        (pose.centre, pose.velocity.y)
    };
    (0..steps / 4).map(step).collect()
}

/// A box that slides and a ball that slides until it rolls, over triangles finer and coarser than they are, cut in all ways, along
/// the lines of the grid and askew: as over the plane, and without a jolt.
#[test]
fn what_slides_and_rolls_goes_over_a_flat_mesh_as_over_a_plane() {
    for (body, speed) in [
        (cuboid("box", [0.4, 0.2, 0.3], [-1.5, 0.1, 0.1]), 3.0),
        (ball("ball", 0.15, [-1.5, 0.15, 0.1]), 2.0),
    ] {
        for (cells, cut, turn) in [
            (30, Cut::One, 0.0),
            (30, Cut::Other, 0.0),
            (60, Cut::InTurns, 0.4),
            (4, Cut::InTurns, 0.0),
        ] {
            let mut body = body.clone();
            body.velocity = [speed, 0.0, 0.0];
            let mut scene = scene_of(vec![body]);
            scene.world.floor = Some(0.0);
            let plane = path(&scene, 960);
            scene.world.floor = None;
            let mut floor = held(flat(cells, 6.0, cut));
            floor.rotation = [0.0, turn, 0.0];
            scene.bodies.push(floor);
            let mesh = path(&scene, 960);
            let pairs = || mesh.iter().zip(&plane);
            let off = pairs().map(|(a, b)| a.0.distance(b.0)).fold(0.0, f32::max);
            let jolt = mesh.iter().map(|at| at.1.abs()).fold(0.0, f32::max);
            println!(
                "{cells} {cut:?} {turn}: {off:e} m off, {jolt:e} m/s upwards, ends at {} for {}",
                mesh[239].0, plane[239].0
            );
            assert!(off < 1e-3 && jolt < 2e-3, "{cells} {cut:?} {turn}: {off:e} m, {jolt:e} m/s");
        }
    }
}

fn energy(world: &mut World) -> f64 {
    let state = world.read().unwrap();
    let measure = measure(world, &state);
    measure.energy.kinetic + measure.energy.gravity
}

fn marbles(count: usize) -> Vec<Body> {
    let marble = |i: usize| {
        let (around, level) = (i % 6, i / 6);
        let angle = TAU * around as f64 / 6.0 + 0.3 * level as f64;
        let (sine, cosine) = angle.sin_cos();
        let name = format!("marble {i}");
        let mut marble = ball(&name, 0.04, [0.25 * cosine, 0.3 + 0.1 * level as f64, 0.25 * sine]);
        let rigid = Rigid { rolling_friction: 1e-3, ..Rigid::default() };
        marble.kind = rigid.into();
        marble
    };
    (0..count).map(marble).collect()
}

#[test]
fn marbles_come_to_rest_in_a_bowl() {
    let mut scene = scene_of([marbles(18), vec![held(bowl())]].concat());
    scene.world.friction = 0.3;
    let mut world = world(&scene);
    let mut last = energy(&mut world);
    let start = last;
    for _ in 0..40 {
        advance(&mut world, 0.1);
        let now = energy(&mut world);
        assert!(now < last + 1e-4 * start.abs(), "{now} J after {last} J at {} s", world.time());
        last = now;
    }
    let end = world.read().unwrap();
    for (i, pose) in end.poses[..18].iter().enumerate() {
        let over = pose.centre.y - 0.9 * (pose.centre.x.powi(2) + pose.centre.z.powi(2));
        assert!(over > 0.02 && pose.centre.y < 0.4, "marble {i} is lost: {}", pose.centre);
        assert!(pose.velocity.length() < 0.02, "marble {i} rolls: {}", pose.velocity);
    }
}

/// A soft cube lies on the triangles as high as on the plane; and in the bowl.
#[test]
fn a_soft_cube_rests_on_a_mesh() {
    let mut cube = Body::lattice("cube", [3; 3], [0.3; 3]);
    cube.kind = Springs::young(1e5).into();
    cube.position = [0.03, 0.16, 0.02];
    let height = |scene: &Scene| {
        let mut world = world(scene);
        let state = advance(&mut world, 2.0);
        let cube = world.model().bodies[0].particles.clone();
        let speed = rms(&state.velocities[cube]);
        assert!(speed < 0.02, "{speed} m/s");
        centre(&world, &state, 0)
    };
    let mut scene = scene_of(vec![cube.clone()]);
    scene.world.floor = Some(0.0);
    let plane = height(&scene);
    scene.world.floor = None;
    scene.bodies.push(held(flat(6, 3.0, Cut::InTurns)));
    let mesh = height(&scene);
    println!("{mesh} on the mesh, {plane} on the plane");
    assert!(mesh.distance(plane) < 5e-3, "{mesh} on the mesh, {plane} on the plane");
    cube.position = [0.05, 0.45, 0.0];
    let inside = height(&scene_of(vec![cube, held(bowl())]));
    println!("{inside} in the bowl");
    assert!(inside.y > 0.1 && inside.y < 0.4 && inside.with_y(0.0).length() < 0.1, "{inside}");
}

/// Nothing but what is held takes any momentum along a floor without friction.
#[test]
fn what_collides_on_a_mesh_keeps_its_momentum_along_it() {
    let mut a = cuboid("box", [0.3, 0.2, 0.3], [-0.5, 0.1, 0.03]);
    a.velocity = [2.0, 0.0, 0.0];
    let b = ball("b", 0.15, [0.2, 0.15, -0.02]);
    let mut scene = scene_of(vec![a, b, held(flat(20, 4.0, Cut::InTurns))]);
    scene.world.friction = 0.0;
    let mut world = world(&scene);
    let masses = [0.3 * 0.2 * 0.3, TAU * 2.0 / 3.0 * 0.15_f64.powi(3)].map(|v| 1000.0 * v);
    let end = advance(&mut world, 0.8);
    let total: DVec3 =
        (0..2).map(|i| masses[i] * end.poses[i].velocity.as_dvec3()).sum::<DVec3>() / masses[0];
    println!("{total} m/s, {} and {}", end.poses[0].velocity, end.poses[1].velocity);
    assert!(end.poses[1].velocity.x > 0.5, "they did not meet: {}", end.poses[1].velocity);
    assert!((total.x - 2.0).abs() < 1e-4 && total.z.abs() < 1e-4, "{total}");
}

/// The same heap in the bowl three times, and on the same triangles with other numbers.
#[test]
fn a_heap_in_a_bowl_repeats_and_its_mesh_may_be_numbered_anew() {
    let run = |surface: Surface| {
        let mut bodies = marbles(6);
        let mut crate_ = cuboid("box", [0.12, 0.1, 0.15], [0.0, 0.3, 0.02]);
        crate_.rotation = [0.3, 0.2, 0.1];
        bodies.push(crate_);
        bodies.push(held(surface));
        let mut world = world(&scene_of(bodies));
        let state = advance(&mut world, 0.5);
        (world.state_hash().unwrap(), state.poses[..7].to_vec())
    };
    let (first, poses) = run(bowl());
    assert_eq!([run(bowl()).0, run(bowl()).0], [first; 2]);
    let old = bowl();
    let count = old.points.len() as u32;
    let number = |i: u32| (i * 7 + 3) % count;
    assert!(!count.is_multiple_of(7), "numbers would repeat");
    let mut other = old.clone();
    for (i, x) in old.points.iter().enumerate() {
        other.points[number(i as u32) as usize] = *x;
    }
    other.triangles = old.triangles.iter().rev().map(|t| t.map(number)).collect();
    other.triangles.iter_mut().step_by(2).for_each(|t| t.rotate_left(1));
    let (_, renumbered) = run(other);
    for (a, b) in poses.iter().zip(&renumbered) {
        let off = a.centre.distance(b.centre);
        assert!(off < 1e-3, "{} and {}", a.centre, b.centre);
    }
}

/// Of centimetres and of 100 m, far from the origin, on triangles smaller than how deep it starts in them.
#[test]
fn a_box_that_starts_in_fine_triangles_comes_to_lie_on_them() {
    for (scale, far) in [(0.02, 0.0), (1.0, 300.0), (100.0, 1000.0)] {
        let place = DVec3::new(far, 0.2 * far, -far);
        let own = DVec3::new(0.03, 0.098, 0.01) * scale;
        let mut body = cuboid("box", [0.4, 0.2, 0.3].map(|x| x * scale), (place + own).to_array());
        body.rotation = [0.03, 0.2, 0.05];
        let mut floor = held(flat(30, 1.2, Cut::InTurns));
        (floor.scale, floor.position) = ([scale; 3], place.to_array());
        let end = advance(&mut world(&scene_of(vec![body, floor])), 2.0).poses[0];
        let height = (f64::from(end.centre.y) - place.y) / scale;
        println!("{height} sizes high, {} m/s", end.velocity.length());
        assert!((height - 0.1).abs() < 2e-3, "{height} sizes high at a scale of {scale}");
        assert!(f64::from(end.velocity.length()) < 1e-2 * scale, "{}", end.velocity);
    }
}

/// Shot at a single sheet from both sides.
#[test]
fn nothing_goes_through_a_sheet() {
    for (speed, side) in [(20.0, 1.0), (300.0, 1.0), (20.0, -1.0), (300.0, -1.0)] {
        let mut wall = held(flat(5, 2.0, Cut::InTurns));
        wall.rotation = [0.0, 0.0, TAU / 4.0];
        let mut bodies = vec![
            ball("ball", 0.015, [-2.0 * side, 0.1, 0.23]),
            cuboid("box", [0.05; 3], [-2.0 * side, 0.4, 0.0]),
        ];
        bodies.iter_mut().for_each(|body| body.velocity = [speed * side, 0.0, 0.0]);
        bodies.push(wall);
        let mut scene = scene_of(bodies);
        scene.world.gravity = [0.0; 3];
        let end = advance(&mut world(&scene), 0.2);
        for pose in &end.poses[..2] {
            let x = f64::from(pose.centre.x) * side;
            assert!(x < 0.0, "at {speed} m/s: {}", pose.centre);
        }
    }
}

#[test]
fn meshes_that_cannot_be_touched_are_refused() {
    let refused = |body: Body, words: &[&str]| {
        let scene = scene_of(vec![body]);
        let error = scene.check().map(|()| World::new(context(), &scene).map(|_| ()));
        let message = match error {
            Ok(Ok(())) => panic!("taken, wanted {words:?}"),
            Ok(Err(error)) | Err(error) => error.to_string(),
        };
        assert!(words.iter().all(|word| message.contains(word)), "{message}, wanted {words:?}");
    };
    let mut moving = held(bowl());
    moving.kind = Kind::Rigid(Rigid { shape: Some(MeshShape::Mesh), ..Rigid::default() });
    refused(moving, &["shape", "held = true"]);
    let mut shape = cuboid("box", [1.0; 3], [0.0; 3]);
    shape.kind =
        Kind::Rigid(Rigid { held: true, shape: Some(MeshShape::Mesh), ..Rigid::default() });
    refused(shape, &["shape", "without a surface mesh"]);
    let with = |change: fn(&mut Surface)| {
        let mut surface = flat(2, 1.0, Cut::One);
        change(&mut surface);
        held(surface)
    };
    refused(with(|s| s.triangles.clear()), &["no triangles"]);
    refused(with(|s| s.points[4].y = f64::NAN), &["point 4"]);
    refused(with(|s| s.points[4] = s.points[1].midpoint(s.points[0])), &["triangle", "degenerate"]);
    refused(with(|s| s.triangles[3].swap(1, 2)), &["inconsistently wound"]);
    refused(with(|s| s.triangles.push(s.triangles[0])), &["inconsistently wound"]);
}

/// An open mesh is touched from both sides, whichever its triangles face: a marble that lies in a bowl stays there, and is not said to
/// start inside of it.
#[test]
fn bowls_hold_marbles_whichever_way_they_are_wound() {
    for flipped in [false, true] {
        let mut surface = bowl();
        if flipped {
            surface.flip();
        }
        let marble = ball("marble", 0.05, [0.1, 0.0605, 0.0]);
        let mut world = world(&scene_of([marble, held(surface)]));
        assert!(world.warnings().is_empty(), "{:?}", world.warnings());
        advance(&mut world, 2.0);
        let height = world.pose(0).unwrap().centre.y;
        assert!((height - 0.05).abs() < 0.01, "{flipped}: at {height} m");
    }
}

/// A ball and a capsule in a bowl, with friction and without, move alike whether the mesh is the first body or the last. Each alone: a
/// hit would amplify what rounding makes of that.
#[test]
fn meshes_may_be_the_first_body_or_the_last() {
    let capsule = Body::rigid("capsule", Shape::Capsule { radius: 0.04, length: 0.06 });
    let capsule = Body { position: [-0.25, 0.14, 0.2], ..capsule };
    for (friction, body) in [0.0, 0.5].into_iter().flat_map(|friction| {
        [ball("ball", 0.05, [0.3, 0.14, 0.0]), capsule.clone()].map(|body| (friction, body))
    }) {
        let body = || Body { friction: Some(friction), ..body.clone() };
        let mesh = || Body { friction: Some(friction), ..held(bowl()) };
        let scenes = [scene_of([mesh(), body()]), scene_of([body(), mesh()])];
        let ends = [1, 0].into_iter().zip(scenes).map(|(own, scene)| {
            let mut world = world(&scene);
            let start = world.read().unwrap();
            let before = measure(&world, &start).energy;
            let end = advance(&mut world, 0.8);
            let after = measure(&world, &end).energy;
            let gain = after.kinetic + after.gravity - before.kinetic - before.gravity;
            assert!(gain < 0.0, "friction {friction}: gains {gain} J");
            end.poses[own].centre
        });
        let [first, last] = <[_; 2]>::try_from(ends.collect::<Vec<_>>()).unwrap();
        let apart = first.distance(last);
        println!("{}, friction {friction}: {apart} m, at {first}", body().name);
        assert!(apart < 1e-4, "{}, friction {friction}: {apart} m apart", body().name);
    }
}

/// A plate that lies on the top of an open dome, wide enough that its middle is behind the planes of the triangles around.
#[test]
fn a_plate_lies_on_an_open_dome() {
    let dome = held(sheet(20, 2.0, Cut::InTurns, |x, z| -0.5 * (x * x + z * z)));
    let plate = cuboid("plate", [0.4, 0.03, 0.4], [0.0, 0.02, 0.0]);
    let mut world = world(&scene_of([plate, dome]));
    for _ in 0..12 {
        let pose = advance(&mut world, 0.125).poses[0];
        assert!((pose.centre.y - 0.015).abs() < 5e-3, "at {}", pose.centre);
        assert!(pose.velocity.length() < 0.35, "{} m/s", pose.velocity);
    }
}

/// What is flat and falls on a dome and on a ridge, sheets that are open below, rises no more than it falls. As it rotates it comes to
/// lie on triangles beside those where the search found it; as it slides it comes to triangles that it is beside at first.
#[test]
fn flat_bodies_that_fall_on_open_bends_stay_on_them() {
    let dome = sheet(30, 1.6, Cut::One, |x, z| (2.0 - x * x - z * z).sqrt() - 2_f64.sqrt());
    let ridge = sheet(60, 4.0, Cut::One, |x, _| -0.7 * x.abs());
    let plate = || Shape::Box { size: [0.4, 0.03, 0.4] };
    let disc = || Shape::Cylinder { radius: 0.2, length: 0.03 };
    for (mesh, shape, rotation, friction) in [
        (&dome, plate(), [-2.109588378865335, 0.18775891707455994, 0.7101314466781052], 0.5),
        (&dome, disc(), [2.5062091234103985, 1.9795911527082852, 1.7642935710178946], 0.5),
        (&ridge, Shape::Box { size: [0.4, 0.1, 0.3] }, [-2.02, -2.67, 1.79], 0.0),
    ] {
        let falls = Body {
            position: [0.02, 0.4, 0.03],
            velocity: [0.3, 0.0, 0.1],
            rotation,
            friction: Some(friction),
            ..Body::rigid("falls", shape)
        };
        let mesh = Body { friction: Some(friction), ..held(mesh.clone()) };
        let scene = Scene { bodies: vec![falls, mesh], ..Scene::default() };
        let mut world = world(&scene);
        let start = energy(&mut world);
        let mut least = start;
        for step in 0..144 {
            world.step(4).unwrap();
            let now = energy(&mut world);
            assert!(now <= least + 0.01 * start, "{rotation:?}, step {step}: {least} to {now} J");
            least = least.min(now);
        }
    }
}
