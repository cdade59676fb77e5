//! What lies over the picture: the active body's name, the list of keys, notices, the legend of colours.

use egui::{Align2, Area, Color32, Frame, Grid, Id, Pos2, Rect, RichText, Ui};

use super::gui::Figures;
use super::keys;
use super::viewer::Viewer;
use pliant::inspect::Field;

/// Lays it out beside the panel.
pub fn show(ui: &Ui, viewer: &Viewer, figures: &Figures, covered: Option<Rect>) {
    let left = covered.map_or(0.0, |rect| rect.right());
    let context = ui.ctx();
    if viewer.options.label {
        label(context, "name", Pos2::new(left + 12.0, 10.0), |ui| {
            ui.label(RichText::new(viewer.active_name()).strong());
            if viewer.visible.get(viewer.active) == Some(&false) {
                ui.label("hidden");
            }
            if viewer.paused {
                ui.label("paused");
            } else if let Some(factor) = viewer.pace.factor() {
                ui.label(format!("{factor:.2} × real time"));
            }
            if let Some(frames) = figures.recorded {
                ui.colored_label(
                    Color32::from_rgb(255, 90, 90),
                    format!("recording, {frames} frames"),
                );
            }
        });
    }
    if let Some(notice) = &viewer.notice {
        let color = if notice.error {
            Color32::from_rgb(255, 120, 110)
        } else {
            ui.visuals().strong_text_color()
        };
        let width = (context.content_rect().width() - left - 40.0).max(120.0);
        Area::new(Id::unique("notice"))
            .anchor(Align2::CENTER_BOTTOM, [0.5 * left, -14.0])
            .interactable(false)
            .fade_in(false)
            .show(context, |ui| {
                Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(width.min(760.0));
                    ui.colored_label(color, &notice.text);
                });
            });
    }
    legend(context, viewer);
    if viewer.options.help {
        Area::new(Id::unique("keys"))
            .anchor(Align2::CENTER_CENTER, [0.5 * left, 0.0])
            .interactable(false)
            .fade_in(false)
            .show(context, |ui| {
                Frame::popup(ui.style()).show(ui, |ui| {
                    Grid::new("keys").spacing([24.0, 4.0]).show(ui, |ui| {
                        for (key, does) in keys::TABLE {
                            ui.label(RichText::new(key).strong());
                            ui.label(does);
                            ui.end_row();
                        }
                    });
                });
            });
    }
}

/// Size of the bar of colours [points].
const BAR: egui::Vec2 = egui::vec2(220.0, 12.0);
/// Its parts.
const PARTS: usize = 64;

/// Which colour is which value.
fn legend(context: &egui::Context, viewer: &Viewer) {
    let Some(field) = viewer.options.coloring.field() else {
        return;
    };
    let scale = viewer.color_scale();
    Area::new(Id::unique("legend"))
        .anchor(Align2::RIGHT_TOP, [-12.0, 10.0])
        .interactable(false)
        .fade_in(false)
        .show(context, |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.label(title(field));
                let (bar, _) = ui.allocate_exact_size(BAR, egui::Sense::hover());
                let part = BAR.x / PARTS as f32;
                for k in 0..PARTS {
                    let share = (k as f32 + 0.5) / PARTS as f32;
                    let [r, g, b] = scale.color(scale.low + share * (scale.high - scale.low));
                    let corner = bar.min + egui::vec2(part * k as f32, 0.0);
                    let rect = Rect::from_min_size(corner, egui::vec2(part + 0.5, BAR.y));
                    ui.painter()
                        .rect_filled(rect, 0.0, Color32::from_rgb(r, g, b));
                }
                let (ends, _) = ui.allocate_exact_size([BAR.x, 16.0].into(), egui::Sense::hover());
                let middle = 0.5 * (scale.low + scale.high);
                for (place, align, value) in [
                    (ends.left_top(), Align2::LEFT_TOP, scale.low),
                    (ends.center_top(), Align2::CENTER_TOP, middle),
                    (ends.right_top(), Align2::RIGHT_TOP, scale.high),
                ] {
                    let text = engineering(f64::from(value), field.unit());
                    let font = egui::TextStyle::Small.resolve(ui.style());
                    let color = ui.visuals().strong_text_color();
                    ui.painter().text(place, align, text, font, color);
                }
            });
        });
}

fn title(field: Field) -> &'static str {
    match field {
        Field::Strain => "strain: change of length of edges",
        Field::Pressure => "pressure",
        Field::Penetration => "depth inside other bodies",
    }
}

/// A number with two digits and its unit, with a prefix for a thousand or a thousandth.
fn engineering(value: f64, unit: &str) -> String {
    let size = value.abs();
    if unit.is_empty() {
        return format!("{:+.1} %", 100.0 * value);
    }
    let (factor, prefix) = match size {
        1e6.. => (1e-6, "M"),
        1e3.. => (1e-3, "k"),
        1.0.. => (1.0, ""),
        1e-3.. => (1e3, "m"),
        _ if size > 0.0 => (1e6, "µ"),
        _ => (1.0, ""),
    };
    format!("{:.3} {prefix}{unit}", factor * value)
}

/// A row of words over the picture.
fn label(context: &egui::Context, id: &str, place: Pos2, add: impl FnOnce(&mut Ui)) {
    Area::new(Id::unique(id))
        .fixed_pos(place)
        .interactable(false)
        .fade_in(false)
        .show(context, |ui| {
            Frame::popup(ui.style()).show(ui, |ui| ui.horizontal(add));
        });
}
