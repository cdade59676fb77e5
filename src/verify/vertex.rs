//! One vertex as vertex block descent sees it: the force and the block of its own elements, and where Newton's step of it
//! alone leads.

use crate::extreme;
use glam::{DMat3, DVec3};

use super::fem::{area, gradient_scale};
use super::newton_matrix::scale;
use super::oracle::Oracle;
use super::press::Pressed;
use crate::reference::dense::principal_axes;
use crate::reference::fem::{self, Element};
use crate::reference::force::{damping_forces, elastic_forces, whole};
use crate::reference::{Area, Spring, System, Tet, positive};

/// A vertex with its elements and their other points, in a system of its own that begins with it.
#[derive(Debug)]
pub struct Near<'a> {
    /// Its points by their numbers in the whole.
    points: Vec<usize>,
    oracle: Oracle<'a>,
}

/// What Newton's step of one vertex leads to, with scales.
#[derive(Clone, Copy, Debug)]
pub struct Solved {
    /// v + H⁻¹ f/h \[m/s\]
    pub velocity: DVec3,
    /// Of the velocity, where the positions are exact.
    pub scale: f64,
    /// Of the velocity, where the positions are the iterates of a step: by their rounding, of |x| and the edges, over h. A
    /// vertex is as stiff as its elements in the directions in which they pass that of its neighbours on.
    pub step_scale: f64,
    /// Mean of the diagonal of the vertex's own block \[N/m\].
    pub stiffness: f64,
    /// Of the stiffness.
    pub stiffness_scale: f64,
}

/// The place of a point among others, behind which it comes where it is none of them.
fn place(points: &mut Vec<usize>, j: usize) -> usize {
    points.iter().position(|point| *point == j).unwrap_or_else(|| {
        points.push(j);
        points.len() - 1
    })
}

/// Every point with what is around it: a look at one costs as much as its neighbours.
pub fn nears<'a>(oracle: &Oracle<'a>) -> Vec<Near<'a>> {
    (0..oracle.system.position.len()).map(|i| Near::new(oracle, i)).collect()
}

impl<'a> Near<'a> {
    fn new(oracle: &Oracle<'a>, i: usize) -> Self {
        let all = &oracle.system;
        let mut points = vec![i];
        let mut own = |j: usize| place(&mut points, j);
        let mut system = System {
            bodies: vec![*all.material(i)],
            drag: all.drag,
            wind: all.wind,
            chord: oracle.h,
            ..System::default()
        };
        // The edges of bodies that are not made of springs have no constants.
        let springs = all.springs.iter().filter(|spring| spring.points.contains(&i));
        for spring in springs.filter(|s| [s.stiffness, s.damping] != [0.0; 2]) {
            let points = spring.points.map(&mut own);
            system.springs.push(Spring { points, ..*spring });
        }
        let tets = all.tets.iter().filter(|tet| tet.corners.contains(&i));
        for tet in tets.filter(|tet| tet.stiffness > 0.0) {
            let corners = tet.corners.map(&mut own);
            system.tets.push(Tet { corners, ..*tet });
        }
        let areas = all.areas.iter().filter(|area| area.corners.contains(&i));
        for area in areas.filter(|area| area.stiffness > 0.0) {
            let corners = area.corners.map(&mut own);
            system.areas.push(Area { corners, ..*area });
        }
        for element in all.elements.iter().filter(|element| element.corners.contains(&i)) {
            let corners = element.corners.map(&mut own);
            system.elements.push(Element { corners, ..*element });
        }
        system.body = vec![0; points.len()];
        system.inverse_mass = points.iter().map(|j| all.inverse_mass[*j]).collect();
        let mut near = Self { points, oracle: oracle.of(system) };
        near.take(&all.position, &all.velocity);
        near
    }

    /// Takes over the present positions and velocities of all points.
    pub fn take(&mut self, x: &[DVec3], v: &[DVec3]) {
        let system = &mut self.oracle.system;
        system.position.clear();
        system.velocity.clear();
        system.position.extend(self.points.iter().map(|j| x[*j]));
        system.velocity.extend(self.points.iter().map(|j| v[*j]));
    }

    fn directions(&self, own: DVec3) -> Vec<DVec3> {
        let mut w = vec![DVec3::ZERO; self.points.len()];
        w[0] = own;
        w
    }

    /// Elastic and damping forces on the vertex \[N\], with their scale.
    fn force(&self) -> (DVec3, f64) {
        let system = &self.oracle.system;
        let (x, v, all) = (&system.position, &system.velocity, whole(system));
        let force = elastic_forces(system, x)[0] + damping_forces(system, x, v, &all)[0];
        let scale = self.oracle.elastic_scale(x)[0] + self.oracle.damping_scale(x, v, &all)[0];
        (force, scale)
    }

    /// What springs, volumes and areas answer a move of the vertex along `unit` with \[N/m\], with its scale.
    pub fn column(&self, unit: DVec3) -> (DVec3, f64) {
        let (system, w) = (&self.oracle.system, self.directions(unit));
        let (x, v) = (&system.position, &system.velocity);
        let column = positive::product(system, x, Some(v), self.oracle.h, &w)[0];
        (column, scale(&self.oracle, &w)[0])
    }

    /// The vertex's own block \[N/m\], with its scale.
    fn block(&self) -> (DMat3, f64) {
        let (mut block, mut scale) = (DMat3::ZERO, 0.0_f64);
        for (k, unit) in DVec3::AXES.into_iter().enumerate() {
            let (column, size) = self.column(unit);
            *block.col_mut(k) = column;
            scale = extreme::greatest(scale, size);
        }
        for element in &self.oracle.system.elements {
            block += self.element_block(element);
            scale += block_scale(element, &self.oracle.system.position, self.oracle.h);
        }
        (block, scale)
    }

    /// The block of an element that belongs to the vertex: that of its neo-Hookean energy, which is positive there, and
    /// of its viscosity over h.
    fn element_block(&self, element: &Element) -> DMat3 {
        let (x, h) = (&self.oracle.system.position, self.oracle.h);
        let corner = element.corners.iter().position(|c| *c == 0).unwrap_or(0);
        let mut block = DMat3::ZERO;
        for (k, unit) in DVec3::AXES.into_iter().enumerate() {
            let w = self.directions(unit);
            let elastic = fem::force_changes(element, x, &w)[corner];
            let viscous = fem::damping_forces(element, x, &w, 0.0)[corner] / h;
            *block.col_mut(k) = -(elastic + viscous);
        }
        block
    }

    /// Newton's step of the vertex alone: f = m (v* − v)/h − m drag (v − wind) + its elements and what presses on it,
    /// H = m (1/h² + drag/h) + theirs. `start`: v* \[m/s\].
    pub fn solve(&self, start: DVec3, press: &Pressed) -> Solved {
        let (system, h) = (&self.oracle.system, self.oracle.h);
        let (v, inertia) = (system.velocity[0], self.oracle.inertia(0));
        let (elements, elements_scale) = self.force();
        let (block, block_scale) = self.block();
        let (left, left_scale) = self.oracle.left(0, start);
        let own = block + DMat3::IDENTITY * inertia;
        let force = elements + press.force + left / h;
        let held = own + press.hold;
        let change = held.inverse() * force / h;
        let [least, _, most] = principal_axes(&held).0;
        let force_scale = elements_scale + press.force_scale + left_scale / h;
        let held_scale = block_scale + inertia + press.hold_scale;
        let x = &system.position;
        let edge = x.iter().map(|other| other.distance(x[0])).fold(0.0, extreme::greatest);
        let rounded = (x[0].length() + edge) / h + change.length();
        Solved {
            velocity: v + change,
            step_scale: v.length() + rounded + press.force_scale / (h * most),
            scale: v.length() + (force_scale / h + held_scale * change.length()) / least,
            stiffness: own.diagonal().element_sum() / 3.0,
            stiffness_scale: block_scale + inertia,
        }
    }
}

/// Scale of an element's block \[N/m\]: with φ that of F and G = Σ |∇N_c|, V0 G² (μ (1 + φ²) + (λ + μ) (1 + φ²)² +
/// (λ + 3 μ) τ/h φ²).
fn block_scale(element: &Element, x: &[DVec3], h: f64) -> f64 {
    let (size, stretch) = (area(element), gradient_scale(element, x).powi(2));
    let (lambda, mu) = (element.lame.lambda, element.lame.mu);
    let elastic = mu * (1.0 + stretch) + (lambda.abs() + mu) * (1.0 + stretch).powi(2);
    let viscous = (lambda.abs() + 3.0 * mu) * element.relaxation / h * stretch;
    size * size / element.volume * (elastic + viscous)
}
