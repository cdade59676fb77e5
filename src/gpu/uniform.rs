//! Uniforms: small constants that every thread of a dispatch reads.

use std::marker::PhantomData;

use encase::{DynamicUniformBuffer, ShaderSize, ShaderType, internal::WriteInto};

use super::types::SIM_STRIDE;
use super::{Binding, Context, unless_lost};

/// A few values of `T`, one per slot; a dispatch reads one of them. A kernel may change them where it binds them as storage.
#[derive(Debug)]
pub struct Uniforms<T> {
    pub(crate) raw: wgpu::Buffer,
    label: &'static str,
    slots: usize,
    element: PhantomData<fn() -> T>,
}

impl<T: ShaderType + ShaderSize + WriteInto> Uniforms<T> {
    /// Room for `slots` values.
    #[must_use]
    pub fn new(context: &Context, label: &'static str, slots: usize) -> Self {
        let raw = context.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: slots as u64 * T::SHADER_SIZE.get().next_multiple_of(SIM_STRIDE),
            usage: wgpu::BufferUsages::UNIFORM
                | wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { raw, label, slots, element: PhantomData }
    }

    /// Replaces the values of the first slots. Takes effect before the next submission.
    pub fn write(&self, context: &Context, values: &[T]) {
        assert!(values.len() <= self.slots, "more values than slots");
        let mut bytes = DynamicUniformBuffer::new_with_alignment(Vec::new(), SIM_STRIDE);
        for value in values {
            bytes.write(value).expect("a Vec grows");
        }
        unless_lost(&context.device, || context.queue.write_buffer(&self.raw, 0, bytes.as_ref()));
    }

    /// The number of slots.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// This buffer for kernels that know it by its label.
    #[must_use]
    pub fn binding(&self) -> Binding<'_> {
        self.bind(self.label)
    }

    /// This buffer for kernels that know it by the name of a part that it plays.
    #[must_use]
    pub fn bind<'a>(&'a self, name: &'a str) -> Binding<'a> {
        Binding { name, raw: &self.raw, part: None, stride: T::SHADER_SIZE.get() }
    }
}
