//! The value checks of a scene, the same for scenes from files and from code.

use std::collections::HashSet;

use super::format::*;
use super::kind::*;
use crate::gpu::types::{MAX_PULLS, MAX_SOLIDS};
use crate::mesh::{MAX_CELLS, MAX_CUBES};
use crate::{Error, Result};

/// No coordinate or length is larger [m], no speed [m/s], angle [rad], rate or factor either.
const LARGEST: f64 = 1e6;
/// Masses, moduli, stiffnesses and forces stay below this, far within f32.
const STRONGEST: f64 = 1e15;
/// The least positive mass, density, modulus.
const WEAKEST: f64 = 1e-12;
/// The shortest length [m] and least scale.
const SHORTEST: f64 = 1e-6;
/// The shortest fixed step [s].
const SHORTEST_STEP: f64 = 1e-9;
/// The least frame rate [1/s].
const LEAST_FPS: f64 = 1e-3;
/// Poisson's ratio lies between these: at −1 and 0.5 a modulus is infinite.
const LEAST_POISSON: f64 = -0.99;
const MOST_POISSON: f64 = 0.4999;
/// Largest cap of the plastic strain.
const MOST_PLASTIC: f64 = 100.0;
/// Clusters of one body.
const MOST_CLUSTERS: u128 = 10_000_000;
/// The longest name [characters].
const LONGEST_NAME: usize = 200;
/// Cubes along one side of a lattice.
const MOST_CUBES_ALONG: u32 = 4096;
/// Cubes of all lattices of a scene together.
const MOST_CUBES: u64 = 50_000_000;

impl Scene {
    /// Checks every value: finite, of the right sign and size, names unique, events about bodies that exist, and
    /// nothing that this version has not built. [`Scene::parse`] has done so; meshes are not looked into.
    ///
    /// # Errors
    /// [`Error::Value`] for the first value that cannot be used.
    pub fn check(&self) -> Result<()> {
        check_world(&self.world)?;
        let mut names = HashSet::new();
        let mut cubes = 0;
        for (i, body) in self.bodies.iter().enumerate() {
            check_body(i + 1, body, &self.world, &mut names, &mut cubes)?;
            let pressed = matches!(body.kind, Kind::Springs(_)) && !body.shell;
            if self.world.projection == Projection::Pressure && !pressed {
                let want = "\"mass\" or \"half\": pressures are those of springs in tetrahedra";
                let what = if body.shell {
                    "a shell"
                } else {
                    body.kind.name()
                };
                let got = format!("\"pressure\" with {}, {what}", body_label(&body.name));
                return Err(Error::value("world.projection", got, want));
            }
        }
        self.check_solids()?;
        self.check_events(&names)
    }

    fn check_solids(&self) -> Result<()> {
        let solids = self.solids.len() + usize::from(self.world.floor.is_some());
        if solids > MAX_SOLIDS as usize {
            let want = format!("at most {MAX_SOLIDS} solids, the floor included");
            return Err(Error::value(
                format!("solid {}", self.solids.len()),
                format!("solid number {solids}"),
                want,
            ));
        }
        self.solids
            .iter()
            .enumerate()
            .try_for_each(|(i, solid)| check_solid(&format!("solid {}", i + 1), solid))
    }

    fn check_events(&self, names: &HashSet<&str>) -> Result<()> {
        let mut line_forces = 0;
        for (i, event) in self.events.iter().enumerate() {
            let at = format!("event {}", i + 1);
            match event {
                Event::LineForce {
                    body,
                    point,
                    force,
                    from,
                    to,
                } => {
                    line_forces += 1;
                    if line_forces > MAX_PULLS as usize {
                        let want = format!("at most {MAX_PULLS} of them");
                        return Err(Error::value(
                            at,
                            format!("line force number {line_forces}"),
                            want,
                        ));
                    }
                    if !names.contains(body.as_str()) {
                        return Err(Error::value(
                            format!("{at}.body"),
                            quoted(body),
                            "the name of a body of this scene",
                        ));
                    }
                    vector(&format!("{at}.point"), *point, LARGEST, "m")?;
                    vector(&format!("{at}.force"), *force, STRONGEST, "N")?;
                    period(&at, *from, *to)?;
                }
                Event::Wind { velocity, from, to } => {
                    if self.world.drag == 0.0 {
                        let want = "world.drag > 0 [1/s], through which the wind acts";
                        return Err(Error::value(at, "wind in a world whose drag is 0", want));
                    }
                    vector(&format!("{at}.velocity"), *velocity, LARGEST, "m/s")?;
                    period(&at, *from, *to)?;
                }
            }
        }
        Ok(())
    }
}

/// What errors call a body.
pub(super) fn body_label(name: &str) -> String {
    format!("body {}", quoted(name))
}

fn quoted(name: &str) -> String {
    format!("{:?}", super::fields::short(name))
}

fn check_world(world: &WorldSettings) -> Result<()> {
    vector("world.gravity", world.gravity, LARGEST, "m/s²")?;
    if let Some(floor) = world.floor {
        within("world.floor", floor, -LARGEST, LARGEST, "m")?;
    }
    if let Step::Fixed(step) = world.step {
        positive("world.step", step, SHORTEST_STEP, 1.0, "s")?;
    }
    not_negative("world.friction", world.friction, LARGEST, "")?;
    within("world.restitution", world.restitution, 0.0, 1.0, "")?;
    not_negative("world.drag", world.drag, LARGEST, "1/s")?;
    not_negative("world.duration", world.duration, LARGEST, "s")?;
    positive("world.fps", world.fps, LEAST_FPS, 10_000.0, "1/s")
}

/// Checks body `number` of a scene; `names` and `cubes` hold the names and count the lattices' cubes so far.
pub(super) fn check_body<'a>(
    number: usize,
    body: &'a Body,
    world: &WorldSettings,
    names: &mut HashSet<&'a str>,
    cubes: &mut u64,
) -> Result<()> {
    check_name(number, &body.name, names)?;
    check_mesh(body, cubes)?;
    check_placing(body)?;
    check_material(body, world.integrator)?;
    check_regions(body)
}

fn check_name<'a>(number: usize, name: &'a str, names: &mut HashSet<&'a str>) -> Result<()> {
    let at = format!("body {number}.name");
    if name.trim().is_empty() {
        return Err(Error::value(at, quoted(name), "a name"));
    }
    if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        let want = format!("one line of at most {LONGEST_NAME} characters");
        return Err(Error::value(at, quoted(name), want));
    }
    if !names.insert(name) {
        return Err(Error::value(
            at,
            quoted(name),
            "a name that no other body has",
        ));
    }
    Ok(())
}

/// Checks the size of a body's mesh and that a skin has a path; `cubes` counts the cubes of the lattices so far.
fn check_mesh(body: &Body, cubes: &mut u64) -> Result<()> {
    let field = |key: &str| format!("{}.mesh.{key}", body_label(&body.name));
    if body
        .skin
        .as_ref()
        .is_some_and(|skin| skin.as_os_str().is_empty())
    {
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
        MeshSource::File { path, .. } if path.as_os_str().is_empty() => Err(Error::value(
            field("file"),
            "\"\"",
            "the path of a mesh file",
        )),
        MeshSource::File { cells, .. } | MeshSource::Surface { cells, .. } => {
            if (1..=MAX_CELLS).contains(cells) {
                return Ok(());
            }
            Err(Error::value(
                field("cells"),
                cells,
                format!("a number from 1 to {MAX_CELLS}"),
            ))
        }
        MeshSource::Tets(_) | MeshSource::Points(_) => Ok(()),
    }
}

fn check_placing(body: &Body) -> Result<()> {
    let field = |key: &str| format!("{}.{key}", body_label(&body.name));
    vector(&field("position"), body.position, LARGEST, "m")?;
    vector(&field("rotation"), body.rotation, LARGEST, "rad")?;
    for factor in body.scale {
        if !(SHORTEST..=LARGEST).contains(&factor) {
            let want = format!(
                "three numbers > 0 ({SHORTEST:e} to {LARGEST:e}); mirroring is not supported"
            );
            return Err(Error::value(
                field("scale"),
                format!("{:?}", body.scale),
                want,
            ));
        }
    }
    vector(&field("stretch"), body.stretch, LARGEST, "")?;
    not_negative(&field("scatter"), body.scatter, LARGEST, "m")?;
    vector(&field("velocity"), body.velocity, LARGEST, "m/s")?;
    vector(
        &field("angular_velocity"),
        body.angular_velocity,
        LARGEST,
        "rad/s",
    )?;
    for (i, pin) in body.pin.iter().enumerate() {
        check_box(field(&format!("pin[{i}].box")), pin)?;
    }
    Ok(())
}

fn check_box(at: String, corners: &Aabb) -> Result<()> {
    let Aabb { min, max } = *corners;
    vector(&at, min, LARGEST, "m")?;
    vector(&at, max, LARGEST, "m")?;
    if (0..3).any(|k| min[k] > max[k]) {
        let got = format!("{min:?} to {max:?}");
        let want = "the corner of least coordinates, then that of greatest";
        return Err(Error::value(at, got, want));
    }
    Ok(())
}

fn check_material(body: &Body, integrator: Integrator) -> Result<()> {
    let field = |key: &str| format!("{}.{key}", body_label(&body.name));
    match body.mass {
        Mass::PerPoint(mass) => positive(&field("mass"), mass, WEAKEST, STRONGEST, "kg")?,
        Mass::Density(density) => {
            positive(&field("density"), density, WEAKEST, STRONGEST, "kg/m³")?
        }
    }
    check_kind(body, integrator)?;
    if let Some(friction) = body.friction {
        not_negative(&field("friction"), friction, LARGEST, "")?;
    }
    if let Some(restitution) = body.restitution {
        within(&field("restitution"), restitution, 0.0, 1.0, "")?;
    }
    match body.damping_mode {
        Some(mode @ (DampingMode::Exact | DampingMode::Capped)) if !integrator.frees_damping() => {
            let got = format!("{:?} with integrator {:?}", mode.name(), integrator.name());
            let want = "\"explicit\" or none (exact and capped need symplectic_euler, verlet or \
                        leapfrog)";
            Err(Error::value(field("damping_mode"), got, want))
        }
        _ => Ok(()),
    }
}

fn check_kind(body: &Body, integrator: Integrator) -> Result<()> {
    let field = |key: &str| format!("{}.{key}", body_label(&body.name));
    not_negative(&field("area"), body.area, STRONGEST, "J")?;
    if body.area > 0.0 && !matches!(body.kind, Kind::Springs(_)) {
        let got = format!("{} with kind {:?}", brief(body.area), body.kind.name());
        return Err(Error::value(
            field("area"),
            got,
            "none: it belongs to springs",
        ));
    }
    check_radius(body)?;
    match &body.kind {
        Kind::Springs(Springs::Constants {
            distance,
            volume,
            damping,
        }) => {
            not_negative(&field("distance"), *distance, STRONGEST, "J")?;
            not_negative(&field("volume"), *volume, STRONGEST, "J")?;
            not_negative(&field("damping"), *damping, STRONGEST, "J s")
        }
        Kind::Springs(Springs::Moduli { young, relaxation }) => {
            positive(&field("young"), *young, WEAKEST, STRONGEST, "Pa")?;
            not_negative(&field("relaxation"), *relaxation, LARGEST, "s")
        }
        Kind::Fem(fem) => {
            positive(&field("young"), fem.young, WEAKEST, STRONGEST, "Pa")?;
            within(
                &field("poisson"),
                fem.poisson,
                LEAST_POISSON,
                MOST_POISSON,
                "",
            )?;
            not_negative(&field("relaxation"), fem.relaxation, LARGEST, "s")?;
            check_plasticity(&field, &fem.plasticity)
        }
        Kind::Shape(shape) => check_shape(&field, shape, integrator),
    }
}

/// A shell has no thickness but this, and no volume without it.
fn check_radius(body: &Body) -> Result<()> {
    let at = format!("{}.radius", body_label(&body.name));
    if let Some(radius) = body.radius {
        return positive(&at, radius, SHORTEST, LARGEST, "m");
    }
    let by_volume = [
        ("density", matches!(body.mass, Mass::Density(_))),
        (
            "young",
            matches!(body.kind, Kind::Springs(Springs::Moduli { .. })),
        ),
    ];
    match by_volume.iter().find(|(_, given)| body.shell && *given) {
        Some((key, _)) => {
            let want = format!("half the shell's thickness [m] beside {key}");
            Err(Error::value(at, "missing", want))
        }
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
    within(
        &field("plastic_max"),
        plasticity.most,
        0.0,
        MOST_PLASTIC,
        "",
    )
}

fn check_shape(
    field: &dyn Fn(&str) -> String,
    shape: &Shape,
    integrator: Integrator,
) -> Result<()> {
    match shape.pull {
        Pull::Alpha(alpha) => positive(&field("alpha"), alpha, SHORTEST, 1.0, "")?,
        Pull::Frequency(frequency) => {
            positive(&field("frequency"), frequency, SHORTEST, LARGEST, "1/s")?;
        }
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
    if matches!(integrator, Integrator::Euler | Integrator::Midpoint) {
        let want = "symplectic_euler, verlet, leapfrog or rk4: shape matching is unstable at every step of the others";
        return Err(Error::value("world.integrator", integrator.name(), want));
    }
    check_plasticity(field, &shape.plasticity)
}

fn check_lists(field: &dyn Fn(&str) -> String, lists: &[Vec<u32>]) -> Result<()> {
    if lists.is_empty() {
        let want = "at least one list of points, or none of the key for the whole body";
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

/// Regions have values like the body's own, and name constants that its kind has.
fn check_regions(body: &Body) -> Result<()> {
    let allowed: &[Constant] = match &body.kind {
        Kind::Springs(Springs::Constants { .. }) => &[
            Constant::Density,
            Constant::Distance,
            Constant::Volume,
            Constant::Damping,
        ],
        Kind::Springs(Springs::Moduli { .. }) => {
            &[Constant::Density, Constant::Young, Constant::Relaxation]
        }
        Kind::Fem(_) => &[
            Constant::Density,
            Constant::Young,
            Constant::Poisson,
            Constant::Relaxation,
        ],
        Kind::Shape(_) => &[],
    };
    let label = body_label(&body.name);
    let known = |at: String, constant: Constant| {
        let names: Vec<_> = allowed.iter().map(|constant| constant.name()).collect();
        if !allowed.contains(&constant) {
            let want = match &names[..] {
                [] => format!(
                    "none: constants of kind {:?} do not differ",
                    body.kind.name()
                ),
                names => format!("a constant of this material: {}", names.join(", ")),
            };
            return Err(Error::value(at, quoted(constant.name()), want));
        }
        if constant == Constant::Density && !matches!(body.mass, Mass::Density(_)) {
            let want = "density [kg/m³] instead of mass for the rest of the body";
            return Err(Error::value(at, quoted(constant.name()), want));
        }
        Ok(())
    };
    for constant in &body.cell_data {
        known(format!("{label}.cell_data"), *constant)?;
    }
    for (i, region) in body.regions.iter().enumerate() {
        let at = format!("{label}.region[{i}]");
        check_box(format!("{at}.box"), &region.within)?;
        for (constant, value) in &region.constants {
            known(at.clone(), *constant)?;
            check_constant(&format!("{at}.{}", constant.name()), *constant, *value)?;
        }
    }
    Ok(())
}

/// A value of a constant, wherever it is given.
pub(crate) fn check_constant(at: &str, constant: Constant, value: f64) -> Result<()> {
    match constant {
        Constant::Young => positive(at, value, WEAKEST, STRONGEST, "Pa"),
        Constant::Poisson => within(at, value, LEAST_POISSON, MOST_POISSON, ""),
        Constant::Relaxation => not_negative(at, value, LARGEST, "s"),
        Constant::Density => positive(at, value, WEAKEST, STRONGEST, "kg/m³"),
        Constant::Distance | Constant::Volume => not_negative(at, value, STRONGEST, "J"),
        Constant::Damping => not_negative(at, value, STRONGEST, "J s"),
    }
}

fn check_solid(at: &str, solid: &Solid) -> Result<()> {
    let field = |key: &str| format!("{at}.{key}");
    match solid {
        Solid::Plane { position, normal } => {
            vector(&field("position"), *position, LARGEST, "m")?;
            vector(&field("normal"), *normal, LARGEST, "")?;
            if normal.iter().all(|x| x.abs() < SHORTEST) {
                let want = format!("a direction of length ≥ {SHORTEST:e}");
                return Err(Error::value(field("normal"), format!("{normal:?}"), want));
            }
            Ok(())
        }
        Solid::Sphere { position, radius } => {
            vector(&field("position"), *position, LARGEST, "m")?;
            positive(&field("radius"), *radius, SHORTEST, LARGEST, "m")
        }
        Solid::Box {
            position,
            rotation,
            size,
        } => {
            vector(&field("position"), *position, LARGEST, "m")?;
            vector(&field("rotation"), *rotation, LARGEST, "rad")?;
            size.iter()
                .try_for_each(|&length| positive(&field("size"), length, SHORTEST, LARGEST, "m"))
        }
    }
}

fn period(at: &str, from: f64, to: f64) -> Result<()> {
    not_negative(&format!("{at}.from"), from, LARGEST, "s")?;
    if to > from {
        return Ok(());
    }
    Err(Error::value(
        format!("{at}.to"),
        to,
        format!("a time after from, {from} [s]"),
    ))
}

/// A number in `least..=most`.
fn within(at: &str, x: f64, least: f64, most: f64, unit: &str) -> Result<()> {
    expect(
        at,
        x,
        least,
        most,
        &format!("a number from {} to {}", brief(least), brief(most)),
        unit,
    )
}

/// A number > 0, in `least..=most`.
fn positive(at: &str, x: f64, least: f64, most: f64, unit: &str) -> Result<()> {
    expect(
        at,
        x,
        least,
        most,
        &format!("a number > 0 ({} to {})", brief(least), brief(most)),
        unit,
    )
}

/// A number in `0..=most`.
fn not_negative(at: &str, x: f64, most: f64, unit: &str) -> Result<()> {
    expect(
        at,
        x,
        0.0,
        most,
        &format!("a number ≥ 0 (at most {})", brief(most)),
        unit,
    )
}

/// Three numbers, none beyond ±`most`.
fn vector(at: &str, v: [f64; 3], most: f64, unit: &str) -> Result<()> {
    if v.iter().all(|x| x.abs() <= most) {
        return Ok(());
    }
    let want = with_unit(
        &format!("three finite numbers within ±{}", brief(most)),
        unit,
    );
    Err(Error::value(at, format!("{v:?}"), want))
}

/// NaN lies in no range, so it is refused too.
fn expect(at: &str, x: f64, least: f64, most: f64, want: &str, unit: &str) -> Result<()> {
    if (least..=most).contains(&x) {
        return Ok(());
    }
    Err(Error::value(at, brief(x), with_unit(want, unit)))
}

fn with_unit(want: &str, unit: &str) -> String {
    if unit.is_empty() {
        want.into()
    } else {
        format!("{want} [{unit}]")
    }
}

/// A number in few characters: powers of ten beyond six digits.
fn brief(x: f64) -> String {
    if x != 0.0 && x.is_finite() && !(1e-4..1e6).contains(&x.abs()) {
        format!("{x:e}")
    } else {
        x.to_string()
    }
}
