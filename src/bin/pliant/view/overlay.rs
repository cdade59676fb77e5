//! What lies over the picture: the active body's name, the list of keys, notices, the legend of colours.

use egui::{Align2, Area, Color32, Frame, Grid, Id, Pos2, Rect, RichText, Ui};

use super::gui::Figures;
use super::keys;
use super::viewer::Viewer;

/// Lays it out beside the panel.
pub fn show(ui: &Ui, viewer: &Viewer, figures: &Figures, covered: Option<Rect>) {
    let left = covered.map_or(0.0, |rect| rect.right());
    let context = ui.ctx();
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
            .show(context, |ui| {
                Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(width.min(760.0));
                    ui.colored_label(color, &notice.text);
                });
            });
    }
    if viewer.options.help {
        Area::new(Id::unique("keys"))
            .anchor(Align2::CENTER_CENTER, [0.5 * left, 0.0])
            .interactable(false)
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

/// A row of words over the picture.
fn label(context: &egui::Context, id: &str, place: Pos2, add: impl FnOnce(&mut Ui)) {
    Area::new(Id::unique(id))
        .fixed_pos(place)
        .interactable(false)
        .show(context, |ui| {
            Frame::popup(ui.style()).show(ui, |ui| ui.horizontal(add));
        });
}
