//! Stress in tetrahedra, on the host in f64.

use glam::DMat3;

use crate::world::Snapshot;
use crate::{Result, World, family};

/// The elastic Cauchy stress [Pa] about the world's axes of every tetrahedron of all bodies, one body after the other, each
/// by the law of its material; viscous stress is none of it. Zero in bodies whose tetrahedra have none, as of springs and of
/// shape matching; empty where no body has any.
///
/// # Errors
/// A snapshot of another number of particles.
pub fn stresses(world: &World, state: &Snapshot) -> Result<Vec<DMat3>> {
    let (model, scene) = (world.model(), world.scene());
    state.check(model.positions.len())?;
    let kinds = scene.bodies.iter().map(|body| family::of(&body.kind));
    if !kinds.clone().any(|deformation| deformation.has_stress()) {
        return Ok(Vec::new());
    }
    let x = |i: u32| state.positions[i as usize].as_dvec3();
    let mut all = Vec::new();
    for (ranges, deformation) in model.bodies.iter().zip(kinds) {
        let end = all.len() + ranges.tets.len();
        all.extend(deformation.stresses(model, ranges, &x, &state.plastic));
        all.resize(end, DMat3::ZERO);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Context;
    use crate::scene::{Body, Fem, Law, Scene, Springs};
    use glam::{DVec3, Quat, Vec3};

    const YOUNG: f64 = 2e5;
    const POISSON: f64 = 0.3;

    /// A bar of each law beside one of springs, none of which touch.
    fn bars(law: Law) -> World {
        let mut scene = Scene::default();
        let fem = Fem { law, young: Some(YOUNG), poisson: POISSON, ..Fem::default() };
        let kinds = [Springs::young(YOUNG).into(), fem.into()];
        for (name, kind) in ["springs", "elements"].into_iter().zip(kinds) {
            let mut bar = Body::lattice(name, [3, 2, 2], [0.4, 0.1, 0.1]);
            (bar.kind, bar.position[1]) = (kind, scene.bodies.len() as f64);
            scene.bodies.push(bar);
        }
        World::new(&Context::new().unwrap(), &scene).unwrap()
    }

    /// The stress of the bar of elements at a uniform deformation, and a turn of it.
    fn stress(world: &mut World, stretch: DVec3, turn: Quat) -> DMat3 {
        let mut state = world.read().unwrap();
        let stretched = |x: &Vec3| turn * (stretch.as_vec3() * *x);
        state.positions = state.positions.iter().map(stretched).collect();
        let all = stresses(world, &state).unwrap();
        let model = world.model();
        assert_eq!(all.len(), model.tets.len());
        let [springs, elements] = [0, 1].map(|body| model.bodies[body].tets.clone());
        assert!(!springs.is_empty() && all[springs].iter().all(|s| *s == DMat3::ZERO));
        let own = &all[elements];
        // In f32 positions have seven digits.
        let near = |s: &DMat3| s.abs_diff_eq(own[0], 1e-5 * YOUNG);
        assert!(own.iter().all(near), "it is uniform");
        own[0]
    }

    /// Free at its sides a bar that is stretched by ε has the stress E ε along it and none across, for small ε; wherever it
    /// points.
    #[test]
    fn a_bar_that_is_stretched_a_little_obeys_hooke() {
        for law in [Law::NeoHookean, Law::Corotated, Law::StVenant] {
            let mut world = bars(law);
            let strain = 2e-3;
            let stretch = DVec3::new(1.0 + strain, 1.0 - POISSON * strain, 1.0 - POISSON * strain);
            let turn = Quat::from_rotation_z(0.7);
            let wanted = YOUNG * strain;
            for turn in [Quat::IDENTITY, turn] {
                let got = stress(&mut world, stretch, turn);
                let back = DMat3::from_quat(turn.as_dquat());
                let own = back.transpose() * got * back;
                let along = DMat3::from_diagonal(DVec3::new(wanted, 0.0, 0.0));
                assert!(own.abs_diff_eq(along, 0.02 * wanted), "{law:?}: {own}, wanted {along}");
            }
        }
    }

    /// Smith, de Goes & Kim 2018, eq. 14 in principal stretches: W = μ/2 (I − 3 − ln((I + 1)/4)) + λ/2 ((J − α)² − (1 − α)²).
    #[test]
    fn a_neo_hookean_bar_obeys_the_closed_form_when_stretched_far() {
        let stretch = DVec3::new(1.5, 0.9, 0.8);
        let (mu, lambda) = (YOUNG / (2.0 * (1.0 + POISSON)), YOUNG * POISSON / (1.3 * 0.4));
        let (mu, lambda) = (4.0 / 3.0 * mu, lambda + 5.0 / 6.0 * mu);
        let (square, volume) = (stretch.length_squared(), stretch.element_product());
        let pressure = lambda * (volume - 1.0 - 0.75 * mu / lambda);
        let wanted = stretch * stretch * (mu * square / (square + 1.0) / volume) + pressure;
        let got = stress(&mut bars(Law::NeoHookean), stretch, Quat::IDENTITY);
        assert!(got.abs_diff_eq(DMat3::from_diagonal(wanted), 1e-5 * YOUNG), "{got} {wanted}");
    }

    #[test]
    fn where_no_body_has_stress_there_is_none() {
        let mut scene =
            Scene { bodies: vec![Body::lattice("a", [2; 3], [0.1; 3])], ..Scene::default() };
        scene.bodies[0].kind = Springs::young(YOUNG).into();
        let mut world = World::new(&Context::new().unwrap(), &scene).unwrap();
        let state = world.read().unwrap();
        assert!(stresses(&world, &state).unwrap().is_empty());
    }
}
