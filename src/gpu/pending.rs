//! An answer of the device on its way to the host.

use std::ops::Range;

use super::{Bytes, Context, Fetch, Recorder};
use crate::{Error, Result};

/// An answer that is under way. Nothing waits for it: it is there some time after it was asked for ([`Self::poll`]), may be
/// waited for ([`Self::wait`]), and may be dropped at any time, also after what it is an answer of.
pub struct Pending<T> {
    context: Context,
    fetch: Fetch,
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
        let parts: Vec<_> =
            parts.iter().map(|(array, part)| (array.memory(), part.clone())).collect();
        let size = parts.iter().map(|(_, part)| part.end - part.start).sum();
        let mut fetch = Fetch::new(&context, size);
        fetch.record(recorder, &parts);
        Self { context, fetch, decode: Some(Box::new(decode)) }
    }

    /// The answer if it is there, without waiting; `None` also once it has been taken.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn poll(&mut self) -> Result<Option<T>> {
        let bytes = self.fetch.poll(&self.context)?;
        bytes.and_then(|bytes| self.decode.take().map(|decode| decode(&bytes))).transpose()
    }

    /// The answer, waiting for it.
    ///
    /// # Errors
    /// When the device is lost, or [`Self::poll`] has given the answer already.
    pub fn wait(mut self) -> Result<T> {
        match self.decode.take() {
            Some(decode) => decode(&self.fetch.wait(&self.context)?),
            None => {
                let want = "an answer that `poll` has not returned yet";
                Err(Error::value("answer", "taken", want))
            }
        }
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
