//! Uniforms: small constants that every thread of a dispatch reads.

use std::marker::PhantomData;

use encase::{DynamicUniformBuffer, ShaderSize, ShaderType, internal::WriteInto};

use super::device::Device;
use super::types::SIM_STRIDE;
use super::{Binding, Context, Memory};

/// A few values of `T`, one per slot; a dispatch reads one of them. A kernel may change them where it binds them as storage.
#[derive(Debug)]
pub struct Uniforms<T> {
    memory: Memory,
    label: &'static str,
    slots: usize,
    element: PhantomData<fn() -> T>,
}

impl<T: ShaderType + ShaderSize + WriteInto> Uniforms<T> {
    /// Room for `slots` values.
    ///
    /// # Panics
    /// When not even a few kilobytes are left.
    #[must_use]
    pub fn new(context: &Context, label: &'static str, slots: usize) -> Self {
        let size = slots as u64 * T::SHADER_SIZE.get().next_multiple_of(SIM_STRIDE);
        let memory = context.allocate(label, size, wgpu::BufferUsages::empty());
        let memory = memory.expect("room for a few kilobytes");
        Self { memory, label, slots, element: PhantomData }
    }

    /// Replaces the values of the first slots. Takes effect before the next submission.
    pub fn write(&self, context: &Context, values: &[T]) {
        assert!(values.len() <= self.slots, "more values than slots");
        let mut bytes = DynamicUniformBuffer::new_with_alignment(Vec::new(), SIM_STRIDE);
        for value in values {
            bytes.write(value).expect("a Vec grows");
        }
        self.memory.write(context, 0, bytes.as_ref());
    }

    /// The number of slots.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The values as a buffer of a device.
    pub(crate) fn at(&self, device: &Device) -> wgpu::Buffer {
        self.memory.at(device)
    }

    /// This buffer for kernels that know it by its label.
    #[must_use]
    pub fn binding(&self) -> Binding<'_> {
        self.bind(self.label)
    }

    /// This buffer for kernels that know it by the name of a part that it plays.
    #[must_use]
    pub fn bind<'a>(&'a self, name: &'a str) -> Binding<'a> {
        Binding { name, memory: &self.memory, part: None, stride: T::SHADER_SIZE.get() }
    }
}
