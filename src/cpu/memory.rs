//! Arrays of words that all threads reach, and their copies on a device that draws them.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Whose turn it is: held while a recording is run, and while the host writes.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn(Arc<Mutex<()>>);

impl Turn {
    /// Waits for it.
    pub fn take(&self) -> MutexGuard<'_, ()> {
        // A thread that panicked left nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether both are the same.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// An array of words. Clones are the same array.
#[derive(Clone, Debug)]
pub struct Memory(Arc<Words>);

#[derive(Debug)]
struct Words {
    words: Box<[AtomicU32]>,
    /// That of the threads that it belongs to.
    turn: Turn,
    /// Grows with everything that may have changed a word.
    version: AtomicU64,
    copy: Mutex<Option<Copy>>,
    source: Mutex<Option<Source>>,
}

/// The array that another was copied from: its version then, and the one that this made of the other.
#[derive(Debug)]
struct Source {
    words: Weak<Words>,
    version: u64,
    own: u64,
}

/// An array's words on a device.
#[derive(Debug)]
struct Copy {
    device: u64,
    buffer: wgpu::Buffer,
    version: u64,
}

impl Memory {
    /// An array of `bytes` zeros, a multiple of 4; `None` when there is no memory left.
    pub(super) fn zeroed(bytes: u64, turn: Turn) -> Option<Self> {
        let count = usize::try_from(bytes / 4).unwrap_or(usize::MAX);
        let words = bytemuck::allocation::try_zeroed_slice_box(count).ok()?;
        Some(Self(Arc::new(Words {
            words,
            turn,
            version: AtomicU64::new(0),
            copy: Mutex::default(),
            source: Mutex::default(),
        })))
    }

    /// The words.
    #[must_use]
    pub(super) fn words(&self) -> &[AtomicU32] {
        &self.0.words
    }

    /// The words, as nobody writes them.
    ///
    /// # Safety
    /// Nobody may write any of them as long as the reference lives.
    #[allow(unsafe_code, reason = "plain words are loaded only where they are needed")]
    pub(super) unsafe fn settled(&self) -> &[u32] {
        let words = self.words();
        // SAFETY: an `AtomicU32` has the size, the alignment and the bits of a `u32`, and all bits are values of it; that
        // nobody writes is up to the caller.
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len()) }
    }

    /// The turn that is waited for before it is written.
    pub(super) fn turn(&self) -> &Turn {
        &self.0.turn
    }

    /// Its length in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        4 * self.0.words.len() as u64
    }

    /// Whether both are the same array.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Says that words may have changed.
    pub(super) fn touch(&self) {
        self.0.version.fetch_add(1, Relaxed);
    }

    /// Notes that it begins with all words of another, or ends where that goes on.
    pub(super) fn hold(&self, other: &Self) {
        let source = Source {
            words: Arc::downgrade(&other.0),
            version: other.0.version.load(Relaxed),
            own: self.0.version.load(Relaxed),
        };
        *self.0.source.lock().unwrap_or_else(PoisonError::into_inner) = Some(source);
    }

    /// Whether it still does, as neither has changed since.
    pub(super) fn holds(&self, other: &Self) -> bool {
        let source = self.0.source.lock().unwrap_or_else(PoisonError::into_inner);
        source.as_ref().is_some_and(|source| {
            source.words.ptr_eq(&Arc::downgrade(&other.0))
                && source.version == other.0.version.load(Relaxed)
                && source.own == self.0.version.load(Relaxed)
        })
    }

    /// Replaces bytes from `first` on; both are multiples of 4. Waits for a recording that is being run.
    ///
    /// # Panics
    /// Past the end.
    pub fn write(&self, first: u64, bytes: &[u8]) {
        let _turn = self.0.turn.take();
        let words = &self.0.words[first as usize / 4..][..bytes.len() / 4];
        for (word, bytes) in words.iter().zip(bytes.chunks_exact(4)) {
            word.store(u32::from_le_bytes(bytes.try_into().expect("4 bytes")), Relaxed);
        }
        self.touch();
    }

    /// Some of its bytes, from and to multiples of 4.
    ///
    /// # Panics
    /// Past the end.
    #[must_use]
    pub fn read(&self, bytes: Range<u64>) -> Vec<u8> {
        let words = &self.0.words[bytes.start as usize / 4..bytes.end as usize / 4];
        // A vector of bytes that grows by four at a time takes several times as long.
        let mut read = vec![0; 4 * words.len()];
        for (bytes, word) in read.chunks_exact_mut(4).zip(words) {
            bytes.copy_from_slice(&word.load(Relaxed).to_le_bytes());
        }
        read
    }

    /// The array on a device, as it is now. `id`: that of the device, no other's in this process.
    #[must_use]
    pub fn on(&self, id: u64, device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::Buffer {
        let mut copy = self.0.copy.lock().unwrap_or_else(PoisonError::into_inner);
        let version = self.0.version.load(Relaxed);
        let known = copy.as_ref().filter(|copy| copy.device == id);
        let (buffer, known) = match known {
            Some(copy) => (copy.buffer.clone(), Some(copy.version)),
            None => (self.buffer(device), None),
        };
        if known != Some(version) {
            queue.write_buffer(&buffer, 0, &self.read(0..self.size()));
        }
        *copy = Some(Copy { device: id, buffer: buffer.clone(), version });
        buffer
    }

    fn buffer(&self, device: &wgpu::Device) -> wgpu::Buffer {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("copy of an array on CPU threads"),
            size: self.size(),
            usage: wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::UNIFORM
                | wgpu::BufferUsages::VERTEX
                | wgpu::BufferUsages::INDEX
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }
}
