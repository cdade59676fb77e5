//! What a user may have meant otherwise, though nothing is wrong with it.

use super::step::{Estimate, FRAME_RATE, Stepping};
use crate::integrate::auto;
use crate::model::Model;
use crate::number::short;
use crate::scene::{AttachedTo, Event, Integrator, Scene, Step};

/// Of more steps than this in 1/60 s a user is told that an implicit integrator takes fewer.
const MANY_STEPS: f64 = 50.0;

/// Of a scene as it starts, with the step that was chosen for it.
pub fn hints(
    scene: &Scene,
    model: &Model,
    estimates: &[Estimate],
    stepping: &Stepping,
) -> Vec<String> {
    let mut hints = Vec::new();
    if falls_freely(scene, model) {
        hints.push(
            "every body falls freely: there is no floor, no solid, and nothing is held or attached; `floor = 0.0` in [world] \
             makes a floor"
                .to_owned(),
        );
    }
    hints.extend(many_steps(scene, model, estimates, stepping));
    hints.extend(late_events(scene));
    hints
}

/// Says which events begin when the scene is over.
fn late_events(scene: &Scene) -> impl Iterator<Item = String> {
    let end = scene.world.duration;
    let begin = |event: &Event| match event {
        Event::LineForce { from, .. } | Event::Wind { from, .. } | Event::Move { from, .. } => {
            *from
        }
        Event::Keyframes { times, .. } => times.first().copied().unwrap_or(0.0),
    };
    let late = scene.events.iter().enumerate().filter(move |(_, event)| begin(event) >= end);
    late.map(move |(i, event)| {
        let begin = short(begin(event));
        format!(
            "event {} begins at {begin} s, and `duration` in [world] is {} s",
            i + 1,
            short(end)
        )
    })
}

/// Whether there is nothing to land on and nothing that holds a body.
fn falls_freely(scene: &Scene, model: &Model) -> bool {
    let holds = scene.bodies.iter().any(|body| !body.pin.is_empty())
        || (0..model.bodies.len()).any(|body| model.is_held(body));
    let hangs = scene.attachments.iter().any(|tie| matches!(tie.to, AttachedTo::Place));
    let lands = scene.world.floor.is_some() || !scene.solids.is_empty();
    scene.world.gravity != [0.0; 3] && !(holds || hangs || lands)
}

/// Says how many steps `integrator = "auto"` would take in place of many automatic ones of Verlet.
fn many_steps(
    scene: &Scene,
    model: &Model,
    estimates: &[Estimate],
    stepping: &Stepping,
) -> Option<String> {
    let world = &scene.world;
    let default = !world.auto_integrator && world.integrator == Integrator::default();
    let in_frame = |step: f64| (1.0 / (FRAME_RATE * step)).round();
    let steps = in_frame(stepping.step);
    if !(default && world.step == Step::Auto && steps > MANY_STEPS) {
        return None;
    }
    let (other, longer) = auto::other(scene, model, estimates, stepping.step)?;
    let fewer = in_frame(longer);
    Some(format!(
        "{} takes {steps} steps in 1/60 s; `integrator = \"auto\"` in [world] would take {fewer}, with {}, which damps: bodies hardly rebound",
        world.integrator.name(),
        other.name()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Shape;
    use crate::scene::{Aabb, Body, Rigid, Solid, Springs};

    #[test]
    fn free_fall_is_told_of() {
        let free = Scene { bodies: vec![Body::lattice("a", [2; 3], [0.1; 3])], ..Scene::default() };
        let falls = |scene: &Scene| falls_freely(scene, &Model::new(scene, "", u64::MAX).unwrap());
        assert!(falls(&free));
        let mut rigid = free.clone();
        rigid.bodies.push(Body::rigid("b", Shape::Box { size: [1.0; 3] }));
        assert!(falls(&rigid));
        let holding: [fn(&mut Scene); 5] = [
            |scene| scene.world.floor = Some(0.0),
            |scene| scene.world.gravity = [0.0; 3],
            |scene| scene.solids.push(Solid::sphere([0.0; 3], 1.0)),
            |scene| {
                let rigid = Rigid { held: true, ..Rigid::default() };
                scene.bodies.push(Body {
                    kind: rigid.into(),
                    ..Body::rigid("b", Shape::Box { size: [1.0; 3] })
                });
            },
            |scene| scene.bodies[0].pin = vec![Aabb { min: [-1.0; 3], max: [1.0; 3] }],
        ];
        for hold in holding {
            let mut scene = free.clone();
            hold(&mut scene);
            assert!(!falls(&scene));
        }
    }

    #[test]
    fn events_after_the_end_are_told_of() {
        let wind = |from| Event::Wind { velocity: [1.0; 3], from, to: f64::INFINITY };
        let mut scene = Scene { events: vec![wind(0.5), wind(2.5)], ..Scene::default() };
        scene.world.duration = 2.0;
        let said: Vec<_> = late_events(&scene).collect();
        assert_eq!(said, ["event 2 begins at 2.5 s, and `duration` in [world] is 2 s"]);
    }

    #[test]
    fn many_steps_are_told_of_where_an_implicit_integrator_takes_fewer() {
        let mut body = Body::lattice("a", [4; 3], [0.01; 3]);
        body.kind = Springs::young(1e5).into();
        let mut scene = Scene { bodies: vec![body], ..Scene::default() };
        let model = Model::new(&scene, "", u64::MAX).unwrap();
        let said = |scene: &Scene, stiffness: f64| {
            let estimates = [Estimate { stiffness, damping: 0.0, rate: 0.0 }];
            let choice = super::super::stepping(scene, &model, &estimates).unwrap();
            many_steps(scene, &model, &estimates, &choice.stepping)
        };
        let told = said(&scene, 1e9).unwrap();
        assert!(told.starts_with("verlet takes ") && told.contains("with vbd"), "{told}");
        assert_eq!(said(&scene, 1e6), None, "few steps");
        scene.world.integrator = Integrator::Leapfrog;
        assert_eq!(said(&scene, 1e9), None, "asked for");
    }
}
