//! Checks of a body: its name, mesh and place.

use std::collections::HashSet;

use super::limits::*;
use super::material::check_material;
use super::regions::check_regions;
use super::values::*;
use super::{body_label, quoted};
use crate::mesh::{MAX_CELLS, MAX_CUBES, Shape};
use crate::scene::{Body, Copies, MeshSource, Response, Step, WorldSettings};
use crate::{Error, Result};

/// Checks body `number` of a scene; `names` and `cubes` hold the names and count the lattices' cubes so far.
pub fn check_body<'a>(
    number: usize,
    body: &'a Body,
    world: &WorldSettings,
    names: &mut HashSet<&'a str>,
    cubes: &mut u64,
) -> Result<()> {
    check_body_name(number, &body.name, names)?;
    check_mesh(body, cubes)?;
    check_placing(body)?;
    check_material(body, world.integrator)?;
    if body.is_rigid() && matches!(world.step, Step::Adaptive(_)) {
        let at = format!("{}.kind", body_label(&body.name));
        let got = "\"rigid\" with step = \"adaptive\"";
        let want = "\"auto\" or a number [s]: the stiffness of rigid contacts follows the step, so stacks would move as it \
                    changes";
        return Err(Error::value(at, got, want));
    }
    if body.is_rigid() && world.response == Response::Source {
        let at = format!("{}.kind", body_label(&body.name));
        let got = "\"rigid\" with response = \"source\"";
        let want = "response = \"impulse\": the source has none of rigid bodies";
        return Err(Error::value(at, got, want));
    }
    check_regions(body)
}

fn check_body_name<'a>(number: usize, name: &'a str, names: &mut HashSet<&'a str>) -> Result<()> {
    let at = format!("body {number}.name");
    check_name(&at, name)?;
    if !names.insert(name) {
        return Err(Error::value(at, quoted(name), "a unique name"));
    }
    Ok(())
}

/// Refuses what is no name.
pub fn check_name(at: &str, name: &str) -> Result<()> {
    if name.trim().is_empty() {
        return Err(Error::value(at, quoted(name), "a name"));
    }
    if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        let want = format!("one line of at most {LONGEST_NAME} characters");
        return Err(Error::value(at, quoted(name), want));
    }
    Ok(())
}

/// Checks a grid of copies.
pub fn check_copies(at: &str, copies: &Copies) -> Result<()> {
    let count = copies.count.iter().map(|n| u64::from(*n)).fold(1, u64::saturating_mul);
    if !(1..=MOST_COPIES).contains(&count) {
        let want = format!("three numbers from 1 on, at most {MOST_COPIES} copies in all");
        return Err(Error::value(format!("{at}.count"), format!("{:?}", copies.count), want));
    }
    vector(&format!("{at}.spacing"), copies.spacing, LARGEST, "m")?;
    not_negative(&format!("{at}.jitter"), copies.jitter, LARGEST, "m")
}

/// Checks the size of a body's mesh and that a skin has a path; `cubes` counts the cubes of the lattices so far.
fn check_mesh(body: &Body, cubes: &mut u64) -> Result<()> {
    let field = |key: &str| format!("{}.mesh.{key}", body_label(&body.name));
    if body.skin.as_ref().is_some_and(|skin| skin.as_os_str().is_empty()) {
        let at = format!("{}.skin", body_label(&body.name));
        return Err(Error::value(at, "\"\"", "the path of a surface file"));
    }
    match &body.mesh {
        MeshSource::Lattice { cubes: along, size } => {
            if along.iter().any(|n| !(1..=MOST_CUBES_ALONG).contains(n)) {
                let want = format!("three numbers from 1 to {MOST_CUBES_ALONG}");
                return Err(Error::value(field("lattice"), format!("{along:?}"), want));
            }
            let own = along.iter().map(|&n| u64::from(n)).product::<u64>();
            *cubes += own;
            if own > MAX_CUBES {
                let got = format!("{along:?} = {own} cubes");
                let want = format!("at most {MAX_CUBES} cubes");
                return Err(Error::value(field("lattice"), got, want));
            }
            if *cubes > MOST_CUBES {
                let got = format!("{along:?}, {cubes} cubes with the bodies before it");
                let want = format!("at most {MOST_CUBES} in all bodies together");
                return Err(Error::value(field("lattice"), got, want));
            }
            size.iter()
                .try_for_each(|&length| positive(&field("size"), length, SHORTEST, LARGEST, "m"))
        }
        MeshSource::File { path, .. } if path.as_os_str().is_empty() => {
            Err(Error::value(field("file"), "\"\"", "the path of a mesh file"))
        }
        MeshSource::File { cells, .. } | MeshSource::Surface { cells, .. } => {
            check_cells(&field, *cells)
        }
        MeshSource::Embedded { cells, shape } => {
            check_shape(&field, *shape)?;
            check_cells(&field, *cells)
        }
        MeshSource::Shape(Shape::Torus { .. }) => {
            let want = "a convex shape: a torus is for deformable bodies; mesh = { parts = [...] } makes a rigid one of convex \
                        parts";
            Err(Error::value(field("torus"), "of a rigid body", want))
        }
        MeshSource::Shape(shape) => check_shape(&field, *shape),
        MeshSource::Parts(paths) if paths.is_empty() => Err(Error::value(
            field("parts"),
            "an empty array",
            "the path of at least one mesh file",
        )),
        MeshSource::Parts(paths) => match paths.iter().position(|path| path.as_os_str().is_empty())
        {
            Some(i) => {
                Err(Error::value(field(&format!("parts[{i}]")), "\"\"", "the path of a mesh file"))
            }
            None => Ok(()),
        },
        MeshSource::Tets(_) | MeshSource::Points(_) => Ok(()),
    }
}

fn check_cells(field: &dyn Fn(&str) -> String, cells: u32) -> Result<()> {
    if (1..=MAX_CELLS).contains(&cells) {
        return Ok(());
    }
    Err(Error::value(field("cells"), cells, format!("a number from 1 to {MAX_CELLS}")))
}

/// Checks the measures of a shape.
fn check_shape(field: &dyn Fn(&str) -> String, shape: Shape) -> Result<()> {
    let lengths = |key: &str, lengths: &[f64]| {
        lengths.iter().try_for_each(|x| positive(&field(key), *x, SHORTEST, LARGEST, "m"))
    };
    match shape {
        Shape::Box { size } => lengths("box", &size),
        Shape::Sphere { radius } => lengths("sphere", &[radius]),
        Shape::Capsule { radius, length } => lengths("capsule", &[radius, length]),
        Shape::Cylinder { radius, length } => lengths("cylinder", &[radius, length]),
        Shape::Torus { radius, tube } => {
            lengths("torus", &[radius, tube])?;
            if tube < radius {
                return Ok(());
            }
            let want = "the radius of the ring, then that of its tube, which is smaller [m]";
            Err(Error::value(field("torus"), format!("{:?}", [radius, tube]), want))
        }
        Shape::Bipyramid { triangles } => {
            let fits = (6..=MOST_TRIANGLES).contains(&triangles) && triangles.is_multiple_of(2);
            if fits {
                return Ok(());
            }
            let want = format!("an even number from 6 to {MOST_TRIANGLES}");
            Err(Error::value(field("bipyramid"), triangles, want))
        }
    }
}

/// Triangles of a bipyramid at the most.
const MOST_TRIANGLES: u32 = 1000;

fn check_placing(body: &Body) -> Result<()> {
    let field = |key: &str| format!("{}.{key}", body_label(&body.name));
    vector(&field("position"), body.position, LARGEST, "m")?;
    vector(&field("rotation"), body.rotation, LARGEST, "rad")?;
    for factor in body.scale {
        if !(SHORTEST..=LARGEST).contains(&factor) {
            let want = format!(
                "three numbers > 0 ({SHORTEST:e} to {LARGEST:e}); mirroring is not supported"
            );
            return Err(Error::value(field("scale"), format!("{:?}", body.scale), want));
        }
    }
    vector(&field("stretch"), body.stretch, LARGEST, "")?;
    not_negative(&field("scatter"), body.scatter, LARGEST, "m")?;
    vector(&field("velocity"), body.velocity, LARGEST, "m/s")?;
    vector(&field("angular_velocity"), body.angular_velocity, LARGEST, "rad/s")?;
    for (i, pin) in body.pin.iter().enumerate() {
        check_box(field(&format!("pin[{i}].box")), pin)?;
    }
    Ok(())
}
