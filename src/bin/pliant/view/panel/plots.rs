//! Plots: energies over time, times of passes, contact.

use std::ops::RangeInclusive;

use egui::{CollapsingHeader, Color32, ProgressBar, Rangef, Ui};
use egui_plot::{AxisHints, GridInput, GridMark, Line, Plot, PlotPoints};

use crate::drawing::legend::prefix;
use crate::view::history::{History, Sample};
use crate::view::viewer::Viewer;

/// Height of a plot [points].
const HEIGHT: f32 = 120.0;
/// Width for the numbers beside it [points].
const AXIS: f32 = 44.0;
/// Part of the height that is free above and below the curves.
const MARGIN: f64 = 0.05;
/// Spaces between the lines of a plot's grid, at most.
const SPACES: f64 = 4.5;
/// Apart from each other so far [points] lines have numbers, faint ones and clear ones.
const LINES: Rangef = Rangef { min: 8.0, max: 16.0 };
/// Of the curves.
const COLORS: [Color32; 4] = [
    Color32::from_rgb(230, 110, 100),
    Color32::from_rgb(100, 150, 240),
    Color32::from_rgb(150, 190, 80),
    Color32::from_rgb(200, 100, 200),
];
/// Passes that are listed.
const LISTED: usize = 12;

/// A named curve over time.
type Curve = (&'static str, fn(&Sample) -> f64);

/// Lays out all plots.
pub fn show(ui: &mut Ui, viewer: &Viewer) {
    let history = &viewer.history;
    CollapsingHeader::new("Energy [J]").default_open(true).show(ui, |ui| {
        let curves: [Curve; 4] = [
            ("kinetic", |s| s.kinetic),
            ("elastic", |s| s.elastic),
            ("gravity", |s| s.gravity),
            ("total", |s| s.kinetic + s.elastic + s.gravity),
        ];
        plot(ui, viewer, "energy", &curves);
    });
    CollapsingHeader::new("Contact").default_open(true).show(ui, |ui| {
        ui.label(contacts(history, viewer.world.scene().world.contact));
    });
    CollapsingHeader::new("Passes [µs]").show(ui, |ui| {
        if history.passes.is_empty() {
            ui.label("this device does not support timestamps");
            return;
        }
        plot(ui, viewer, "passes", &[("sum of all timed passes of a step", |s| s.passes)]);
        let mut passes: Vec<_> = history.passes.iter().collect();
        passes.sort_by(|a, b| b.1.total_cmp(a.1));
        let longest = passes.first().map_or(1.0, |(_, time)| **time).max(1e-9);
        for (name, time) in passes.into_iter().take(LISTED) {
            let bar = ProgressBar::new((time / longest) as f32);
            ui.add(bar.text(format!("{name}: {time:.1}")));
        }
    });
}

/// How many contacts there are. Where contact was switched off, what was counted before is of no use.
fn contacts(history: &History, on: bool) -> String {
    if !on {
        return "off".into();
    }
    let ([points, contacts], triangles) = (history.contact, history.triangles);
    let between = format!(
        "between bodies: {contacts:.0} contacts, {points:.0} points and {triangles} triangles that touch"
    );
    match history.on_solids {
        Some(points) => format!("{between}\nwith the floor and solids: {points} points"),
        None => between,
    }
}

fn plot(ui: &mut Ui, viewer: &Viewer, id: &str, curves: &[Curve]) {
    if curves.len() > 1 {
        ui.horizontal_wrapped(|ui| {
            for ((name, _), color) in curves.iter().zip(COLORS) {
                ui.colored_label(color, *name);
            }
        });
    }
    let history = &viewer.history;
    let lines = curves.iter().zip(COLORS).map(|((name, value), color)| {
        let points: PlotPoints<'_> =
            history.samples().map(|sample| [sample.time, value(sample)]).collect();
        Line::new(*name, points).color(color)
    });
    let lines: Vec<_> = lines.collect();
    let samples = || history.samples();
    let times = ends(samples().map(|sample| sample.time));
    let values = samples().flat_map(|sample| curves.iter().map(|(_, value)| value(sample)));
    let values = ends(values);
    Plot::new(id)
        .height(HEIGHT)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .show_x(false)
        .custom_x_axes(vec![AxisHints::new_x().formatter(seconds)])
        .custom_y_axes(vec![
            AxisHints::new_y().formatter(number).min_thickness(AXIS).label_spacing(LINES),
        ])
        .x_grid_spacer(ticks)
        .y_grid_spacer(ticks)
        .show(ui, |plot| {
            plot.set_plot_bounds_x(times[0]..=times[1]);
            let margin = MARGIN * (values[1] - values[0]);
            plot.set_plot_bounds_y(values[0] - margin..=values[1] + margin);
            for line in lines {
                plot.line(line);
            }
        });
}

/// The least and the largest number, apart; around 0 or 1 where there is none.
fn ends(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    let nothing = [f64::INFINITY, f64::NEG_INFINITY];
    let [low, high] = numbers
        .filter(|number| number.is_finite())
        .fold(nothing, |[low, high], x| [low.min(x), high.max(x)]);
    let least = 1e-6 * low.abs().max(high.abs());
    match high - low {
        apart if apart > least && apart > f64::MIN_POSITIVE => [low, high],
        _ if low.is_finite() && low != 0.0 => [low - 0.5 * low.abs(), low + 0.5 * low.abs()],
        _ => [0.0, 1.0],
    }
}

/// Lines of the grid: as near as [`SPACES`] lets them, by 1, 2 or 5 times a power of ten.
fn ticks(grid: GridInput) -> Vec<GridMark> {
    let (low, high) = grid.bounds;
    let least = (high - low) / SPACES;
    let power = 10_f64.powf(least.log10().floor());
    let wide = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let step = wide.into_iter().find(|step| *step >= least);
    let Some(step) = step.filter(|step| *step > 0.0) else {
        return Vec::new();
    };
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    let mark = |k| GridMark { value: k as f64 * step, step_size: step };
    (first..=last).map(mark).collect()
}

/// The number at a line of the grid: all of an axis with the same SI prefix.
fn number(mark: GridMark, range: &RangeInclusive<f64>) -> String {
    let (one, prefix) = prefix(range.start().abs().max(range.end().abs()));
    let text =
        seconds(GridMark { value: mark.value / one, step_size: mark.step_size / one }, range);
    match text == "0" || prefix.is_empty() {
        true => text,
        false => format!("{text} {prefix}"),
    }
}

/// The number at a line of the grid, with as many decimals as tell them apart.
fn seconds(mark: GridMark, _: &RangeInclusive<f64>) -> String {
    let decimals = (-mark.step_size.log10()).ceil().clamp(0.0, 9.0) as usize;
    match mark.value.abs() < 0.5 * mark.step_size {
        true => "0".into(),
        false => format!("{:.decimals$}", mark.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_are_counted_where_there_can_be_any() {
        let mut history = History::default();
        history.contact = [144.0, 200.0];
        assert_eq!(contacts(&history, false), "off");
        let between = "between bodies: 200 contacts, 144 points and 0 triangles that touch";
        assert_eq!(contacts(&history, true), between);
        history.on_solids = Some(12);
        let with = format!("{between}\nwith the floor and solids: 12 points");
        assert_eq!(contacts(&history, true), with);
    }

    #[test]
    fn numbers_of_an_axis_differ() {
        for (range, step_size, wanted) in [
            (0.0..=4310.0, 1000.0, ["0", "1 k", "2 k"]),
            (-0.3..=0.02, 0.05, ["0", "50 m", "100 m"]),
            (0.0..=1.2, 0.5, ["0", "0.5", "1.0"]),
        ] {
            let at = |k| {
                let value = f64::from(k) * step_size;
                number(GridMark { value, step_size }, &range)
            };
            assert_eq!([0, 1, 2].map(at), wanted);
        }
    }

    #[test]
    fn bounds_hold_every_sample() {
        assert_eq!(ends([].into_iter()), [0.0, 1.0]);
        assert_eq!(ends([0.0].into_iter()), [0.0, 1.0]);
        assert_eq!(ends([-2.0].into_iter()), [-3.0, -1.0]);
        assert_eq!(ends([3.0, 1.0, f64::NAN].into_iter()), [1.0, 3.0]);
    }

    #[test]
    fn axes_have_a_few_ticks() {
        for bounds in [(0.0, 1.0), (-3e-7, 5e-7), (0.0, 4310.0), (999.0, 1001.0), (-20.0, 79.0)] {
            let base_step_size = 1.0;
            let marks = ticks(GridInput { bounds, base_step_size });
            assert!((2..=5).contains(&marks.len()), "{bounds:?}: {marks:?}");
            let inside = |mark: &GridMark| mark.value >= bounds.0 && mark.value <= bounds.1;
            assert!(marks.iter().all(inside), "{marks:?}");
        }
    }
}
