//! Fields to colour bodies by.

use glam::Vec2;

use super::Shared;
use crate::family::{self, Deformation};
use crate::gpu::{Buffer, Context, Kernel, Recorder};
use crate::model::Model;
use crate::scene::Scene;
use crate::{Result, World};

/// A field by which bodies can be coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The relative change of length l/l0 − 1 of largest magnitude among the edges adjacent to a particle.
    Strain,
    /// −K (J − 1) [Pa], J the ratio of the volume of the tetrahedra around a particle to that at rest, K the material's bulk
    /// modulus for small strains.
    Pressure,
    /// Length of the deepest penetration vector of a particle in the last step [m].
    Penetration,
}

/// The values of a field, usable as vertex buffers.
#[derive(Clone, Copy, Debug)]
pub struct FieldBuffers<'a> {
    /// Per particle, in device order.
    pub particle_values: &'a Buffer<f32>,
    /// Per drawn vertex.
    pub skin_values: &'a Buffer<f32>,
}

impl Field {
    /// All fields.
    pub const ALL: [Self; 3] = [Self::Strain, Self::Pressure, Self::Penetration];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.words()[0]
    }

    /// Its unit; strain has none.
    #[must_use]
    pub fn unit(self) -> &'static str {
        self.words()[1]
    }

    /// Whether a body has no such field: clouds have no edges; clouds, shells and shape matching no pressure; and nothing
    /// is inside another where no bodies can touch.
    #[must_use]
    pub fn is_unavailable(self, world: &World, body: usize) -> bool {
        let Some(ranges) = world.model().bodies.get(body) else {
            return true;
        };
        match self {
            Self::Strain => ranges.springs.is_empty(),
            Self::Pressure => ranges.tets.is_empty() || !of(world.scene(), body).has_pressure(),
            Self::Penetration => world.collision().is_none(),
        }
    }

    /// Its name, its unit and its kernel.
    fn words(self) -> [&'static str; 3] {
        match self {
            Self::Strain => ["strain", "", "field_strain"],
            Self::Pressure => ["pressure", "Pa", "field_pressure"],
            Self::Penetration => ["penetration", "m", "field_depth"],
        }
    }
}

/// The passes that fill fields.
#[derive(Debug)]
pub(super) struct Fields {
    pub particle_values: Buffer<f32>,
    skin_values: Buffer<f32>,
    /// With how often bodies had got another material.
    moduli: Option<(u64, Buffer<Vec2>)>,
    /// In the order of [`Field::ALL`].
    kernels: [Option<Kernel>; 3],
    skin: Kernel,
    /// What the values are of.
    pub present: Option<Field>,
}

impl Fields {
    /// Room for the values.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(world: &World) -> Result<Self> {
        let (context, model) = (world.context(), world.model());
        let drawable = |label, count| Buffer::drawable(context, label, count);
        Ok(Self {
            particle_values: drawable("particle_values", model.positions.len())?,
            skin_values: drawable("skin_values", model.skin.corners.len())?,
            moduli: None,
            kernels: [None, None, None],
            skin: Kernel::new(context, "field_skin"),
            present: None,
        })
    }

    /// Fills the values.
    pub fn update(
        &mut self,
        world: &World,
        shared: &Shared,
        field: Field,
    ) -> Result<FieldBuffers<'_>> {
        let context = world.context();
        shared.sim.write(context, &[world.present_sim()]);
        let mut recorder = Recorder::new(context);
        match field {
            Field::Penetration => self.depth(world, shared, &mut recorder),
            Field::Strain | Field::Pressure => {
                self.gather(world, shared, field, &mut recorder)?;
            }
        }
        let others = [
            world.arrays().model.skin.binding(),
            self.particle_values.bind("particle_values"),
            self.skin_values.bind("skin_values"),
        ];
        let skin = shared.bind(world, &self.skin, &others);
        recorder.dispatch(&skin, self.skin_values.len(), 0);
        recorder.submit();
        self.present = Some(field);
        Ok(self.buffers())
    }

    pub fn buffers(&self) -> FieldBuffers<'_> {
        FieldBuffers { particle_values: &self.particle_values, skin_values: &self.skin_values }
    }

    fn kernel(&mut self, context: &Context, field: Field) -> &Kernel {
        self.kernels[field as usize].get_or_insert_with(|| Kernel::new(context, field.words()[2]))
    }

    fn gather(
        &mut self,
        world: &World,
        shared: &Shared,
        field: Field,
        recorder: &mut Recorder<'_>,
    ) -> Result<()> {
        let context = world.context();
        if field == Field::Pressure {
            let present = |(materials, _): &(u64, _)| *materials == world.materials();
            if !self.moduli.as_ref().is_some_and(present) {
                let moduli = Buffer::new(context, "moduli", &moduli(world.scene(), world.model()))?;
                self.moduli = Some((world.materials(), moduli));
            }
            shared.measure(world, recorder);
        }
        self.kernel(context, field);
        let mut others = vec![self.particle_values.bind("particle_values")];
        others.extend(self.moduli.iter().map(|(_, moduli)| moduli.binding()));
        if let Some(kernel) = &self.kernels[field as usize] {
            let bound = shared.bind(world, kernel, &others);
            recorder.dispatch(&bound, self.particle_values.len(), 0);
        }
        Ok(())
    }

    fn depth(&mut self, world: &World, shared: &Shared, recorder: &mut Recorder<'_>) {
        recorder.clear(&self.particle_values);
        let Some(collision) = world.collision() else {
            return;
        };
        self.kernel(world.context(), Field::Penetration);
        let mut others = collision.bindings();
        others.push(self.particle_values.bind("depths"));
        if let Some(kernel) = &self.kernels[Field::Penetration as usize] {
            let bound = shared.bind(world, kernel, &others);
            recorder.dispatch(&bound, collision.capacity().records, 0);
        }
    }
}

/// Per particle 1/V0 of all tetrahedra around it [1/m³], and the bulk modulus K [Pa]; 0 of what has no pressure.
fn moduli(scene: &Scene, model: &Model) -> Vec<Vec2> {
    let mut found = vec![Vec2::ZERO; model.positions.len()];
    for (index, body) in model.bodies.iter().enumerate() {
        let tets = &model.tets[body.tets.clone()];
        let deformation = of(scene, index);
        if tets.is_empty() || !deformation.has_pressure() {
            continue;
        }
        let moduli = deformation.bulk_moduli(model, body);
        let mut sums = vec![[0.0; 3]; body.particles.len()];
        for (t, tet) in tets.iter().enumerate() {
            let modulus = moduli.get(t).copied().unwrap_or_default();
            for i in tet.corners {
                let sum = &mut sums[i as usize - body.particles.start];
                *sum = [sum[0] + tet.rest, sum[1] + modulus, sum[2] + 1.0];
            }
        }
        let of_all = (moduli.len() == 1).then(|| moduli[0]);
        for (i, [volume, modulus, count]) in body.particles.clone().zip(sums) {
            if volume > 0.0 {
                let modulus = of_all.unwrap_or(modulus / count);
                found[i] = Vec2::new((1.0 / volume) as f32, modulus as f32);
            }
        }
    }
    found
}

fn of(scene: &Scene, body: usize) -> &dyn Deformation {
    family::of(&scene.bodies[body].kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::inspect::field as reference;
    use crate::scene::{Body, Fem, Scene, Springs};

    /// K of a block of springs is what the energy of a small dilation says, and of finite elements that of the material.
    #[test]
    fn moduli_are_those_of_a_dilation() {
        let mut springs = Body::lattice("a", [3, 2, 2], [0.9, 0.5, 0.4]);
        springs.kind = Springs::Constants { distance: 20.0, volume: 10.0, damping: 0.0 }.into();
        let mut fem = Body::lattice("b", [2, 2, 2], [1.0; 3]);
        fem.kind = Fem::undamped(1e5, 0.3).into();
        let scene = Scene { bodies: vec![springs, fem], ..Scene::default() };
        let model = Model::new(&scene, "", u64::MAX).unwrap();
        let moduli = moduli(&scene, &model);
        let grown = |growth: f64| -> f64 {
            let x = |i: u32| (1.0 + growth) * model.positions[i as usize];
            let springs = model.springs[model.bodies[0].springs.clone()].iter();
            let springs = springs.map(|s| {
                let [a, b] = s.points.map(x);
                0.5 * s.distance * (a.distance(b) / s.rest - 1.0).powi(2)
            });
            let tets = model.tets[model.bodies[0].tets.clone()].iter();
            let tets = tets.map(|t| {
                let [a, b, c, d] = t.corners.map(x);
                let now = (b - a).dot((c - a).cross(d - a)) / 6.0;
                0.5 * t.volume * (now / t.rest - 1.0).powi(2)
            });
            springs.chain(tets).sum()
        };
        let volume = 0.9 * 0.5 * 0.4;
        let wanted = grown(1e-4) / (0.5 * (3e-4_f64).powi(2) * volume);
        let [springs, tets] = [&model.bodies[0].springs, &model.bodies[0].tets].map(|r| r.len());
        let other = reference::bulk_modulus(20.0 * springs as f64, 10.0 * tets as f64, 0.0, volume);
        for i in model.bodies[0].particles.clone() {
            let got = f64::from(moduli[i].y);
            assert!((got / wanted - 1.0).abs() < 1e-3, "{got}, wanted {wanted}");
            assert!((got / other - 1.0).abs() < 1e-6, "{got}, wanted {other}");
        }
        for i in model.bodies[1].particles.clone() {
            let wanted = 1e5 / (3.0 * (1.0 - 0.6));
            assert!((f64::from(moduli[i].y) / wanted - 1.0).abs() < 1e-6);
        }
    }
}
