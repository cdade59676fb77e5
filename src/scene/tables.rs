//! The tables of a scene file, one function each: which keys there are, which are required and what is the default.

use super::check;
use super::copies::Copies;
use super::fields::{Fields, Value, fields, short};
use super::format::*;
use super::kind::Kind;
use super::materials;
use super::meshes::{mesh, rigid_mesh};
use crate::Result;

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
        "rotation_degrees"
        "copies"],
    plain_body(Body) [
        shell fitted radius position scale stretch scatter seed velocity angular_velocity friction group mask
    ]
}

/// The keys of `copies`.
pub(super) const COPIES_KEYS: &[&str] = &["count", "spacing", "jitter", "seed"];

pub(super) fn world(fields: &Fields) -> Result<WorldSettings> {
    let useful: Vec<_> = WORLD_KEYS.iter().copied().filter(|key| *key != "restitution").collect();
    fields.only_of(WORLD_KEYS, &useful)?;
    no_restitution(
        fields,
        "rigid bodies have `restitution` in their [[body]]; deformable bodies rebound by their elasticity",
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
        let message = "has no effect without step = \"adaptive\", wanted no such key";
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

/// A body, or its copies; `number` of bodies stand before it.
pub(super) fn bodies(fields: &Fields, number: usize) -> Result<Vec<Body>> {
    let body = body(fields, number)?;
    let Some(table) = fields.get::<Fields>("copies")? else {
        return Ok(vec![body]);
    };
    table.only(COPIES_KEYS)?;
    let mut copies = Copies {
        count: table.required("count", "how many along x, y and z")?,
        spacing: table
            .required("spacing", "the distances from one to the next along x, y and z [m]")?,
        ..Copies::default()
    };
    table.set("jitter", &mut copies.jitter)?;
    table.set("seed", &mut copies.seed)?;
    let mut bodies = body.copies(&copies).map_err(|error| fields.own(error))?;
    if !fields.has("color") {
        for (i, body) in bodies.iter_mut().enumerate() {
            body.color = PALETTE[(number + i) % PALETTE.len()];
        }
    }
    Ok(bodies)
}

/// How many bodies a table makes that is read without an error.
pub(super) fn body_count(fields: &Fields) -> usize {
    let copies = fields.get::<Fields>("copies").ok().flatten();
    let count = copies.and_then(|copies| copies.get::<[u32; 3]>("count").ok().flatten());
    count.map_or(1, |count| count.iter().map(|n| *n as usize).product())
}

fn body(fields: &Fields, number: usize) -> Result<Body> {
    let kind = materials::kind(fields, BODY_KEYS)?;
    let mesh = match &kind {
        Kind::Rigid(_) => rigid_mesh(fields)?,
        Kind::Springs(_) | Kind::Fem(_) | Kind::Shape(_) => {
            no_restitution(
                fields,
                "a deformable body rebounds by its elasticity; a shorter `relaxation` makes it rebound higher",
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

fn mass(body: &Fields, mass: &mut Mass) -> Result<()> {
    let forms: [fn(f64) -> Mass; 3] = [Mass::Density, Mass::Body, Mass::Point];
    let mut found = None;
    for form in forms {
        let key = form(1.0).key();
        let Some(amount) = body.get(key)? else {
            continue;
        };
        if let Some(other) = found.replace(key) {
            let message = format!("conflicts with {other}, wanted only one of the two");
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
            let message = format!("conflicts with {key}, wanted only one of the two");
            Err(fields.error(&in_degrees, message))
        }
    }
}

fn pins(body: &Fields) -> Result<Vec<Aabb>> {
    let pins = body.numbered("pin")?;
    pins.iter().map(materials::within).collect()
}
