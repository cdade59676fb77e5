//! The viewer without a window: input as egui has it.

mod told;

use std::path::{Path, PathBuf};

use egui::{Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2};
use pliant::Context;
use pliant::render::SurfaceStyle;
use pliant::scene::Mass;

use super::gui::{Asked, Figures, Gui};
use super::keys::{Action, action};
use super::viewer::Viewer;
use crate::drawing::Coloring;
use crate::folder::Folder;
use crate::open::{beside, open};

const SIZE: [u32; 2] = [800, 600];

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

struct Desk {
    viewer: Viewer,
    gui: Gui,
    time: f64,
}

impl Desk {
    fn new(scene: &str) -> Self {
        let context = Context::new().unwrap();
        Self::of(Viewer::new(&context, &file(scene), 4.0 / 3.0).unwrap())
    }

    fn of(mut viewer: Viewer) -> Self {
        viewer.set_paused(true);
        let mut desk = Self { viewer, gui: Gui::default(), time: 0.0 };
        desk.frame(Vec::new());
        desk
    }

    fn frame(&mut self, events: Vec<Event>) -> Asked {
        self.frame_and_cursor(events).0
    }

    fn frame_and_cursor(&mut self, events: Vec<Event>) -> (Asked, egui::CursorIcon) {
        self.time += 1.0 / 60.0;
        let [width, height] = SIZE.map(|side| side as f32);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(width, height))),
            time: Some(self.time),
            focused: true,
            events,
            ..Default::default()
        };
        self.viewer.begin(self.time);
        let figures = Figures::default();
        let mut cursor = egui::CursorIcon::Default;
        let platform = |output: egui::PlatformOutput| cursor = output.cursor_icon;
        let (mut painted, asked) = self.gui.run(input, &mut self.viewer, &figures, SIZE, platform);
        painted.textures.clear();
        assert!(!painted.jobs.is_empty());
        (asked, cursor)
    }

    /// Where the panel's first field for a number is.
    fn field(&mut self) -> Pos2 {
        let mut places = (20..600).step_by(4).map(|y| Pos2::new(160.0, y as f32));
        let found = places.find(|pos| {
            self.move_to(*pos);
            let (_, cursor) = self.frame_and_cursor(Vec::new());
            cursor == egui::CursorIcon::ResizeHorizontal
        });
        found.unwrap()
    }

    fn click(&mut self, pos: Pos2) {
        self.move_to(pos);
        self.button(pos, PointerButton::Primary, true);
        self.button(pos, PointerButton::Primary, false);
        self.frame(Vec::new());
    }

    fn density(&self) -> f64 {
        match self.viewer.scene().bodies[0].mass {
            Mass::Density(density) => density,
            Mass::Body(mass) | Mass::Point(mass) => mass,
        }
    }

    fn key(&mut self, key: Key) -> Asked {
        self.frame(vec![Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        }])
    }

    fn button(&mut self, pos: Pos2, button: PointerButton, pressed: bool) {
        self.frame(vec![Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE }]);
    }

    fn move_to(&mut self, pos: Pos2) {
        self.frame(vec![Event::PointerMoved(pos)]);
    }
}

#[test]
fn keys_with_control_are_the_systems() {
    for key in [Key::P, Key::S, Key::C, Key::Escape, Key::Num1] {
        assert!(action(key, Modifiers::NONE).is_some());
        assert_eq!(action(key, Modifiers::CTRL), None);
        assert_eq!(action(key, Modifiers::ALT), None);
    }
    assert_eq!(action(Key::Tab, Modifiers::SHIFT), Some(Action::PreviousBody));
    assert_eq!(action(Key::Z, Modifiers::NONE), None);
}

#[test]
fn keys_reach_the_viewer() {
    let mut desk = Desk::new("scenes/soft_cube.toml");
    assert!(desk.key(Key::S).screenshot && desk.key(Key::C).record);
    desk.key(Key::Num3);
    assert_eq!(desk.viewer.options.style.surface, SurfaceStyle::Edges);
    let steps = desk.viewer.world.steps();
    desk.key(Key::N);
    assert_eq!(desk.viewer.world.steps(), steps + 1);
    desk.key(Key::Escape);
    assert!(desk.viewer.quit);
}

/// What is done in the panel does not move the camera or pull, and what is begun beside it goes on over it.
#[test]
fn the_panel_keeps_the_pointer() {
    let mut desk = Desk::new("scenes/soft_cube.toml");
    let start = desk.viewer.orbit;
    let (panel, beside) = (Pos2::new(60.0, 560.0), Pos2::new(600.0, 560.0));
    for button in [PointerButton::Secondary, PointerButton::Middle, PointerButton::Primary] {
        desk.move_to(panel);
        desk.button(panel, button, true);
        desk.move_to(beside);
        desk.button(beside, button, false);
        assert_eq!(desk.viewer.orbit, start);
        assert!(!desk.viewer.pulls());
    }
    desk.move_to(beside);
    desk.button(beside, PointerButton::Secondary, true);
    desk.move_to(panel);
    assert_ne!(desk.viewer.orbit, start);
    desk.button(panel, PointerButton::Secondary, false);
    let turned = desk.viewer.orbit;
    desk.move_to(beside);
    assert_eq!(desk.viewer.orbit, turned);
}

/// What is typed counts when it is whole: with Enter, or where the focus goes elsewhere; not with Escape.
#[test]
fn typed_numbers_count_when_they_are_whole() {
    let mut desk = Desk::new("scenes/soft_cube.toml");
    let (field, beside) = (desk.field(), Pos2::new(600.0, 300.0));
    let start = desk.density();
    let mut type_in = |text: &str| {
        desk.click(field);
        let before = desk.density();
        for letter in text.chars() {
            desk.frame(vec![Event::Text(letter.into())]);
            assert_eq!(desk.density(), before);
        }
        match text {
            "700" => _ = desk.key(Key::Enter),
            "90" => _ = desk.key(Key::Escape),
            _ => desk.click(beside),
        }
        desk.frame(Vec::new());
        assert!(!desk.gui.context.egui_wants_keyboard_input() && !desk.viewer.quit);
        desk.density()
    };
    assert_eq!(type_in("90"), start);
    assert_eq!(type_in("700"), 700.0);
    assert_eq!(type_in("0.07"), 0.07);
    assert_eq!(type_in(""), 0.07);
    assert_eq!(type_in("-"), 0.07);
}

/// The picture is beside the panel, and the pointer meets what it shows there.
#[test]
fn the_pointer_meets_what_is_beside_the_panel() {
    let mut desk = Desk::new("scenes/soft_cube.toml");
    desk.viewer.frame_all(1.0);
    desk.frame(Vec::new());
    let left = desk.viewer.look.left as f32;
    assert!(left > 200.0 && left < 500.0, "{left}");
    let middle = Pos2::new(0.5 * (left + SIZE[0] as f32), 300.0);
    desk.move_to(middle);
    desk.button(middle, PointerButton::Primary, true);
    let pointer_spring = desk.viewer.world.pointer_spring().unwrap();
    let [width, height] = desk.viewer.look.area(SIZE);
    let seen = desk.viewer.orbit.camera().project(pointer_spring.target, [width, height]).unwrap();
    assert!((seen - glam::Vec2::new(0.5 * width as f32, 300.0)).length() < 1.0, "{seen}");
    desk.button(middle, PointerButton::Primary, false);
}

/// A pull ends where the window loses the focus; the pointer may leave the window and come back.
#[test]
fn pulls_end_with_the_focus() {
    let mut desk = Desk::new("scenes/soft_cube.toml");
    desk.viewer.show_panel(false);
    desk.frame(Vec::new());
    let middle = Pos2::new(400.0, 300.0);
    desk.move_to(middle);
    desk.button(middle, PointerButton::Primary, true);
    desk.frame(vec![Event::PointerGone]);
    let before = desk.viewer.world.pointer_spring().unwrap();
    desk.move_to(Pos2::new(400.0, -50.0));
    let after = desk.viewer.world.pointer_spring().unwrap();
    assert!(after.target.y > before.target.y + 0.1, "{after:?}");
    desk.frame(vec![Event::WindowFocused(false)]);
    assert!(!desk.viewer.pulls() && desk.viewer.world.pointer_spring().is_none());
}

/// Escape closes what lies over the picture before it ends the program.
#[test]
fn escape_closes_lists_first() {
    let mut desk = Desk::new("scenes/soft_cube.toml");
    desk.key(Key::H);
    desk.key(Key::Escape);
    assert!(!desk.viewer.options.help && !desk.viewer.quit);
    desk.viewer.show_panel(true);
    desk.frame(Vec::new());
    // The list of scenes.
    let top = Pos2::new(60.0, 14.0);
    desk.move_to(top);
    desk.button(top, PointerButton::Primary, true);
    desk.button(top, PointerButton::Primary, false);
    assert!(egui::Popup::is_any_open(&desk.gui.context));
    desk.key(Key::Escape);
    desk.frame(Vec::new());
    assert!(!egui::Popup::is_any_open(&desk.gui.context) && !desk.viewer.quit);
    desk.key(Key::Escape);
    assert!(desk.viewer.quit);
}

/// What is dragged stays the slider of the body that it was of.
#[test]
fn keys_wait_while_a_slider_is_dragged() {
    let mut desk = Desk::new("scenes/soft_three_cubes.toml");
    desk.viewer.show_panel(true);
    desk.frame(Vec::new());
    let mut dragged = 0;
    for y in (80..300).step_by(4) {
        let place = Pos2::new(60.0, y as f32);
        desk.move_to(place);
        desk.button(place, PointerButton::Primary, true);
        desk.move_to(place + Vec2::new(2.0, 0.0));
        if desk.gui.context.egui_is_using_pointer() {
            dragged += 1;
            desk.key(Key::Tab);
            assert_eq!(desk.viewer.active, 0, "at {y}");
        }
        desk.button(place, PointerButton::Primary, false);
        desk.frame(Vec::new());
    }
    assert!(dragged > 5, "{dragged}");
    desk.key(Key::Tab);
    assert_eq!(desk.viewer.active, 1);
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
    assert!(scale.high > 1e-3 && scale.high < 1.0 && scale.low == -scale.high, "{scale:?}");
}

/// Meshes of all sorts become bodies that fall and stay whole.
#[test]
fn meshes_fall() {
    let folder = Folder::new("fall");
    let square = "v 0 0 0\nv 200 0 0\nv 200 0 100\nv 0 0 100\nf 1 2 3\nf 1 3 4\n";
    let points = (0..27).map(|k| format!("{} {} {}\n", k % 3, k / 3 % 3, k / 9));
    let sheet = folder.file("sheet.obj", square);
    let cloud = folder.file("cloud.xyz", points.collect::<String>());
    for path in [file("assets/dog.obj"), sheet, cloud] {
        let scene = open(&path, None).unwrap().scene;
        let context = Context::new().unwrap();
        let mut world = pliant::World::new(&context, &scene).unwrap();
        for _ in 0..60 {
            world.step_frame().unwrap();
        }
        let state = world.read().unwrap();
        let heights = state.positions.iter().map(|x| x.y);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(a, b), y| (a.min(y), b.max(y)));
        assert!(low > -0.02 && low < 0.3 && high < 1.3, "{}: {low} to {high}", path.display());
    }
    let error = open(&folder.path("none.obj"), None).unwrap_err().to_string();
    assert!(error.contains("none.obj"), "{error}");
}

/// A run of three frames that has left states: it is played, forth and back, at another rate, and simulated on.
#[test]
fn a_finished_run_is_played() {
    let folder = Folder::new("played");
    let scene = folder.file(
        "cube.toml",
        "[[body]]\nname = \"cube\"\nmesh = { lattice = [1, 1, 1], size = [1, 1, 1] }\n",
    );
    let context = Context::new().unwrap();
    let mut world = pliant::World::new(&context, &pliant::Scene::load(&scene).unwrap()).unwrap();
    let out = folder.path("run");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("report.json"), r#"{ "scene": "cube.toml" }"#).unwrap();
    let mut times = Vec::new();
    for frame in [0, 10, 20] {
        while world.time() < frame as f64 / 60.0 - 1e-6 {
            world.step_frame().unwrap();
        }
        times.push(world.time());
        let state = world.save().unwrap();
        std::fs::write(out.join(format!("frame_{frame:05}.state")), state).unwrap();
    }
    std::fs::write(out.join("frame_12.state"), "no frame's name").unwrap();
    let mut desk = Desk::of(Viewer::new(&context, &out, 1.5).unwrap());
    let shown =
        |desk: &Desk| (desk.viewer.playback.as_ref().unwrap().number(), desk.viewer.world.time());
    assert_eq!(shown(&desk), (0, times[0]));
    desk.key(Key::Period);
    assert_eq!(shown(&desk), (10, times[1]));
    desk.key(Key::N);
    desk.key(Key::N);
    assert_eq!(shown(&desk), (20, times[2]), "it ends there");
    desk.key(Key::Comma);
    assert_eq!(shown(&desk), (10, times[1]));
    // Played it takes as long as it did, and ends paused; then it begins again.
    desk.key(Key::Space);
    for _ in 0..9 {
        desk.frame(Vec::new());
    }
    assert!(!desk.viewer.paused);
    assert_eq!(shown(&desk).0, 20);
    desk.viewer.set_paused(true);
    desk.key(Key::R);
    assert_eq!(shown(&desk).0, 0);
    // What was simulated cannot be pulled at, but simulated on.
    desk.viewer.press(glam::Vec2::new(400.0, 300.0), SIZE);
    assert!(!desk.viewer.pulls());
    desk.key(Key::N);
    desk.viewer.simulate();
    desk.key(Key::N);
    assert!(desk.viewer.playback.is_none());
    let step = desk.viewer.world.stepping().step;
    assert!((desk.viewer.world.time() - times[1] - step).abs() < 1e-9);
    // Of other scenes and folders it says what is wrong.
    let wrong = |path: &Path, cache: Option<&Path>| match open(path, cache) {
        Ok(_) => panic!("{} is no run", path.display()),
        Err(error) => error.to_string(),
    };
    assert!(wrong(&folder.path(""), None).contains("report.json"), "no report");
    let bare = folder.path("bare");
    std::fs::create_dir(&bare).unwrap();
    assert!(wrong(&scene, Some(&bare)).contains("frame_00000.state"));
    std::fs::write(out.join("report.json"), r#"{ "scene": "sphere.toml" }"#).unwrap();
    assert!(wrong(&out, None).contains("\"sphere.toml\", which does not exist"));
    let other = folder.file(
        "other.toml",
        "[[body]]\nname = \"cube\"\nmesh = { lattice = [2, 1, 1], size = [1, 1, 1] }\n",
    );
    let Err(error) = Viewer::with_cache(&context, &other, Some(&out), 1.5) else {
        panic!("states of another scene");
    };
    assert!(error.to_string().contains("frame_00000.state"), "{error}");
}

#[test]
fn scenes_beside_a_file_are_found() {
    let scenes = beside(&file("scenes/soft_cube.toml"));
    assert!(scenes.contains(&file("scenes/soft_dog.toml")) && scenes.len() > 10);
    assert!(beside(Path::new("/nowhere/at/all.toml")).is_empty());
}
