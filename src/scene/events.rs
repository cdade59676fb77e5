//! The `[[attachment]]`s and `[[event]]`s of a scene file.

use super::fields::Fields;
use super::format::*;
use super::materials;
use super::solids::{Obstacle, Obstacles};
use super::tables::rotations;
use crate::Result;

/// The keys of an attachment.
pub(super) const ATTACHMENT_KEYS: &[&str] =
    &["body", "box", "points", "to", "solid", "stiffness", "damping_ratio"];

pub(super) fn attachment(fields: &Fields, obstacles: &Obstacles) -> Result<Attachment> {
    fields.only(ATTACHMENT_KEYS)?;
    let body: &str = fields.required("body", "the name of a body")?;
    let points = match (fields.has("box"), fields.get("points")?) {
        (true, Some(_)) => {
            return Err(fields.error("points", "conflict with box, wanted only one of the two"));
        }
        (_, None) => AttachedPoints::Within(materials::corners(fields)?),
        (_, Some(points)) => AttachedPoints::Listed(points),
    };
    let to = match (fields.get::<&str>("to")?, obstacles.meant(fields)?) {
        (Some(_), Some(_)) => {
            return Err(fields.error("solid", "conflicts with to, wanted only one of the two"));
        }
        (Some(to), None) => AttachedTo::Body(to.into()),
        (None, Some(Obstacle::Mesh(body, _))) => AttachedTo::Body(body.clone()),
        (None, Some(Obstacle::Solid(number))) => AttachedTo::Solid(*number),
        (None, None) => AttachedTo::Place,
    };
    let mut attachment = Attachment::new(body, points, to);
    fields.set("stiffness", &mut attachment.stiffness)?;
    fields.set("damping_ratio", &mut attachment.damping_ratio)?;
    Ok(attachment)
}

/// What reads an event of one kind.
type Read = fn(&Fields, &Obstacles, &Scene) -> Result<Event>;

pub(super) fn event(fields: &Fields, obstacles: &Obstacles, scene: &Scene) -> Result<Event> {
    let kinds: [(&str, Read); 3] = [
        ("line_force", |fields, _, _| line_force(fields)),
        ("wind", |fields, _, _| wind(fields)),
        ("move", motion),
    ];
    let kind = fields.choice("kind", &kinds, &["explosion", "release"])?;
    let read = kind.ok_or_else(|| fields.missing("kind", "one of: line_force, wind, move"))?;
    read(fields, obstacles, scene)
}

fn line_force(fields: &Fields) -> Result<Event> {
    fields.only(&["kind", "body", "point", "force", "from", "to"])?;
    Ok(Event::LineForce {
        body: fields.required::<&str>("body", "the name of a body")?.into(),
        point: fields.required("point", "a point of the rest shape [m]")?,
        force: fields.required("force", "a force [N]")?,
        from: fields.required("from", "a time [s]")?,
        to: fields.required("to", "a time after from [s]")?,
    })
}

fn wind(fields: &Fields) -> Result<Event> {
    fields.only(&["kind", "velocity", "from", "to"])?;
    Ok(Event::Wind {
        velocity: fields.required("velocity", "the air's velocity [m/s]")?,
        from: fields.get("from")?.unwrap_or(0.0),
        to: fields.get("to")?.unwrap_or(f64::INFINITY),
    })
}

/// The keys of a motion at constant velocities, beside what moves, and those of one from place to place.
pub(super) const VELOCITIES: &[&str] = &["velocity", "angular_velocity", "from", "to"];
pub(super) const KEYFRAMES: &[&str] = &["times", "positions", "rotations", "rotations_degrees"];

fn motion(fields: &Fields, obstacles: &Obstacles, scene: &Scene) -> Result<Event> {
    let by_places = KEYFRAMES.iter().any(|key| fields.has(key));
    let of_its_own = if by_places { KEYFRAMES } else { VELOCITIES };
    let mut centre = [0.0; 3];
    let what = match (obstacles.meant(fields)?, fields.get::<&str>("body")?) {
        (Some(solid), None) => {
            let common: &[&str] = &["kind", "solid"];
            fields.only_of(
                &[common, of_its_own].concat(),
                &[common, VELOCITIES, KEYFRAMES].concat(),
            )?;
            match solid {
                Obstacle::Solid(number) => Movable::Solid(*number),
                // Solids turn about their position.
                Obstacle::Mesh(body, position) => {
                    centre = *position;
                    Movable::Pins(body.clone())
                }
            }
        }
        (None, Some(body)) => {
            let about: &[&str] = if by_places { &[] } else { &["centre"] };
            let common: &[&str] = &["kind", "body"];
            let useful = [common, &["centre"], VELOCITIES, KEYFRAMES].concat();
            fields.only_of(&[common, about, of_its_own].concat(), &useful)?;
            fields.set("centre", &mut centre)?;
            Movable::Pins(body.into())
        }
        (None, None) => {
            let want = "the name or number of a solid, 0 for the floor; or a body";
            return Err(fields.missing("solid", want));
        }
        (Some(_), Some(_)) => {
            return Err(fields.error("body", "a motion applies to a solid or to a body's pins"));
        }
    };
    if by_places {
        return keyframes(fields, what, scene);
    }
    Ok(Event::Move {
        what,
        centre,
        velocity: fields.get("velocity")?.unwrap_or_default(),
        angular_velocity: fields.get("angular_velocity")?.unwrap_or_default(),
        from: fields.get("from")?.unwrap_or(0.0),
        to: fields.get("to")?.unwrap_or(f64::INFINITY),
    })
}

/// What is not said of the places is as it starts.
fn keyframes(fields: &Fields, what: Movable, scene: &Scene) -> Result<Event> {
    let times: Vec<f64> = fields.required("times", "at least two times, ascending [s]")?;
    let [position, rotation] = scene.placing(&what).unwrap_or_default();
    let positions = fields.get("positions")?.unwrap_or_else(|| vec![position; times.len()]);
    let rotations = rotations(fields)?.unwrap_or_else(|| vec![rotation; times.len()]);
    Ok(Event::Keyframes { what, times, positions, rotations })
}
