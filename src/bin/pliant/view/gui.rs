//! Input and panel: everything that egui sees.

use std::path::{Path, PathBuf};

use egui::{Event, MouseWheelUnit, PointerButton, Pos2, RawInput, Rect};
use glam::Vec2;

use super::keys::{self, Action};
use super::overlay;
use super::panel;
use super::viewer::Viewer;

/// What egui painted, ready to be drawn.
pub struct Painted {
    /// What is for the window alone comes last.
    pub jobs: Vec<egui::ClippedPrimitive>,
    /// How many of them are in screenshots and recordings, too.
    recorded: usize,
    pub textures: egui::TexturesDelta,
    /// Pixels per point.
    scale: f32,
}

/// What lies over a picture of the world.
#[derive(Clone, Copy)]
pub struct Layer<'a> {
    pub jobs: &'a [egui::ClippedPrimitive],
    /// Pixels per point.
    pub scale: f32,
}

impl Painted {
    /// What the window shows.
    pub fn whole(&self) -> Layer<'_> {
        Layer { jobs: &self.jobs, scale: self.scale }
    }

    /// The same without what speaks to the user of the window.
    pub fn recorded(&self) -> Layer<'_> {
        Layer { jobs: &self.jobs[..self.recorded], scale: self.scale }
    }
}

/// What a frame's input asks for beside the viewer's own.
#[derive(Debug, Default, PartialEq)]
pub struct Asked {
    pub screenshot: bool,
    pub record: bool,
    pub open: Option<PathBuf>,
}

/// Figures of the window that the panel shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Pictures per second.
    pub fps: f64,
    /// Wall time of drawing a picture [s].
    pub drawn_in: f64,
    /// Frames recorded so far, while recording.
    pub recorded: Option<u64>,
}

/// egui, and what the pointer does.
pub struct Gui {
    pub context: egui::Context,
    dragging: Option<PointerButton>,
    pointer: Pos2,
    /// What the panel covered in the last frame.
    covered: Option<Rect>,
}

impl Default for Gui {
    /// Everything is at once where it belongs, in pictures, too.
    fn default() -> Self {
        let context = egui::Context::default();
        context.set_theme(egui::Theme::Dark);
        context.all_styles_mut(|style| style.animation_time = 0.0);
        Self { context, dragging: None, pointer: Pos2::ZERO, covered: None }
    }
}

impl Gui {
    /// Handles one frame's input of a window of `size` [pixels] and lays out the panel. `platform` gets what the window has
    /// to do.
    pub fn run(
        &mut self,
        mut input: RawInput,
        viewer: &mut Viewer,
        figures: &Figures,
        size: [u32; 2],
        platform: impl FnOnce(egui::PlatformOutput),
    ) -> (Painted, Asked) {
        let mut asked = Asked::default();
        let scale = input.viewport().native_pixels_per_point.unwrap_or(1.0);
        viewer.look.scale = scale;
        self.heed(&mut input.events, viewer, scale, size, &mut asked);
        let mut covered = None;
        let mut unrecorded = Vec::new();
        let output = self.context.run_ui(input, |ui| {
            if viewer.options.panel {
                let (rect, chosen) = panel::show(ui, viewer, figures);
                (covered, asked.open) = (Some(rect), chosen);
            }
            unrecorded = overlay::show(ui, viewer, figures, covered);
        });
        self.covered = covered;
        let [r, g, b, _] = panel::fill(&self.context).to_array();
        viewer.look.left_color = [r, g, b];
        viewer.look.left = covered.map_or(0, |rect| (scale * rect.right()).round() as u32);
        platform(output.platform_output);
        let scale = output.pixels_per_point;
        let mut jobs = self.context.tessellate(output.shapes, scale);
        let recorded = jobs.len();
        jobs.extend(self.context.tessellate(unrecorded, scale));
        let painted = Painted { jobs, recorded, textures: output.textures_delta, scale };
        (painted, asked)
    }

    /// Does what input asks for; what is left is for egui.
    fn heed(
        &mut self,
        events: &mut Vec<Event>,
        viewer: &mut Viewer,
        scale: f32,
        size: [u32; 2],
        asked: &mut Asked,
    ) {
        let typing = self.context.egui_wants_keyboard_input();
        // Keys wait while a slider is dragged: they might change what it is a slider of.
        let sliding = self.context.egui_is_using_pointer();
        let listing = egui::Popup::is_any_open(&self.context);
        events.retain(|event| {
            let taken = match event {
                Event::Key { .. } | Event::Text(_) if typing => false,
                Event::Key { key: egui::Key::Escape, .. } if listing => false,
                Event::Key { .. } if sliding => true,
                Event::Key { key, pressed: true, modifiers, .. } => {
                    if let Some(action) = keys::action(*key, *modifiers) {
                        self.act(action, viewer, size, asked);
                    }
                    true
                }
                Event::Key { .. } | Event::Text(_) => true,
                other => self.point(other, viewer, scale, size),
            };
            !taken
        });
    }

    /// Opens a file in place of the one that runs.
    pub fn open(&mut self, viewer: &mut Viewer, file: &Path, size: [u32; 2]) {
        self.dragging = None;
        let area = viewer.look.area(size);
        viewer.open(file, aspect(area));
    }

    fn act(&mut self, action: Action, viewer: &mut Viewer, size: [u32; 2], asked: &mut Asked) {
        match action {
            Action::Screenshot => asked.screenshot = true,
            Action::Record => asked.record = !asked.record,
            other => viewer.act(other, aspect(viewer.look.area(size))),
        }
    }

    /// Does what the pointer asks for; whether egui should not hear of it.
    fn point(&mut self, event: &Event, viewer: &mut Viewer, scale: f32, size: [u32; 2]) -> bool {
        let area = viewer.look.area(size);
        let left = size[0].saturating_sub(area[0]) as f32;
        let pixel = |pos: Pos2| scale * Vec2::new(pos.x, pos.y) - Vec2::new(left, 0.0);
        match event {
            Event::PointerMoved(to) => {
                let way = scale * (*to - self.pointer);
                self.pointer = *to;
                let height = size[1] as f32;
                match self.dragging {
                    Some(PointerButton::Primary) => viewer.drag(pixel(*to), area),
                    Some(PointerButton::Secondary) => viewer.orbit.orbit(way.x, way.y, height),
                    Some(_) => viewer.orbit.pan(way.x, way.y, height),
                    None => {}
                }
                false
            }
            Event::PointerButton { pos, button, pressed: true, .. } => {
                self.pointer = *pos;
                let ours = !self.blocks(*pos) && self.dragging.is_none();
                if ours {
                    self.dragging = Some(*button);
                    self.end_typing();
                }
                if ours && *button == PointerButton::Primary {
                    viewer.press(pixel(*pos), area);
                }
                ours
            }
            Event::PointerButton { button, .. } => {
                let ours = self.dragging == Some(*button);
                if ours {
                    self.let_go(viewer);
                }
                ours
            }
            // What is dragged may leave the window and come back.
            Event::PointerGone => self.dragging.is_some(),
            Event::WindowFocused(false) => {
                self.let_go(viewer);
                false
            }
            Event::MouseWheel { unit, delta, .. } => {
                let ours = !self.blocks(self.pointer);
                if ours {
                    viewer.orbit.zoom(delta.y * steps_per(*unit));
                }
                ours
            }
            _ => false,
        }
    }

    /// A press that egui does not hear of takes the focus from a field of the panel, too.
    fn end_typing(&self) {
        self.context.memory_mut(|memory| {
            if let Some(field) = memory.focused() {
                memory.surrender_focus(field);
            }
        });
    }

    fn let_go(&mut self, viewer: &mut Viewer) {
        self.dragging = None;
        viewer.release();
    }

    /// Whether the panel or one of its lists lies there.
    fn blocks(&self, pos: Pos2) -> bool {
        let above = |layer: egui::LayerId| layer.order != egui::Order::Background;
        let covered = self.covered.is_some_and(|rect| rect.contains(pos));
        covered || self.context.layer_id_at(pos).is_some_and(above)
    }
}

/// How far the wheel zooms.
fn steps_per(unit: MouseWheelUnit) -> f32 {
    match unit {
        MouseWheelUnit::Point => 0.02,
        MouseWheelUnit::Line => 1.0,
        MouseWheelUnit::Page => 10.0,
    }
}

/// Width over height of a picture.
pub fn aspect(size: [u32; 2]) -> f32 {
    size[0].max(1) as f32 / size[1].max(1) as f32
}
