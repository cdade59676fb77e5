//! The panel: scene, step, material, what is shown, plots.

mod material;
mod plots;

use std::path::PathBuf;

use egui::{Color32, ComboBox, Frame, Panel, Rect, ScrollArea, Ui};
use pliant::internals::Inside as _;
use pliant::render::{Background, SurfaceStyle};
use pliant::scene::{Integrator, Scene, Step, WorldSettings};

use super::gui::Figures;
use super::keys::Action;
use super::viewer::Viewer;
use crate::drawing::Coloring;

/// Width [points].
const WIDTH: f32 = 290.0;

/// Lays the panel out on the left and does what is asked for there. Returns what it covers, and the file that was chosen.
pub fn show(ui: &mut Ui, viewer: &mut Viewer, figures: &Figures) -> (Rect, Option<PathBuf>) {
    let mut chosen = None;
    // Its colour is under it already: software mixes slowly.
    let frame = Frame::side_top_panel(ui.style()).fill(Color32::TRANSPARENT);
    let panel = Panel::left("panel").default_size(WIDTH).frame(frame);
    let shown = panel.show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            chosen = scenes(ui, viewer);
            run(ui, viewer, figures);
            let mut scene = viewer.scene().clone();
            let mut changed = false;
            // Of a finished run nothing can be changed.
            let simulated = viewer.playback.is_none();
            if simulated {
                ui.collapsing("Step", |ui| changed |= step(ui, viewer, &mut scene));
            }
            let title = format!("Body \"{}\"", viewer.active_name());
            egui::CollapsingHeader::new(title).id_salt("body").default_open(true).show(ui, |ui| {
                let made = viewer.world.model().bodies.get(viewer.active);
                if let (true, Some(body), Some(made)) =
                    (simulated, scene.bodies.get_mut(viewer.active), made)
                {
                    changed |= material::sliders(ui, body, &made.material, &scene.world);
                }
                ui.label(viewer.active_amounts());
            });
            if changed {
                viewer.change(scene);
            }
            egui::CollapsingHeader::new("View").default_open(true).show(ui, |ui| view(ui, viewer));
            plots::show(ui, viewer);
        });
    });
    (shown.response.rect, chosen)
}

/// The colour that the picture has to leave under the panel.
pub fn fill(context: &egui::Context) -> Color32 {
    context.global_style().visuals.panel_fill
}

fn scenes(ui: &mut Ui, viewer: &Viewer) -> Option<PathBuf> {
    let name = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    let mut chosen = None;
    ui.horizontal(|ui| {
        ComboBox::from_id_salt("scene")
            .selected_text(name(&viewer.file))
            .width(ui.available_width() - 70.0)
            .show_ui(ui, |ui| {
                for path in &viewer.scenes {
                    if ui.selectable_label(*path == viewer.file, name(path)).clicked() {
                        chosen = Some(path.clone());
                    }
                }
            });
        if ui.button("Reload").on_hover_text("Reload the file").clicked() {
            chosen = Some(viewer.file.clone());
        }
    });
    chosen
}

fn run(ui: &mut Ui, viewer: &mut Viewer, figures: &Figures) {
    ui.horizontal(|ui| {
        let pause = if viewer.paused { "Play" } else { "Pause" };
        for (text, action) in
            [(pause, Action::Pause), ("Step", Action::Step), ("Restart", Action::Reset)]
        {
            if ui.button(text).clicked() {
                viewer.act(action, 1.0);
            }
        }
        ui.monospace(format!("{:8.3} s", viewer.world.time()));
    });
    let step = viewer.world.stepping().step;
    let steps = viewer.pace.factor().map_or(0.0, |factor| factor / step);
    // Without a window there is no pace to tell.
    if figures.fps > 0.0 {
        let cost = viewer.pace.cost(step).unwrap_or(0.0);
        ui.label(format!("{:.0} frames/s, {:.1} ms to draw", figures.fps, 1e3 * figures.drawn_in));
        ui.label(format!("{steps:.0} steps/s, {cost:.2} s to compute 1 s"));
    }
}

fn step(ui: &mut Ui, viewer: &Viewer, scene: &mut Scene) -> bool {
    let world = &mut scene.world;
    let running = viewer.world.scene().world.integrator;
    let mut changed = integrator(ui, running, world);
    let stepping = viewer.world.stepping();
    let mut automatic = world.step == Step::Auto;
    ui.horizontal(|ui| {
        if ui.checkbox(&mut automatic, "automatic step").changed() {
            world.step = if automatic { Step::Auto } else { Step::Fixed(stepping.step) };
            changed = true;
        }
        ui.monospace(format!("{:.4} ms", 1e3 * stepping.step));
    });
    if let Step::Fixed(step) = &mut world.step {
        let mut milliseconds = 1e3 * *step;
        if material::slider(ui, "step", &mut milliseconds, 0.01..=50.0, "ms", true) {
            *step = 1e-3 * milliseconds;
            changed = true;
        }
    }
    if world.integrator.is_implicit() && !world.auto_integrator {
        let usual = if running == Integrator::Vbd { 10 } else { 16 };
        let mut iterations = f64::from(world.iterations.unwrap_or(usual));
        if material::slider(ui, "iterations", &mut iterations, 1.0..=100.0, "", false) {
            world.iterations = Some(iterations.round() as u32);
            changed = true;
        }
    }
    changed |= ui.checkbox(&mut world.contact, "contact").changed();
    changed |= ui.checkbox(&mut world.self_contact, "self-contact").changed();
    changed |= ui.checkbox(&mut world.sleep, "let rigid bodies sleep").changed();
    changed |= material::slider(ui, "gravity", &mut world.gravity[1], -20.0..=20.0, "m/s²", false);
    changed |= material::slider(ui, "drag", &mut world.drag, 0.0..=5.0, "1/s", false);
    changed
}

/// `running`: what is picked where the scene leaves it open.
fn integrator(ui: &mut Ui, running: Integrator, world: &mut WorldSettings) -> bool {
    let mut changed = false;
    let text = match world.auto_integrator {
        true => format!("auto ({})", running.name()),
        false => world.integrator.name().into(),
    };
    ComboBox::from_label("integrator").selected_text(text).show_ui(ui, |ui| {
        if ui.selectable_label(world.auto_integrator, "auto").clicked() {
            world.auto_integrator = true;
            (world.iterations, world.tolerance) = (None, None);
            changed = true;
        }
        for integrator in Integrator::ALL {
            let selected = !world.auto_integrator && world.integrator == integrator;
            if ui.selectable_label(selected, integrator.name()).clicked() && !selected {
                *world = world.with_integrator(integrator);
                changed = true;
            }
        }
    });
    changed
}

fn view(ui: &mut Ui, viewer: &mut Viewer) {
    let mut chosen = None;
    let options = &mut viewer.options;
    ui.horizontal(|ui| {
        for (text, style) in [
            ("smooth", SurfaceStyle::Smooth),
            ("flat", SurfaceStyle::Flat),
            ("edges", SurfaceStyle::Edges),
        ] {
            let selected = !options.style.wireframe && options.style.surface == style;
            if ui.selectable_label(selected, text).clicked() {
                (options.style.surface, options.style.wireframe) = (style, false);
            }
        }
        if ui.selectable_label(options.style.wireframe, "wireframe").clicked() {
            options.style.wireframe = !options.style.wireframe;
        }
    });
    // No wider than the panel, which would grow with them.
    ui.horizontal_wrapped(|ui| {
        ui.label("colour by");
        for (text, coloring) in [
            ("body", Coloring::Body),
            ("strain", Coloring::Strain),
            ("pressure", Coloring::Pressure),
            ("penetration", Coloring::Penetration),
        ] {
            if ui.selectable_label(options.style.coloring == coloring, text).clicked() {
                chosen = Some(coloring);
            }
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.checkbox(&mut options.forces, "forces");
        ui.checkbox(&mut options.penetrations, "penetration vectors");
        ui.checkbox(&mut options.holds, "pins").on_hover_text("Mark pinned points and attachments");
        let mut light = options.style.background == Background::Light;
        if ui.checkbox(&mut light, "light").changed() {
            options.style.background = if light { Background::Light } else { Background::Dark };
            viewer.look.background = options.style.background;
        }
        if let Some(visible) = viewer.visible.get_mut(viewer.active) {
            ui.checkbox(visible, "visible");
        }
        ui.checkbox(&mut viewer.follow, "follow")
            .on_hover_text("Let the camera follow the selected body");
    });
    if let Some(coloring) = chosen {
        viewer.set_coloring(coloring);
    }
}
