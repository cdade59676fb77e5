//! Where an array lies.

use std::ops::Range;

use super::device::Device;
use super::{Context, Recorder, unless_lost};
use crate::{Result, cpu};

/// An array's bytes, on a device or for the CPU's threads. Clones are the same bytes.
#[derive(Clone, Debug)]
pub enum Memory {
    /// A buffer of a device.
    Device(wgpu::Buffer),
    /// Words that the CPU's threads reach.
    Threads(cpu::Memory),
}

impl Memory {
    /// Its length in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Device(buffer) => buffer.size(),
            Self::Threads(memory) => memory.size(),
        }
    }

    /// Whether both are the same bytes.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Device(own), Self::Device(other)) => own == other,
            (Self::Threads(own), Self::Threads(other)) => own.is(other),
            _ => false,
        }
    }

    /// The device's buffer.
    ///
    /// # Panics
    /// Where it is for the CPU's threads: whatever meets on one executor is made by one context.
    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        match self {
            Self::Device(buffer) => buffer,
            Self::Threads(_) => panic!("an array of CPU threads is used on a device"),
        }
    }

    /// The words for the CPU's threads.
    ///
    /// # Panics
    /// Where it lies on a device, as in [`Self::buffer`].
    pub(super) fn words(&self) -> &cpu::Memory {
        match self {
            Self::Threads(memory) => memory,
            Self::Device(_) => panic!("a device's array is used on CPU threads"),
        }
    }

    /// The bytes as a buffer of a device: the buffer itself, or a copy of what the words are now.
    pub(super) fn at(&self, device: &Device) -> wgpu::Buffer {
        match self {
            Self::Device(buffer) => buffer.clone(),
            Self::Threads(memory) => {
                unless_lost(&device.device, || memory.on(device.id, &device.device, &device.queue))
            }
        }
    }

    /// Replaces bytes from `first` on. Takes effect before the next submission.
    pub(super) fn write(&self, context: &Context, first: u64, bytes: &[u8]) {
        match self {
            Self::Threads(memory) => memory.write(first, bytes),
            Self::Device(buffer) => {
                let device = context.executor.device();
                unless_lost(&device.device, || device.queue.write_buffer(buffer, first, bytes));
            }
        }
    }

    /// A range of its bytes, waiting for what was submitted before.
    pub(super) fn read(&self, context: &Context, bytes: Range<u64>) -> Result<Vec<u8>> {
        if let Self::Threads(memory) = self {
            return Ok(memory.read(bytes));
        }
        let device = context.executor.device();
        unless_lost(&device.device, || {
            let mut fetch = super::Fetch::new(context, bytes.end - bytes.start);
            let mut recorder = Recorder::new(context);
            fetch.record(&mut recorder, &[(self, bytes)]);
            recorder.submit();
            fetch.wait(context)
        })
    }
}
