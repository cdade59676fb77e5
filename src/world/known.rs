//! How stiff bodies are, as it is known already: of what goes on in a larger world, and of one more make of bodies.

use glam::Vec4;

use super::World;
use super::build::{estimated, record_rates};
use crate::Result;
use crate::gpu::types::{Body as GpuBody, PROBE_MARGIN};
use crate::gpu::{Buffer, Context, Recorder};
use crate::integrate::Arrays;
use crate::scene::{Body, Scene};
use crate::setup::Estimate;

/// What the power iteration goes on from in one body.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    /// Its vector.
    pub probe: Vec<Vec4>,
    /// ω², with its margin.
    pub stiffness_rate: f32,
    /// 1/|w|
    pub probe_scale: f32,
}

impl Followed {
    /// From the estimate that has just ended at this vector.
    pub fn new(estimate: &Estimate, probe: Vec<Vec4>) -> Self {
        let norm = estimate.stiffness as f32;
        let known = norm > 0.0 && norm < 3e38;
        Self {
            probe,
            stiffness_rate: PROBE_MARGIN * PROBE_MARGIN * norm,
            probe_scale: if known { 1.0 / norm.max(1e-30) } else { 1.0 },
        }
    }

    /// What it is kept by in `bodies`.
    pub fn put(&self, body: GpuBody) -> GpuBody {
        GpuBody {
            stiffness_rate: self.stiffness_rate,
            probe_scale: self.probe_scale,
            ..body
        }
    }

    /// Numbers for so many particles.
    pub fn len(particles: usize) -> usize {
        4 * particles + 2
    }

    /// The numbers that a save file has of it.
    pub fn numbers(&self) -> impl Iterator<Item = f32> {
        let vector = self.probe.iter().flat_map(Vec4::to_array);
        vector.chain([self.stiffness_rate, self.probe_scale])
    }

    /// The reverse of [`Self::numbers`].
    pub fn from_numbers(numbers: &[f32]) -> Self {
        let (vector, rates) = numbers.split_at(numbers.len() - 2);
        Self {
            probe: vector.chunks_exact(4).map(Vec4::from_slice).collect(),
            stiffness_rate: rates[0],
            probe_scale: rates[1],
        }
    }
}

/// All bodies of a world that is to be built, in order.
#[derive(Clone, Debug)]
pub(super) struct Known {
    estimates: Vec<Estimate>,
    followed: Vec<Followed>,
}

impl Known {
    /// Gives the arrays of that world what an estimate would leave there.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn give(&self, arrays: &Arrays<'_>) -> Result<Vec<Estimate>> {
        let Arrays {
            context,
            state,
            status,
            ..
        } = *arrays;
        let probe: Vec<_> = self
            .followed
            .iter()
            .flat_map(|own| own.probe.clone())
            .collect();
        state.probe[0].write(context, 0, &probe);
        let bodies: &Buffer<GpuBody> = &arrays.model.bodies;
        let own = bodies.read(context)?.into_iter().zip(&self.followed);
        bodies.write(
            context,
            0,
            &own.map(|(body, own)| own.put(body)).collect::<Vec<_>>(),
        );
        let norm = |own: &Followed| (own.stiffness_rate / PROBE_MARGIN / PROBE_MARGIN).to_bits();
        status.write(
            context,
            1,
            &self.followed.iter().map(norm).collect::<Vec<_>>(),
        );
        let mut recorder = Recorder::new(context);
        record_rates(&mut recorder, arrays, probe.len());
        recorder.submit();
        Ok(self.estimates.clone())
    }
}

impl World {
    /// What is known of this world's bodies, and of so many further ones of a make.
    ///
    /// # Errors
    /// A body that cannot be built; a lost device.
    pub(super) fn known(&self, further: &Body, count: usize) -> Result<Known> {
        let context: &Context = &self.context;
        let probe = self.state.probe[0].read(context)?;
        let bodies = self.buffers.bodies.read(context)?;
        let followed = |(index, body): (usize, &GpuBody)| {
            let ranges = &self.model.bodies[index];
            match self.places.asleep(index) {
                _ if ranges.absent => self.places.at_rest(index).clone(),
                Some(asleep) => asleep.clone(),
                None => Followed {
                    probe: probe[ranges.particles.clone()].to_vec(),
                    stiffness_rate: body.stiffness_rate,
                    probe_scale: body.probe_scale,
                },
            }
        };
        let mut known = Known {
            estimates: self.places.estimates(),
            followed: bodies.iter().enumerate().map(followed).collect(),
        };
        let mut alone = Scene {
            world: self.scene.world.clone(),
            bodies: vec![further.clone()],
            folder: self.scene.folder.clone(),
            ..Scene::default()
        };
        alone.world.auto_integrator = false;
        let (estimate, probe) = estimated(context, &alone)?;
        let own = Followed::new(&estimate, probe);
        known.estimates.extend(vec![estimate; count]);
        known.followed.extend(vec![own; count]);
        Ok(known)
    }
}
