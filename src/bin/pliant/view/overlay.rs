//! What lies over the picture: the active body's name, the list of keys, notices, the legend of colours.

use egui::epaint::ClippedShape;
use egui::{Align2, Area, Color32, Grid, Id, Label, LayerId, Rect, Response, RichText, Ui, Vec2};

use super::gui::Figures;
use super::keys;
use super::notice::{Notice, NoticeKind};
use super::timeline;
use super::viewer::Viewer;
use crate::drawing::legend::{self, GAP, popup, two_digits};

/// Narrower than this the picture is too small for anything to lie over it [points].
const LEAST: f32 = 80.0;
/// Longest line of a notice [points].
const LINE: f32 = 760.0;

/// Lays it out beside the panel. Returns what is for the user of the window and no part of a picture.
pub fn show(
    ui: &Ui,
    viewer: &mut Viewer,
    figures: &Figures,
    covered: Option<Rect>,
) -> Vec<ClippedShape> {
    let context = ui.ctx();
    let mut picture = context.content_rect();
    picture.min.x = covered.map_or(picture.min.x, |rect| rect.right());
    let mut inside = picture.shrink(GAP);
    let mut unrecorded = Vec::new();
    if inside.width() > LEAST
        && let Some(bar) = timeline::show(context, viewer, inside)
    {
        inside.max.y = bar.rect.top() - GAP;
        unrecorded.append(&mut take(context, bar.layer_id));
    }
    if inside.width() > LEAST {
        let mut corner = Rect::from_min_size(inside.min, Vec2::ZERO);
        if viewer.options.label {
            corner = label(context, "name", inside, |ui| name(ui, viewer)).rect;
        }
        if let Some(frames) = figures.recorded {
            let below = corner.left_bottom() + Vec2::new(0.0, GAP);
            let below = Rect::from_min_max(below, inside.max);
            let response = label(context, "recording", below, |ui| {
                let text = format!("recording, {frames} frames");
                ui.colored_label(Color32::from_rgb(255, 90, 90), text);
            });
            corner |= response.rect;
            unrecorded.append(&mut take(context, response.layer_id));
        }
        legend(context, viewer, inside, corner);
    }
    if viewer.options.help {
        let area = Area::new(Id::unique("keys")).pivot(Align2::CENTER_CENTER);
        let area = area.fixed_pos(picture.center()).interactable(false);
        popup(context, area, |ui| {
            Grid::new("keys").spacing([24.0, 4.0]).show(ui, |ui| {
                for (key, does) in keys::TABLE {
                    ui.label(RichText::new(key).strong());
                    ui.label(does);
                    ui.end_row();
                }
            });
        });
    }
    if let Some(notice) = &viewer.notice {
        let layer = self::notice(context, notice, inside);
        unrecorded.append(&mut take(context, layer));
    }
    unrecorded
}

/// The active body and how time goes.
fn name(ui: &mut Ui, viewer: &Viewer) {
    ui.label(RichText::new(viewer.active_name()).strong());
    if viewer.visible.get(viewer.active) == Some(&false) {
        ui.label("hidden");
    }
    if viewer.paused {
        ui.label("paused");
    } else if let Some(factor) = viewer.pace.factor() {
        ui.label(format!("{} × real time", two_digits(factor)));
    }
}

/// Of a warning one line is shown, and all of it under the pointer.
fn notice(context: &egui::Context, notice: &Notice, inside: Rect) -> LayerId {
    let area = Area::new(Id::unique("notice")).pivot(Align2::CENTER_BOTTOM);
    // Only a warning has more to show under the pointer; nothing else keeps it from the bodies.
    let area = area.interactable(notice.kind == NoticeKind::Warning);
    let area = area.fixed_pos(inside.center_bottom()).movable(false);
    let response = popup(context, area, |ui| {
        ui.set_max_width((inside.width() - 2.0 * GAP).clamp(LEAST, LINE));
        let color = match notice.kind {
            NoticeKind::Error => Color32::from_rgb(255, 120, 110),
            NoticeKind::Done | NoticeKind::Warning => ui.visuals().strong_text_color(),
        };
        let label = Label::new(RichText::new(&notice.text).color(color));
        ui.add(match notice.kind {
            NoticeKind::Warning => label.truncate(),
            NoticeKind::Done | NoticeKind::Error => label.wrap(),
        });
    });
    response.layer_id
}

/// Takes away what was painted in a layer.
fn take(context: &egui::Context, layer: LayerId) -> Vec<ClippedShape> {
    context.graphics_mut(|layers| {
        let painted = std::mem::take(layers.entry(layer));
        painted.all_entries().cloned().collect()
    })
}

/// Which colour is which value: in the upper right corner, or below what lies in the upper left one.
fn legend(context: &egui::Context, viewer: &Viewer, mut inside: Rect, corner: Rect) {
    if corner.right() + GAP > inside.right() - legend::width(context) {
        inside.min.y = corner.bottom() + GAP;
    }
    legend::show(context, viewer.options.style.coloring, viewer.color_scale(), inside);
}

/// A row of words over the picture, in the upper left corner of a part of it.
fn label(context: &egui::Context, id: &str, inside: Rect, add: impl FnOnce(&mut Ui)) -> Response {
    let area = Area::new(Id::unique(id)).fixed_pos(inside.min);
    popup(context, area.constrain_to(inside).interactable(false), |ui| {
        ui.set_max_width(inside.width() - 2.0 * GAP);
        ui.horizontal_wrapped(add)
    })
}
