//! The fields of a body that its `kind` has: materials, clusters, and where constants differ.

use super::fields::Fields;
use super::format::*;
use super::kind::*;
use super::preset::Preset;
use crate::Result;

pub(super) const SPRINGS: &[&str] = &[
    "preset",
    "distance",
    "volume",
    "damping",
    "area",
    "young",
    "relaxation",
];
pub(super) const FEM: &[&str] = &[
    "preset",
    "young",
    "poisson",
    "relaxation",
    "material",
    "yield",
    "creep",
    "plastic_max",
];
pub(super) const SHAPE: &[&str] = &[
    "alpha",
    "frequency",
    "beta",
    "mode",
    "relaxation",
    "clusters",
    "overlap",
    "yield",
    "creep",
    "plastic_max",
];
pub(super) const REGIONS: &[&str] = &["region", "cell_data"];
/// Shape matching has no springs or strain rates to be damped so.
pub(super) const DAMPED: &[&str] = &["damping_mode"];

/// The body's kind; `common` are the keys that every body may have.
pub(super) fn kind(fields: &Fields, common: &[&str]) -> Result<Kind> {
    let only = |own: &[&[&str]]| fields.only(&[&[common], own].concat().concat());
    let springs_kind = |fields: &Fields| {
        only(&[SPRINGS, REGIONS, DAMPED])?;
        Ok(Kind::Springs(springs(fields)?))
    };
    let fem_kind = |fields: &Fields| {
        only(&[FEM, REGIONS, DAMPED])?;
        Ok(Kind::Fem(fem(fields)?))
    };
    let shape_kind = |fields: &Fields| {
        if fields.has("preset") {
            let message =
                "has no effect on kind \"shape\", wanted kind \"springs\" or \"fem\", or none";
            return Err(fields.error("preset", message));
        }
        only(&[SHAPE, REGIONS])?;
        Ok(Kind::Shape(shape(fields)?))
    };
    type Read<'a> = &'a dyn Fn(&Fields) -> Result<Kind>;
    let kinds: [(&str, Read); 3] = [
        ("springs", &springs_kind),
        ("fem", &fem_kind),
        ("shape", &shape_kind),
    ];
    let read = fields.choice("kind", &kinds, &["cloth", "rigid", "terrain"])?;
    read.unwrap_or(&springs_kind)(fields)
}

fn springs(body: &Fields) -> Result<Springs> {
    let constants = ["distance", "volume", "damping"];
    let Some(given) = constants.into_iter().find(|key| body.has(key)) else {
        let preset = preset(body)?.map(Preset::properties);
        let young = body.number("young")?.or(preset.map(|p| p.young));
        let relaxation = body.number("relaxation")?;
        return Ok(Springs::Moduli {
            young,
            relaxation: relaxation.or(preset.map(|p| p.relaxation)),
        });
    };
    if let Some(other) = ["preset", "young", "relaxation"]
        .into_iter()
        .find(|key| body.has(key))
    {
        let message = format!(
            "is given beside {other}, wanted either distance, volume and damping, or preset, young and relaxation"
        );
        return Err(body.error(given, message));
    }
    Ok(Springs::Constants {
        distance: body.number("distance")?.unwrap_or(DISTANCE),
        volume: body.number("volume")?.unwrap_or(VOLUME),
        damping: body.number("damping")?.unwrap_or(DAMPING),
    })
}

fn fem(body: &Fields) -> Result<Fem> {
    let default = preset(body)?.map(Preset::fem).unwrap_or_default();
    let laws = Law::ALL.map(|law| (law.name(), law));
    Ok(Fem {
        young: body.number("young")?.or(default.young),
        poisson: body.number("poisson")?.unwrap_or(default.poisson),
        relaxation: body.number("relaxation")?.or(default.relaxation),
        law: body.choice("material", &laws, &[])?.unwrap_or_default(),
        plasticity: plasticity(body)?,
    })
}

/// The material that a body names; its own keys stand above it.
pub(super) fn preset(body: &Fields) -> Result<Option<Preset>> {
    body.choice(
        "preset",
        &Preset::ALL.map(|preset| (preset.name(), preset)),
        &[],
    )
}

fn plasticity(body: &Fields) -> Result<Plasticity> {
    let default = Plasticity::default();
    if !body.has("yield") {
        for key in ["creep", "plastic_max"] {
            if body.has(key) {
                return Err(body.error(key, "has no effect without yield, wanted yield beside it"));
            }
        }
    }
    Ok(Plasticity {
        yield_strain: body.number("yield")?.unwrap_or(default.yield_strain),
        creep: body.number("creep")?.unwrap_or(default.creep),
        most: body.number("plastic_max")?.unwrap_or(default.most),
    })
}

fn shape(body: &Fields) -> Result<Shape> {
    let default = Shape::default();
    let pull = match (body.number("alpha")?, body.number("frequency")?) {
        (Some(_), Some(_)) => {
            let message = "is given beside alpha, wanted one of the two";
            return Err(body.error("frequency", message));
        }
        (Some(alpha), None) => Pull::Alpha(alpha),
        (None, Some(frequency)) => Pull::Frequency(frequency),
        (None, None) => default.pull,
    };
    let modes = Mode::ALL.map(|mode| (mode.name(), mode));
    Ok(Shape {
        pull,
        beta: body.number("beta")?.unwrap_or(default.beta),
        mode: body.choice("mode", &modes, &[])?.unwrap_or(default.mode),
        relaxation: body.number("relaxation")?.unwrap_or(default.relaxation),
        clusters: clusters(body)?,
        plasticity: plasticity(body)?,
    })
}

/// Mean edges by which the boxes of a grid of clusters are grown when a scene gives no `overlap`.
const OVERLAP: f64 = 1.0;

const CLUSTERS: &str = "[x, y, z] boxes of a grid, \"whole\", \"tets\", [{ box = … }, …], or lists of points [[0, 1, …], …]";

fn clusters(body: &Fields) -> Result<Clusters> {
    let overlap = body.number("overlap")?;
    let grid = body.counts("clusters");
    if overlap.is_some() && !matches!(grid, Ok(Some(_))) {
        let message = "goes with a grid, wanted clusters = [x, y, z] beside it";
        return Err(body.error("overlap", message));
    }
    if let Ok(count) = grid {
        return Ok(count.map_or(Clusters::Whole, |count| Clusters::Grid {
            count,
            overlap: overlap.unwrap_or(OVERLAP),
        }));
    }
    if let Ok(Some(name)) = body.text("clusters") {
        return match name {
            "whole" => Ok(Clusters::Whole),
            "tets" => Ok(Clusters::Tets),
            _ => Err(body.wrong("clusters", CLUSTERS)),
        };
    }
    if let Ok(lists) = body.lists("clusters") {
        return Ok(Clusters::Given(lists));
    }
    let label = |number: usize| format!("{}[{}]", body.name("clusters"), number - 1);
    match body.tables("clusters", |number, _| label(number)) {
        Ok(boxes) => Ok(Clusters::Boxes(
            boxes.iter().map(within).collect::<Result<_>>()?,
        )),
        Err(_) => Err(body.wrong("clusters", CLUSTERS)),
    }
}

/// The box of a table that holds nothing else.
pub(super) fn within(fields: &Fields) -> Result<Aabb> {
    fields.only(&["box"])?;
    corners(fields)
}

pub(super) fn corners(fields: &Fields) -> Result<Aabb> {
    let corners = fields.corners("box")?;
    let [min, max] = fields.required("box", corners, "[[x, y, z], [x, y, z]] [m]")?;
    Ok(Aabb { min, max })
}

/// The boxes in which constants differ.
pub(super) fn regions(body: &Fields) -> Result<Vec<Region>> {
    let names = Constant::ALL.map(Constant::name);
    let region = |fields: Fields| {
        fields.only(&[&["box"], &names[..]].concat())?;
        let mut constants = Vec::new();
        for constant in Constant::ALL {
            if let Some(value) = fields.number(constant.name())? {
                constants.push((constant, value));
            }
        }
        Ok(Region {
            within: corners(&fields)?,
            constants,
        })
    };
    let label = |number: usize| format!("{}[{}]", body.name("region"), number - 1);
    let regions = body.tables("region", |number, _| label(number))?;
    regions.into_iter().map(region).collect()
}

/// The constants that are read from the arrays of the mesh file that bear their names.
pub(super) fn cell_data(body: &Fields) -> Result<Vec<Constant>> {
    let names = body.texts("cell_data")?.unwrap_or_default();
    let known = |name: &str| Constant::ALL.into_iter().find(|c| c.name() == name);
    let constant = |name: &str| {
        let wanted = Constant::ALL.map(Constant::name).join(", ");
        let message = format!(
            "has {:?}, wanted names from: {wanted}",
            super::fields::short(name)
        );
        known(name).ok_or_else(|| body.error("cell_data", message))
    };
    names.into_iter().map(constant).collect()
}
