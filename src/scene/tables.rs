//! The tables of a scene file, one function each: which keys there are, which are required and what is the default.

use super::fields::{Fields, short};
use super::format::*;
use super::materials;
use super::preset::Preset;
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

pub(super) const WORLD_KEYS: &[&str] = &[
    "gravity",
    "floor",
    "step",
    "step_error",
    "integrator",
    "iterations",
    "tolerance",
    "projection",
    "response",
    "friction",
    "restitution",
    "drag",
    "contact",
    "self_contact",
    "duration",
    "fps",
];

/// What every body may have; [`materials`] adds what its kind has.
pub(super) const BODY_KEYS: &[&str] = &[
    "name",
    "kind",
    "mesh",
    "shell",
    "fitted",
    "radius",
    "position",
    "rotation",
    "scale",
    "stretch",
    "scatter",
    "seed",
    "velocity",
    "angular_velocity",
    "density",
    "mass",
    "point_mass",
    "friction",
    "restitution",
    "group",
    "mask",
    "color",
    "pin",
];

pub(super) fn world(fields: &Fields) -> Result<WorldSettings> {
    fields.only(WORLD_KEYS)?;
    no_restitution(fields)?;
    let default = WorldSettings::default();
    let auto_integrator = fields.text("integrator")? == Some(AUTO);
    Ok(WorldSettings {
        gravity: fields.vector("gravity")?.unwrap_or(default.gravity),
        floor: fields.number("floor")?,
        step: step(fields)?.unwrap_or(default.step),
        integrator: integrator(fields)?.unwrap_or(default.integrator),
        iterations: fields.count("iterations")?,
        tolerance: fields.number("tolerance")?,
        auto_integrator,
        friction: fields.number("friction")?.unwrap_or(default.friction),
        drag: fields.number("drag")?.unwrap_or(default.drag),
        contact: fields.truth("contact")?.unwrap_or(default.contact),
        self_contact: fields
            .truth("self_contact")?
            .unwrap_or(default.self_contact),
        projection: fields
            .choice("projection", &Projection::ALL.map(|p| (p.name(), p)), &[])?
            .unwrap_or(default.projection),
        response: fields
            .choice("response", &Response::ALL.map(|r| (r.name(), r)), &[])?
            .unwrap_or(default.response),
        duration: fields.number("duration")?.unwrap_or(default.duration),
        fps: fields.number("fps")?.unwrap_or(default.fps),
    })
}

/// The coefficient of restitution is one of rigid bodies: what deforms gives back what its own vibration leaves.
fn no_restitution(fields: &Fields) -> Result<()> {
    match fields.number("restitution")? {
        Some(e) if e != 0.0 => {
            let message = format!(
                "is {e}, wanted 0: a deformable body rebounds by its own elasticity, the higher, the shorter its \
                 `relaxation`"
            );
            Err(fields.error("restitution", message))
        }
        _ => Ok(()),
    }
}

fn step(fields: &Fields) -> Result<Option<Step>> {
    let adaptive = matches!(fields.text("step"), Ok(Some("adaptive")));
    if fields.has("step_error") && !adaptive {
        return Err(fields.error(
            "step_error",
            "has no effect without step = \"adaptive\", wanted none",
        ));
    }
    match fields.text("step") {
        Ok(Some(AUTO)) => Ok(Some(Step::Auto)),
        Ok(Some("adaptive")) => Ok(Some(Step::Adaptive(fields.number("step_error")?))),
        Ok(Some(other)) => Err(fields.error(
            "step",
            format!(
                "is {:?}, wanted \"auto\", \"adaptive\" or a number [s]",
                short(other)
            ),
        )),
        Ok(None) => Ok(None),
        Err(_) => Ok(fields.number("step")?.map(Step::Fixed)),
    }
}

fn integrator(fields: &Fields) -> Result<Option<Integrator>> {
    let mut built = Integrator::ALL
        .map(|integrator| (integrator.name(), integrator))
        .to_vec();
    built.push((AUTO, Integrator::default()));
    fields.choice("integrator", &built, &[])
}

pub(super) fn body(fields: &Fields, number: usize) -> Result<Body> {
    let kind = materials::kind(fields, BODY_KEYS)?;
    no_restitution(fields)?;
    let name = fields.required("name", fields.text("name")?, "a string")?;
    let mesh = mesh(fields)?;
    let default = Body::new(name, mesh);
    Ok(Body {
        position: fields.vector("position")?.unwrap_or(default.position),
        rotation: fields.vector("rotation")?.unwrap_or(default.rotation),
        scale: fields.vector("scale")?.unwrap_or(default.scale),
        velocity: fields.vector("velocity")?.unwrap_or(default.velocity),
        angular_velocity: fields
            .vector("angular_velocity")?
            .unwrap_or(default.angular_velocity),
        mass: match (mass(fields)?, materials::preset(fields)?) {
            (Some(mass), _) => mass,
            (None, preset) => preset.map_or(default.mass, Preset::mass),
        },
        kind,
        area: fields.number("area")?.unwrap_or(default.area),
        shell: fields.truth("shell")?.unwrap_or(default.shell),
        fitted: fields.truth("fitted")?.unwrap_or(default.fitted),
        radius: fields.number("radius")?,
        stretch: fields.vector("stretch")?.unwrap_or(default.stretch),
        scatter: fields.number("scatter")?.unwrap_or(default.scatter),
        seed: fields.count("seed")?.unwrap_or(default.seed),
        regions: materials::regions(fields)?,
        cell_data: materials::cell_data(fields)?,
        damping_mode: fields.choice(
            "damping_mode",
            &DampingMode::ALL.map(|mode| (mode.name(), mode)),
            &[],
        )?,
        friction: fields.number("friction")?,
        group: fields.count("group")?.unwrap_or(default.group),
        mask: fields.count("mask")?.unwrap_or(default.mask),
        color: color(fields)?.unwrap_or(PALETTE[number % PALETTE.len()]),
        pin: pins(fields)?,
        ..default
    })
}

fn mesh(body: &Fields) -> Result<MeshSource> {
    let mesh = body.required(
        "mesh",
        body.table("mesh")?,
        "{ lattice = [x, y, z], size = [x, y, z] } or { file = \"…\" }",
    )?;
    if mesh.has("file") {
        mesh.only(&["file", "cells"])?;
        let path = mesh.required("file", mesh.text("file")?, "a string")?;
        return Ok(MeshSource::File {
            path: path.into(),
            cells: mesh.count("cells")?.unwrap_or(DEFAULT_CELLS),
        });
    }
    mesh.only(&["lattice", "size", "file", "cells"])?;
    if mesh.has("cells") {
        return Err(mesh.error(
            "cells",
            "goes with a file, wanted file beside it or lattice and size instead",
        ));
    }
    Ok(MeshSource::Lattice {
        cubes: mesh.required(
            "lattice",
            mesh.counts("lattice")?,
            "the cubes along x, y and z, or file",
        )?,
        size: mesh.required(
            "size",
            mesh.vector("size")?,
            "the lengths of the lattice along x, y and z [m]",
        )?,
    })
}

fn mass(body: &Fields) -> Result<Option<Mass>> {
    let forms: [fn(f64) -> Mass; 3] = [Mass::Density, Mass::Body, Mass::Point];
    let mut found: Option<Mass> = None;
    for form in forms {
        let key = form(1.0).key();
        match (found, body.number(key)?.map(form)) {
            (Some(other), Some(_)) => {
                let message = format!("is given beside {}, wanted one of the two", other.key());
                return Err(body.error(key, message));
            }
            (_, given) => found = found.or(given),
        }
    }
    Ok(found)
}

fn color(body: &Fields) -> Result<Option<[u8; 3]>> {
    let Some(text) = body.text("color")? else {
        return Ok(None);
    };
    let digits = text
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
    let rgb = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let wrong = || {
        let found = short(text);
        body.error(
            "color",
            format!("is {found:?}, wanted \"#rrggbb\" in hexadecimal digits"),
        )
    };
    rgb.map(|rgb| Some([(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8]))
        .ok_or_else(wrong)
}

fn pins(body: &Fields) -> Result<Vec<Aabb>> {
    let pins = body.tables("pin", |number, _| {
        format!("{}[{}]", body.name("pin"), number - 1)
    })?;
    pins.iter().map(materials::within).collect()
}

pub(super) fn solid(fields: &Fields) -> Result<Solid> {
    let plane: fn(&Fields) -> Result<Solid> = |fields| {
        fields.only(&["kind", "position", "normal"])?;
        Ok(Solid::Plane {
            position: fields.vector("position")?.unwrap_or_default(),
            normal: fields.vector("normal")?.unwrap_or([0.0, 1.0, 0.0]),
        })
    };
    let sphere: fn(&Fields) -> Result<Solid> = |fields| {
        fields.only(&["kind", "position", "radius"])?;
        Ok(Solid::Sphere {
            position: fields.vector("position")?.unwrap_or_default(),
            radius: fields.required("radius", fields.number("radius")?, "a number > 0 [m]")?,
        })
    };
    let cuboid: fn(&Fields) -> Result<Solid> = |fields| {
        fields.only(&["kind", "position", "rotation", "size"])?;
        Ok(Solid::Box {
            position: fields.vector("position")?.unwrap_or_default(),
            rotation: fields.vector("rotation")?.unwrap_or_default(),
            size: fields.required("size", fields.vector("size")?, "the whole edge lengths [m]")?,
        })
    };
    let kinds = [("plane", plane), ("sphere", sphere), ("box", cuboid)];
    let kind = fields.choice("kind", &kinds, &["mesh"])?;
    fields.required("kind", kind, "one of: plane, sphere, box")?(fields)
}

pub(super) fn attachment(fields: &Fields) -> Result<Attachment> {
    fields.only(&[
        "body",
        "box",
        "points",
        "to",
        "solid",
        "stiffness",
        "damping_ratio",
    ])?;
    let body = fields.required("body", fields.text("body")?, "the name of a body")?;
    let points = match (fields.has("box"), fields.list("points")?) {
        (true, Some(_)) => {
            return Err(fields.error("points", "are given beside box, wanted one of the two"));
        }
        (_, None) => AttachedPoints::Within(materials::corners(fields)?),
        (_, Some(points)) => AttachedPoints::Listed(points),
    };
    let to = match (fields.text("to")?, fields.count("solid")?) {
        (Some(_), Some(_)) => {
            return Err(fields.error("solid", "is given beside to, wanted one of the two"));
        }
        (Some(to), None) => AttachedTo::Body(to.into()),
        (None, Some(solid)) => AttachedTo::Solid(solid),
        (None, None) => AttachedTo::Place,
    };
    let default = Attachment::new(body, points, to);
    Ok(Attachment {
        stiffness: fields.number("stiffness")?,
        damping_ratio: fields
            .number("damping_ratio")?
            .unwrap_or(default.damping_ratio),
        ..default
    })
}

fn motion(fields: &Fields) -> Result<Event> {
    let what = match (fields.count("solid")?, fields.text("body")?) {
        (Some(solid), None) => {
            fields.only(&[
                "kind",
                "solid",
                "velocity",
                "angular_velocity",
                "from",
                "to",
            ])?;
            Movable::Solid(solid)
        }
        (None, Some(body)) => {
            let known = [
                "kind",
                "body",
                "centre",
                "velocity",
                "angular_velocity",
                "from",
                "to",
            ];
            fields.only(&known)?;
            Movable::Pins(body.into())
        }
        (None, None) => {
            let want = "the number of a solid, 0 for the floor; or a body";
            return fields.required("solid", None, want);
        }
        (Some(_), Some(_)) => {
            return Err(fields.error("body", "a motion is of a solid or of a body's pins"));
        }
    };
    Ok(Event::Move {
        what,
        centre: fields.vector("centre")?.unwrap_or_default(),
        velocity: fields.vector("velocity")?.unwrap_or_default(),
        angular_velocity: fields.vector("angular_velocity")?.unwrap_or_default(),
        from: fields.number("from")?.unwrap_or(0.0),
        to: fields.number("to")?.unwrap_or(f64::INFINITY),
    })
}

pub(super) fn event(fields: &Fields) -> Result<Event> {
    let motion: fn(&Fields) -> Result<Event> = motion;
    let line_force: fn(&Fields) -> Result<Event> = |fields| {
        fields.only(&["kind", "body", "point", "force", "from", "to"])?;
        Ok(Event::LineForce {
            body: fields
                .required("body", fields.text("body")?, "the name of a body")?
                .into(),
            point: fields.required(
                "point",
                fields.vector("point")?,
                "a point of the rest shape [m]",
            )?,
            force: fields.required("force", fields.vector("force")?, "a force [N]")?,
            from: fields.required("from", fields.number("from")?, "a time [s]")?,
            to: fields.required("to", fields.number("to")?, "a time after from [s]")?,
        })
    };
    let wind: fn(&Fields) -> Result<Event> = |fields| {
        fields.only(&["kind", "velocity", "from", "to"])?;
        Ok(Event::Wind {
            velocity: fields.required(
                "velocity",
                fields.vector("velocity")?,
                "the air's velocity [m/s]",
            )?,
            from: fields.number("from")?.unwrap_or(0.0),
            to: fields.number("to")?.unwrap_or(f64::INFINITY),
        })
    };
    let kinds = [("line_force", line_force), ("wind", wind), ("move", motion)];
    let kind = fields.choice("kind", &kinds, &["explosion", "release"])?;
    fields.required("kind", kind, "one of: line_force, wind, move")?(fields)
}
