//! A small array on its way back, without waiting for it.

use super::mapping::Mapping;
use super::{Bytes, Context, Recorder, unless_lost};
use crate::{Error, Result};

/// Brings one array of words back to the host after a submission.
#[derive(Debug)]
pub struct Readback {
    staging: wgpu::Buffer,
    /// While one is under way.
    mapped: Option<Mapping>,
}

impl Readback {
    /// Room for `words` words.
    #[must_use]
    pub fn new(context: &Context, words: usize) -> Self {
        let staging = context.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("readback"),
            size: 4 * words.max(1) as u64,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { staging, mapped: None }
    }

    /// Whether something is under way.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.mapped.is_some()
    }

    /// Records the copy. The last one must have been taken.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, words: &dyn Bytes) {
        assert!(self.mapped.is_none(), "the last readback is still under way");
        let encoder = recorder.encoder();
        encoder.copy_buffer_to_buffer(words.raw(), 0, &self.staging, 0, self.staging.size());
        let mapped = Mapping::default();
        let done = mapped.callback();
        encoder.map_buffer_on_submit(&self.staging, wgpu::MapMode::Read, .., done);
        self.mapped = Some(mapped);
    }

    /// The words, if they are there already; `None` also when nothing is under way.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn poll(&mut self, context: &Context) -> Result<Option<Vec<u32>>> {
        let Some(mapped) = &self.mapped else {
            return Ok(None);
        };
        let polled = context.device.poll(wgpu::PollType::Poll);
        polled.map_err(|error| Error::Device(format!("the device stopped answering: {error}")))?;
        match mapped.poll() {
            Some(good) => self.take(context, good).map(Some),
            None => Ok(None),
        }
    }

    /// The words, waiting for them; `None` when nothing is under way.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn wait(&mut self, context: &Context) -> Result<Option<Vec<u32>>> {
        let Some(mapped) = &self.mapped else {
            return Ok(None);
        };
        context.wait()?;
        let good = mapped.wait();
        self.take(context, good).map(Some)
    }

    fn take(&mut self, context: &Context, good: bool) -> Result<Vec<u32>> {
        self.mapped = None;
        if !good {
            return Err(Error::Device("the device was lost".into()));
        }
        let words = {
            let view = self
                .staging
                .get_mapped_range(..)
                .map_err(|error| Error::Device(error.to_string()))?;
            bytemuck::pod_collect_to_vec(&view)
        };
        unless_lost(&context.device, || self.staging.unmap());
        Ok(words)
    }
}

/// The bytes of a buffer whose copy has been submitted, waiting for it.
pub(super) fn map(context: &Context, staging: &wgpu::Buffer, label: &str) -> Result<Vec<u8>> {
    unless_lost(&context.device, || mapped(context, staging, label))
}

fn mapped(context: &Context, staging: &wgpu::Buffer, label: &str) -> Result<Vec<u8>> {
    let mapped = Mapping::default();
    staging.map_async(wgpu::MapMode::Read, .., mapped.callback());
    context.wait()?;
    if !mapped.wait() {
        return Err(Error::Device(format!("reading {label}: the device was lost")));
    }
    let view = staging.get_mapped_range(..);
    let bytes = view.map_err(|error| Error::Device(format!("reading {label}: {error}")))?.to_vec();
    staging.unmap();
    Ok(bytes)
}
