//! Time per pass, from the device's own clock.

use std::collections::BTreeMap;

use super::Context;
use crate::Result;

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
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    staging: wgpu::Buffer,
    pending: Vec<&'static str>,
    times: BTreeMap<&'static str, PassTime>,
    /// Microseconds per tick.
    period: f64,
}

impl Profiler {
    /// A profiler, where the device has timestamps.
    #[must_use]
    pub fn new(context: &Context) -> Option<Self> {
        if !context.has_timestamps() {
            return None;
        }
        let buffer = |label, usage| {
            let size = u64::from(CAPACITY) * 2 * 8;
            context.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        Some(Self {
            queries: context.device.create_query_set(&wgpu::QuerySetDescriptor {
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
            pending: Vec::new(),
            times: BTreeMap::new(),
            period: f64::from(context.queue.get_timestamp_period()) * 1e-3,
        })
    }

    /// Room for one more pass, or `None` when this submission's are used up.
    pub(super) fn begin(
        &mut self,
        name: &'static str,
    ) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let index = u32::try_from(self.pending.len()).ok().filter(|index| *index < CAPACITY)?;
        self.pending.push(name);
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(2 * index),
            end_of_pass_write_index: Some(2 * index + 1),
        })
    }

    /// Records the copy of this submission's times.
    pub(super) fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let count = self.pending.len() as u32 * 2;
        if count > 0 {
            encoder.resolve_query_set(&self.queries, 0..count, &self.resolved, 0);
            encoder.copy_buffer_to_buffer(
                &self.resolved,
                0,
                &self.staging,
                0,
                u64::from(count) * 8,
            );
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
        let bytes = super::readback::map(context, &self.staging, "pass times")?;
        let ticks: Vec<u64> = bytes
            .chunks_exact(8)
            .map(|b| u64::from_le_bytes(b.try_into().expect("8 bytes")))
            .collect();
        for (name, pair) in self.pending.iter().zip(ticks.chunks_exact(2)) {
            let micros = pair[1].saturating_sub(pair[0]) as f64 * self.period;
            let time = self.times.entry(name).or_default();
            time.samples += 1;
            time.total += micros;
            time.max = time.max.max(micros);
        }
        self.pending.clear();
        Ok(())
    }

    /// The times by pass name.
    #[must_use]
    pub fn times(&self) -> &BTreeMap<&'static str, PassTime> {
        &self.times
    }
}
