//! Masses, radii and places of particles at the start.

use glam::{DMat3, DVec3};

use super::Fields;
use super::rest::Rest;
use crate::gpu::types::SPEED_LIMIT;
use crate::mesh::{Bounds, PointCloud, TetMesh};
use crate::scatter::Scatter;
use crate::scene::{Aabb, Body, Constant, Mass, body_label};
use crate::{Error, Result};

/// Mass of each point [kg]. That of a whole body is shared as any density would.
pub fn masses(body: &Body, mesh: &TetMesh, rest: &Rest, fields: &Fields, radius: f64) -> Vec<f64> {
    let by_density = |density| masses_by_density(density, mesh, rest, fields, radius);
    match body.mass {
        Mass::Density(density) => by_density(density),
        Mass::Body(mass) => {
            let shares = by_density(1.0);
            let whole: f64 = shares.iter().sum();
            shares.iter().map(|share| mass * share / whole).collect()
        }
        Mass::Point(mass) => vec![mass; mesh.points.len()],
    }
}

/// A point's share of each tetrahedron around it; of a shell a third of each triangle, two radii thick; of a cloud the cube
/// of two radii.
fn masses_by_density(
    density: f64,
    mesh: &TetMesh,
    rest: &Rest,
    fields: &Fields,
    radius: f64,
) -> Vec<f64> {
    let of_cell = |cell| fields.get(Constant::Density, cell, density);
    if rest.edges.is_empty() {
        let points = 0..mesh.points.len();
        return points.map(|i| of_cell(i) * (2.0 * radius).powi(3)).collect();
    }
    let mut masses = vec![0.0; mesh.points.len()];
    for (i, corners) in mesh.tets.iter().enumerate() {
        let mass = mesh.volume(i) * of_cell(i);
        for (corner, share) in corners.iter().zip(rest.part(i).carried) {
            masses[*corner as usize] += mass * share;
        }
    }
    if mesh.tets.is_empty() {
        for (i, corners) in rest.triangles.iter().enumerate() {
            let third = of_cell(i) * 2.0 * radius * area(mesh, corners) / 3.0;
            corners.iter().for_each(|corner| masses[*corner as usize] += third);
        }
    }
    masses
}

/// Volume of the material of a body [m³]: what of its tetrahedra is the body's; of a shell two radii thick; of a cloud of
/// the cubes of two radii.
pub fn volume(mesh: &TetMesh, rest: &Rest, radius: f64) -> f64 {
    let thickness = 2.0 * radius;
    if rest.edges.is_empty() {
        mesh.points.len() as f64 * thickness.powi(3)
    } else if mesh.tets.is_empty() {
        let areas = rest.triangles.iter().map(|corners| area(mesh, corners));
        thickness * areas.sum::<f64>()
    } else {
        let own = |i: usize| mesh.volume(i) * rest.part(i).inside();
        (0..mesh.tets.len()).map(own).sum()
    }
}

/// Volume that a body's springs share [m³]: that of its tetrahedra as they were made, or of its material.
pub fn shared_volume(mesh: &TetMesh, rest: &Rest, material: f64) -> f64 {
    if mesh.tets.is_empty() {
        return material;
    }
    let made = |i: usize| mesh.volume(i) / rest.part(i).fullness;
    (0..mesh.tets.len()).map(made).sum()
}

/// Area of a triangle [m²].
pub fn area(mesh: &TetMesh, corners: &[u32; 3]) -> f64 {
    let [a, b, c] = corners.map(|i| mesh.points[i as usize]);
    0.5 * (b - a).cross(c - a).length()
}

/// Distance [m] at which the points of a cloud or a shell touch.
///
/// # Errors
/// Points that all lie in one place, of a body that gives no radius.
pub fn radius(body: &Body, points: &[DVec3]) -> Result<f64> {
    if let Some(radius) = body.radius {
        return Ok(radius);
    }
    let spacing = PointCloud::spacing_of(points).ok_or_else(|| {
        let at = format!("body \"{}\".radius", body.name);
        Error::value(at, "none", "a radius [m]: all points coincide")
    })?;
    Ok(0.5 * spacing)
}

/// Which points of the mesh are held.
///
/// # Errors
/// A box of a pin without any.
pub fn pinned(body: &Body, points: &[DVec3]) -> Result<Vec<bool>> {
    let mut pinned = vec![false; points.len()];
    for (k, pin) in body.pin.iter().enumerate() {
        let mut any = false;
        for (pinned, x) in pinned.iter_mut().zip(points) {
            let held = pin.contains(x.to_array());
            *pinned |= held;
            any |= held;
        }
        if !any {
            let at = format!("{}.pin[{k}].box", body_label(&body.name));
            return Err(empty_box(at, pin, "point", points));
        }
    }
    Ok(pinned)
}

/// The error of a box in a mesh's coordinates that holds none of `what`.
pub fn empty_box(at: String, corners: &Aabb, what: &str, points: &[DVec3]) -> Error {
    let Bounds { min, max } = Bounds::of(points.iter().copied());
    let got = format!("{:?} to {:?}, which contains no {what}", corners.min, corners.max);
    let want = format!(
        "a box that contains at least one, in the coordinates of the mesh, which extends from {:?} to {:?} [m]",
        min.to_array(),
        max.to_array()
    );
    Error::value(at, got, want)
}

/// Where a body's points start [m] and how fast [m/s]: those of its rest shape turned, stretched, scattered and moved, all
/// in the order of its mesh.
pub fn placed(body: &Body, rotation: DMat3, rest: &[DVec3], masses: &[f64]) -> Vec<(DVec3, DVec3)> {
    let mut scatter = Scatter::new(&body.name, body.seed, body.scatter);
    let (stretch, position) = (DVec3::from(body.stretch), DVec3::from(body.position));
    let mut place = |x: &DVec3| rotation * (stretch * *x) + position + scatter.next();
    let places: Vec<_> = rest.iter().map(&mut place).collect();
    let total: f64 = masses.iter().sum();
    let moments = places.iter().zip(masses).map(|(x, m)| *x * *m);
    let centre = moments.sum::<DVec3>() / total;
    let (velocity, spin) = (DVec3::from(body.velocity), DVec3::from(body.angular_velocity));
    let moving = |x: DVec3| (x, velocity + spin.cross(x - centre));
    places.into_iter().map(moving).collect()
}

/// Farthest that a particle may start from the origin [m].
const FARTHEST: f64 = 1e9;

/// Makes sure that f32 can hold point `i` of a body's mesh, as it starts.
///
/// # Errors
/// The mass, position or speed that it cannot.
pub fn check_particle(
    body: &Body,
    i: usize,
    mass: f64,
    position: DVec3,
    velocity: DVec3,
) -> Result<()> {
    let field = |key: &str| format!("{}.{key}", body_label(&body.name));
    let inverse = (1.0 / mass) as f32;
    if !inverse.is_finite() || inverse == 0.0 {
        let want = match mass > 0.0 {
            true => "1e-38 to 1e38 kg",
            false => {
                "1e-38 to 1e38 kg: all triangles around it are degenerate; give point_mass [kg] instead"
            }
        };
        let got = format!("such that point {i} of its mesh has {mass:.3e} kg");
        return Err(Error::value(field(body.mass.key()), got, want));
    }
    if position.abs().max_element() > FARTHEST {
        let want = "within 1e9 m of the origin";
        let got = format!("such that point {i} of its mesh is at {position}");
        return Err(Error::value(field("position"), got, want));
    }
    if velocity.length() >= f64::from(SPEED_LIMIT) {
        let spins = DVec3::from(body.velocity).length() < f64::from(SPEED_LIMIT);
        let key = if spins { "angular_velocity" } else { "velocity" };
        let got = format!("such that point {i} of its mesh moves at {:.3e} m/s", velocity.length());
        return Err(Error::value(field(key), got, format!("below {SPEED_LIMIT} m/s")));
    }
    Ok(())
}
