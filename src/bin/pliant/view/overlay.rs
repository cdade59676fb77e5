//! What lies over the picture: the active body's name, the list of keys, notices, the legend of colours.

use egui::epaint::ClippedShape;
use egui::{
    Align2, Area, Color32, Frame, Grid, Id, Label, LayerId, Rect, Response, RichText, Ui, Vec2,
};

use super::gui::Figures;
use super::keys;
use super::notice::{Notice, NoticeKind};
use super::timeline;
use super::viewer::Viewer;
use pliant::inspect::Field;

/// Space around what lies over the picture, and between [points].
const GAP: f32 = 10.0;
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

/// A framed area over the picture, there at once.
fn popup<T>(context: &egui::Context, area: Area, add: impl FnOnce(&mut Ui) -> T) -> Response {
    let shown = area.fade_in(false).show(context, |ui| {
        Frame::popup(ui.style()).show(ui, add);
    });
    shown.response
}

/// Takes away what was painted in a layer.
fn take(context: &egui::Context, layer: LayerId) -> Vec<ClippedShape> {
    context.graphics_mut(|layers| {
        let painted = std::mem::take(layers.entry(layer));
        painted.all_entries().cloned().collect()
    })
}

/// Largest size of the bar of colours [points].
const BAR: Vec2 = egui::vec2(220.0, 12.0);
/// Its parts.
const PARTS: usize = 64;

/// Which colour is which value: in the upper right corner, or below what lies in the upper left one.
fn legend(context: &egui::Context, viewer: &Viewer, inside: Rect, corner: Rect) {
    let Some(field) = viewer.options.style.coloring.field() else {
        return;
    };
    let scale = viewer.color_scale();
    let id = Id::unique("legend");
    // As it was in the last layout.
    let width = context.memory(|memory| memory.area_rect(id).map_or(BAR.x, |rect| rect.width()));
    let mut place = inside.right_top();
    if corner.right() + GAP > place.x - width {
        place.y = corner.bottom() + GAP;
    }
    let area = Area::new(id).pivot(Align2::RIGHT_TOP);
    popup(context, area.fixed_pos(place).interactable(false), |ui| {
        let size = BAR.min(Vec2::new(inside.width() - 2.0 * GAP, BAR.y));
        ui.set_max_width(size.x);
        ui.label(title(field));
        if scale.high <= viewer.options.style.coloring.least() {
            ui.label("none");
            return;
        }
        let (bar, _) = ui.allocate_exact_size(size, egui::Sense::hover());
        let part = size.x / PARTS as f32;
        for k in 0..PARTS {
            let share = (k as f32 + 0.5) / PARTS as f32;
            let [r, g, b] = scale.color(scale.low + share * (scale.high - scale.low));
            let corner = bar.min + egui::vec2(part * k as f32, 0.0);
            let rect = Rect::from_min_size(corner, egui::vec2(part + 0.5, size.y));
            ui.painter().rect_filled(rect, 0.0, Color32::from_rgb(r, g, b));
        }
        let (ends, _) = ui.allocate_exact_size([size.x, 16.0].into(), egui::Sense::hover());
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
}

fn title(field: Field) -> &'static str {
    match field {
        Field::Strain => "strain: relative change of edge length",
        Field::Pressure => "pressure",
        Field::Penetration => "penetration depth in other bodies",
    }
}

/// A value of a field with its unit.
fn engineering(value: f64, unit: &str) -> String {
    match unit {
        "" if value < 0.0 => format!("−{} %", two_digits(-100.0 * value)),
        "" => format!("{} %", two_digits(100.0 * value)),
        _ => format!("{}{unit}", prefixed(value)),
    }
}

/// A number with three digits, a space and an SI prefix where one is due.
fn prefixed(value: f64) -> String {
    let (one, prefix) = prefix(value);
    let short = value / one;
    let decimals = match short.abs() {
        99.95.. => 0,
        9.995.. => 1,
        _ => 2,
    };
    let text = format!("{short:.decimals$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    format!("{text} {prefix}")
}

/// The SI prefix for a number of this size, and what it stands for.
pub fn prefix(value: f64) -> (f64, &'static str) {
    let prefixes =
        [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")];
    // Rounded to three digits it may be a thousand of the smaller one.
    let fits = |(one, _): &(f64, &str)| value.abs() >= 0.9995 * one;
    prefixes.into_iter().find(fits).unwrap_or((1.0, ""))
}

/// A positive number with two digits that mean something, or as many as it has before the point.
fn two_digits(value: f64) -> String {
    if value < 1e-9 {
        return "0".into();
    }
    let decimals = (1.0 - value.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.decimals$}")
}

/// A row of words over the picture, in the upper left corner of a part of it.
fn label(context: &egui::Context, id: &str, inside: Rect, add: impl FnOnce(&mut Ui)) -> Response {
    let area = Area::new(Id::unique(id)).fixed_pos(inside.min);
    popup(context, area.constrain_to(inside).interactable(false), |ui| {
        ui.set_max_width(inside.width() - 2.0 * GAP);
        ui.horizontal_wrapped(add)
    })
}

#[cfg(test)]
mod tests {
    use super::{prefixed, two_digits};

    #[test]
    fn numbers_have_prefixes() {
        let shown = [0.0, 1.0, -0.5, 9.81, 42.0, 1500.0, 2e5, 999.9, 3e-4, 4321.0, 1e-12];
        let wanted = [
            "0 ", "1 ", "-500 m", "9.81 ", "42 ", "1.5 k", "200 k", "1 k", "300 µ", "4.32 k", "0 ",
        ];
        assert_eq!(shown.map(prefixed), wanted);
    }

    #[test]
    fn factors_have_two_digits() {
        let shown = [0.0, 0.0042, 0.1, 0.567, 1.0, 12.3, 456.7].map(two_digits);
        assert_eq!(shown, ["0", "0.0042", "0.10", "0.57", "1.0", "12", "457"]);
    }
}
