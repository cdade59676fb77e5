//! Hearing of a buffer's mapping.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long a callback may take to run once the device has done the work.
const CALLBACK: Duration = Duration::from_secs(10);

/// Whether a buffer has been mapped, as the callback says, which any thread's poll may run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mapping {
    /// Whether it went well, once it is over.
    shared: Arc<(Mutex<Option<bool>>, Condvar)>,
}

/// Says that it did not go well where the callback is dropped without having run.
struct Outcome {
    mapping: Mapping,
    good: bool,
}

impl Mapping {
    /// What `map_async` is to call.
    pub fn callback(&self) -> impl FnOnce(Result<(), wgpu::BufferAsyncError>) + Send + 'static {
        let mut outcome = Outcome { mapping: self.clone(), good: false };
        move |result| {
            outcome.good = result.is_ok();
            drop(outcome);
        }
    }

    /// Whether it went well, if it is over.
    pub fn poll(&self) -> Option<bool> {
        *self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it went well, once the device has done the work: the callback may still be running in another thread.
    pub fn wait(&self) -> bool {
        let (over, told) = &*self.shared;
        let over = over.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = told.wait_timeout_while(over, CALLBACK, |over| over.is_none());
        let (over, _) = waited.unwrap_or_else(PoisonError::into_inner);
        over.unwrap_or(false)
    }
}

impl Drop for Outcome {
    fn drop(&mut self) {
        let (over, told) = &*self.mapping.shared;
        *over.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.good);
        told.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callback_that_never_runs_is_heard_of() {
        let mapping = Mapping::default();
        let callback = mapping.callback();
        assert_eq!(mapping.poll(), None);
        drop(callback);
        assert_eq!((mapping.poll(), mapping.wait()), (Some(false), false));
        let mapping = Mapping::default();
        let callback = mapping.callback();
        let other = std::thread::spawn(move || callback(Ok(())));
        assert!(mapping.wait());
        assert!(other.join().is_ok());
    }
}
