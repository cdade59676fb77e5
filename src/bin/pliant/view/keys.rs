//! What keys and mouse do.

use egui::{Key, Modifiers};
use pliant::render::SurfaceStyle;

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    Quit,
    Pause,
    Step,
    Back,
    Reset,
    NextBody,
    PreviousBody,
    Hide,
    Forces,
    Penetrations,
    Surface(SurfaceStyle),
    Wireframe,
    /// To the right and down, in parts of the picture's height.
    Orbit(f32, f32),
    /// Nearer, in steps of the wheel.
    Zoom(f32),
    Home,
    Screenshot,
    Record,
    Help,
    Panel,
}

/// How far an arrow key turns the camera: the way of the pointer [heights of the picture].
const TURN: f32 = 0.03;

/// Keys and mouse as they are listed in the window.
pub const TABLE: [(&str, &str); 19] = [
    ("P, Space", "pause, resume"),
    ("N, .", "single step, or next frame of a finished run"),
    (",", "previous frame of a finished run"),
    ("R", "restart"),
    ("Tab, Shift+Tab", "select the next, previous body"),
    ("V", "hide or show the selected body"),
    ("1, 2, 3", "fine surface: smooth, flat, flat with edges"),
    ("4", "wireframe of the coarse mesh; colliders of rigid bodies"),
    ("F", "forces at the points of the selected body"),
    ("D", "its penetration vectors, enlarged 100 times; normals of its rigid contacts"),
    ("left drag", "pull; stronger with distance"),
    ("right drag, arrows", "orbit"),
    ("middle drag", "pan"),
    ("wheel, +, -", "zoom"),
    ("Home", "fit everything into view"),
    ("S", "screenshot"),
    ("C", "start or stop recording frames"),
    ("F2", "panel"),
    ("H, F1; Esc", "show this list; close it, or quit"),
];

/// What a key asks for, if anything.
pub fn action(key: Key, modifiers: Modifiers) -> Option<Action> {
    if modifiers.ctrl || modifiers.alt || modifiers.command {
        return None;
    }
    Some(match key {
        Key::Escape => Action::Quit,
        Key::P | Key::Space => Action::Pause,
        Key::N | Key::Period => Action::Step,
        Key::Comma => Action::Back,
        Key::R => Action::Reset,
        Key::Tab if modifiers.shift => Action::PreviousBody,
        Key::Tab => Action::NextBody,
        Key::V => Action::Hide,
        Key::F => Action::Forces,
        Key::D => Action::Penetrations,
        Key::Num1 => Action::Surface(SurfaceStyle::Smooth),
        Key::Num2 => Action::Surface(SurfaceStyle::Flat),
        Key::Num3 => Action::Surface(SurfaceStyle::Edges),
        Key::Num4 => Action::Wireframe,
        Key::ArrowLeft => Action::Orbit(-TURN, 0.0),
        Key::ArrowRight => Action::Orbit(TURN, 0.0),
        Key::ArrowUp => Action::Orbit(0.0, -TURN),
        Key::ArrowDown => Action::Orbit(0.0, TURN),
        Key::Plus | Key::Equals => Action::Zoom(1.0),
        Key::Minus => Action::Zoom(-1.0),
        Key::Home => Action::Home,
        Key::S => Action::Screenshot,
        Key::C => Action::Record,
        Key::H | Key::F1 => Action::Help,
        Key::F2 => Action::Panel,
        _ => return None,
    })
}
