//! Typed, labelled storage buffers.

use std::marker::PhantomData;
use std::ops::Range;

use encase::{ShaderSize, ShaderType, StorageBuffer, internal::CreateFrom, internal::WriteInto};

use super::device::Device;
use super::{Context, Memory};
use crate::{Error, Result};

/// A type with one memory layout in Rust and in WGSL (declared once, with `encase::ShaderType`).
pub trait Shared:
    ShaderType + ShaderSize + WriteInto + CreateFrom + Clone + Send + Sync + 'static
{
}
impl<T: ShaderType + ShaderSize + WriteInto + CreateFrom + Clone + Send + Sync + 'static> Shared
    for T
{
}

/// An array of `T` on the device. Empty arrays hold one unused element, because bindings may not be empty.
#[derive(Debug)]
pub struct Buffer<T> {
    memory: Memory,
    label: String,
    len: usize,
    element: PhantomData<fn() -> T>,
}

impl<T: Shared> Buffer<T>
where
    Vec<T>: ShaderType + WriteInto + CreateFrom,
{
    /// Bytes per element.
    pub const STRIDE: u64 = stride::<T>();

    /// An array of `len` zeros.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when one buffer of this device cannot hold it.
    pub fn zeroed(context: &Context, label: &str, len: usize) -> Result<Self> {
        Self::with_room(context, label, len, 0)
    }

    /// The same with room for more behind its end, which only passes see.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when one buffer of this device cannot hold it.
    pub fn with_room(context: &Context, label: &str, len: usize, room: usize) -> Result<Self> {
        let all = Self::allocate(context, label, len + room, wgpu::BufferUsages::empty())?;
        Ok(Self { len, ..all })
    }

    /// An array with the given elements.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when one buffer of this device cannot hold it.
    pub fn new(context: &Context, label: &str, elements: &[T]) -> Result<Self> {
        let buffer = Self::zeroed(context, label, elements.len())?;
        buffer.write(context, 0, elements);
        Ok(buffer)
    }

    /// An array that can be bound as vertices or indices, too.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when one buffer of this device cannot hold it.
    pub fn drawable(context: &Context, label: &str, len: usize) -> Result<Self> {
        Self::allocate(context, label, len, wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::INDEX)
    }

    /// An array of zeros that dispatches can take their numbers of workgroups from.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when one buffer of this device cannot hold it.
    pub fn indirect(context: &Context, label: &str, len: usize) -> Result<Self> {
        Self::allocate(context, label, len, wgpu::BufferUsages::INDIRECT)
    }

    /// A buffer of the caller's as an array: what your own passes write and pliant's read, or the other way round.
    ///
    /// # Errors
    /// A buffer without [`wgpu::BufferUsages::STORAGE`]; a context on CPU threads, which reach no buffer of a device.
    pub fn of_device(context: &Context, label: &str, buffer: &wgpu::Buffer) -> Result<Self> {
        let at = |what| format!("{what} of \"{label}\"");
        if context.executor.as_device().is_none() {
            let want = "`Buffer::new`: CPU threads reach no buffer of a device";
            return Err(Error::value(at("the array"), "a buffer of wgpu", want));
        }
        if !buffer.usage().contains(wgpu::BufferUsages::STORAGE) {
            let got = format!("{:?}", buffer.usage());
            return Err(Error::value(at("the usage"), got, "STORAGE"));
        }
        let len = (buffer.size() / Self::STRIDE) as usize;
        let memory = Memory::Device(buffer.clone());
        Ok(Self { memory, label: label.into(), len, element: PhantomData })
    }

    fn allocate(
        context: &Context,
        label: &str,
        len: usize,
        extra: wgpu::BufferUsages,
    ) -> Result<Self> {
        check_size(context, label, len as u64, Self::STRIDE)?;
        let memory = context.allocate(label, Self::STRIDE * len.max(1) as u64, extra)?;
        Ok(Self { memory, label: label.into(), len, element: PhantomData })
    }

    /// Replaces the elements from index `first` on. Takes effect before the next submission.
    ///
    /// # Panics
    /// Past the array's end.
    pub fn write(&self, context: &Context, first: usize, elements: &[T]) {
        assert!(first + elements.len() <= self.len, "{}: write past the end", self.label);
        if elements.is_empty() {
            return;
        }
        let mut bytes =
            StorageBuffer::new(Vec::with_capacity(elements.len() * Self::STRIDE as usize));
        bytes.write(&elements.to_vec()).expect("a Vec grows");
        let start = first as u64 * Self::STRIDE;
        self.memory.write(context, start, bytes.as_ref());
    }

    /// Copies all elements back, waiting for the device.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn read(&self, context: &Context) -> Result<Vec<T>> {
        if self.len == 0 {
            return Ok(Vec::new());
        }
        self.read_part(context, 0..self.len)
    }

    /// Copies some elements back, waiting for the device.
    ///
    /// # Errors
    /// Elements past the array's end; a lost device.
    pub fn read_part(&self, context: &Context, part: Range<usize>) -> Result<Vec<T>> {
        if part.is_empty() {
            return Ok(Vec::new());
        }
        if part.end > self.len {
            let at = format!("a part of \"{}\"", self.label);
            let want = format!("elements up to {}", self.len);
            return Err(Error::value(at, format!("{part:?}"), want));
        }
        let bytes = [part.start, part.end].map(|index| index as u64 * Self::STRIDE);
        let bytes = self.memory.read(context, bytes[0]..bytes[1])?;
        let elements = StorageBuffer::new(&bytes[..]).create();
        elements.map_err(|error| Error::Device(format!("reading {}: {error}", self.label)))
    }
}

impl<T> Buffer<T> {
    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The name shown in errors and captures.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The same array for another holder.
    pub(crate) fn share(&self) -> Self {
        Self {
            memory: self.memory.clone(),
            label: self.label.clone(),
            len: self.len,
            element: PhantomData,
        }
    }

    /// Whether it can be bound as vertices and indices: on CPU threads, copies of all arrays can.
    pub(crate) fn is_drawable(&self) -> bool {
        let drawable = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::INDEX;
        match &self.memory {
            Memory::Device(buffer) => buffer.usage().contains(drawable),
            Memory::Threads(_) => true,
        }
    }

    /// The array as a buffer of the device that this context draws with, for binding it in passes of your own: the buffer
    /// itself, or a copy of what is now in an array of CPU threads.
    ///
    /// # Errors
    /// As [`Context::graphics`].
    pub fn on(&self, context: &Context) -> Result<wgpu::Buffer> {
        Ok(self.at(context.drawing()?.executor.device()))
    }

    /// The same on a device.
    pub(crate) fn at(&self, device: &Device) -> wgpu::Buffer {
        self.memory.at(device)
    }
}

/// An array without its type: what is saved and restored.
pub trait Bytes {
    /// Where it lies.
    fn memory(&self) -> &Memory;

    /// Its length in bytes.
    fn size(&self) -> u64 {
        self.memory().size()
    }

    /// Copies the array's bytes back, waiting for the device.
    ///
    /// # Errors
    /// When the device is lost.
    fn read_bytes(&self, context: &Context) -> Result<Vec<u8>> {
        self.memory().read(context, 0..self.size())
    }

    /// Replaces the array's bytes by those of [`Self::read_bytes`]. Takes effect before the next submission.
    ///
    /// # Panics
    /// When they are of another number.
    fn write_bytes(&self, context: &Context, bytes: &[u8]) {
        assert_eq!(bytes.len() as u64, self.size(), "bytes of another array");
        self.memory().write(context, 0, bytes);
    }
}

impl<T> Bytes for Buffer<T> {
    fn memory(&self) -> &Memory {
        &self.memory
    }
}

/// Bytes from one element of `array<T>` to the next.
const fn stride<T: ShaderSize>() -> u64 {
    T::SHADER_SIZE.get()
}

/// Refuses an array that one buffer of this device cannot hold.
///
/// # Errors
/// [`Error::TooLarge`], naming the array.
pub(crate) fn check_size(context: &Context, label: &str, count: u64, stride: u64) -> Result<()> {
    let limit = context.largest_buffer();
    if count * stride <= limit {
        return Ok(());
    }
    Err(Error::TooLarge {
        adapter: context.info().name.clone(),
        array: label.into(),
        count,
        stride,
        needed: count * stride,
        limit,
    })
}
