//! An answer of the device on its way to the host.

use std::ops::Range;

use super::mapping::Mapping;
use super::{Bytes, Context, Recorder};
use crate::{Error, Result};

/// An answer that is under way. Nothing waits for it: it is there some time after it was asked for ([`Self::poll`]), may be
/// waited for ([`Self::wait`]), and may be dropped at any time, also after what it is an answer of.
pub struct Pending<T> {
    context: Context,
    staging: wgpu::Buffer,
    mapped: Mapping,
    /// What the bytes mean; none once it has been taken.
    decode: Option<Decode<T>>,
}

type Decode<T> = Box<dyn FnOnce(&[u8]) -> Result<T> + Send + Sync>;

impl<T> Pending<T> {
    /// Records copies of these bytes of some arrays, one behind the other; multiples of 4.
    pub(crate) fn record(
        recorder: &mut Recorder<'_>,
        parts: &[(&dyn Bytes, Range<u64>)],
        decode: impl FnOnce(&[u8]) -> Result<T> + Send + Sync + 'static,
    ) -> Self {
        let context = recorder.context().clone();
        let size: u64 = parts.iter().map(|(_, part)| part.end - part.start).sum();
        let staging = context.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pending"),
            size: size.max(4),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let encoder = recorder.encoder();
        let mut to = 0;
        for (array, part) in parts.iter().filter(|(_, part)| !part.is_empty()) {
            let size = part.end - part.start;
            encoder.copy_buffer_to_buffer(array.raw(), part.start, &staging, to, size);
            to += size;
        }
        let mapped = Mapping::default();
        encoder.map_buffer_on_submit(&staging, wgpu::MapMode::Read, .., mapped.callback());
        Self { context, staging, mapped, decode: Some(Box::new(decode)) }
    }

    /// The answer if it is there, without waiting; `None` also once it has been taken.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn poll(&mut self) -> Result<Option<T>> {
        if self.decode.is_none() {
            return Ok(None);
        }
        let polled = self.context.device.poll(wgpu::PollType::Poll);
        polled.map_err(|error| Error::Device(format!("the device stopped answering: {error}")))?;
        match self.mapped.poll() {
            Some(good) => self.take(good),
            None => Ok(None),
        }
    }

    /// The answer, waiting for it.
    ///
    /// # Errors
    /// When the device is lost, or [`Self::poll`] has given the answer already.
    pub fn wait(mut self) -> Result<T> {
        if self.decode.is_some() {
            self.context.wait()?;
            let good = self.mapped.wait();
            if let Some(answer) = self.take(good)? {
                return Ok(answer);
            }
        }
        let want = "an answer that `poll` has not returned yet";
        Err(Error::value("answer", "taken", want))
    }

    fn take(&mut self, good: bool) -> Result<Option<T>> {
        let Some(decode) = self.decode.take() else {
            return Ok(None);
        };
        if !good {
            return Err(Error::Device("the device was lost".into()));
        }
        let view =
            self.staging.get_mapped_range(..).map_err(|error| Error::Device(error.to_string()))?;
        decode(&view).map(Some)
    }
}

impl<T> std::fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let taken = self.decode.is_none();
        write!(f, "Pending {{ taken: {taken} }}")
    }
}

/// The elements of an array that was copied.
pub(crate) fn elements<T: super::Shared>(bytes: &[u8], count: usize) -> Result<Vec<T>>
where
    Vec<T>: encase::ShaderType + encase::internal::CreateFrom,
{
    if count == 0 {
        return Ok(Vec::new());
    }
    let elements = encase::StorageBuffer::new(bytes).create();
    elements.map_err(|error| Error::Device(format!("reading an answer: {error}")))
}
