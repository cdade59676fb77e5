//! Bodies that lie in solids at the start.

use crate::extreme;
use glam::DVec3;

use super::overlap::HARMLESS;
use super::{BodyRanges, Model, rotation_matrix};
use crate::family::rigid;
use crate::number::short;
use crate::scene::{FLOOR, Scene, Solid, SolidShape};

/// What to be told of the deepest of them.
pub fn warning(scene: &Scene, model: &Model) -> Option<String> {
    let solids: Vec<_> = scene.obstacles().into_iter().enumerate().collect();
    let pairs = (0..model.bodies.len()).flat_map(|body| solids.iter().map(move |own| (body, own)));
    let initial_penetration = pairs.filter_map(|(index, (i, solid))| {
        let body = &model.bodies[index];
        let (deepest, harmless) = match &body.rigid {
            Some(_) if !meets_solids(scene, model, index) => return None,
            Some(own) => {
                (rigid::overlap::of_obstacle(model, own, *i)?, rigid::overlap::harmless(model, own))
            }
            None => (deepest(model, body, solid), HARMLESS * body.edge),
        };
        (deepest > harmless).then_some((deepest, body, *i))
    });
    let (depth, body, i) = initial_penetration.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let depth = short(depth);
    let what = match body.rigid {
        Some(_) => format!("pushes it out {}", rigid::overlap::parting()),
        None => "moves each of its points out through the nearest face and may distort it".into(),
    };
    let solid = &solids[i].1;
    let instead = match solid.name == FLOOR {
        true => format!("raise its position by {depth} m, so that it touches the floor"),
        false => "start it elsewhere".into(),
    };
    Some(format!(
        "body \"{}\" starts {depth} m inside {}, which {what}; {instead}",
        body.name,
        solid.label()
    ))
}

/// Whether obstacles push a rigid body: none that is held, or of no group, or that touches none.
fn meets_solids(scene: &Scene, model: &Model, index: usize) -> bool {
    let body = &scene.bodies[index];
    !model.is_held(index) && body.group != 0 && body.mask != 0
}

/// Depth of the deepest of the body's points that move, with its radius \[m\]; none is 0.
fn deepest(model: &Model, body: &BodyRanges, solid: &Solid) -> f64 {
    let free = body.particles.clone().filter(|i| !model.pinned[*i]);
    let depths = free.map(|i| depth(solid, model.positions[i]) + body.radius);
    depths.fold(0.0, extreme::greatest)
}

/// How deep a point is in a solid \[m\]; outside it is negative.
fn depth(solid: &Solid, x: DVec3) -> f64 {
    let from_position = x - DVec3::from(solid.position);
    match solid.shape {
        SolidShape::Plane { normal } => -DVec3::from(normal).normalize().dot(from_position),
        SolidShape::Sphere { radius } => radius - from_position.length(),
        SolidShape::Box { size } => {
            let local = rotation_matrix(solid.rotation).transpose() * from_position;
            (0.5 * DVec3::from(size) - local.abs()).min_element()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Shape;
    use crate::scene::{Aabb, Body, Rigid};

    /// A block of 1 m whose lowest points are at y, over these solids.
    fn said(y: f64, solids: Vec<Solid>, change: impl Fn(&mut Scene)) -> Option<String> {
        let mut body = Body::lattice("block", [4; 3], [1.0; 3]);
        body.position = [0.0, y + 0.5, 0.0];
        let mut scene = Scene { bodies: vec![body], solids, ..Scene::default() };
        scene.world.floor = None;
        change(&mut scene);
        warning(&scene, &Model::new(&scene, "", u64::MAX).unwrap())
    }

    #[test]
    fn the_deepest_point_and_its_solid_are_named() {
        let ball = |y: f64| Solid::sphere([0.0, y, 0.0], 1.0);
        let crate_at = |y: f64| Solid {
            rotation: [0.0, 0.3, 0.0],
            ..Solid::cuboid([0.0, y, 0.0], [8.0, 2.0, 8.0])
        };
        let slope = || Solid::plane([0.0, -0.3, 0.0], [0.0, 2.0, 0.0]);
        let as_is = |_: &mut Scene| ();
        let inside = |solids: Vec<Solid>, parts: [&str; 3]| {
            let said = said(0.0, solids, as_is).unwrap();
            for part in parts {
                assert!(said.contains(part), "{said}");
            }
        };
        inside(vec![ball(-0.75)], ["\"block\"", "0.25 m", "solid 1"]);
        inside(vec![slope(), crate_at(-0.8)], ["\"block\"", "0.2 m", "solid 2"]);
        let rigid = |solids: Vec<Solid>, parts: [&str; 3]| {
            let make = |scene: &mut Scene| {
                scene.bodies = vec![Body {
                    position: [0.0, 0.5, 0.0],
                    ..Body::rigid("block", Shape::Box { size: [1.0; 3] })
                }];
            };
            let said = said(0.0, solids, make).unwrap();
            for part in parts {
                assert!(said.contains(part), "{said}");
            }
        };
        rigid(vec![ball(-0.75)], ["\"block\" starts 0.25 m", "solid 1", "at up to 3 m/s"]);
        rigid(vec![slope(), crate_at(-0.8)], ["0.2 m", "solid 2", "at up to 3 m/s"]);
        let floor = said(0.0, vec![slope()], |scene| scene.world.floor = Some(0.1)).unwrap();
        assert!(floor.contains("0.1 m inside the floor"), "{floor}");
        assert!(
            floor.ends_with("raise its position by 0.1 m, so that it touches the floor"),
            "{floor}"
        );
    }

    #[test]
    fn what_rests_on_a_solid_is_held_or_has_no_contact_counts_not() {
        let floor = |height: f64| move |scene: &mut Scene| scene.world.floor = Some(height);
        assert_eq!(said(0.0, Vec::new(), floor(0.0)), None);
        assert_eq!(said(0.0, Vec::new(), floor(0.01)), None);
        assert!(said(0.0, Vec::new(), floor(0.02)).is_some());
        let held = |scene: &mut Scene| {
            floor(0.2)(scene);
            scene.bodies[0].pin = vec![Aabb { min: [-1.0; 3], max: [1.0, 0.22, 1.0] }];
        };
        assert_eq!(said(0.0, Vec::new(), held), None);
        // As far as it looks around, held, and through with it.
        let change = |height: f64, held: bool, mask: u32| {
            move |scene: &mut Scene| {
                floor(height)(scene);
                scene.bodies[0] = Body::rigid("block", Shape::Box { size: [1.0; 3] });
                scene.bodies[0].position[1] = 0.5;
                scene.bodies[0].kind = Rigid { held, ..Rigid::default() }.into();
                scene.bodies[0].mask = mask;
            }
        };
        assert_eq!(said(0.0, Vec::new(), change(0.019, false, 1)), None);
        assert!(said(0.0, Vec::new(), change(0.021, false, 1)).is_some());
        assert_eq!(said(0.0, Vec::new(), change(0.2, true, 1)), None);
        assert_eq!(said(0.0, Vec::new(), change(0.2, false, 0)), None);
        let untouched = |scene: &mut Scene| {
            floor(0.2)(scene);
            scene.world.contact = false;
        };
        assert_eq!(said(0.0, Vec::new(), untouched), None);
    }
}
