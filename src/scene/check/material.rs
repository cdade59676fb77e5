//! Checks of what a body is made of.

use super::body_label;
use super::limits::*;
use super::values::*;
use crate::scene::*;
use crate::{Error, Result};

pub fn check_material(body: &Body, integrator: Integrator) -> Result<()> {
    let field = |key: &str| format!("{}.{key}", body_label(&body.name));
    let (amount, unit) = match body.mass {
        Mass::Density(density) => (density, "kg/m³"),
        Mass::Body(mass) | Mass::Point(mass) => (mass, "kg"),
    };
    positive(&field(body.mass.key()), amount, WEAKEST, STRONGEST, unit)?;
    check_kind(body, integrator)?;
    if let Some(friction) = body.friction {
        not_negative(&field("friction"), friction, LARGEST, "")?;
    }
    check_damping_mode(body, integrator)
}

fn check_damping_mode(body: &Body, integrator: Integrator) -> Result<()> {
    let Some(mode) = body.damping_mode else {
        return Ok(());
    };
    let want = match mode {
        _ if integrator.is_implicit() => "no such key: implicit integrators apply damping in full",
        DampingMode::Capped | DampingMode::Exact if !integrator.weakens_damping() => {
            "\"explicit\" or no such key, or integrator \"verlet\", \"symplectic_euler\" or \"leapfrog\""
        }
        _ => return Ok(()),
    };
    let at = format!("{}.damping_mode", body_label(&body.name));
    let got = format!("{:?} with integrator {:?}", mode.name(), integrator.name());
    Err(Error::value(at, got, want))
}

fn check_kind(body: &Body, integrator: Integrator) -> Result<()> {
    let field = |key: &str| format!("{}.{key}", body_label(&body.name));
    not_negative(&field("area"), body.area, STRONGEST, "J")?;
    if body.area > 0.0 && !matches!(body.kind, Kind::Springs(_)) {
        let got = format!("{} with kind {:?}", brief(body.area), body.kind.name());
        return Err(Error::value(field("area"), got, "no such key: it belongs to springs"));
    }
    if let Some(radius) = body.radius {
        positive(&field("radius"), radius, SHORTEST, LARGEST, "m")?;
    }
    match &body.kind {
        Kind::Springs(Springs::Constants { distance, volume, damping }) => {
            not_negative(&field("distance"), *distance, STRONGEST, "J")?;
            not_negative(&field("volume"), *volume, STRONGEST, "J")?;
            not_negative(&field("damping"), *damping, STRONGEST, "J s")
        }
        Kind::Springs(Springs::Moduli { young, relaxation }) => {
            check_moduli(&field, *young, *relaxation)
        }
        Kind::Fem(fem) => {
            check_moduli(&field, fem.young, fem.relaxation)?;
            within(&field("poisson"), fem.poisson, LEAST_POISSON, MOST_POISSON, "")?;
            if integrator == Integrator::Vbd && fem.law != Law::NeoHookean {
                let got = format!("{:?} with integrator \"vbd\"", fem.law.name());
                let want = "\"neo_hookean\", or integrator \"implicit_euler\"";
                return Err(Error::value(field("material"), got, want));
            }
            if integrator == Integrator::Vbd && fem.plasticity.yield_strain.is_finite() {
                let got = format!("{} with integrator \"vbd\"", brief(fem.plasticity.yield_strain));
                let want = "no such key, or integrator \"implicit_euler\": vbd does not support plastic flow yet";
                return Err(Error::value(field("yield"), got, want));
            }
            check_plasticity(&field, &fem.plasticity)
        }
        Kind::Shape(shape) => check_shape(&field, shape, integrator),
        Kind::Rigid(rigid) => check_rigid(&field, body, rigid),
    }
}

fn check_rigid(field: &dyn Fn(&str) -> String, body: &Body, rigid: &Rigid) -> Result<()> {
    within(&field("restitution"), rigid.restitution, 0.0, 1.0, "")?;
    not_negative(&field("rolling_friction"), rigid.rolling_friction, LARGEST, "m")?;
    for (key, is_given) in [
        ("shell", body.shell),
        ("fitted", !body.fitted),
        ("radius", body.radius.is_some()),
        ("stretch", body.stretch != [1.0; 3]),
        ("scatter", body.scatter != 0.0),
        ("pin", !body.pin.is_empty()),
        ("point_mass", matches!(body.mass, Mass::Point(_))),
        ("damping_mode", body.damping_mode.is_some()),
        ("region", !body.regions.is_empty()),
        ("cell_data", !body.cell_data.is_empty()),
    ] {
        if is_given {
            let want = match key {
                "pin" => "no such key; held = true holds a rigid body",
                "point_mass" => "density or mass",
                _ => "no such key: it has no effect on a rigid body",
            };
            return Err(Error::value(field(key), "given with kind \"rigid\"", want));
        }
    }
    for (key, given) in [("velocity", body.velocity), ("angular_velocity", body.angular_velocity)] {
        if rigid.held && given != [0.0; 3] {
            let got = format!("{given:?} on a held body, which does not move");
            let want = "no such key, or an [[event]] of kind \"move\" (World::move_body) with this velocity";
            return Err(Error::value(field(key), got, want));
        }
    }
    if rigid.mesh_shape() == MeshShape::Mesh {
        let surface = matches!(
            body.mesh,
            MeshSource::File { .. } | MeshSource::Surface { .. } | MeshSource::Tets(_)
        );
        let wrong = |got: &str, want: &str| Err(Error::value(field("shape"), got, want));
        if !surface {
            let want = "no such key: it is for meshes from one file or surface";
            return wrong("\"mesh\" on a body without a surface mesh", want);
        }
        if !rigid.held {
            let want = "held = true, or \"hull\" (or mesh = { parts = [...] } if it is not convex): only held bodies collide by \
                        their triangles";
            return wrong("\"mesh\" on a body that is not held", want);
        }
    }
    Ok(())
}

fn check_moduli(
    field: &dyn Fn(&str) -> String,
    young: Option<f64>,
    relaxation: Option<f64>,
) -> Result<()> {
    if let Some(young) = young {
        positive(&field("young"), young, WEAKEST, STRONGEST, "Pa")?;
    }
    match relaxation {
        Some(relaxation) => not_negative(&field("relaxation"), relaxation, LARGEST, "s"),
        None => Ok(()),
    }
}

fn check_plasticity(field: &dyn Fn(&str) -> String, plasticity: &Plasticity) -> Result<()> {
    if plasticity.yield_strain < f64::INFINITY {
        not_negative(&field("yield"), plasticity.yield_strain, LARGEST, "")?;
    } else if plasticity.yield_strain.is_nan() {
        return Err(Error::value(field("yield"), "NaN", "a number ≥ 0"));
    }
    not_negative(&field("creep"), plasticity.creep, LARGEST, "1/s")?;
    within(&field("plastic_max"), plasticity.most, 0.0, MOST_PLASTIC, "")
}

fn check_shape(
    field: &dyn Fn(&str) -> String,
    shape: &ShapeMatching,
    integrator: Integrator,
) -> Result<()> {
    match shape.pull {
        Pull::Alpha(alpha) => positive(&field("alpha"), alpha, SHORTEST, 1.0, "")?,
        Pull::Frequency(frequency) => {
            positive(&field("frequency"), frequency, SHORTEST, LARGEST, "1/s")?;
        }
        Pull::Suited => {}
    }
    within(&field("beta"), shape.beta, 0.0, 1.0, "")?;
    not_negative(&field("relaxation"), shape.relaxation, LARGEST, "s")?;
    match &shape.clusters {
        Clusters::Grid { count, overlap } => {
            let boxes = count.iter().map(|&n| u128::from(n)).product::<u128>();
            if !(1..=MOST_CLUSTERS).contains(&boxes) {
                let want = format!("three numbers ≥ 1, at most {MOST_CLUSTERS} boxes in all");
                return Err(Error::value(field("clusters"), format!("{count:?}"), want));
            }
            not_negative(&field("overlap"), *overlap, LARGEST, "")?;
        }
        Clusters::Boxes(boxes) => {
            for (i, corners) in boxes.iter().enumerate() {
                check_box(field(&format!("clusters[{i}].box")), corners)?;
            }
        }
        Clusters::Given(lists) => check_lists(field, lists)?,
        Clusters::Whole | Clusters::Tets => {}
    }
    if integrator == Integrator::Vbd {
        let got = "\"shape\" with integrator \"vbd\"";
        let want = "\"springs\" or \"fem\", or integrator \"implicit_euler\": vbd does not support shape matching";
        return Err(Error::value(field("kind"), got, want));
    }
    if integrator.needs_damping() {
        let want = "symplectic_euler, verlet, leapfrog, rk4 or implicit_euler: with the others shape matching is unstable at any \
                    step";
        return Err(Error::value("world.integrator", integrator.name(), want));
    }
    check_plasticity(field, &shape.plasticity)
}

fn check_lists(field: &dyn Fn(&str) -> String, lists: &[Vec<u32>]) -> Result<()> {
    if lists.is_empty() {
        let want = "at least one list of points, or no such key for the whole body";
        return Err(Error::value(field("clusters"), "an empty array", want));
    }
    match lists.iter().position(Vec::is_empty) {
        Some(i) => {
            let at = field(&format!("clusters[{i}]"));
            Err(Error::value(at, "an empty list", "at least one point"))
        }
        None => Ok(()),
    }
}
