//! The fields of a body that its `kind` has: materials, clusters, and where constants differ.

use super::fields::{Fields, Value, fields, short};
use super::format::*;
use super::kind::*;
use super::meshes;
use super::preset::Preset;
use crate::Result;

fields! {
    SPRINGS: also ["preset" "distance" "volume" "damping" "young" "relaxation"],
    plain_springs(Body) [area]
}
fields! {
    FEM: also ["preset" "material" "yield" "creep" "plastic_max"],
    plain_fem(Fem) [young poisson relaxation]
}
fields! {
    SHAPE: also ["alpha" "frequency" "clusters" "overlap" "yield" "creep" "plastic_max"],
    plain_shape(ShapeMatching) [beta mode relaxation]
}
fields! {
    RIGID: also ["shape" "restitution"],
    plain_rigid(Rigid) [held rolling_friction]
}
fields! {
    REGIONS: also ["region"],
    plain_regions(Body) [cell_data]
}
// Shape matching has no springs or strain rates to be damped so.
fields! {
    DAMPED: also [],
    plain_damping(Body) [damping_mode]
}

/// What every body may have that is refused of each rigid one, and what of each that deforms, unless it says nothing.
const NOT_RIGID: &[&str] =
    &["point_mass", "pin", "shell", "fitted", "radius", "stretch", "scatter", "seed"];
const RIGID_ONLY: &[&str] = &["restitution"];

/// Whether bodies of some kind have a key of this name, which not all have.
pub(super) fn has_key(key: &str) -> bool {
    [SPRINGS, FEM, SHAPE, RIGID, REGIONS, DAMPED].concat().contains(&key)
}

/// The body's kind; `common` are the keys that every body may have.
pub(super) fn kind(fields: &Fields, common: &[&str]) -> Result<Kind> {
    type Read = fn(&Fields) -> Result<Kind>;
    let kinds: [(&str, (Vec<&str>, Read)); 4] = [
        ("springs", ([SPRINGS, REGIONS, DAMPED].concat(), |body| Ok(springs(body)?.into()))),
        ("fem", ([FEM, REGIONS, DAMPED].concat(), |body| Ok(fem(body)?.into()))),
        ("shape", ([SHAPE, REGIONS].concat(), |body| Ok(shape(body)?.into()))),
        ("rigid", (RIGID.to_vec(), |body| Ok(rigid(body)?.into()))),
    ];
    let names = kinds.each_ref().map(|kind| (kind.0, kind));
    let chosen = fields.choice("kind", &names, &["cloth", "terrain"])?;
    let (kind, (own, read)) = chosen.unwrap_or(&kinds[0]);
    let known = [common, own].concat();
    for key in fields.keys().filter(|key| !known.contains(key)) {
        let has = kinds.iter().filter(|(_, (keys, _))| keys.contains(&key));
        let others: Vec<_> = has.map(|(name, _)| format!("\"{name}\"")).collect();
        if !others.is_empty() {
            let others = others.join(" or ");
            let message =
                format!("has no effect on kind \"{kind}\", wanted {others}, or the key removed");
            return Err(fields.error(key, message));
        }
    }
    meshes::refuse_outside(fields)?;
    let useless = if *kind == "rigid" { NOT_RIGID } else { RIGID_ONLY };
    let mut useful: Vec<&str> = Vec::new();
    for key in known.iter().filter(|key| !useless.contains(key)) {
        if !useful.contains(key) {
            useful.push(key);
        }
    }
    fields.only_of(&known, &useful)?;
    read(fields)
}

/// What of a body's own fields only some kinds have.
pub(super) fn varying(fields: &Fields, body: &mut Body) -> Result<()> {
    plain_springs(fields, body)?;
    plain_damping(fields, body)?;
    plain_regions(fields, body)?;
    body.regions = regions(fields)?;
    Ok(())
}

fn springs(body: &Fields) -> Result<Springs> {
    let constants = ["distance", "volume", "damping"];
    let Some(given) = constants.into_iter().find(|key| body.has(key)) else {
        let preset = preset(body)?.map(Preset::properties);
        return Ok(Springs::Moduli {
            young: body.get("young")?.or(preset.map(|p| p.young)),
            relaxation: body.get("relaxation")?.or(preset.map(|p| p.relaxation)),
        });
    };
    if let Some(other) = ["preset", "young", "relaxation"].into_iter().find(|key| body.has(key)) {
        let message = format!(
            "conflicts with {other}, wanted either distance, volume and damping, or preset, young and relaxation"
        );
        return Err(body.error(given, message));
    }
    Ok(Springs::Constants {
        distance: body.get("distance")?.unwrap_or(DISTANCE),
        volume: body.get("volume")?.unwrap_or(VOLUME),
        damping: body.get("damping")?.unwrap_or(DAMPING),
    })
}

fn fem(body: &Fields) -> Result<Fem> {
    let mut fem = preset(body)?.map(Preset::fem).unwrap_or_default();
    plain_fem(body, &mut fem)?;
    body.set("material", &mut fem.law)?;
    fem.plasticity = plasticity(body)?;
    Ok(fem)
}

/// The material that a body names; its own keys stand above it.
pub(super) fn preset(body: &Fields) -> Result<Option<Preset>> {
    body.get("preset")
}

fn plasticity(body: &Fields) -> Result<Plasticity> {
    let mut plasticity = Plasticity::default();
    if !body.has("yield") {
        for key in ["creep", "plastic_max"] {
            if body.has(key) {
                return Err(body.error(key, "has no effect without yield, wanted yield as well"));
            }
        }
    }
    body.set("yield", &mut plasticity.yield_strain)?;
    body.set("creep", &mut plasticity.creep)?;
    body.set("plastic_max", &mut plasticity.most)?;
    Ok(plasticity)
}

fn shape(body: &Fields) -> Result<ShapeMatching> {
    let mut shape = ShapeMatching::default();
    shape.pull = match (body.get("alpha")?, body.get("frequency")?) {
        (Some(_), Some(_)) => {
            let message = "conflicts with alpha, wanted only one of the two";
            return Err(body.error("frequency", message));
        }
        (Some(alpha), None) => Pull::Alpha(alpha),
        (None, Some(frequency)) => Pull::Frequency(frequency),
        (None, None) => shape.pull,
    };
    plain_shape(body, &mut shape)?;
    shape.clusters = clusters(body)?;
    shape.plasticity = plasticity(body)?;
    Ok(shape)
}

fn rigid(body: &Fields) -> Result<Rigid> {
    let mut rigid = Rigid::default();
    plain_rigid(body, &mut rigid)?;
    let shape: Option<&str> = body.get("shape")?;
    rigid.shape = MeshShape::ALL.into_iter().find(|known| shape == Some(known.name()));
    body.set("restitution", &mut rigid.restitution)?;
    Ok(rigid)
}

/// Mean edges by which the boxes of a grid of clusters are grown when a scene gives no `overlap`.
const OVERLAP: f64 = 1.0;

const CLUSTERS: &str = "[x, y, z] boxes of a grid, \"whole\", \"tets\", [{ box = … }, …], or lists of points [[0, 1, …], …]";

fn clusters(body: &Fields) -> Result<Clusters> {
    let overlap = body.get("overlap")?;
    let grid = body.get("clusters");
    if overlap.is_some() && !matches!(grid, Ok(Some(_))) {
        let message = "applies to a grid, wanted clusters = [x, y, z] as well";
        return Err(body.error("overlap", message));
    }
    if let Ok(count) = grid {
        return Ok(count.map_or(Clusters::Whole, |count| Clusters::Grid {
            count,
            overlap: overlap.unwrap_or(OVERLAP),
        }));
    }
    if let Ok(Some(name)) = body.get("clusters") {
        return match name {
            "whole" => Ok(Clusters::Whole),
            "tets" => Ok(Clusters::Tets),
            _ => Err(body.wrong("clusters", CLUSTERS)),
        };
    }
    if let Ok(lists) = body.get("clusters") {
        return Ok(Clusters::Given(lists.unwrap_or_default()));
    }
    let boxes = body.numbered("clusters");
    let boxes = boxes.map_err(|_| body.wrong("clusters", CLUSTERS))?;
    let boxes = boxes.iter().map(within).collect::<Result<_>>()?;
    Ok(Clusters::Boxes(boxes))
}

/// The box of a table that holds nothing else.
pub(super) fn within(fields: &Fields) -> Result<Aabb> {
    fields.only(&["box"])?;
    corners(fields)
}

pub(super) fn corners(fields: &Fields) -> Result<Aabb> {
    let [min, max] = fields.required("box", "[[x, y, z], [x, y, z]] [m]")?;
    Ok(Aabb { min, max })
}

/// The boxes in which constants differ.
fn regions(body: &Fields) -> Result<Vec<Region>> {
    let names = Constant::ALL.map(Constant::name);
    let region = |fields: Fields| {
        fields.only(&[&["box"], &names[..]].concat())?;
        let mut constants = Vec::new();
        for constant in Constant::ALL {
            if let Some(value) = fields.get(constant.name())? {
                constants.push((constant, value));
            }
        }
        Ok(Region { within: corners(&fields)?, constants })
    };
    body.numbered("region")?.into_iter().map(region).collect()
}

impl Value<'_> for Vec<Constant> {
    /// Names of constants.
    fn read(fields: &Fields, key: &str) -> Result<Option<Self>> {
        let known = |name: &str| Constant::ALL.into_iter().find(|c| c.name() == name);
        let constant = |name: &str| {
            let wanted = Constant::ALL.map(Constant::name).join(", ");
            let message = format!("contains {:?}, wanted names from: {wanted}", short(name));
            known(name).ok_or_else(|| fields.error(key, message))
        };
        let names = fields.get::<Vec<&str>>(key)?;
        let constants = names.map(|names| names.into_iter().map(constant).collect());
        constants.transpose()
    }
}
