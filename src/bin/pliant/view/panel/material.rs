//! A body's constants as sliders.

use std::ops::RangeInclusive;

use egui::{ComboBox, Id, Key, Slider, Ui};
use pliant::internals::model::Material;
use pliant::scene::{
    Body, DampingMode, Fem, Kind, Law, Mass, Mode, Plasticity, Pull, Rigid, ShapeMatching, Springs,
    WorldSettings,
};

/// Sliders of all constants of a body's material; whether one was moved.
/// `material` has what follows from its size where it gives none.
pub fn sliders(ui: &mut Ui, body: &mut Body, material: &Material, world: &WorldSettings) -> bool {
    let mut changed = match &mut body.mass {
        Mass::Density(density) => slider(ui, "density", density, 10.0..=10_000.0, "kg/m³", true),
        Mass::Body(mass) => slider(ui, "mass", mass, 1e-3..=1e5, "kg", true),
        Mass::Point(mass) => slider(ui, "mass", mass, 1e-4..=100.0, "kg per point", true),
    };
    changed |= match &mut body.kind {
        Kind::Springs(springs) => of_springs(ui, springs, material),
        Kind::Fem(fem) => of_fem(ui, fem, material),
        Kind::Shape(shape) => of_shape(ui, shape, material),
        Kind::Rigid(rigid) => of_rigid(ui, rigid),
    };
    if body.area > 0.0 {
        changed |= slider(ui, "area", &mut body.area, 1e-3..=1e5, "J", true);
    }
    if matches!(body.kind, Kind::Springs(_)) && !world.integrator.is_implicit() {
        changed |= damping_mode(ui, &mut body.damping_mode);
    }
    let mut friction = body.friction.unwrap_or(world.friction);
    if slider(ui, "friction", &mut friction, 0.0..=2.0, "", false) {
        body.friction = Some(friction);
        changed = true;
    }
    changed
}

fn of_springs(ui: &mut Ui, springs: &mut Springs, material: &Material) -> bool {
    match springs {
        Springs::Constants { distance, volume, damping } => {
            slider(ui, "distance k_D", distance, 1e-2..=1e5, "J", true)
                | slider(ui, "volume k_V", volume, 1e-2..=1e5, "J", true)
                | slider(ui, "damping d_C", damping, 0.0..=100.0, "J s", true)
        }
        Springs::Moduli { young, relaxation } => moduli(ui, young, relaxation, material),
    }
}

fn moduli(
    ui: &mut Ui,
    young: &mut Option<f64>,
    relaxation: &mut Option<f64>,
    material: &Material,
) -> bool {
    let mut one = |label, given: &mut Option<f64>, default, range, unit| {
        let mut value = given.unwrap_or(default);
        let changed = slider(ui, label, &mut value, range, unit, true);
        if changed {
            *given = Some(value);
        }
        changed
    };
    let time = material.relaxation;
    one("Young's modulus", young, material.young, 1e2..=1e9, "Pa")
        | one("relaxation", relaxation, time, 0.0..=1.0, "s")
}

fn of_fem(ui: &mut Ui, fem: &mut Fem, material: &Material) -> bool {
    let poisson = &mut fem.poisson;
    moduli(ui, &mut fem.young, &mut fem.relaxation, material)
        | slider(ui, "Poisson's ratio", poisson, 0.0..=0.49, "", false)
        | choose(ui, "law", &mut fem.law, &Law::ALL, Law::name)
        | flow(ui, &mut fem.plasticity)
}

fn of_rigid(ui: &mut Ui, rigid: &mut Rigid) -> bool {
    slider(ui, "restitution", &mut rigid.restitution, 0.0..=1.0, "", false)
        | slider(ui, "rolling friction", &mut rigid.rolling_friction, 0.0..=0.1, "m", false)
}

fn of_shape(ui: &mut Ui, shape: &mut ShapeMatching, material: &Material) -> bool {
    if shape.pull == Pull::Suited {
        (shape.pull, shape.relaxation) = (Pull::Frequency(material.frequency), material.relaxation);
    }
    let changed = match &mut shape.pull {
        Pull::Alpha(alpha) => slider(ui, "pull α", alpha, 1e-3..=1.0, "per step", true),
        Pull::Frequency(frequency) => slider(ui, "frequency", frequency, 0.1..=200.0, "1/s", true),
        Pull::Suited => false,
    };
    let (beta, relaxation) = (&mut shape.beta, &mut shape.relaxation);
    changed
        | slider(ui, "beta", beta, 0.0..=1.0, "", false)
        | slider(ui, "relaxation", relaxation, 0.0..=1.0, "s", true)
        | choose(ui, "mode", &mut shape.mode, &Mode::ALL, Mode::name)
        | flow(ui, &mut shape.plasticity)
}

fn flow(ui: &mut Ui, plasticity: &mut Plasticity) -> bool {
    let Plasticity { yield_strain, creep, most } = plasticity;
    let mut flows = yield_strain.is_finite();
    let mut changed = ui.checkbox(&mut flows, "plastic flow").changed();
    if changed {
        *yield_strain = if flows { 0.05 } else { f64::INFINITY };
    }
    if flows {
        changed |= slider(ui, "yield", yield_strain, 1e-3..=1.0, "", true);
        changed |= slider(ui, "creep", creep, 0.0..=100.0, "1/s", true);
        changed |= slider(ui, "max plastic strain", most, 0.0..=2.0, "", false);
    }
    changed
}

fn damping_mode(ui: &mut Ui, mode: &mut Option<DampingMode>) -> bool {
    let named = DampingMode::ALL.into_iter().map(Some);
    let all: Vec<_> = std::iter::once(None).chain(named).collect();
    let name = |mode: Option<DampingMode>| mode.map_or("default", DampingMode::name);
    choose(ui, "damping", mode, &all, name)
}

fn choose<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    value: &mut T,
    all: &[T],
    name: fn(T) -> &'static str,
) -> bool {
    let mut changed = false;
    ComboBox::from_label(label).selected_text(name(*value)).show_ui(ui, |ui| {
        for other in all {
            changed |= ui.selectable_value(value, *other, name(*other)).changed();
        }
    });
    changed
}

/// A slider with its unit; whether it was moved. Numbers typed in may lie beyond its ends; they count with Enter or when
/// the field loses the focus.
pub fn slider(
    ui: &mut Ui,
    label: &str,
    value: &mut f64,
    range: RangeInclusive<f64>,
    unit: &str,
    logarithmic: bool,
) -> bool {
    let (before, escaped) = (*value, escaped(ui));
    let slider = Slider::new(value, range)
        .logarithmic(logarithmic)
        .smallest_positive(1e-5)
        .clamping(egui::SliderClamping::Never)
        .max_decimals(6)
        .update_while_editing(false)
        .custom_formatter(|value, _| format_number(value))
        .custom_parser(move |text| parse_number(text, before).filter(|_| !escaped))
        .suffix(if unit.is_empty() { String::new() } else { format!(" {unit}") })
        .text(label);
    ui.add(slider).changed()
}

/// Three digits or so, without zeros at the end.
fn format_number(value: f64) -> String {
    let size = value.abs();
    if size >= 1e5 || (size > 0.0 && size < 1e-3) {
        return format!("{value:.2e}");
    }
    let text = match size {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        1.0.. => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}

/// Whether Escape was pressed in this frame or the last: in that, too, egui asks for what was typed before.
fn escaped(ui: &Ui) -> bool {
    let (id, frame) = (Id::unique("escaped"), ui.ctx().cumulative_frame_nr());
    if ui.input(|input| input.key_pressed(Key::Escape)) {
        ui.data_mut(|data| data.insert_temp(id, frame));
    }
    let last: Option<u64> = ui.data(|data| data.get_temp(id));
    last.is_some_and(|last| frame <= last + 1)
}

/// The number that was typed. Of the value `before` only some digits are shown: a text that was not changed is that value.
fn parse_number(text: &str, before: f64) -> Option<f64> {
    let text: String = text.split_whitespace().collect();
    match text == format_number(before) {
        true => Some(before),
        false => text.replace('−', "-").parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::{format_number, parse_number};

    #[test]
    fn texts_are_numbers() {
        assert_eq!(parse_number("0.3333", 1.0 / 3.0), Some(1.0 / 3.0));
        assert_eq!(parse_number(" −1 000.5 ", 0.0), Some(-1000.5));
        assert_eq!(parse_number("2.00e5", 1.0), Some(2e5));
        assert_eq!(parse_number("", 1.0), None);
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 0.0005, 0.02, 0.5, 1.25, 30.0, 1000.0, 2e5, -9.81].map(format_number);
        assert_eq!(shown, ["0", "5.00e-4", "0.02", "0.5", "1.25", "30", "1000", "2.00e5", "-9.81"]);
    }
}
