//! A small array on its way back, without waiting for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Buffer, Context, Recorder};
use crate::{Error, Result};

/// Brings one array of words back to the host after a submission.
#[derive(Debug)]
pub struct Readback {
    staging: wgpu::Buffer,
    arrived: Arc<AtomicBool>,
    under_way: bool,
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
        Self { staging, arrived: Arc::default(), under_way: false }
    }

    /// Records the copy. The last one must have been taken.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, words: &Buffer<u32>) {
        assert!(!self.under_way, "the last readback is still under way");
        let encoder = recorder.encoder();
        encoder.copy_buffer_to_buffer(&words.raw, 0, &self.staging, 0, self.staging.size());
        let arrived = Arc::clone(&self.arrived);
        encoder.map_buffer_on_submit(&self.staging, wgpu::MapMode::Read, .., move |result| {
            arrived.store(result.is_ok(), Ordering::Release);
        });
        self.under_way = true;
    }

    /// The words, if they are there already; `None` also when nothing is under way.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn poll(&mut self, context: &Context) -> Result<Option<Vec<u32>>> {
        if self.under_way {
            let polled = context.device.poll(wgpu::PollType::Poll);
            polled.map_err(|error| Error::Device(format!("the device stopped answering: {error}")))?;
        }
        self.take()
    }

    /// The words, waiting for them; `None` when nothing is under way.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn wait(&mut self, context: &Context) -> Result<Option<Vec<u32>>> {
        if !self.under_way {
            return Ok(None);
        }
        context.wait()?;
        let words = self.take()?;
        words.map(Some).ok_or_else(|| Error::Device("the device was lost".into()))
    }

    fn take(&mut self) -> Result<Option<Vec<u32>>> {
        if !self.arrived.swap(false, Ordering::Acquire) {
            return Ok(None);
        }
        let words = {
            let view = self.staging.get_mapped_range(..).map_err(|error| Error::Device(error.to_string()))?;
            bytemuck::pod_collect_to_vec(&view)
        };
        self.staging.unmap();
        self.under_way = false;
        Ok(Some(words))
    }
}
