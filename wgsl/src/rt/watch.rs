//! Watching a dispatch, in builds with debug assertions and where it is asked for: what WGSL leaves open or calls a race
//! panics with the kernel, the line, the variable and the index. In other builds nothing is left of it.
//!
//! The invocations of a dispatch run one after the other then, on one thread. What they do is a race nevertheless when
//! nothing but that order keeps it apart: when two of them come to the same word, one of them writes, not both do so by atomic
//! functions, and no barrier of their workgroup lies between. For each word the last write is known, and those reads
//! since then that a write may race with.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// How many threads watch: all that is looked at where none does.
static WATCHERS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static WATCH: RefCell<Watch> = RefCell::default();
}

/// Where an access to memory stands: the file, its line, and the variable.
#[derive(Debug)]
pub enum At {
    /// That of a value.
    Plain(&'static str, u32, &'static str),
    /// That of an atomic function: it races with no other.
    Atomic(&'static str, u32, &'static str),
}

impl At {
    /// The file and the line.
    pub(super) fn line(&self) -> String {
        let (Self::Plain(file, line, _) | Self::Atomic(file, line, _)) = self;
        format!("{file}:{line}")
    }
}

impl fmt::Display for At {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Plain(.., name) | Self::Atomic(.., name)) = self;
        write!(out, "{}: {name}", self.line())
    }
}

/// Whose access it is, and where.
#[derive(Clone, Copy, Debug)]
struct Access {
    group: u32,
    invocation: u32,
    /// Barriers before it.
    phase: u32,
    writes: bool,
    at: &'static At,
}

impl Access {
    /// Whether the rules of WGSL let `later` see what it has done.
    fn is_before(&self, later: &Self) -> bool {
        let earlier = self.invocation == later.invocation || self.phase < later.phase;
        self.group == later.group && earlier
    }
}

/// What is known of a word.
#[derive(Clone, Debug, Default)]
struct Word {
    /// It is of the dispatch, or of the workgroup, of this number.
    era: u64,
    write: Option<Access>,
    /// Since then: the last read, the last of another invocation in the same phase, and one of another workgroup. Whatever comes
    /// after these comes after all reads.
    reads: [Option<Access>; 3],
}

impl Word {
    /// Notes an access; one that it races with.
    fn access(&mut self, now: Access) -> Option<Access> {
        let races = |other: &Access| !other.is_before(&now);
        if let Some(write) = self.write.filter(races) {
            return Some(write);
        }
        if now.writes {
            let read = self.reads.iter().flatten().copied().find(races);
            (self.write, self.reads) = (Some(now), [None; 3]);
            return read;
        }
        let [last, _, elsewhere] = self.reads;
        match last {
            Some(last) if last.group != now.group => self.reads = [Some(now), None, Some(last)],
            Some(last) if last.phase == now.phase && last.invocation != now.invocation => {
                self.reads = [Some(now), Some(last), elsewhere];
            }
            Some(last) if last.phase == now.phase => self.reads[0] = Some(now),
            _ => self.reads = [Some(now), None, elsewhere],
        }
        None
    }
}

/// Memory that is watched.
#[derive(Debug)]
struct Region {
    addresses: Range<usize>,
    /// Its first word among [`Watch::words`].
    first: usize,
    of_workgroup: bool,
}

#[derive(Debug, Default)]
struct Watch {
    is_on: bool,
    kernel: &'static str,
    /// The arrays that the kernel may write; behind these the memory of the workgroup.
    regions: Vec<Region>,
    buffers: usize,
    words: Vec<Word>,
    /// Of the dispatch and of the workgroup: numbers that no other has.
    eras: [u64; 2],
    group: u32,
    invocation: u32,
    /// Barriers so far: for buffers, for workgroup memory.
    phases: [u32; 2],
}

impl Watch {
    fn new_era(&mut self) -> u64 {
        self.eras.into_iter().max().unwrap_or(0) + 1
    }

    fn add(&mut self, addresses: Range<usize>, of_workgroup: bool) {
        let first = self.regions.last().map_or(0, |last| last.first + last.addresses.len() / 4);
        let end = first + addresses.len() / 4;
        if self.words.len() < end {
            self.words.resize_with(end, Word::default);
        }
        self.regions.push(Region { addresses, first, of_workgroup });
    }

    /// Notes an access to these addresses.
    fn access(&mut self, memory: Range<usize>, at: &'static At, writes: bool) {
        let holds = |region: &&Region| region.addresses.contains(&memory.start);
        let Some(region) = self.regions.iter().find(holds) else { return };
        let space = usize::from(region.of_workgroup);
        let phase = self.phases[space];
        let now = Access { group: self.group, invocation: self.invocation, phase, writes, at };
        let first = (memory.start - region.addresses.start) / 4;
        for index in first..first + memory.len() / 4 {
            let word = &mut self.words[region.first + index];
            if word.era != self.eras[space] {
                *word = Word { era: self.eras[space], ..Word::default() };
            }
            if let Some(other) = word.access(now) {
                let does = if writes { "writes" } else { "reads" };
                let done = if other.writes { "written" } else { "read" };
                let Access { group, invocation, at, .. } = other;
                let text = format!(
                    "{does} word {index}, which invocation {invocation} of workgroup {group} has {done} at {}: a race",
                    at.line()
                );
                return self.fail(now.at, &text);
            }
        }
    }

    fn fail(&self, at: &At, wrong: &str) {
        let Self { kernel, group, invocation, .. } = self;
        panic!("{kernel}, {at}: invocation {invocation} of workgroup {group} {wrong}");
    }
}

/// Runs `work`, which runs all workgroups of a kernel's dispatch, and watches what becomes of the buffers that it writes.
///
/// # Panics
/// Where the kernel reads or writes what is not there, or has a race.
pub fn watched(kernel: &'static str, written: &[&[AtomicU32]], work: impl FnOnce()) {
    if !cfg!(debug_assertions) {
        return work();
    }
    WATCH.with_borrow_mut(|watch| {
        (watch.is_on, watch.kernel) = (true, kernel);
        watch.eras[0] = watch.new_era();
        watch.regions.clear();
        for buffer in written {
            watch.add(addresses(buffer), false);
        }
        watch.buffers = watch.regions.len();
    });
    WATCHERS.fetch_add(1, Relaxed);
    let done = catch_unwind(AssertUnwindSafe(work));
    WATCHERS.fetch_sub(1, Relaxed);
    WATCH.with_borrow_mut(|watch| watch.is_on = false);
    done.unwrap_or_else(|panic| resume_unwind(panic));
}

fn addresses<T>(memory: &[T]) -> Range<usize> {
    let Range { start, end } = memory.as_ptr_range();
    start as usize..end as usize
}

/// What `work` does with the dispatch that is watched on this thread, if there is one.
#[inline(always)]
fn noted<R: Default>(work: impl FnOnce(&mut Watch) -> R) -> R {
    match cfg!(debug_assertions) && WATCHERS.load(Relaxed) > 0 {
        true => noted_here(work),
        false => R::default(),
    }
}

#[cold]
#[inline(never)]
fn noted_here<R: Default>(work: impl FnOnce(&mut Watch) -> R) -> R {
    WATCH.with_borrow_mut(|watch| if watch.is_on { work(watch) } else { R::default() })
}

/// From here on it is this workgroup.
#[inline(always)]
pub(super) fn enter(group: u32) {
    noted(|watch| {
        watch.regions.truncate(watch.buffers);
        (watch.group, watch.phases) = (group, [0; 2]);
        watch.eras[1] = watch.new_era();
    });
}

/// From here on it is this invocation.
#[inline(always)]
pub fn invocation(invocation: usize) {
    noted(|watch| watch.invocation = invocation as u32);
}

/// Memory that all invocations of a workgroup reach.
#[inline(always)]
pub fn share<T>(variable: &T) {
    noted(|watch| watch.add(addresses(std::slice::from_ref(variable)), true));
}

/// A barrier, for what lies in buffers and for the memory of the workgroup.
#[inline(always)]
pub fn barrier(buffers: bool, workgroup: bool) {
    noted(|watch| {
        watch.phases[0] += u32::from(buffers);
        watch.phases[1] += u32::from(workgroup);
    });
}

/// Something is read, or written.
#[inline(always)]
pub(super) fn access<T>(memory: &[T], at: &'static At, writes: bool) {
    if matches!(at, At::Plain(..)) {
        noted(|watch| watch.access(addresses(memory), at, writes));
    }
}

/// What is not there is asked for.
#[cold]
#[inline(never)]
pub(super) fn outside(at: &At, what: &str, index: usize, count: usize) {
    noted(|watch| watch.fail(at, &format!("asks for {what} {index} of {count}")));
}
