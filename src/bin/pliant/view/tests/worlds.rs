//! What is told and shown of worlds.

use std::path::Path;

use egui::{Pos2, RawInput, Rect, Vec2};
use pliant::Context;
use pliant::internals::Inside as _;
use pliant::scene::Integrator;

use super::{Desk, SIZE, file};
use crate::view::gui::Figures;
use crate::view::open::{beside, open};
use crate::view::options::Coloring;

/// A bar bent to a ring whose ends are in each other.
#[test]
fn a_body_that_passes_through_itself_is_told_of() {
    let folder = std::env::temp_dir().join(format!("pliant-ring-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("ring.toml");
    let bar = "[world]\ngravity = [0.0, 0.0, 0.0]\n[[body]]\nname = \"bar\"\n\
               mesh = { lattice = [24, 2, 2], size = [2.4, 0.2, 0.2] }\n";
    std::fs::write(&file, bar).unwrap();
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
    assert!(
        notice.text.contains("\"bar\" passes through itself"),
        "{}",
        notice.text
    );
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
    std::fs::remove_dir_all(&folder).unwrap();
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
        let figures = Figures {
            recorded: desk.viewer.notice.is_some().then_some(7),
            ..Default::default()
        };
        let (mut painted, _) = desk
            .gui
            .run(input, &mut desk.viewer, &figures, SIZE, |_| {});
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
    assert!(
        with[0] > with[1] && with[1] == without[1],
        "{with:?} {without:?}"
    );
}

/// The colour scale follows what there is.
#[test]
fn scales_follow_the_field() {
    let mut desk = Desk::new("scenes/soft_cube.toml");
    desk.viewer.set_coloring(Coloring::Strain);
    desk.viewer.set_paused(false);
    desk.viewer.by_frames = true;
    for _ in 0..90 {
        desk.frame(Vec::new());
        desk.viewer.look_closely().unwrap();
    }
    let scale = desk.viewer.color_scale();
    assert!(
        scale.high > 1e-3 && scale.high < 1.0 && scale.low == -scale.high,
        "{scale:?}"
    );
}

/// Meshes of all sorts become bodies that fall and stay whole.
#[test]
fn meshes_fall() {
    let folder = std::env::temp_dir().join(format!("pliant-fall-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let sheet = folder.join("sheet.obj");
    std::fs::write(
        &sheet,
        "v 0 0 0\nv 200 0 0\nv 200 0 100\nv 0 0 100\nf 1 2 3\nf 1 3 4\n",
    )
    .unwrap();
    let cloud = folder.join("cloud.xyz");
    let points = (0..27).map(|k| format!("{} {} {}\n", k % 3, k / 3 % 3, k / 9));
    std::fs::write(&cloud, points.collect::<String>()).unwrap();
    for path in [file("assets/dog.obj"), sheet, cloud] {
        let scene = open(&path).unwrap();
        let context = Context::new().unwrap();
        let mut world = pliant::World::new(&context, &scene).unwrap();
        for _ in 0..60 {
            world.step_frame().unwrap();
        }
        let state = world.read().unwrap();
        let heights = state.positions.iter().map(|x| x.y);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(a, b), y| (a.min(y), b.max(y)));
        assert!(
            low > -0.02 && low < 0.3 && high < 1.3,
            "{}: {low} to {high}",
            path.display()
        );
    }
    let error = open(&folder.join("none.obj")).unwrap_err().to_string();
    assert!(error.contains("none.obj"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn scenes_beside_a_file_are_found() {
    let scenes = beside(&file("scenes/soft_cube.toml"));
    assert!(scenes.contains(&file("scenes/soft_dog.toml")) && scenes.len() > 10);
    assert!(beside(Path::new("/nowhere/at/all.toml")).is_empty());
}
