//! The elements as the kernels have them.

use glam::{UVec2, UVec4};

use super::FemElement;
use crate::gpu::types::{FemTet, SLICE};
use crate::model::{Incidence, Model};

/// The elements as the kernels see them, per particle its first slot of `corner_forces` and how many it has, and the
/// number of all slots.
pub(super) fn arrays(model: &Model) -> (Vec<FemTet>, Vec<UVec2>, usize) {
    let mut tets = Vec::with_capacity(model.elements.len());
    for (body, ranges) in model.bodies.iter().enumerate() {
        let elements = &model.elements[ranges.elements.clone()];
        tets.extend(elements.iter().map(|element| constants(element, body)));
    }
    let (rows, slots) = give_slots(&mut tets, model.positions.len());
    (tets, rows, slots)
}

/// Gives each corner its slot of `corner_forces`; per particle its first slot and how many it has, and the number of all.
pub(crate) fn give_slots(tets: &mut [FemTet], particles: usize) -> (Vec<UVec2>, usize) {
    let corners = tets.iter().enumerate().flat_map(|(t, tet)| {
        let corner = move |(c, i): (usize, u32)| (i, 4 * t + c);
        tet.corners.to_array().into_iter().enumerate().map(corner)
    });
    let rows = Incidence::new(particles, &corners.collect::<Vec<_>>());
    for (first, count) in rows.first.iter().zip(&rows.count) {
        for slot in (0..*count).map(|e| first + e * SLICE) {
            let corner = rows.entries[slot as usize];
            tets[corner / 4].slots[corner % 4] = slot;
        }
    }
    (rows.ranges(), rows.entries.len())
}

fn constants(element: &FemElement, body: usize) -> FemTet {
    let [_, b, c, d] = element.gradients.map(|g| g.as_vec3());
    FemTet {
        corners: UVec4::from(element.corners),
        slots: UVec4::ZERO,
        gradient_b: b,
        volume: element.volume as f32,
        gradient_c: c,
        lambda: element.lame.lambda as f32,
        gradient_d: d,
        mu: element.lame.mu as f32,
        body: body as u32,
        shape_rate: element.shape_rate as f32,
        relaxation: element.relaxation as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Body, Fem as Material, Scene};

    /// Each particle finds the corners that are its own, and each slot is used once.
    #[test]
    fn slots_are_those_of_the_particles() {
        let mut body = Body::lattice("a", [4, 3, 2], [1.0; 3]);
        body.kind = Material::new(1e5, 0.3).into();
        let scene = Scene {
            bodies: vec![Body::lattice("b", [2, 2, 2], [1.0; 3]), body],
            ..Scene::default()
        };
        let model = Model::new(&scene, "", u64::MAX).unwrap();
        let (tets, rows, slots) = arrays(&model);
        assert_eq!(tets.len(), 120);
        let mut owner = vec![None; slots];
        for tet in &tets {
            assert_eq!(tet.body, 1);
            for (corner, slot) in tet.corners.to_array().into_iter().zip(tet.slots.to_array()) {
                assert_eq!(owner[slot as usize].replace(corner), None);
            }
        }
        let mut found = 0;
        for (i, row) in rows.iter().enumerate() {
            for slot in (0..row.y).map(|e| row.x + e * SLICE) {
                assert_eq!(owner[slot as usize], Some(i as u32));
                found += 1;
            }
            assert_eq!(row.y == 0, i < 27);
        }
        assert_eq!(found, 480);
    }
}
