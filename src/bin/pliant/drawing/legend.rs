//! Which colour is which value: a legend over the picture.

use egui::{Align2, Area, Color32, Frame, Id, Rect, Response, Ui, Vec2};
use pliant::inspect::Field;
use pliant::render::{ColorScale, Image, Picture};
use pliant::{Context, Result};

use super::Coloring;

/// Space around what lies over the picture, and between [points].
pub const GAP: f32 = 10.0;
/// Largest size of the bar of colours [points].
const BAR: Vec2 = egui::vec2(220.0, 12.0);
/// Its parts.
const PARTS: usize = 64;

/// The input of a picture of this size [pixels], without a window: what lies over small ones is small.
pub fn input(size: [u32; 2]) -> egui::RawInput {
    let [width, height] = size.map(|side| side as f32);
    let scale = (width / 800.0).min(height / 450.0).clamp(0.65, 1.0);
    let whole = Rect::from_min_size(egui::Pos2::ZERO, Vec2::new(width, height) / scale);
    let mut input = egui::RawInput { screen_rect: Some(whole), ..Default::default() };
    input.viewports.entry(input.viewport_id).or_default().native_pixels_per_point = Some(scale);
    input
}

fn id() -> Id {
    Id::unique("legend")
}

/// How wide it was in the last layout [points].
pub fn width(context: &egui::Context) -> f32 {
    context.memory(|memory| memory.area_rect(id()).map_or(BAR.x, |rect| rect.width()))
}

/// Lays it out in the upper right corner of a part of the picture; nothing where colours mean nothing.
pub fn show(context: &egui::Context, coloring: Coloring, scale: ColorScale, inside: Rect) {
    let Some(field) = coloring.field() else {
        return;
    };
    let area = Area::new(id()).pivot(Align2::RIGHT_TOP);
    popup(context, area.fixed_pos(inside.right_top()).interactable(false), |ui| {
        let size = BAR.min(Vec2::new(inside.width() - 2.0 * GAP, BAR.y));
        ui.set_max_width(size.x);
        ui.label(title(field));
        if scale.high <= coloring.least() {
            ui.label("none");
        } else {
            bar(ui, size, field, coloring.lowest(scale), scale);
        }
    });
}

/// The colours of values from `low` on.
fn bar(ui: &mut Ui, size: Vec2, field: Field, low: f32, scale: ColorScale) {
    let (bar, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let part = size.x / PARTS as f32;
    for k in 0..PARTS {
        let share = (k as f32 + 0.5) / PARTS as f32;
        let [r, g, b] = scale.color(low + share * (scale.high - low));
        let corner = bar.min + egui::vec2(part * k as f32, 0.0);
        let rect = Rect::from_min_size(corner, egui::vec2(part + 0.5, size.y));
        ui.painter().rect_filled(rect, 0.0, Color32::from_rgb(r, g, b));
    }
    let (ends, _) = ui.allocate_exact_size([size.x, 16.0].into(), egui::Sense::hover());
    let middle = 0.5 * (low + scale.high);
    for (place, align, value) in [
        (ends.left_top(), Align2::LEFT_TOP, low),
        (ends.center_top(), Align2::CENTER_TOP, middle),
        (ends.right_top(), Align2::RIGHT_TOP, scale.high),
    ] {
        let text = engineering(f64::from(value), field.unit());
        let font = egui::TextStyle::Body.resolve(ui.style());
        let color = ui.visuals().strong_text_color();
        ui.painter().text(place, align, text, font, color);
    }
}

/// A legend as a picture that lies over others: see-through but where it is.
pub struct Legend(Image);

impl Legend {
    /// For pictures of this size [pixels]; none where colours mean nothing.
    ///
    /// # Errors
    /// A lost device.
    pub fn new(
        context: &Context,
        size: [u32; 2],
        coloring: Coloring,
        colors: ColorScale,
    ) -> Result<Option<Self>> {
        if coloring.field().is_none() {
            return Ok(None);
        }
        let gui = egui::Context::default();
        gui.set_theme(egui::Theme::Dark);
        gui.all_styles_mut(|style| style.animation_time = 0.0);
        let lay_out = || {
            gui.run_ui(input(size), |ui| {
                let inside = ui.ctx().content_rect().shrink(GAP);
                show(ui.ctx(), coloring, colors, inside);
            })
        };
        // The first layout is for sizes alone.
        let outputs = [lay_out(), lay_out()];
        paint(context, size, &gui, outputs).map(|image| Some(Self(image)))
    }

    /// Lays it over a picture of its size.
    pub fn over(&self, mut image: Image) -> Image {
        for (below, above) in image.pixels.chunks_exact_mut(4).zip(self.0.pixels.chunks_exact(4)) {
            let rest = 255 - u16::from(above[3]);
            for (below, above) in below.iter_mut().zip(above) {
                // Colours are premultiplied by their share.
                *below =
                    (u16::from(*above) + (u16::from(*below) * rest + 127) / 255).min(255) as u8;
            }
        }
        image
    }
}

/// What egui laid out last, on a see-through ground.
fn paint(
    context: &Context,
    size: [u32; 2],
    gui: &egui::Context,
    mut outputs: [egui::FullOutput; 2],
) -> Result<Image> {
    const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
    let (device, queue) = context.graphics()?;
    let mut renderer = egui_wgpu::Renderer::new(device, FORMAT, Default::default());
    for output in &mut outputs {
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in &deltas {
                renderer.update_texture(device, queue, id, delta);
            }
        }
    }
    let [_, output] = outputs;
    let scale = output.pixels_per_point;
    let jobs = gui.tessellate(output.shapes, scale);
    let screen = egui_wgpu::ScreenDescriptor { size_in_pixels: size, pixels_per_point: scale };
    let mut picture = Picture::new(context, size, FORMAT)?;
    let mut encoder = device.create_command_encoder(&Default::default());
    let mut commands = renderer.update_buffers(device, queue, &mut encoder, &jobs, &screen);
    {
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("legend"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: picture.view(),
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        renderer.render(&mut pass.forget_lifetime(), &jobs, &screen);
    }
    commands.push(encoder.finish());
    queue.submit(commands);
    let pending = picture.begin_read();
    picture.finish_read(pending)
}

/// A framed area over the picture, there at once.
pub fn popup<T>(context: &egui::Context, area: Area, add: impl FnOnce(&mut Ui) -> T) -> Response {
    let shown = area.fade_in(false).show(context, |ui| {
        Frame::popup(ui.style()).show(ui, add);
    });
    shown.response
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
pub fn two_digits(value: f64) -> String {
    if value < 1e-9 {
        return "0".into();
    }
    let decimals = (1.0 - value.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.decimals$}")
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
