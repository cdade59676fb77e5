//! How long a step the sweeps of vertex block descent bring to balance.

use super::Estimate;
use super::step::stiffness_rate;
use crate::gpu::types::PROBE_MARGIN;
use crate::integrate;
use crate::model::Model;
use crate::scene::Scene;

/// h ω for each sweep of vertex block descent, up to which its sweeps bring a body near enough to balance within a step, where
/// the coarse correction moves it as a whole: they take forces from vertex to vertex. A stack of three cubes crushed itself
/// at twice as much.
const FREE_REACH: f64 = 2.0;
/// Share of hc that counts beside h²ω² there: damping that sweeps leave lets a body deform too fast, no more. A cube of 1 MPa
/// tumbles and comes to rest as it should with relaxations of up to 10 s in steps of 8 ms.
const FREE_DAMPING: f64 = 1e-3;
/// h²ω² + hc for each sweep where pins hold a body, which is then moved by sweeps alone: in each the error decays by about
/// 1/(h²ω² + hc). Hinged plates of 4 to 16 cells, undamped and damped, swing within 0.5 % of their period; at four times as
/// much 2 to 17 % slower.
const PINNED_REACH: f64 = 2.0;

/// What vertex block descent needs to bring a body near to balance within a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swept {
    /// Its index.
    pub body: usize,
    /// ω² [1/s²]
    stiffness: f64,
    /// What counts of c [1/s].
    damping: f64,
    pinned: bool,
}

impl Swept {
    /// What a body of these rates needs.
    pub fn new(model: &Model, body: usize, estimate: &Estimate) -> Self {
        let mut particles = model.bodies[body].particles.clone();
        let pinned = particles.any(|i| model.pinned[i]);
        let share = if pinned { 1.0 } else { FREE_DAMPING };
        Self {
            body,
            stiffness: stiffness_rate(estimate),
            damping: share * f64::from(PROBE_MARGIN) * estimate.damping,
            pinned,
        }
    }

    /// The longest step [s] that so many sweeps are enough for: the positive root of h²ω² + hc.
    pub fn longest(&self, sweeps: f64) -> f64 {
        let most = match self.pinned {
            true => PINNED_REACH * sweeps,
            false => (FREE_REACH * sweeps).powi(2),
        };
        let root = (self.damping.powi(2) + 4.0 * most * self.stiffness).sqrt();
        2.0 * most / (self.damping + root)
    }

    /// The sweeps that are enough for a step [s].
    pub fn enough(&self, step: f64) -> f64 {
        let stiff = step * step * self.stiffness + step * self.damping;
        match self.pinned {
            true => (stiff / PINNED_REACH).ceil(),
            false => (stiff.sqrt() / FREE_REACH).ceil(),
        }
    }
}

/// The body that asks most of vertex block descent, and the longest step [s] that its sweeps are enough for; none with other
/// integrators.
pub(super) fn swept(scene: &Scene, model: &Model, estimates: &[Estimate]) -> Option<(Swept, f64)> {
    let sweeps = f64::from(integrate::sweeps(&scene.world)?);
    let of = |(body, estimate): (usize, &Estimate)| {
        let swept = Swept::new(model, body, estimate);
        (swept, swept.longest(sweeps))
    };
    let all = estimates.iter().enumerate().map(of);
    all.min_by(|a, b| a.1.total_cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Aabb, Body, Integrator};

    /// h²ω² + hc is what so many sweeps are enough for, and no sweep less; what is pinned needs more of them.
    #[test]
    fn sweeps_are_enough_for_their_longest_step() {
        let of = |damping: f64, pinned: bool| Swept { body: 0, stiffness: 4e6, damping, pinned };
        for (damping, sweeps) in [(0.0, 1.0), (0.0, 10.0), (3e3, 10.0), (1e7, 100.0)] {
            for pinned in [false, true] {
                let swept = of(damping, pinned);
                let h = swept.longest(sweeps);
                let rate = h * h * 4e6 + h * damping;
                let wanted = if pinned { 2.0 * sweeps } else { 4.0 * sweeps * sweeps };
                assert!((rate / wanted - 1.0).abs() < 1e-12, "{swept:?}: {rate}, {wanted}");
                assert_eq!(swept.enough(h * (1.0 - 1e-9)), sweeps);
                assert_eq!(swept.enough(h * (1.0 + 1e-9)), sweeps + 1.0);
            }
        }
        assert!(of(0.0, true).longest(10.0) < 0.3 * of(0.0, false).longest(10.0));
    }

    #[test]
    fn the_body_that_asks_most_is_named() {
        let mut scene = Scene {
            bodies: ["free", "held"].map(|name| Body::lattice(name, [2; 3], [1.0; 3])).into(),
            ..Scene::default()
        };
        scene.bodies[1].position = [3.0, 0.0, 0.0];
        scene.bodies[1].pin = vec![Aabb { min: [-1.0, 0.4, -1.0], max: [4.0, 0.6, 1.0] }];
        let model = Model::new(&scene, "", u64::MAX).unwrap();
        let estimate = |stiffness: f64| Estimate { stiffness, damping: 0.0, rate: 0.0 };
        assert!(swept(&scene, &model, &[estimate(1e6); 2]).is_none());
        scene.world.integrator = Integrator::Vbd;
        let named =
            |free: f64| swept(&scene, &model, &[estimate(free), estimate(1e6)]).unwrap().0.body;
        assert_eq!([named(1e6), named(1e8)], [1, 0]);
    }
}
