//! Time per pass, from the device's own clock or the host's.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use super::device::Device;
use super::mapping::Mapping;
use super::{Context, Executor, unless_lost};
use crate::cpu::Times;
use crate::{Error, Result};

/// Passes that one submission can time.
const CAPACITY: u32 = 128;

/// What a pass took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PassTime {
    /// Dispatches that were timed.
    pub samples: u64,
    /// Sum over the samples [µs].
    pub total: f64,
    /// The slowest sample [µs].
    pub max: f64,
}

impl PassTime {
    /// Mean over the samples [µs].
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.samples == 0 { 0.0 } else { self.total / self.samples as f64 }
    }
}

/// Collects pass times over submissions.
#[derive(Debug)]
pub struct Profiler {
    clock: Clock,
    pending: Vec<&'static str>,
    times: BTreeMap<&'static str, PassTime>,
}

#[derive(Debug)]
enum Clock {
    Device {
        queries: wgpu::QuerySet,
        resolved: wgpu::Buffer,
        staging: wgpu::Buffer,
        /// Microseconds per tick.
        period: f64,
    },
    Threads(Times),
}

impl Profiler {
    /// A profiler, where passes can be timed.
    #[must_use]
    pub fn new(context: &Context) -> Option<Self> {
        if !context.has_timestamps() {
            return None;
        }
        let clock = match &context.executor {
            Executor::Device(device) => Clock::of_device(device),
            Executor::Threads(_) => Clock::Threads(Times::default()),
        };
        Some(Self { clock, pending: Vec::new(), times: BTreeMap::new() })
    }

    /// Where the device notes when a pass begins and ends, or `None` when there is no room for another in this submission.
    pub(super) fn stamps(
        &mut self,
        name: &'static str,
    ) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let index = self.begin(name)?;
        let Clock::Device { queries, .. } = &self.clock else {
            return None;
        };
        Some(wgpu::ComputePassTimestampWrites {
            query_set: queries,
            beginning_of_pass_write_index: Some(2 * index),
            end_of_pass_write_index: Some(2 * index + 1),
        })
    }

    /// Where the CPU's threads note how long a pass took, or `None` as above.
    pub(super) fn times_of(&mut self, name: &'static str) -> Option<Times> {
        self.begin(name)?;
        match &self.clock {
            Clock::Threads(times) => Some(times.clone()),
            Clock::Device { .. } => None,
        }
    }

    fn begin(&mut self, name: &'static str) -> Option<u32> {
        let index = u32::try_from(self.pending.len()).ok().filter(|index| *index < CAPACITY)?;
        self.pending.push(name);
        Some(index)
    }

    /// Records the copy of this submission's times.
    pub(super) fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let count = self.pending.len() as u32 * 2;
        let Clock::Device { queries, resolved, staging, .. } = &self.clock else {
            return;
        };
        if count > 0 {
            encoder.resolve_query_set(queries, 0..count, resolved, 0);
            encoder.copy_buffer_to_buffer(resolved, 0, staging, 0, u64::from(count) * 8);
        }
    }

    /// Adds the times of the last submission, waiting for it.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn collect(&mut self, context: &Context) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let micros = self.clock.read(context)?;
        for (name, micros) in self.pending.drain(..).zip(micros) {
            let time = self.times.entry(name).or_default();
            time.samples += 1;
            time.total += micros;
            time.max = time.max.max(micros);
        }
        Ok(())
    }

    /// The times by pass name.
    #[must_use]
    pub fn times(&self) -> &BTreeMap<&'static str, PassTime> {
        &self.times
    }
}

impl Clock {
    fn of_device(device: &Device) -> Self {
        let buffer = |label, usage| {
            let size = u64::from(CAPACITY) * 2 * 8;
            device.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        Self::Device {
            queries: device.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("pass times"),
                ty: wgpu::QueryType::Timestamp,
                count: CAPACITY * 2,
            }),
            resolved: buffer(
                "pass times",
                wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            ),
            staging: buffer(
                "pass times",
                wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            ),
            period: f64::from(device.queue.get_timestamp_period()) * 1e-3,
        }
    }

    /// What the passes of the last submission took [µs], in their order.
    fn read(&self, context: &Context) -> Result<Vec<f64>> {
        match self {
            Self::Threads(times) => {
                let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(std::mem::take(&mut *times))
            }
            Self::Device { staging, period, .. } => {
                let bytes = map(context, staging)?;
                let ticks: &[u64] = &bytemuck::pod_collect_to_vec(&bytes);
                let pairs = ticks.chunks_exact(2);
                Ok(pairs.map(|pair| pair[1].saturating_sub(pair[0]) as f64 * period).collect())
            }
        }
    }
}

/// The bytes of a buffer whose copy has been submitted, waiting for it.
fn map(context: &Context, staging: &wgpu::Buffer) -> Result<Vec<u8>> {
    unless_lost(&context.executor.device().device, || {
        let mapped = Mapping::default();
        staging.map_async(wgpu::MapMode::Read, .., mapped.callback());
        context.wait()?;
        if !mapped.wait() {
            return Err(Error::Device("reading pass times: the device was lost".into()));
        }
        let view = staging.get_mapped_range(..);
        // Nothing may look at it any more when it is given back.
        let bytes =
            view.map_err(|error| Error::Device(format!("reading pass times: {error}")))?.to_vec();
        staging.unmap();
        Ok(bytes)
    })
}
