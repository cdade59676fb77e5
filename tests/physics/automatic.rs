//! Automatic steps: they follow from the bodies alone, and what is too long for what happens is taken again.

use pliant::scene::{
    AttachedPoints, AttachedTo, Attachment, Body, Fem, Integrator, Kind, Law, Scene, Step,
};
use pliant::world::StepCounts;
use pliant::{Error, World};

use crate::support::*;

/// A level block of jelly that falls half a metre onto the floor, and flattens so that the step it starts with is too long.
fn jelly(cells: u32, integrator: Integrator) -> Scene {
    let body = lattice("jelly", [cells; 3], [0.2; 3], 1000.0, springs(1e4, 0.01));
    on_floor([Body { position: [0.0, 0.6, 0.0], ..body }], integrator)
}

/// Steps a world to the last of so many frames.
fn run(world: &mut World, frames: u64) {
    for frame in 0..=frames {
        let to = world.frame_step(frame);
        let ticks = to.saturating_sub(world.ticks());
        world.step_ticks(ticks).unwrap();
    }
}

/// What was lost at the automatic step comes through the fall, with every integrator that has such a step and with all
/// materials.
#[test]
fn jelly_survives_its_fall() {
    let explicit = [Integrator::SymplecticEuler, Integrator::Verlet, Integrator::Leapfrog];
    for integrator in explicit {
        let mut scene = jelly(6, integrator);
        let of_law = |law| Kind::from(Fem { law, relaxation: Some(0.01), ..Fem::new(1e4, 0.3) });
        let springs = scene.bodies[0].kind.clone();
        for kind in [springs, of_law(Law::NeoHookean), of_law(Law::Corotated)] {
            scene.bodies[0].kind = kind.clone();
            let mut world = world(&scene);
            frames(&mut world, 40);
            world.wait().unwrap_or_else(|error| panic!("{integrator:?}, {kind:?}: {error}"));
            let highest = highest(&world.read().unwrap().positions);
            assert!((0.1..0.5).contains(&highest), "{integrator:?}, {kind:?}: {highest}");
        }
    }
}

/// Frames take the nearest step: at any rate, and in submissions of any length, the same bits.
#[test]
fn the_frame_rate_is_for_pictures() {
    for integrator in [Integrator::Verlet, Integrator::Leapfrog, Integrator::Vbd] {
        let mut scene = jelly(10, integrator);
        let mut found = Vec::new();
        for fps in [7.0, 24.0, 480.0] {
            scene.world.fps = fps;
            let mut world = world(&scene);
            run(&mut world, (fps * 0.4) as u64);
            let end = world.nearest_step(0.45);
            world.step_ticks(end - world.ticks()).unwrap();
            world.wait().unwrap();
            found.push((world.state_hash().unwrap(), world.step_counts()));
        }
        assert!(found[0].1.shortest < found[0].1.longest, "no step was halved");
        let what = |(hash, counts): &(u64, StepCounts)| (*hash, counts.steps, counts.retaken);
        let same = |other: &(u64, StepCounts)| what(other) == what(&found[0]);
        assert!(found.iter().all(same), "{integrator:?}: {found:?}");
        let mut single = world(&scene);
        let steps = single.nearest_step(0.45) / u64::from(single.stepping().ticks);
        (0..steps).for_each(|_| single.step(1).unwrap());
        assert_eq!(single.state_hash().unwrap(), found[0].0);
    }
}

/// A frame of a program is 1/60 s, whatever the scene's rate.
#[test]
fn a_frame_is_a_sixtieth_of_a_second() {
    for (fps, step) in [(24.0, Step::Auto), (100.0, Step::Fixed(0.002))] {
        let mut scene = jelly(3, Integrator::Verlet);
        (scene.world.fps, scene.world.step) = (fps, step);
        let mut world = world(&scene);
        for frame in 1..=10 {
            world.step_frame().unwrap();
            let off = world.time() - f64::from(frame) / 60.0;
            assert!(off.abs() <= 0.5 * world.stepping().step + 1e-9, "{off}");
        }
    }
}

/// A save in the middle of shortened steps goes on bit for bit, and calm brings the long step back.
#[test]
fn shortened_steps_are_saved_and_end() {
    let scene = jelly(8, Integrator::Verlet);
    let mut once = world(&scene);
    let end = once.nearest_step(0.9);
    let long = u64::from(once.stepping().ticks);
    let mut saved = None;
    while once.ticks() < end {
        once.step(1).unwrap();
        once.wait().unwrap();
        let counts = once.step_counts();
        if saved.is_none() && counts.shortest < counts.longest {
            saved = Some((once.save().unwrap(), once.time()));
        }
    }
    let (saved, time) = saved.expect("no step was halved");
    let mut resumed = World::resume(context(), &scene, &saved).unwrap();
    assert_eq!(resumed.time(), time);
    resumed.step_ticks(end - resumed.ticks()).unwrap();
    assert_eq!(resumed.state_hash().unwrap(), once.state_hash().unwrap());
    assert_eq!(resumed.steps(), once.steps());
    // At rest a step is one of the longest again.
    once.step(200).unwrap();
    once.wait().unwrap();
    let (steps, ticks) = (once.steps(), once.ticks());
    once.step(60).unwrap();
    once.wait().unwrap();
    assert_eq!(once.ticks() - ticks, 60 * long);
    assert_eq!(once.steps() - steps, 60, "{:?}", once.step_counts());
}

/// A fixed step stays what it was told, and its fault names one that holds.
#[test]
fn a_fixed_step_that_fails_names_one_that_holds() {
    let mut scene = jelly(8, Integrator::Verlet);
    let longest = world(&scene).longest_step();
    scene.world.step = Step::Fixed(0.97 * longest);
    let mut world = world(&scene);
    let failed = (0..60).find_map(|_| world.step_frame().and_then(|()| world.wait()).err());
    let error = failed.expect("the step holds");
    assert!(matches!(error, Error::Fault(_)), "{error}");
    let text = error.to_string();
    let named = text.split("a step of ").nth(1).expect(&text);
    let step: f64 = named.split(' ').next().unwrap().parse().unwrap();
    assert!(step < longest, "{text}");
    scene.world.step = Step::Fixed(step);
    let mut world = crate::support::world(&scene);
    frames(&mut world, 60);
    world.wait().unwrap();
}

/// A stiff attachment shortens an automatic step, as long as it holds, and is refused at a fixed one.
#[test]
fn stiff_attachments_shorten_the_step() {
    let mut scene = jelly(3, Integrator::Verlet);
    let corner = Attachment::new("jelly", AttachedPoints::Listed(vec![0]), AttachedTo::Place);
    let attachment = Attachment { stiffness: Some(4e6), damping_ratio: 0.1, ..corner };
    scene.world.floor = None;
    scene.bodies[0].kind = springs(1e5, 0.01);
    let mut world = world(&scene);
    let id = world.attach(&attachment).unwrap();
    world.step(64).unwrap();
    world.wait().unwrap();
    let counts = world.step_counts();
    assert!(counts.longest <= 0.25 * world.stepping().step, "{counts:?}");
    // It hangs by its corner: nothing has come apart.
    let lowest = lowest(&world.read().unwrap().positions);
    assert!(lowest > 0.1, "{lowest}");
    world.detach(id).unwrap();
    world.step(200).unwrap();
    world.wait().unwrap();
    assert_eq!(world.step_counts().longest, world.stepping().step);
    let step = world.stepping().step;
    // A scene that says so is told of it.
    scene.attachments = vec![attachment.clone()];
    let warned = crate::support::world(&scene);
    let warning = &warned.warnings()[0];
    let said = "attachment 1.stiffness of 4.000e6 N/m shortens the step from";
    assert!(warning.starts_with(said), "{warning}");
    let most = warning.split("up to ").nth(1).unwrap();
    scene.attachments[0].stiffness = most.split(' ').next().unwrap().parse().ok();
    let calm = crate::support::world(&scene);
    assert!(calm.warnings().is_empty(), "{:?}", calm.warnings());
    scene.attachments.clear();
    scene.world.step = Step::Fixed(step);
    let mut fixed = crate::support::world(&scene);
    let error = fixed.attach(&attachment).unwrap_err().to_string();
    assert!(error.contains("attach.stiffness is 4.000e6 N/m, wanted at most"), "{error}");
}
