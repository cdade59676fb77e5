//! The tables of a scene file, one function each: which keys there are, which are required and what is the default.

use super::check;
use super::fields::{Fields, Value, fields, short};
use super::format::*;
use super::kind::{Kind, MeshShape};
use super::materials;
use crate::Result;
use crate::mesh::Shape;

/// Colours of bodies that give none, by the body's number.
const PALETTE: [[u8; 3]; 8] = [
    [0xc8, 0xc8, 0x64],
    [0x5b, 0x9b, 0xd5],
    [0xe0, 0x7a, 0x5f],
    [0x81, 0xb2, 0x9a],
    [0xb0, 0x7a, 0xa1],
    [0xf2, 0xa6, 0x5a],
    [0x76, 0xb7, 0xb2],
    [0xd4, 0x8f, 0xb5],
];

fields! {
    WORLD_KEYS: also ["step" "step_error" "integrator" "restitution"],
    plain_world(WorldSettings) [
        gravity floor iterations tolerance projection response broad_phase narrow rigid_integrator friction drag contact
        self_contact sleep duration fps
    ]
}

// What every body may have; `materials` adds what its kind has.
fields! {
    BODY_KEYS: also ["name" "kind" "mesh" "density" "mass" "point_mass" "restitution" "color" "pin" "rotation"
        "rotation_degrees"],
    plain_body(Body) [
        shell fitted radius position scale stretch scatter seed velocity angular_velocity friction group mask
    ]
}

pub(super) fn world(fields: &Fields) -> Result<WorldSettings> {
    let useful: Vec<_> = WORLD_KEYS.iter().copied().filter(|key| *key != "restitution").collect();
    fields.only_of(WORLD_KEYS, &useful)?;
    no_restitution(
        fields,
        "each rigid body has its own, `restitution` in its [[body]]; what deforms rebounds by its own elasticity",
    )?;
    let mut world = WorldSettings {
        auto_integrator: fields.get("integrator")? == Some(AUTO),
        integrator: integrator(fields)?.unwrap_or_default(),
        ..WorldSettings::default()
    };
    step(fields, &mut world.step)?;
    plain_world(fields, &mut world)?;
    Ok(world)
}

/// The coefficient of restitution is one of rigid bodies: what deforms gives back what its own vibration leaves. `why` is for the
/// user.
fn no_restitution(fields: &Fields, why: &str) -> Result<()> {
    match fields.get::<f64>("restitution")? {
        Some(e) if e != 0.0 => Err(fields.error("restitution", format!("is {e}, wanted 0: {why}"))),
        _ => Ok(()),
    }
}

fn step(fields: &Fields, step: &mut Step) -> Result<()> {
    let name = fields.get::<&str>("step");
    if fields.has("step_error") && !matches!(name, Ok(Some("adaptive"))) {
        let message = "has no effect without step = \"adaptive\", wanted none";
        return Err(fields.error("step_error", message));
    }
    *step = match name {
        Ok(Some(AUTO)) => Step::Auto,
        Ok(Some("adaptive")) => Step::Adaptive(fields.get("step_error")?),
        Ok(Some(other)) => {
            let want = "\"auto\", \"adaptive\" or a number [s]";
            let message = format!("is {:?}, wanted {want}", short(other));
            return Err(fields.error("step", message));
        }
        Ok(None) => return Ok(()),
        Err(_) => fields.get("step")?.map_or(*step, Step::Fixed),
    };
    Ok(())
}

fn integrator(fields: &Fields) -> Result<Option<Integrator>> {
    let mut built = Integrator::ALL.map(|integrator| (integrator.name(), integrator)).to_vec();
    built.push((AUTO, Integrator::default()));
    fields.choice("integrator", &built, &[])
}

pub(super) fn body(fields: &Fields, number: usize) -> Result<Body> {
    let kind = materials::kind(fields, BODY_KEYS)?;
    let mesh = match &kind {
        Kind::Rigid(_) => rigid_mesh(fields)?,
        Kind::Springs(_) | Kind::Fem(_) | Kind::Shape(_) => {
            no_restitution(
                fields,
                "a deformable body rebounds by its own elasticity, the higher, the shorter its `relaxation`",
            )?;
            mesh(fields)?
        }
    };
    let mut body = Body {
        kind,
        color: PALETTE[number % PALETTE.len()],
        ..Body::new(fields.required::<&str>("name", "a string")?, mesh)
    };
    if let Some(preset) = materials::preset(fields)? {
        body.mass = preset.mass();
    }
    mass(fields, &mut body.mass)?;
    if let Some(own) = color(fields)? {
        body.color = own;
    }
    rotation(fields, &mut body.rotation)?;
    body.pin = pins(fields)?;
    plain_body(fields, &mut body)?;
    materials::varying(fields, &mut body)?;
    Ok(body)
}

fn mesh(body: &Fields) -> Result<MeshSource> {
    let want = "{ lattice = [x, y, z], size = [x, y, z] } or { file = \"…\" }";
    let mesh: Fields = body.required("mesh", want)?;
    if mesh.has("file") {
        mesh.only(&["file", "cells"])?;
        return Ok(MeshSource::File {
            path: mesh.required::<&str>("file", "a string")?.into(),
            cells: mesh.get("cells")?.unwrap_or(DEFAULT_CELLS),
        });
    }
    mesh.only(&["lattice", "size", "file", "cells"])?;
    if mesh.has("cells") {
        let message = "goes with a file, wanted file beside it or lattice and size instead";
        return Err(mesh.error("cells", message));
    }
    let want = "the lengths of the lattice along x, y and z [m]";
    Ok(MeshSource::Lattice {
        cubes: mesh.required("lattice", "the cubes along x, y and z, or file")?,
        size: mesh.required("size", want)?,
    })
}

/// The shapes of rigid bodies.
const SHAPES: [&str; 5] = ["box", "sphere", "capsule", "cylinder", "bipyramid"];

fn rigid_mesh(body: &Fields) -> Result<MeshSource> {
    let want = "{ box = [x, y, z] }, { sphere = radius }, { capsule = [radius, length] }, { cylinder = [radius, length] }, \
                { bipyramid = triangles }, { file = \"…\" } or { parts = [\"…\", …] }";
    let mesh: Fields = body.required("mesh", want)?;
    let all = [&SHAPES[..], &["file", "parts"]].concat();
    if mesh.has("lattice") {
        let message =
            "is of bodies that deform, wanted box = [x, y, z], the lengths of the whole box [m]";
        return Err(mesh.error("lattice", message));
    }
    mesh.only(&all)?;
    let given: Vec<_> = all.iter().filter(|key| mesh.has(key)).collect();
    let [key] = given[..] else {
        let message = match given[..] {
            [] => format!("is empty, wanted {want}"),
            [a, b, ..] => format!("has {a} and {b}, wanted one of the two"),
            [_] => unreachable!("matched before"),
        };
        return Err(body.error("mesh", message));
    };
    let pair = |want: &str| -> Result<[f64; 2]> {
        mesh.required::<Vec<f64>>(key, want)?.try_into().map_err(|_| mesh.wrong(key, want))
    };
    let source = match *key {
        "box" => MeshSource::Shape(Shape::Box { size: mesh.required(key, "its lengths [m]")? }),
        "sphere" => {
            MeshSource::Shape(Shape::Sphere { radius: mesh.required(key, "a radius [m]")? })
        }
        "capsule" => {
            let [radius, length] = pair("the radius, and the length of the straight part [m]")?;
            MeshSource::Shape(Shape::Capsule { radius, length })
        }
        "cylinder" => {
            let [radius, length] = pair("the radius and the length [m]")?;
            MeshSource::Shape(Shape::Cylinder { radius, length })
        }
        "bipyramid" => {
            let triangles = mesh.required(key, "the number of its triangles")?;
            MeshSource::Shape(Shape::Bipyramid { triangles })
        }
        "parts" => {
            let paths = mesh.required::<Vec<&str>>(key, "the paths of mesh files")?;
            MeshSource::Parts(paths.into_iter().map(Into::into).collect())
        }
        _ => MeshSource::File {
            path: mesh.required::<&str>("file", "a string")?.into(),
            cells: DEFAULT_CELLS,
        },
    };
    let shape: &str = match *key {
        "file" | "parts" => "hull",
        shape => shape,
    };
    match body.get::<&str>("shape")? {
        Some(other) if other != shape && (*key, other) != ("file", MeshShape::Mesh.name()) => {
            let want = match *key {
                "file" => "\"hull\", or of a held body \"mesh\"".into(),
                key => format!("{shape:?}, which mesh.{key} is, or no such key"),
            };
            Err(body.error("shape", format!("is {:?}, wanted {want}", short(other))))
        }
        _ => Ok(source),
    }
}

fn mass(body: &Fields, mass: &mut Mass) -> Result<()> {
    let forms: [fn(f64) -> Mass; 3] = [Mass::Density, Mass::Body, Mass::Point];
    let mut found = None;
    for form in forms {
        let key = form(1.0).key();
        let Some(amount) = body.get(key)? else {
            continue;
        };
        if let Some(other) = found.replace(key) {
            let message = format!("is given beside {other}, wanted one of the two");
            return Err(body.error(key, message));
        }
        *mass = form(amount);
    }
    Ok(())
}

/// The colour, where one is given.
pub(super) fn color(fields: &Fields) -> Result<Option<[u8; 3]>> {
    let Some(text) = fields.get::<&str>("color")? else {
        return Ok(None);
    };
    let digits = text
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
    let Some(rgb) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
        let found = short(text);
        let message = format!("is {found:?}, wanted \"#rrggbb\" in hexadecimal digits");
        return Err(fields.error("color", message));
    };
    let [_, rgb @ ..] = rgb.to_be_bytes();
    Ok(Some(rgb))
}

/// Puts angles, which are given in radians or in degrees, into their place.
pub(super) fn rotation(fields: &Fields, angles: &mut [f64; 3]) -> Result<()> {
    if let Some(given) = angles_of(fields, "rotation", |angles| vec![angles])? {
        *angles = given[0];
    }
    Ok(())
}

/// The same of several rotations.
pub(super) fn rotations(fields: &Fields) -> Result<Option<Vec<[f64; 3]>>> {
    angles_of(fields, "rotations", |angles| angles)
}

fn angles_of<'a, T: Value<'a>>(
    fields: &Fields<'a>,
    key: &str,
    all: fn(T) -> Vec<[f64; 3]>,
) -> Result<Option<Vec<[f64; 3]>>> {
    let in_degrees = format!("{key}_degrees");
    match (fields.get::<T>(key)?, fields.get::<T>(&in_degrees)?) {
        (given, None) => Ok(given.map(all)),
        (None, Some(degrees)) => {
            let degrees = all(degrees);
            let at = fields.name(&in_degrees);
            degrees
                .iter()
                .try_for_each(|degrees| check::vector(&at, *degrees, check::LARGEST, "°"))
                .map_err(|error| fields.own(error))?;
            Ok(Some(degrees.into_iter().map(|degrees| degrees.map(f64::to_radians)).collect()))
        }
        (Some(_), Some(_)) => {
            let message = format!("is given beside {key}, wanted one of the two");
            Err(fields.error(&in_degrees, message))
        }
    }
}

fn pins(body: &Fields) -> Result<Vec<Aabb>> {
    let pins = body.numbered("pin")?;
    pins.iter().map(materials::within).collect()
}
