//! How heavy rigid bodies are, and how hard to turn.

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DQuat, DVec3};

use crate::error::{Error, Result};
use crate::family::eigen::symmetric_eigen;
use crate::mesh::{Moments, Surface};

/// Products of inertia that are no more than this are none, and moments that differ by no more are equal, relative to the trace.
const SAME: f64 = 1e-9;

/// Mass, and where and how it is spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// [kg]
    pub mass: f64,
    /// Centre of mass, in the shape's coordinates [m].
    pub centre: DVec3,
    /// Moments of inertia about the principal axes through the centre [kg m²].
    pub moments: DVec3,
    /// Turns the principal axes into the shape's; the identity where those are principal, as far as `SAME` tells.
    pub axes: DQuat,
    /// [m³]
    pub volume: f64,
}

impl MassProperties {
    /// Of a box around the origin; `size`: full lengths [m].
    pub fn of_box(size: DVec3, density: f64) -> Self {
        Self::along_axes(size.element_product(), size * size / 12.0, density)
    }

    /// Of a ball around the origin.
    pub fn sphere(radius: f64, density: f64) -> Self {
        Self::along_axes(ball(radius), DVec3::splat(radius * radius / 5.0), density)
    }

    /// Of a cylinder around the y axis, its middle at the origin.
    pub fn cylinder(radius: f64, length: f64, density: f64) -> Self {
        let across = 0.25 * radius * radius;
        let squares = DVec3::new(across, length * length / 12.0, across);
        Self::along_axes(PI * radius * radius * length, squares, density)
    }

    /// Of a capsule around the y axis, its middle at the origin: a cylinder of this length between two half balls.
    pub fn capsule(radius: f64, length: f64, density: f64) -> Self {
        let (tube, ball) = (PI * radius * radius * length, ball(radius));
        let (square, half) = (radius * radius, 0.5 * length);
        // The half balls' own centres are 3/8 of the radius beyond the tube.
        let ends = half * half + 0.75 * half * radius + square / 5.0;
        let across = tube * square / 4.0 + ball * square / 5.0;
        let squares = DVec3::new(across, tube * half * half / 3.0 + ball * ends, across);
        Self::along_axes(tube + ball, squares / (tube + ball), density)
    }

    /// Of two pyramids on one regular polygon of `sides` corners in the plane y = 0: all corners are on the unit sphere, which is
    /// then scaled.
    pub fn bipyramid(sides: u32, scale: DVec3, density: f64) -> Self {
        let (sine, cosine) = (TAU / f64::from(sides)).sin_cos();
        let across = (2.0 + cosine) / 20.0;
        let squares = DVec3::new(across, 0.1, across) * scale * scale;
        let volume = f64::from(sides) * sine / 3.0 * scale.element_product();
        Self::along_axes(volume, squares, density)
    }

    /// Of something around the origin that has no products of inertia, by the means of x², y² and z² over its volume [m²].
    fn along_axes(volume: f64, squares: DVec3, density: f64) -> Self {
        let mass = volume * density;
        let moments = mass * (DVec3::splat(squares.element_sum()) - squares);
        Self { mass, centre: DVec3::ZERO, moments, axes: DQuat::IDENTITY, volume }
    }

    /// Of what a closed surface encloses.
    ///
    /// # Errors
    /// [`Error::Mesh`]: a surface that is broken, open, inside out or flat.
    pub fn of_surface(surface: &Surface, density: f64) -> Result<Self> {
        surface.check()?;
        surface.check_winding()?;
        let open = surface.open_edges();
        if open > 0 {
            let edges = if open == 1 { "edge is" } else { "edges are" };
            return Err(Error::Mesh(format!(
                "{open} {edges} open, wanted a closed surface, which gives the mass: close the holes"
            )));
        }
        let bounds = surface.bounds();
        let middle = bounds.centre();
        let faces = (0..surface.triangles.len()).map(|i| surface.corners(i).map(|x| x - middle));
        let moments = Moments::enclosed(faces);
        if surface.is_flat(moments.volume) {
            return Err(Error::Mesh("encloses no volume, wanted a surface with a volume".into()));
        }
        surface.check_outside(moments.volume)?;
        let second = density * moments.about_centre();
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
        let (mass, centre) = (density * moments.volume, middle + moments.centre());
        Self::about(mass, centre, inertia, moments.volume).checked()
    }

    /// Of several parts in one. Where they overlap, each counts.
    ///
    /// # Errors
    /// [`Error::Mesh`]: no parts, or numbers that are not positive and finite.
    pub fn combined(parts: &[Self]) -> Result<Self> {
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        let volume = parts.iter().map(|part| part.volume).sum();
        let first: DVec3 = parts.iter().map(|part| part.mass * part.centre).sum();
        let centre = first / mass;
        let shifted = |part: &Self| {
            let arm = part.centre - centre;
            let square = DMat3::from_diagonal(DVec3::splat(arm.length_squared()));
            part.inertia() + part.mass * (square - outer(arm))
        };
        let inertia = parts.iter().map(shifted).fold(DMat3::ZERO, |sum, part| sum + part);
        Self::about(mass, centre, inertia, volume).checked()
    }

    /// The same shape, as dense everywhere as gives it this mass [kg].
    pub fn with_mass(self, mass: f64) -> Self {
        Self { mass, moments: self.moments * (mass / self.mass), ..self }
    }

    /// The same, turned about the origin and then moved.
    #[cfg(test)]
    pub fn moved(self, rotation: DQuat, shift: DVec3) -> Self {
        let turn = DMat3::from_quat(rotation);
        let inertia = turn * self.inertia() * turn.transpose();
        Self::about(self.mass, rotation * self.centre + shift, inertia, self.volume)
    }

    /// The tensor about the centre, along the shape's axes [kg m²].
    pub fn inertia(&self) -> DMat3 {
        let axes = DMat3::from_quat(self.axes);
        axes * DMat3::from_diagonal(self.moments) * axes.transpose()
    }

    fn about(mass: f64, centre: DVec3, inertia: DMat3, volume: f64) -> Self {
        let (moments, axes) = principal(inertia);
        Self { mass, centre, moments, axes, volume }
    }

    fn checked(self) -> Result<Self> {
        let numbers = [self.mass, self.volume, self.moments.min_element()];
        if numbers.iter().all(|x| *x > 0.0) && self.moments.is_finite() && self.centre.is_finite() {
            return Ok(self);
        }
        Err(Error::Mesh(format!(
            "has the mass {:e} kg, the volume {:e} m³ and the moments of inertia {} kg m², wanted positive, finite numbers",
            self.mass, self.volume, self.moments
        )))
    }
}

fn ball(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius.powi(3)
}

/// x xᵀ
fn outer(x: DVec3) -> DMat3 {
    DMat3::from_cols(x * x.x, x * x.y, x * x.z)
}

/// The principal moments of a tensor, and the rotation of the principal axes into those of the tensor that turns them the least
/// where there is a choice: rounding, or a few points moved a little, do not turn a body's axes around.
fn principal(inertia: DMat3) -> (DVec3, DQuat) {
    let diagonal = DVec3::new(inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z);
    let same = SAME * diagonal.element_sum();
    let products = DVec3::new(inertia.x_axis.y, inertia.y_axis.z, inertia.z_axis.x);
    if products.abs().max_element() <= same {
        return (diagonal, DQuat::IDENTITY);
    }
    let eigen = symmetric_eigen(inertia.to_cols_array_2d()).map(|(m, axis)| (m, DVec3::from(axis)));
    let alone = |k: usize| {
        let [a, b] = [1, 2].map(|next| eigen[(k + next) % 3].0);
        ((a - b).abs() <= same).then_some((eigen[k], 0.5 * (a + b)))
    };
    if let Some(((moment, axis), others)) = (0..3).find_map(alone) {
        let k = axis.abs().max_position();
        let mut moments = DVec3::splat(others);
        moments[k] = moment;
        return (moments, DQuat::from_rotation_arc(DVec3::AXES[k], axis * axis[k].signum()));
    }
    let mut left = eigen.to_vec();
    let mut nearest = |k: usize| {
        let along = |(_, axis): &(f64, DVec3)| axis[k].abs();
        let best = (0..left.len()).max_by(|&a, &b| along(&left[a]).total_cmp(&along(&left[b])));
        let (moment, axis) = left.swap_remove(best.expect("three axes"));
        (moment, axis * axis[k].signum())
    };
    let [(mx, x), (my, y), (mz, _)] = [0, 1, 2].map(&mut nearest);
    let axes = DMat3::from_cols(x, y, x.cross(y));
    (DVec3::new(mx, my, mz), DQuat::from_mat3(&axes).normalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Hull, cloud};

    use glam::EulerRot;

    fn close(a: &MassProperties, b: &MassProperties, tolerance: f64) {
        let size = (b.inertia().to_cols_array().iter().fold(0.0, |m: f64, x| m.max(x.abs()))
            / b.mass)
            .sqrt();
        assert!((a.mass / b.mass - 1.0).abs() < tolerance, "{a:?} {b:?}");
        assert!((a.volume / b.volume - 1.0).abs() < tolerance, "{a:?} {b:?}");
        assert!(a.centre.distance(b.centre) < tolerance * size, "{a:?} {b:?}");
        let difference = (a.inertia() - b.inertia()) * (b.mass * size * size).recip();
        assert!(difference.to_cols_array().iter().all(|x| x.abs() < tolerance), "{a:?} {b:?}");
        assert!((a.axes.length() - 1.0).abs() < 1e-12);
    }

    fn hull(points: &[DVec3]) -> Surface {
        Hull::of(points).expect("a hull").surface()
    }

    fn turn() -> DQuat {
        DQuat::from_euler(EulerRot::XYZ, 0.4, -1.2, 2.2)
    }

    #[test]
    fn closed_forms_are_those_of_the_books() {
        let cube = MassProperties::of_box(DVec3::new(1.0, 2.0, 3.0), 10.0);
        assert_eq!((cube.mass, cube.volume), (60.0, 6.0));
        assert!((cube.moments / DVec3::new(65.0, 50.0, 25.0) - 1.0).abs().max_element() < 1e-15);
        let ball = MassProperties::sphere(2.0, 3.0);
        assert!((ball.moments / (0.4 * ball.mass * 4.0) - 1.0).abs().max_element() < 1e-15);
        // m a²/10 with the edges a = √2.
        let octahedron = MassProperties::bipyramid(4, DVec3::ONE, 6.0);
        assert!((octahedron.volume - 4.0 / 3.0).abs() < 1e-15);
        assert!((octahedron.moments / (0.2 * octahedron.mass) - 1.0).abs().max_element() < 1e-15);
        let rod = MassProperties::capsule(1e-5, 2.0, 1.0);
        assert!((rod.moments.x / (rod.mass / 3.0) - 1.0).abs() < 1e-4);
        close(&MassProperties::capsule(2.0, 0.0, 3.0), &ball, 1e-14);
    }

    #[test]
    fn a_tetrahedron_has_its_moments() {
        let points = [
            DVec3::ONE,
            DVec3::new(1.0, -1.0, -1.0),
            DVec3::new(-1.0, 1.0, -1.0),
            DVec3::new(-1.0, -1.0, 1.0),
        ];
        let got = MassProperties::of_surface(&hull(&points), 3.0).unwrap();
        // m a²/20 with the edges a = √8.
        assert!((got.mass - 8.0).abs() < 1e-14 && (got.moments - 3.2).abs().max_element() < 1e-14);
        assert_eq!(got.axes, DQuat::IDENTITY);
    }

    #[test]
    fn surfaces_move_turn_and_grow_with_their_properties() {
        let mut points = cloud(3, 40);
        let surface = hull(&points);
        let of = |change: &dyn Fn(DVec3) -> DVec3| {
            let points = surface.points.iter().map(|x| change(*x)).collect();
            MassProperties::of_surface(&Surface { points, ..surface.clone() }, 5.0).unwrap()
        };
        let plain = of(&|x| x);
        for (rotation, shift) in [(turn(), DVec3::ZERO), (turn(), DVec3::new(1e3, -2e3, 5e2))] {
            close(&of(&|x| rotation * x + shift), &plain.moved(rotation, shift), 1e-9);
        }
        let grown = of(&|x| 1e-3 * x);
        assert!((grown.moments / plain.moments / 1e-15 - 1.0).abs().max_element() < 1e-12);
        assert!((grown.mass / plain.mass / 1e-9 - 1.0).abs() < 1e-12);
        assert!(
            (plain.with_mass(2.0).moments / plain.moments * plain.mass / 2.0 - 1.0)
                .abs()
                .max_element()
                < 1e-15
        );
        let mut other = surface.clone();
        other.triangles.reverse();
        other.triangles.iter_mut().for_each(|t| t.rotate_left(1));
        close(&MassProperties::of_surface(&other, 5.0).unwrap(), &plain, 1e-14);
        points.reverse();
        close(&MassProperties::of_surface(&hull(&points), 5.0).unwrap(), &plain, 1e-14);
    }

    #[test]
    fn parts_make_the_whole() {
        let half = MassProperties::of_box(DVec3::new(1.0, 1.0, 3.0), 7.0);
        let rotation = turn();
        let put =
            |y: f64| half.moved(DQuat::IDENTITY, y * DVec3::Y).moved(rotation, DVec3::splat(9.0));
        let whole = MassProperties::of_box(DVec3::new(1.0, 2.0, 3.0), 7.0)
            .moved(rotation, DVec3::splat(9.0));
        close(&MassProperties::combined(&[put(0.5), put(-0.5)]).unwrap(), &whole, 1e-12);
        assert!(MassProperties::combined(&[]).is_err());
        assert!(
            MassProperties::combined(&[half, MassProperties { mass: f64::NAN, ..half }]).is_err()
        );
    }

    /// Two equal moments leave the axes free around the third; whatever the rounding, they turn the least.
    #[test]
    fn axes_do_not_turn_where_they_need_not() {
        let rod = MassProperties::cylinder(0.5, 3.0, 1.0);
        for noise in [0.0, 1e-13, -1e-12] {
            let tilt = DQuat::from_rotation_z(0.3);
            let turn = DMat3::from_quat(tilt * DQuat::from_rotation_y(1.0));
            let tensor =
                turn * DMat3::from_diagonal(rod.moments + DVec3::X * noise) * turn.transpose();
            let (moments, axes) = principal(tensor);
            assert!(axes.angle_between(tilt) < 1e-6, "{axes}");
            assert!((moments / rod.moments - 1.0).abs().max_element() < 1e-9);
        }
        let cube = DMat3::from_quat(turn());
        let (_, axes) =
            principal(cube * DMat3::from_diagonal(DVec3::splat(3.0)) * cube.transpose());
        assert_eq!(axes, DQuat::IDENTITY);
        let small = DQuat::from_euler(EulerRot::XYZ, 0.1, -0.2, 0.15);
        let turned =
            MassProperties::of_box(DVec3::new(1.0, 2.0, 3.0), 1.0).moved(small, DVec3::ZERO);
        assert!(turned.axes.angle_between(small) < 1e-7);
    }

    #[test]
    fn bad_surfaces_are_refused() {
        let refused = |surface: &Surface, word: &str| {
            let message = MassProperties::of_surface(surface, 1.0).unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        };
        let good = hull(&cloud(1, 10));
        let mut bad = good.clone();
        bad.triangles.pop();
        refused(&bad, "3 edges are open");
        refused(&bad, "close the holes");
        let mut bad = good.clone();
        bad.flip();
        refused(&bad, "flip");
        let mut bad = good.clone();
        bad.triangles[3].swap(0, 1);
        refused(&bad, "inconsistently wound at their common edge");
        refused(&bad, "flip one");
        let mut bad = good.clone();
        bad.points.iter_mut().for_each(|x| x.y = 4.0);
        refused(&bad, "no volume");
        bad.points[2].x = f64::NAN;
        refused(&bad, "point 2");
    }
}
