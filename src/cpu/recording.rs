//! What threads are to do, in order.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::memory::Turn;
use super::{Memory, rt};
use crate::gpu::Content;

/// A kernel with all its arrays.
#[derive(Clone, Debug)]
pub struct Bound {
    kernel: &'static rt::Kernel,
    content: Content,
    /// Those that the kernel only reads.
    read: Vec<Part>,
    /// Those that it may write: none of the others.
    written: Vec<Part>,
    watched: bool,
}

impl Bound {
    /// `parts`: in the order of the kernel's bindings; `content`: what the world holds that it is run for; `watched`: whether
    /// its dispatches are watched, in builds with debug assertions, see [`rt::watched`].
    ///
    /// # Panics
    /// When an array is bound both to be read and to be written, which no device takes either.
    #[must_use]
    pub fn new(
        kernel: &'static rt::Kernel,
        content: Content,
        parts: Vec<Part>,
        watched: bool,
    ) -> Self {
        let (mut read, mut written) = (Vec::new(), Vec::new());
        for (binding, part) in kernel.bindings.iter().zip(parts) {
            if binding.written { &mut written } else { &mut read }.push(part);
        }
        for part in &written {
            let is_read = read.iter().any(|other| other.memory.is(&part.memory));
            assert!(!is_read, "{} is given an array to read and to write", kernel.name);
        }
        Self { kernel, content, read, written, watched }
    }

    /// The arrays that its dispatches reach.
    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.read.iter().chain(&self.written)
    }
}

/// Some words of an array.
#[derive(Clone, Debug)]
pub struct Part {
    /// The array.
    pub memory: Memory,
    /// Its words.
    pub words: Range<usize>,
    /// By how many words they lie farther on from one slot to the next.
    pub slot: usize,
}

/// Numbers of workgroups along each axis.
#[derive(Clone, Debug)]
pub enum Groups {
    /// These.
    Direct([u32; 3]),
    /// Those that lie in an array by then, from this word on.
    Indirect(Memory, usize),
}

impl Groups {
    pub(super) fn get(&self) -> [u32; 3] {
        match self {
            Self::Direct(groups) => *groups,
            Self::Indirect(memory, first) => {
                std::array::from_fn(|axis| memory.words()[first + axis].load(Relaxed))
            }
        }
    }
}

/// Bytes that are there once the recording has been run.
#[derive(Clone, Debug, Default)]
pub struct Fetched(Arc<OnceLock<Vec<u8>>>);

impl Fetched {
    /// The bytes.
    #[must_use]
    pub fn get(&self) -> Option<&[u8]> {
        self.0.get().map(Vec::as_slice)
    }
}

/// Microseconds that each of the timed dispatches took, in their order, once the recording has been run.
pub type Times = Arc<std::sync::Mutex<Vec<f64>>>;

#[derive(Debug)]
pub(super) struct Dispatch {
    pub bound: Arc<Bound>,
    pub groups: Groups,
    slot: usize,
    pub times: Option<Times>,
}

impl Dispatch {
    fn is_watched(&self) -> bool {
        cfg!(debug_assertions) && self.bound.watched
    }

    /// Runs some of its workgroups.
    #[allow(unsafe_code, reason = "what a kernel only reads is settled while it runs")]
    pub fn run(&self, groups: Range<u32>, all: [u32; 3], lanes: bool) {
        let words = |part: &Part| {
            let Range { start, end } = part.words;
            let on = part.slot * self.slot;
            start + on..end + on
        };
        let Bound { kernel, content, read, written, .. } = &*self.bound;
        // SAFETY: whoever writes an array has the turn of its threads, and while they run this dispatch, they have it. They
        // run no other meanwhile, and what this one writes is none of what it reads (`Bound::new`, `Threads::run`).
        let settled = read.iter().map(|part| unsafe { &part.memory.settled()[words(part)] });
        let arrays = rt::Arrays {
            read: settled.collect(),
            written: written.iter().map(|part| &part.memory.words()[words(part)]).collect(),
        };
        if self.is_watched() {
            let run = |run: rt::Run| run(groups.clone(), all, &arrays, content);
            return watched(kernel, &arrays.written, run);
        }
        let run = kernel.lanes.filter(|_| lanes).unwrap_or(kernel.run);
        run(groups, all, &arrays, content);
    }

    /// Says what it has written.
    pub fn touch(&self) {
        self.bound.written.iter().for_each(|part| part.memory.touch());
    }
}

/// Watches a dispatch one invocation after the other, and runs it in lanes, too, if it may be run so.
///
/// # Panics
/// Where the kernel breaks a rule, or lanes come to other bits.
fn watched(kernel: &rt::Kernel, written: &[&[AtomicU32]], run: impl Fn(rt::Run)) {
    let words = || -> Vec<Vec<u32>> {
        written.iter().map(|array| array.iter().map(|word| word.load(Relaxed)).collect()).collect()
    };
    let before = kernel.lanes.map(|lanes| (lanes, words()));
    rt::watched(kernel.name, written, || run(kernel.run));
    let Some((lanes, before)) = before else { return };
    let one_by_one = words();
    for (array, before) in written.iter().zip(before) {
        array.iter().zip(before).for_each(|(word, before)| word.store(before, Relaxed));
    }
    run(lanes);
    for ((number, lanes), one_by_one) in words().iter().enumerate().zip(&one_by_one) {
        let differs = lanes.iter().zip(one_by_one).position(|(a, b)| a != b);
        if let Some(index) = differs {
            let (found, want) = (lanes[index], one_by_one[index]);
            panic!(
                "{}: word {index} of written array {number} is {found:#x} in lanes, {want:#x} one by one",
                kernel.name
            );
        }
    }
}

/// Words of a copy that a thread takes at once, at the least.
const BLOCK: usize = 4096;

#[derive(Debug)]
pub(super) enum Command {
    Dispatch(Dispatch),
    /// So many words from the start of one array over those of another from this word on.
    Copy {
        from: Memory,
        to: Memory,
        first: usize,
        words: usize,
    },
    Clear(Memory),
    Fetch {
        parts: Vec<(Memory, Range<u64>)>,
        to: Fetched,
    },
}

/// Commands in the order in which they take effect.
#[derive(Debug, Default)]
pub struct Recording {
    pub(super) commands: Vec<Command>,
}

impl Recording {
    /// Runs a kernel, which reads its uniform `sim` from slot `slot`.
    pub fn dispatch(
        &mut self,
        bound: &Arc<Bound>,
        groups: Groups,
        slot: usize,
        times: Option<Times>,
    ) {
        let bound = bound.clone();
        self.commands.push(Command::Dispatch(Dispatch { bound, groups, slot, times }));
    }

    /// Copies the first `size` bytes of an array over those of another from byte `first` on.
    pub fn copy(&mut self, from: &Memory, to: &Memory, first: u64, size: u64) {
        let (from, to) = (from.clone(), to.clone());
        let (first, words) = (first as usize / 4, size as usize / 4);
        self.commands.push(Command::Copy { from, to, first, words });
    }

    /// Fills an array with zeros.
    pub fn clear(&mut self, memory: &Memory) {
        self.commands.push(Command::Clear(memory.clone()));
    }

    /// Brings bytes of arrays to the host, one behind the other.
    pub fn fetch(&mut self, parts: Vec<(Memory, Range<u64>)>) -> Fetched {
        let to = Fetched::default();
        self.commands.push(Command::Fetch { parts, to: to.clone() });
        to
    }
}

/// Whether a copy takes all words of the shorter array to the same places of the other.
fn is_whole(from: &Memory, to: &Memory, first: usize, words: usize) -> bool {
    first == 0 && words == from.words().len().min(to.words().len())
}

impl Command {
    /// Whether all that it reaches belongs to the threads of this turn.
    pub fn belongs_to(&self, turn: &Turn) -> bool {
        match self {
            Self::Dispatch(dispatch) => {
                dispatch.bound.parts().all(|part| part.memory.turn().is(turn))
            }
            Self::Copy { to, .. } | Self::Clear(to) => to.turn().is(turn),
            Self::Fetch { .. } => true,
        }
    }

    /// Where its time is to be kept.
    pub fn times(&self) -> Option<&Times> {
        match self {
            Self::Dispatch(dispatch) => dispatch.times.as_ref(),
            _ => None,
        }
    }

    /// Whether it is to be run on one thread, and all at once.
    pub fn is_watched(&self) -> bool {
        matches!(self, Self::Dispatch(dispatch) if dispatch.is_watched())
    }

    /// The groups that threads share: workgroups, or blocks of words; none where there is nothing to do.
    pub fn groups(&self) -> [u32; 3] {
        let blocks = |words: usize| [words.div_ceil(BLOCK) as u32, 1, 1];
        match self {
            Self::Dispatch(dispatch) => dispatch.groups.get(),
            Self::Copy { from, to, first, words } => {
                let held = is_whole(from, to, *first, *words) && to.holds(from);
                if held { [0; 3] } else { blocks(*words) }
            }
            Self::Clear(memory) => blocks(memory.words().len()),
            Self::Fetch { .. } => [1; 3],
        }
    }

    /// Runs some of so many groups.
    pub fn run(&self, part: Range<u32>, groups: [u32; 3], lanes: bool) {
        let words = |all: usize| {
            (part.start as usize * BLOCK).min(all)..(part.end as usize * BLOCK).min(all)
        };
        match self {
            Self::Dispatch(dispatch) => dispatch.run(part, groups, lanes),
            Self::Copy { from, to, first, words: all } => {
                let words = words(*all);
                let into = &to.words()[*first..][words.clone()];
                for (from, to) in from.words()[words].iter().zip(into) {
                    to.store(from.load(Relaxed), Relaxed);
                }
            }
            Self::Clear(memory) => {
                let words = words(memory.words().len());
                memory.words()[words].iter().for_each(|word| word.store(0, Relaxed));
            }
            Self::Fetch { parts, to } => {
                let bytes = parts.iter().map(|(memory, part)| memory.read(part.clone()));
                // Nothing else fills it.
                _ = to.0.set(bytes.collect::<Vec<_>>().concat());
            }
        }
    }

    /// Says which arrays it may have changed, and what they hold, once all its groups have run.
    pub fn end(&self) {
        match self {
            Self::Dispatch(dispatch) => dispatch.touch(),
            Self::Copy { from, to, first, words } => {
                to.touch();
                if is_whole(from, to, *first, *words) {
                    to.hold(from);
                }
            }
            Self::Clear(memory) => memory.touch(),
            Self::Fetch { .. } => {}
        }
    }
}
