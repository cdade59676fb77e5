//! The `[[solid]]`s of a scene file, and what its other tables mean by their numbers and names.

use std::collections::HashSet;

use super::check::check_name;
use super::fields::{Fields, short};
use super::format::*;
use super::kind::Kind;
use super::tables::{color, rotation};
use crate::Result;

/// What every solid may have.
pub(super) const SOLID_KEYS: &[&str] =
    &["kind", "name", "position", "friction", "restitution", "color"];

/// What those of each kind have beside that.
pub(super) const SOLID_KINDS: &[(&str, &[&str])] = &[
    ("plane", &["normal"]),
    ("sphere", &["radius"]),
    ("box", &["size", "rotation", "rotation_degrees"]),
    ("mesh", &["mesh", "scale", "rotation", "rotation_degrees"]),
];

/// What the `[[solid]]` of this number is called, from its table.
pub(super) fn solid_name(name: Option<&str>, number: usize) -> String {
    name.map_or_else(|| numbered_solid(number), Into::into)
}

/// Colour of meshes that give none, as the other solids on a dark ground.
const GREY: [u8; 3] = [0x78, 0x7c, 0x82];

/// What a scene has of a `[[solid]]`.
#[derive(Clone, Debug)]
pub(super) enum Obstacle {
    /// A solid of this number, 0 for the floor.
    Solid(u32),
    /// A mesh, which is a body that is held, at this position.
    Mesh(String, [f64; 3]),
}

/// What numbers and names of solids mean, the floor first.
pub(super) struct Obstacles(Vec<(String, Obstacle)>);

impl Obstacles {
    /// Adds what the tables are to a scene that has its bodies.
    pub fn add(tables: &[Fields], scene: &mut Scene) -> Result<Self> {
        let mut all = vec![(FLOOR.into(), Obstacle::Solid(0))];
        let mut names: HashSet<String> = HashSet::from([FLOOR.into()]);
        for (i, fields) in tables.iter().enumerate() {
            let name = solid_name(fields.get("name")?, i + 1);
            check_name(&fields.name("name"), &name).map_err(|error| fields.own(error))?;
            let is_body = scene.bodies.iter().any(|body| body.name == name);
            if !names.insert(name.clone()) || is_body && fields.has("name") {
                let found = short(&name);
                let message =
                    format!("is {found:?}, wanted a name that no other solid or body has");
                return Err(fields.error("name", message));
            }
            let obstacle = match kind(fields)? {
                "mesh" => {
                    let body = held_mesh(fields, &name)?;
                    let position = body.position;
                    scene.bodies.push(body);
                    Obstacle::Mesh(name.clone(), position)
                }
                kind => {
                    scene.solids.push(solid(fields, kind, &name)?);
                    Obstacle::Solid(scene.solids.len() as u32)
                }
            };
            all.push((name, obstacle));
        }
        Ok(Self(all))
    }

    /// What a table means by its `solid`, a number or a name.
    pub fn meant(&self, fields: &Fields) -> Result<Option<&Obstacle>> {
        if !fields.has("solid") {
            return Ok(None);
        }
        let found = match (fields.get::<usize>("solid"), fields.get::<&str>("solid")) {
            (Ok(Some(number)), _) => self.0.get(number),
            (_, Ok(Some(name))) => self.0.iter().find(|(other, _)| other == name),
            _ => None,
        };
        let names: Vec<_> = self.0.iter().map(|(name, _)| format!("{:?}", short(name))).collect();
        let want = match &names[..] {
            [_] => "0 or \"floor\": there is no [[solid]]".into(),
            names => {
                let listed = names[..names.len().min(9)].join(", ");
                format!("a number from 0 to {} or a name: {listed}", names.len() - 1)
            }
        };
        found.map(|(_, obstacle)| Some(obstacle)).ok_or_else(|| fields.wrong("solid", &want))
    }
}

/// The kind of a solid that has no other keys than its kind has.
fn kind(fields: &Fields) -> Result<&'static str> {
    let kinds: Vec<_> = SOLID_KINDS.iter().map(|kind| (kind.0, kind)).collect();
    let names: Vec<_> = kinds.iter().map(|(name, _)| *name).collect();
    let want = format!("one of: {}", names.join(", "));
    let kind = fields.choice("kind", &kinds, &[])?;
    let (name, own) = kind.ok_or_else(|| fields.missing("kind", &want))?;
    fields.only(&[SOLID_KEYS, own].concat())?;
    Ok(name)
}

fn held_mesh(fields: &Fields, name: &str) -> Result<Body> {
    let mesh: Fields = fields.required("mesh", "{ file = \"…\" }")?;
    mesh.only(&["file"])?;
    let source = MeshSource::File {
        path: mesh.required::<&str>("file", "a string")?.into(),
        cells: DEFAULT_CELLS,
    };
    let mut body = Body::held_mesh(name, source);
    fields.set("position", &mut body.position)?;
    rotation(fields, &mut body.rotation)?;
    fields.set("scale", &mut body.scale)?;
    fields.set("friction", &mut body.friction)?;
    if let Kind::Rigid(rigid) = &mut body.kind {
        fields.set("restitution", &mut rigid.restitution)?;
    }
    body.color = color(fields)?.unwrap_or(GREY);
    Ok(body)
}

fn solid(fields: &Fields, kind: &str, name: &str) -> Result<Solid> {
    let origin = [0.0; 3];
    let mut solid = match kind {
        "plane" => Solid::plane(origin, fields.get("normal")?.unwrap_or([0.0, 1.0, 0.0])),
        "sphere" => Solid::sphere(origin, fields.required("radius", "a number > 0 [m]")?),
        _ => Solid::cuboid(origin, fields.required("size", "the whole edge lengths [m]")?),
    };
    solid.name = name.into();
    fields.set("position", &mut solid.position)?;
    rotation(fields, &mut solid.rotation)?;
    fields.set("friction", &mut solid.friction)?;
    fields.set("restitution", &mut solid.restitution)?;
    solid.color = color(fields)?;
    Ok(solid)
}
