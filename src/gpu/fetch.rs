//! Bytes on their way back to the host, without waiting for them.

use std::ops::Range;

use super::mapping::Mapping;
use super::{Context, Memory, Recorder, unless_lost};
use crate::cpu::Fetched;
use crate::{Error, Result};

/// Brings bytes of arrays back to the host after a submission; again and again, one after the other.
#[derive(Debug)]
pub(super) struct Fetch {
    staging: Option<wgpu::Buffer>,
    pending: Option<Fetching>,
}

/// What is under way.
#[derive(Debug)]
pub(super) enum Fetching {
    Device(Mapping),
    Threads(Fetched),
}

impl Fetch {
    /// Room for `size` bytes, a multiple of 4.
    pub fn new(context: &Context, size: u64) -> Self {
        let staging = context.executor.as_device().map(|own| {
            own.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("fetch"),
                size: size.max(4),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        Self { staging, pending: None }
    }

    /// Whether something is under way.
    pub fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Records copies of these bytes of some arrays, one behind the other; multiples of 4. What was fetched last must have
    /// been taken.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, parts: &[(&Memory, Range<u64>)]) {
        assert!(self.pending.is_none(), "the last bytes are still under way");
        self.pending = Some(recorder.fetch(self.staging.as_ref(), parts));
    }

    /// The bytes, if they are there already; `None` also when nothing is under way.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn poll(&mut self, context: &Context) -> Result<Option<Vec<u8>>> {
        let good = match &self.pending {
            None => return Ok(None),
            Some(Fetching::Threads(fetched)) if fetched.get().is_none() => return Ok(None),
            Some(Fetching::Threads(_)) => true,
            Some(Fetching::Device(mapping)) => {
                let polled = context.executor.device().device.poll(wgpu::PollType::Poll);
                polled.map_err(|error| {
                    Error::Device(format!("the device stopped answering: {error}"))
                })?;
                match mapping.poll() {
                    Some(good) => good,
                    None => return Ok(None),
                }
            }
        };
        self.take(context, good).map(Some)
    }

    /// The bytes, waiting for them; none when nothing is under way.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn wait(&mut self, context: &Context) -> Result<Vec<u8>> {
        let good = match &self.pending {
            None => return Ok(Vec::new()),
            Some(Fetching::Threads(_)) => true,
            Some(Fetching::Device(mapping)) => {
                context.wait()?;
                mapping.wait()
            }
        };
        self.take(context, good)
    }

    fn take(&mut self, context: &Context, good: bool) -> Result<Vec<u8>> {
        if let Some(Fetching::Threads(fetched)) = self.pending.take() {
            let never = || Error::Device("what was asked for was never submitted".into());
            return fetched.get().map(<[u8]>::to_vec).ok_or_else(never);
        }
        let Some(staging) = self.staging.as_ref().filter(|_| good) else {
            return Err(Error::Device("the device was lost".into()));
        };
        let bytes = {
            let view = staging.get_mapped_range(..);
            view.map_err(|error| Error::Device(error.to_string()))?.to_vec()
        };
        unless_lost(&context.executor.device().device, || staging.unmap());
        Ok(bytes)
    }
}
