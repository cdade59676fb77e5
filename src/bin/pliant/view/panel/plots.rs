//! Plots: energies over time, times of passes, contact.

use egui::{CollapsingHeader, ProgressBar, Ui};
use egui_plot::{Legend, Line, Plot, PlotPoints};

use crate::view::history::Sample;
use crate::view::viewer::Viewer;

/// Height of a plot [points].
const HEIGHT: f32 = 120.0;
/// Passes that are listed.
const LISTED: usize = 12;

/// A named curve over time.
type Curve = (&'static str, fn(&Sample) -> f64);

/// Lays out all plots.
pub fn show(ui: &mut Ui, viewer: &Viewer) {
    let history = &viewer.history;
    CollapsingHeader::new("Energy [J]")
        .default_open(true)
        .show(ui, |ui| {
            let curves: [Curve; 4] = [
                ("kinetic", |s| s.kinetic),
                ("elastic", |s| s.elastic),
                ("gravity", |s| s.gravity),
                ("total", |s| s.kinetic + s.elastic + s.gravity),
            ];
            plot(ui, viewer, "energy", &curves);
        });
    CollapsingHeader::new("Contact")
        .default_open(true)
        .show(ui, |ui| {
            let [points, contacts] = history.contact;
            ui.label(format!(
                "{points:.0} colliding points (PKU), {} triangles (PKT), {contacts:.0} contacts",
                history.triangles
            ));
        });
    CollapsingHeader::new("Passes [µs]").show(ui, |ui| {
        if history.passes.is_empty() {
            ui.label("the device has no timestamps");
            return;
        }
        plot(
            ui,
            viewer,
            "passes",
            &[("all timed passes of a step", |s| s.passes)],
        );
        let mut passes: Vec<_> = history.passes.iter().collect();
        passes.sort_by(|a, b| b.1.total_cmp(a.1));
        let longest = passes.first().map_or(1.0, |(_, time)| **time).max(1e-9);
        for (name, time) in passes.into_iter().take(LISTED) {
            let bar = ProgressBar::new((time / longest) as f32);
            ui.add(bar.text(format!("{name}: {time:.1}")));
        }
    });
}

fn plot(ui: &mut Ui, viewer: &Viewer, id: &str, curves: &[Curve]) {
    let mut plot = Plot::new(id)
        .height(HEIGHT)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .show_x(false);
    if curves.len() > 1 {
        plot = plot.legend(Legend::default());
    }
    plot.show(ui, |plot| {
        for (name, value) in curves {
            let points: PlotPoints<'_> = viewer
                .history
                .samples()
                .map(|sample| [sample.time, value(sample)])
                .collect();
            plot.line(Line::new(*name, points));
        }
    });
}
