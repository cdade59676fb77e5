//! A small array on its way back, without waiting for it.

use super::{Bytes, Context, Fetch, Recorder};
use crate::Result;

/// Brings one array of words back to the host after a submission.
#[derive(Debug)]
pub struct Readback {
    fetch: Fetch,
    size: u64,
}

impl Readback {
    /// Room for `words` words.
    #[must_use]
    pub fn new(context: &Context, words: usize) -> Self {
        let size = 4 * words.max(1) as u64;
        Self { fetch: Fetch::new(context, size), size }
    }

    /// Whether something is under way.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.fetch.is_pending()
    }

    /// Records the copy. The last one must have been taken.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, words: &dyn Bytes) {
        self.fetch.record(recorder, &[(words.memory(), 0..self.size)]);
    }

    /// The words, if they are there already; `None` also when nothing is under way.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn poll(&mut self, context: &Context) -> Result<Option<Vec<u32>>> {
        Ok(self.fetch.poll(context)?.map(words))
    }

    /// The words, waiting for them; `None` when nothing is under way.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn wait(&mut self, context: &Context) -> Result<Option<Vec<u32>>> {
        if !self.is_pending() {
            return Ok(None);
        }
        self.fetch.wait(context).map(|bytes| Some(words(bytes)))
    }
}

fn words(bytes: Vec<u8>) -> Vec<u32> {
    bytemuck::pod_collect_to_vec(&bytes)
}
