//! The bar of a run that is played: play and pause, its frames, and simulating on from one of them.

use egui::{Align2, Area, Context, Frame, Id, Rect, Response, Slider};

use super::keys::Action;
use super::viewer::Viewer;

/// Widest slider, and what is beside it [points].
const WIDEST: f32 = 600.0;
const BESIDE: f32 = 330.0;

/// Lays the bar out at the foot of the picture, and does what is asked for there.
pub fn show(context: &Context, viewer: &mut Viewer, inside: Rect) -> Option<Response> {
    let playback = viewer.playback.as_ref()?;
    let (shown, last, number) = (playback.shown(), playback.count() - 1, playback.number());
    let (mut frame, mut asked, mut simulate) = (shown, None, false);
    let area = Area::new(Id::unique("timeline")).pivot(Align2::CENTER_BOTTOM);
    let area = area.fixed_pos(inside.center_bottom()).movable(false).fade_in(false);
    let response = area.show(context, |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.horizontal(|ui| {
                let play = if viewer.paused { "Play" } else { "Pause" };
                for (text, action) in
                    [(play, Action::Pause), ("<", Action::Back), (">", Action::Step)]
                {
                    if ui.button(text).clicked() {
                        asked = Some(action);
                    }
                }
                ui.spacing_mut().slider_width = (inside.width() - BESIDE).clamp(40.0, WIDEST);
                ui.add(Slider::new(&mut frame, 0..=last).show_value(false));
                ui.monospace(format!("frame {number}, {:.3} s", viewer.world.time()));
                simulate = ui
                    .button("Simulate on")
                    .on_hover_text("Leave the finished run and simulate from this frame on")
                    .clicked();
            });
        });
    });
    if frame != shown {
        viewer.set_paused(true);
        viewer.seek(frame);
    }
    if let Some(action) = asked {
        viewer.act(action, 1.0);
    }
    if simulate {
        viewer.simulate();
    }
    Some(response.response)
}
