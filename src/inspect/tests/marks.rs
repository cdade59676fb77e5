//! Marks at pins and attachments, and lines that start on the skin.

use glam::Vec3;

use super::{context, scene_file, world};
use crate::World;
use crate::gpu::types::Segment;
use crate::inspect::Inspector;
use crate::scene::{Aabb, AttachedPoints, AttachedTo, Attachment, Body, Scene};

/// Two cubes, of which one is pinned at four points and the other is tied to its place at four; then the first is removed.
#[test]
fn marks_are_at_what_is_held() {
    let mut scene = Scene::default();
    for (name, x) in [("pinned", 0.0), ("tied", 3.0)] {
        let mut body = Body::lattice(name, [1; 3], [1.0; 3]);
        body.position = [x, 0.0, 0.0];
        scene.bodies.push(body);
    }
    let above = Aabb { min: [-1.0, 0.4, -1.0], max: [1.0; 3] };
    scene.bodies[0].pin.push(above);
    let points = AttachedPoints::Within(above);
    scene.attachments.push(Attachment::new("tied", points, AttachedTo::Place));
    let mut world = world(&scene);
    let mut inspector = Inspector::new(&world);
    let centres = |inspector: &mut Inspector, world: &World| {
        let marks = inspector.marks(world).unwrap();
        let (pins, ties) = (marks.pins.clone(), marks.ties.clone());
        let all: Vec<Segment> = marks.segments.read(context()).unwrap();
        [pins, ties].map(|range| {
            let own = &all[range.start as usize..range.end as usize];
            own.iter().map(|line| 0.5 * (line.start + line.end)).collect::<Vec<Vec3>>()
        })
    };
    let [pins, ties] = centres(&mut inspector, &world);
    assert_eq!([pins.len(), ties.len()], [12, 12], "three lines for each of four points");
    let corner = |x: &Vec3, middle: f32| {
        let from = (*x - Vec3::X * middle).abs();
        x.y > 0.0 && from.abs_diff_eq(Vec3::splat(0.5), 1e-5)
    };
    assert!(pins.iter().all(|x| corner(x, 0.0)) && ties.iter().all(|x| corner(x, 3.0)));
    let id = world.body_id(0).unwrap();
    world.remove(id).unwrap();
    let [pins, ties] = centres(&mut inspector, &world);
    assert_eq!([pins.len(), ties.len()], [0, 12]);
}

/// Lines of a dog's lattice start at vertices of its skin, as long as they were and along the same way.
#[test]
fn forces_start_on_the_skin() {
    let mut world = world(&scene_file("soft_dog.toml"));
    world.step(40).unwrap();
    let mut inspector = Inspector::new(&world);
    let read = |inspector: &mut Inspector| -> Vec<Segment> {
        let [lines, ..] = inspector.lines();
        let lines = lines.unwrap();
        lines.segments.read(context()).unwrap()[..lines.count as usize].to_vec()
    };
    inspector.forces(&world, 0, 1e-3).unwrap();
    let before = read(&mut inspector);
    inspector.forces_on_skin(&world, 0).unwrap();
    let after = read(&mut inspector);
    let skin = world.update_skin().positions.read(context()).unwrap();
    let mut moved = 0;
    for (before, after) in before.iter().zip(&after) {
        assert!((after.end - after.start).abs_diff_eq(before.end - before.start, 1e-5));
        let nearest = skin.iter().map(|x| x.truncate().distance(after.start));
        let nearest = nearest.fold(f32::INFINITY, f32::min);
        assert!(nearest < 1e-5 || after.start == before.start, "{nearest} m from the skin");
        moved += usize::from(after.start != before.start);
    }
    assert!(2 * moved > before.len(), "{moved} of {}", before.len());
    assert!(inspector.forces_on_skin(&world, 9).is_err());
}
