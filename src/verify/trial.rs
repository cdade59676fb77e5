//! Arrays that go to a kernel by the names that it binds, and what it made of them.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use encase::{ShaderType, StorageBuffer, internal::CreateFrom, internal::WriteInto};

use crate::gpu::Shared;
use crate::gpu::types::Particle;

/// An array of any type, as the device has it.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// Its elements, or one of zeros where there are none.
    pub bytes: Vec<u8>,
    /// Bytes of one element.
    pub stride: u64,
    /// The number of elements.
    pub len: usize,
}

impl Encoded {
    fn new<T: Shared>(elements: &[T]) -> Self
    where
        Vec<T>: ShaderType + WriteInto,
    {
        let (stride, len) = (T::SHADER_SIZE.get(), elements.len());
        let mut bytes = StorageBuffer::new(Vec::new());
        if len > 0 {
            bytes.write(&elements.to_vec()).expect("a Vec grows");
        }
        let mut bytes = bytes.into_inner();
        bytes.resize(stride as usize * len.max(1), 0);
        Self { bytes, stride, len }
    }

    /// Elements of so many bytes each, at least one.
    pub fn of(bytes: Vec<u8>, stride: u64) -> Self {
        let len = bytes.len() / stride as usize;
        Self { bytes, stride, len }
    }

    /// The elements.
    ///
    /// # Panics
    /// Where they are of another size.
    pub fn decode<T: Shared>(&self) -> Vec<T>
    where
        Vec<T>: ShaderType + CreateFrom,
    {
        assert_eq!(T::SHADER_SIZE.get(), self.stride, "elements of that size");
        if self.len == 0 {
            return Vec::new();
        }
        let bytes = &self.bytes[..self.stride as usize * self.len];
        StorageBuffer::new(bytes).create().expect("whole elements")
    }
}

/// What can be handed to a kernel.
pub trait Array {
    /// As the device has it.
    fn encode(&self) -> Rc<Encoded>;
}

impl<T: Shared> Array for &[T]
where
    Vec<T>: ShaderType + WriteInto,
{
    fn encode(&self) -> Rc<Encoded> {
        Rc::new(Encoded::new(self))
    }
}

impl<T: Shared> Array for Vec<T>
where
    Self: ShaderType + WriteInto,
{
    fn encode(&self) -> Rc<Encoded> {
        Rc::new(Encoded::new(self))
    }
}

impl<T: Shared, const N: usize> Array for [T; N]
where
    Vec<T>: ShaderType + WriteInto,
{
    fn encode(&self) -> Rc<Encoded> {
        Rc::new(Encoded::new(self))
    }
}

impl Array for Rc<Encoded> {
    fn encode(&self) -> Self {
        self.clone()
    }
}

/// Arrays by the names that kernels bind them by.
pub type Arrays<'a> = [(&'a str, &'a dyn Array)];

/// Those arrays; of two of one name the last.
pub fn encoded(arrays: &Arrays<'_>) -> BTreeMap<String, Rc<Encoded>> {
    let array = |(name, array): &(&str, &dyn Array)| ((*name).to_owned(), array.encode());
    arrays.iter().map(array).collect()
}

/// What a check has run, and which arrays a kernel changed that nothing has looked at yet.
#[derive(Debug, Default)]
pub struct Log {
    /// Dispatches.
    pub runs: Cell<usize>,
    /// The run and the array.
    pub unseen: RefCell<BTreeSet<(usize, String)>>,
}

/// What a kernel left in the arrays of a trial.
#[derive(Debug)]
pub struct Written {
    run: usize,
    arrays: BTreeMap<String, Rc<Encoded>>,
    /// Words of `status` in front of the solids' pushes.
    status_words: usize,
    log: Rc<Log>,
}

impl Written {
    /// Notes the run: its arrays, and the bytes `after` it of those that the kernel may write.
    pub fn new(
        mut arrays: BTreeMap<String, Rc<Encoded>>,
        after: BTreeMap<String, Vec<u8>>,
        status_words: usize,
        log: &Rc<Log>,
    ) -> Self {
        let run = log.runs.get() + 1;
        log.runs.set(run);
        for (name, bytes) in after {
            let array = arrays.get_mut(&name).expect("an array of the trial");
            if array.bytes != bytes {
                *array = Rc::new(Encoded { bytes, ..**array });
                log.unseen.borrow_mut().insert((run, name));
            }
        }
        Self { run, arrays, status_words, log: log.clone() }
    }

    /// An array of the trial or of the case, to be compared; all others must be as they were.
    ///
    /// # Panics
    /// Where the kernel neither was given it nor writes it.
    pub fn get<T: Shared>(&self, name: &str) -> Vec<T>
    where
        Vec<T>: ShaderType + CreateFrom,
    {
        self.skip(name);
        let array = self.arrays.get(name);
        array.unwrap_or_else(|| panic!("no trial of {name}")).decode()
    }

    /// Whether all arrays that changed have been looked at.
    pub fn is_seen(&self) -> bool {
        let unseen = self.log.unseen.borrow();
        !unseen.iter().any(|(run, _)| *run == self.run)
    }

    /// All arrays, as they are, for a kernel that runs on them.
    pub fn into_arrays(self) -> BTreeMap<String, Rc<Encoded>> {
        let mut unseen = self.log.unseen.borrow_mut();
        unseen.retain(|(run, _)| *run != self.run);
        self.arrays
    }

    /// An array for a kernel that runs after it.
    pub fn array(&self, name: &str) -> Rc<Encoded> {
        self.arrays[name].clone()
    }

    /// Lets an array be whatever it is.
    pub fn skip(&self, name: &str) {
        let seen = (self.run, name.to_owned());
        self.log.unseen.borrow_mut().remove(&seen);
    }

    /// The particles that a kernel writes.
    pub fn particles(&self) -> Vec<Particle> {
        self.get("particles_out")
    }

    /// The words of `status` without the solids' pushes.
    pub fn status(&self) -> Vec<u32> {
        let mut words = self.get("status");
        words.truncate(self.status_words);
        words
    }

    /// The words of the solids' pushes.
    pub fn push_words(&self) -> Vec<u32> {
        self.get("status").split_off(self.status_words)
    }
}
