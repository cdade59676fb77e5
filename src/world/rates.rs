//! How stiff bodies are, as far as that is known already of a world that takes another one's place.

use std::collections::HashMap;

use glam::Vec4;
use serde::{Deserialize, Serialize};

use super::build::estimated;
use super::device::Device;
use super::{Handover, World};
use crate::body::stiffness::StiffnessProbe;
use crate::gpu::types::{Body as GpuBody, PROBE_MARGIN, STATUS_RATES};
use crate::gpu::{Buffer, Context, Recorder, Telemetry};
use crate::integrate::Arrays;
use crate::integrate::part::{Domain, Part};
use crate::model::Model;
use crate::scene::Scene;
use crate::setup::Estimate;
use crate::{Result, setup};

/// What the power iteration goes on from in one body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PowerIteration {
    /// Its vector.
    pub probe: Vec<Vec4>,
    /// ω², with its margin.
    pub stiffness_rate: f32,
    /// 1/|w|
    pub probe_scale: f32,
}

impl PowerIteration {
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

    /// The same with another ω² [1/s²], without its margin.
    pub fn at(self, stiffness: f64) -> Self {
        Self { stiffness_rate: PROBE_MARGIN * PROBE_MARGIN * stiffness as f32, ..self }
    }

    /// The estimate [1/s²].
    pub fn norm(&self) -> f32 {
        self.stiffness_rate / (PROBE_MARGIN * PROBE_MARGIN)
    }

    /// What it is kept by in `bodies`.
    pub fn put(&self, body: GpuBody) -> GpuBody {
        GpuBody { stiffness_rate: self.stiffness_rate, probe_scale: self.probe_scale, ..body }
    }
}

/// All bodies of a world that is to be built, in order.
#[derive(Clone, Debug)]
pub(super) struct RateCache(Vec<(Estimate, PowerIteration)>);

impl RateCache {
    /// Gives the arrays of that world what an estimate would leave there.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn give(&self, arrays: &Arrays<'_>) -> Result<Vec<Estimate>> {
        let Arrays { context, state, status, .. } = *arrays;
        let followed = || self.0.iter().map(|(_, own)| own);
        let probe: Vec<_> = followed().flat_map(|own| own.probe.clone()).collect();
        state.probe[0].write(context, 0, &probe);
        let bodies: &Buffer<GpuBody> = &arrays.model.bodies;
        let materials = bodies.read(context)?.into_iter().zip(followed());
        let materials: Vec<_> = materials.map(|(body, own)| own.put(body)).collect();
        bodies.write(context, 0, &materials);
        let norms: Vec<_> = followed().map(|own| own.norm().to_bits()).collect();
        status.write(context, STATUS_RATES as usize, &norms);
        let mut recorder = Recorder::new(context);
        record_rates(&mut recorder, arrays, &Part::all(0));
        recorder.submit();
        Ok(self.0.iter().map(|(estimate, _)| *estimate).collect())
    }
}

impl Handover {
    /// The bodies of a scene that goes on from here: as they were where they are of the same make; the others are estimated
    /// by themselves where they are now, of further ones that start alike one. None where that would be most of them.
    ///
    /// # Errors
    /// A body that cannot be built; a lost device.
    pub(super) fn rates(&self, context: &Context, scene: &Scene) -> Result<Option<RateCache>> {
        let same_order = self.integrator == scene.world.integrator;
        let mut asked = Vec::new();
        let mut alike = HashMap::new();
        // Of each body its place among those that are asked about; none: it is as it was.
        let mut places = Vec::with_capacity(scene.bodies.len());
        for (index, body) in scene.bodies.iter().enumerate() {
            let archetype = Some(body.archetype_hash());
            let mut ask = || {
                asked.push(index);
                asked.len() - 1
            };
            places.push(match self.bodies.get(index) {
                Some(old) if same_order && old.archetype == archetype => None,
                Some(_) => Some(ask()),
                None if body.scatter > 0.0 => Some(ask()),
                None => {
                    let start = [body.position, body.rotation, body.stretch];
                    let start = start.map(|v| v.map(f64::to_bits));
                    Some(*alike.entry((archetype, start)).or_insert_with(ask))
                }
            });
        }
        if 2 * asked.len() > scene.bodies.len() {
            return Ok(None);
        }
        let answers = match asked.is_empty() {
            true => Vec::new(),
            false => {
                let part = Scene {
                    world: scene.world.clone(),
                    bodies: asked.iter().map(|i| scene.bodies[*i].clone()).collect(),
                    folder: scene.folder.clone(),
                    ..Scene::default()
                };
                estimated(context, &part, &self.only(&asked))?
            }
        };
        let known = |(index, place): (usize, &Option<usize>)| match place {
            Some(place) => answers[*place].clone(),
            None => self.bodies[index].known.clone(),
        };
        Ok(Some(RateCache(places.iter().enumerate().map(known).collect())))
    }
}

impl World {
    /// What is known of this world's bodies.
    ///
    /// # Errors
    /// When the device is lost.
    pub(super) fn known(&self) -> Result<Vec<(Estimate, PowerIteration)>> {
        let probe = self.device.state.probe[0].read(&self.context)?;
        let bodies = self.device.buffers.bodies.read(&self.context)?;
        let followed = |(index, body): (usize, &GpuBody)| {
            let ranges = &self.model.bodies[index];
            match self.slots.asleep(index) {
                _ if ranges.absent => self.slots.at_rest(index).clone(),
                Some(asleep) => asleep.clone(),
                None => PowerIteration {
                    probe: probe[ranges.particles.clone()].to_vec(),
                    stiffness_rate: body.stiffness_rate,
                    probe_scale: body.probe_scale,
                },
            }
        };
        let followed = bodies.iter().enumerate().map(followed);
        let rates = self.slots.estimates().into_iter().zip(followed);
        // A deformed body may be stiffer than at rest.
        let present = |(rate, followed): (Estimate, PowerIteration)| {
            let stiffness = rate.stiffness.max(followed.norm().into());
            (Estimate { stiffness, ..rate }, followed)
        };
        Ok(rates.map(present).collect())
    }
}

/// Records the passes that write the rates of a part's particles, which both arrays hold alike, from one to the other and back.
pub(super) fn record_rates(recorder: &mut Recorder<'_>, arrays: &Arrays<'_>, part: &Part) {
    let count = arrays.state.present().len();
    for pass in arrays.bind_both("damping_rate", &[]) {
        part.dispatch(recorder, &pass, count, Domain::Particles);
    }
}

/// Each body's largest rates at rest: σ of its springs, and the eigenvalues of damping and then of stiffness, whose vector
/// is the one that later renewals go on from.
pub(super) fn estimate(
    arrays: &Arrays<'_>,
    probe: &StiffnessProbe,
    device: &Device,
    model: &Model,
) -> Result<Vec<Estimate>> {
    let (context, state) = (arrays.context, arrays.state);
    let mut eigenvalues = Vec::with_capacity(2);
    for slot in [0, 1] {
        let mut recorder = Recorder::new(context);
        record_rates(&mut recorder, arrays, &Part::all(0));
        probe.estimate(&mut recorder, state, &device.counts(), slot);
        recorder.submit();
        let told = Telemetry::new(arrays.status.read(context)?, model.bodies.len());
        eigenvalues.push(told.rates().collect::<Vec<_>>());
    }
    let rates = setup::largest_rates(model, &state.present().read(context)?);
    let estimate = |(body, rate): (usize, &f64)| Estimate {
        damping: eigenvalues[0][body],
        stiffness: eigenvalues[1][body],
        rate: *rate,
    };
    Ok(rates.iter().enumerate().map(estimate).collect())
}
