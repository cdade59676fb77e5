//! Finite elements on the device: a pass per tetrahedron writes the forces on its corners, a pass per particle sums
//! them.

use glam::{DMat3, UVec2, UVec4, Vec4};

use super::elements::Loads;
use crate::Result;
use crate::gpu::types::{FemState, FemTangent, FemTet, Particle, SLICE};
use crate::gpu::{Binding, Buffer, Bytes, Context, Kernel};
use crate::integrate::Arrays;
use crate::integrate::part::Over;
use crate::model::{FemElement, Incidence, Model};

/// The elements of all bodies of finite elements.
#[derive(Debug)]
pub struct Fem {
    tets: Buffer<FemTet>,
    states: Buffer<FemState>,
    rows: Buffer<UVec2>,
    corner_forces: Buffer<Vec4>,
    force: Kernel,
    damping_first: Kernel,
    damping: Kernel,
    probe: Kernel,
    gather: Kernel,
    /// Of implicit steps.
    tangent: Kernel,
    product: Kernel,
}

impl Fem {
    /// Uploads a model's elements; none where it has none.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(context: &Context, model: &Model) -> Result<Option<Self>> {
        if model.elements.is_empty() {
            return Ok(None);
        }
        let (tets, rows, slots) = arrays(model);
        let kernel = |name| Kernel::new(context, name);
        Ok(Some(Self {
            states: Buffer::zeroed(context, "fem_states", tets.len())?,
            tets: Buffer::new(context, "fem_tets", &tets)?,
            rows: Buffer::new(context, "fem_rows", &rows)?,
            corner_forces: Buffer::zeroed(context, "corner_forces", slots)?,
            force: kernel("fem_force"),
            damping_first: kernel("fem_damping_first"),
            damping: kernel("fem_damping"),
            probe: kernel("fem_probe"),
            gather: kernel("fem_gather"),
            tangent: kernel("newton_tangent"),
            product: kernel("newton_fem"),
        }))
    }

    /// Adds the passes that renew `loads` from the state in a particle array.
    pub fn loads(&self, arrays: &Arrays<'_>, particles: &Buffer<Particle>, loads: &mut Loads) {
        self.push(arrays, particles, &self.force, None, loads);
    }

    /// Adds the passes that set `loads` to the accelerations by the viscosity of a field of velocities, or of the
    /// particles' own where there is none.
    pub fn viscosity(
        &self,
        arrays: &Arrays<'_>,
        particles: &Buffer<Particle>,
        field: Option<&Buffer<Vec4>>,
        loads: &mut Loads,
    ) {
        let kernel = match field {
            Some(_) => &self.damping,
            None => &self.damping_first,
        };
        let field = field.map(|field| field.bind("sweep_in"));
        self.push(arrays, particles, kernel, field, loads);
    }

    /// Adds the passes that set `loads` to the change of the accelerations along `w`.
    pub fn change(
        &self,
        arrays: &Arrays<'_>,
        particles: &Buffer<Particle>,
        w: &Buffer<Vec4>,
        loads: &mut Loads,
    ) {
        let field = Some(w.bind("probe_in"));
        self.push(arrays, particles, &self.probe, field, loads);
    }

    /// The pass that writes how the elements' stresses change with the particles of an array, and the blocks of their corners.
    pub fn tangents(
        &self,
        arrays: &Arrays<'_>,
        particles: &Buffer<Particle>,
        written: &[Binding<'_>],
        passes: &mut Loads,
    ) {
        let mut others = vec![
            particles.bind("particles_in"),
            self.tets.bind("fem_tets"),
            self.states.bind("fem_states"),
        ];
        others.extend_from_slice(written);
        passes.push(
            arrays.bind(&self.tangent, &others),
            self.tets.len(),
            Over::Elements,
        );
    }

    /// Adds the passes that set `loads` to the change of the accelerations along directions, by those tangents.
    pub fn products(
        &self,
        arrays: &Arrays<'_>,
        directions: &Buffer<Particle>,
        tangents: &Buffer<FemTangent>,
        passes: &mut Loads,
    ) {
        let others = [
            directions.bind("directions"),
            directions.bind("particles_in"),
            tangents.bind("tangents"),
            self.tets.bind("fem_tets"),
            self.rows.bind("fem_rows"),
            self.corner_forces.bind("corner_forces"),
        ];
        passes.push(
            arrays.bind(&self.product, &others),
            self.tets.len(),
            Over::Elements,
        );
        passes.push(
            arrays.bind(&self.gather, &others),
            self.rows.len(),
            Over::Particles,
        );
    }

    /// What passes over elements bind: constants, what they keep, each particle's slots.
    pub fn bindings(&self) -> [Binding<'_>; 3] {
        [
            self.tets.bind("fem_tets"),
            self.states.bind("fem_states"),
            self.rows.bind("fem_rows"),
        ]
    }

    /// Each particle's slots.
    pub fn rows(&self) -> &Buffer<UVec2> {
        &self.rows
    }

    /// The number of tetrahedra, and of slots.
    pub fn counts(&self) -> [usize; 2] {
        [self.tets.len(), self.corner_forces.len()]
    }

    /// Makes the elements of one body forget what they kept.
    pub(crate) fn begin(&self, context: &Context, model: &Model, body: usize) {
        let range = model.bodies[body].elements.clone();
        let states = vec![FemState::default(); range.len()];
        self.states.write(context, range.start, &states);
    }

    /// What the elements keep, one by one.
    pub(crate) fn states(&self) -> &Buffer<FemState> {
        &self.states
    }

    /// What the elements keep from step to step.
    pub fn evolving(&self) -> &dyn Bytes {
        &self.states
    }

    /// S_p of each element.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn plastic(&self, context: &Context) -> Result<Vec<DMat3>> {
        let states = self.states.read(context)?;
        Ok(states.iter().map(FemState::plastic_stretch).collect())
    }

    fn push(
        &self,
        arrays: &Arrays<'_>,
        particles: &Buffer<Particle>,
        kernel: &Kernel,
        field: Option<Binding<'_>>,
        loads: &mut Loads,
    ) {
        let mut others = vec![
            particles.bind("particles_in"),
            self.tets.bind("fem_tets"),
            self.states.bind("fem_states"),
            self.rows.bind("fem_rows"),
            self.corner_forces.bind("corner_forces"),
        ];
        others.extend(field);
        loads.push(
            arrays.bind(kernel, &others),
            self.tets.len(),
            Over::Elements,
        );
        loads.push(
            arrays.bind(&self.gather, &others),
            self.rows.len(),
            Over::Particles,
        );
    }
}

/// The elements as the kernels see them, per particle its first slot of `corner_forces` and how many it has, and the
/// number of all slots.
fn arrays(model: &Model) -> (Vec<FemTet>, Vec<UVec2>, usize) {
    let mut tets = Vec::with_capacity(model.elements.len());
    for (body, ranges) in model.bodies.iter().enumerate() {
        let elements = &model.elements[ranges.elements.clone()];
        tets.extend(elements.iter().map(|element| constants(element, body)));
    }
    let corners = tets.iter().enumerate().flat_map(|(t, tet)| {
        let corner = move |(c, i): (usize, u32)| (i, 4 * t + c);
        tet.corners.to_array().into_iter().enumerate().map(corner)
    });
    let rows = Incidence::new(model.positions.len(), &corners.collect::<Vec<_>>());
    for (first, count) in rows.first.iter().zip(&rows.count) {
        for slot in (0..*count).map(|e| first + e * SLICE) {
            let corner = rows.entries[slot as usize];
            tets[corner / 4].slots[corner % 4] = slot;
        }
    }
    let ranges = rows.first.iter().zip(&rows.count);
    let ranges = ranges.map(|(first, count)| UVec2::new(*first, *count));
    (tets, ranges.collect(), rows.entries.len())
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
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
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
