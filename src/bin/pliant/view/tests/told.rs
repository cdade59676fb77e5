//! What the viewer tells of.

use super::super::gui::Figures;
use super::{Desk, SIZE};
use crate::folder::Folder;
use egui::{Pos2, RawInput, Rect, Vec2};
use pliant::internals::Inside as _;
use pliant::scene::Integrator;

/// A bar bent to a ring whose ends are in each other.
#[test]
fn a_body_that_passes_through_itself_is_told_of() {
    let folder = Folder::new("ring");
    let bar = "[world]\ngravity = [0.0, 0.0, 0.0]\n[[body]]\nname = \"bar\"\n\
               mesh = { lattice = [24, 2, 2], size = [2.4, 0.2, 0.2] }\n";
    let file = folder.file("ring.toml", bar);
    let mut desk = Desk::new(file.to_str().unwrap());
    let ring = |x: &glam::DVec3| {
        let angle = 1.23 * std::f64::consts::TAU * x.x / 2.4;
        let radius = 2.4 / (1.23 * std::f64::consts::TAU) + x.y + 0.02 * x.x;
        glam::DVec3::new(radius * angle.sin(), radius * angle.cos(), x.z + 0.02 * x.x).as_vec3()
    };
    let world = &mut desk.viewer.world;
    let places: Vec<_> = world.model().rest_positions.iter().map(ring).collect();
    let still = vec![glam::Vec3::ZERO; places.len()];
    // However fast the machine is: how far it springs back until it is looked at.
    desk.viewer.by_frames = true;
    desk.viewer.set_paused(false);
    desk.viewer.begin(0.0);
    assert!(desk.viewer.notice.is_none(), "as it is made");
    desk.viewer.world.write_state(&places, &still).unwrap();
    desk.viewer.begin(3.0);
    assert!(desk.viewer.notice.is_none(), "not looked at yet");
    desk.viewer.begin(1e3);
    let notice = desk.viewer.notice.take().unwrap();
    assert!(notice.text.contains("\"bar\" passes through itself"), "{}", notice.text);
    desk.viewer.begin(2e3);
    assert!(desk.viewer.notice.is_none(), "once is enough");
    let mut scene = desk.viewer.scene().clone();
    scene.world.drag += 1e-6;
    desk.viewer.change(scene.clone());
    desk.viewer.begin(3e3);
    assert!(desk.viewer.notice.is_none(), "for other drag, too");
    scene.world.self_contact = true;
    desk.viewer.change(scene);
    desk.viewer.begin(4e3);
    let told = desk.viewer.notice.as_ref().map(|notice| &notice.text);
    let crossing = told.is_some_and(|text| text.contains("passes through itself"));
    assert!(!crossing, "{told:?}");
}

/// What a scene is warned of when it is loaded it is warned of when it becomes that.
#[test]
fn changes_are_warned_of() {
    let mut desk = Desk::new("scenes/soft_four_dogs.toml");
    assert!(desk.viewer.notice.is_none());
    let mut scene = desk.viewer.scene().clone();
    scene.world = scene.world.with_integrator(Integrator::Rk4);
    desk.viewer.change(scene.clone());
    let warning = &desk.viewer.world.warnings()[0];
    let notice = desk.viewer.notice.take().unwrap();
    assert_eq!(notice.text, format!("warning: {warning}"));
    // One line of it, and all of it under the pointer.
    for (place, whole) in [([500.0, 300.0], false), ([500.0, 572.0], true)] {
        desk.move_to(place.into());
        for _ in 0..60 {
            desk.viewer.notice = Some(notice.clone());
            desk.frame(Vec::new());
        }
        let tooltip = |layer: &egui::LayerId| layer.order == egui::Order::Tooltip;
        let context = &desk.gui.context;
        let found = context.memory(|memory| memory.areas().visible_layer_ids().iter().any(tooltip));
        assert_eq!(found, whole);
    }
    desk.viewer.notice = None;
    // Once is enough.
    scene.world.drag += 1e-6;
    desk.viewer.change(scene);
    assert!(desk.viewer.notice.is_none());
}

/// Messages are for the window alone.
#[test]
fn messages_are_not_recorded() {
    let mut desk = Desk::new("scenes/soft_cube.toml");
    desk.viewer.show_panel(false);
    let mut jobs = || {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(800.0, 600.0))),
            ..Default::default()
        };
        let figures =
            Figures { recorded: desk.viewer.notice.is_some().then_some(7), ..Default::default() };
        let (mut painted, _) = desk.gui.run(input, &mut desk.viewer, &figures, SIZE, |_| {});
        painted.textures.clear();
        desk.viewer.say("wrote a picture");
        [painted.whole(), painted.recorded()].map(|layer| {
            let jobs = layer.jobs.iter();
            jobs.map(|job| match &job.primitive {
                egui::epaint::Primitive::Mesh(mesh) => mesh.indices.len(),
                egui::epaint::Primitive::Callback(_) => 0,
            })
            .sum::<usize>()
        })
    };
    let without = jobs();
    jobs();
    let with = jobs();
    assert_eq!(without[0], without[1]);
    assert!(with[0] > with[1] && with[1] == without[1], "{with:?} {without:?}");
}
