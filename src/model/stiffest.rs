//! How stiff a body's stiffest particle or finite element is by its own deformation: what automatic steps are watched by.

use super::Model;
use crate::extreme;

impl Model {
    /// The largest s [1/s²] of a body as it starts: of particles Σ k |∂C/∂x|²/m over their springs and tetrahedra, what a
    /// particle would swing by at most were all others held; of finite elements their stiffness over their share of their
    /// corners' masses. `Force.stiffness` of shared/force and shared/fem_stiffness have them as a body deforms.
    #[must_use]
    pub fn stiffest(&self, index: usize) -> f64 {
        let body = &self.bodies[index];
        let mut own = vec![0.0; body.particles.len()];
        let mut add = |point: u32, k: f64| own[point as usize - body.particles.start] += k;
        for spring in &self.springs[body.springs.clone()] {
            let k = spring.distance / spring.rest.powi(2);
            spring.points.iter().for_each(|point| add(*point, k));
        }
        for tet in &self.tets[body.tets.clone()] {
            let x = tet.corners.map(|i| self.positions[i as usize]);
            for k in 0..4 {
                let [b, c, d] = [1, 2, 3].map(|j| x[(k + j) % 4]);
                let slope = (c - b).cross(d - b) / (6.0 * tet.rest);
                add(tet.corners[k], tet.volume * slope.length_squared());
            }
        }
        let free = body.particles.clone().filter(|i| !self.pinned[*i]);
        let particles = free.map(|i| own[i - body.particles.start] / self.masses[i]);
        let elements = self.elements[body.elements.clone()].iter().map(|element| {
            element.stiffness_rate(element.corners.map(|i| self.positions[i as usize]))
        });
        particles.chain(elements).fold(0.0, extreme::greatest)
    }

    /// Takes down how stiff a body is as it starts, with the estimate's safety factor [1/s²], and what its step bears, by the
    /// longest that is stable as it starts [s].
    pub fn bear(&mut self, index: usize, start_rate: f64, longest: f64) {
        self.bodies[index].start_rate = start_rate;
        self.bodies[index].borne = match longest.is_finite() {
            true => longest.powi(2) * self.stiffest(index),
            false => 0.0,
        };
    }
}
