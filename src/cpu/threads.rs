//! The threads, and how they share the workgroups of a dispatch.
//!
//! The thread that submits leads: it goes through the commands one by one. Workgroups of a dispatch are handed out in chunks,
//! to it and to whichever of the others is there to take one; it goes on once all chunks are done. So nobody waits for a
//! thread that the system has put aside, unless that has taken a chunk, and whatever is too small to be shared costs no
//! synchronization at all. Each thread has chunks that it takes first, the same part of every dispatch, before it takes those of
//! others: neighbouring workgroups of one pass mostly read what those of the pass before have written, and what another core
//! has written takes a hundred nanoseconds a cache line. No kernel may depend on the order of its workgroups; so the results do not
//! depend on who runs which.

use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, fence};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use super::memory::Turn;
use super::recording::Command;
use super::{Memory, Recording};

/// Chunks of a dispatch for each thread: more balance better, fewer cost less.
const CHUNKS: u32 = 4;
/// Turns of a waiting loop before it lets other threads of the system run at each.
const SPINS: u32 = 200;
/// Turns for which a thread looks out for work before it sleeps: a tenth of a millisecond. Turns and not time: where another program
/// keeps the core busy, a turn takes as long as that is let run, and whoever sleeps and is woken there is put aside with what it has
/// taken.
const TURNS: u32 = 600;

/// The cores that this process may use.
#[must_use]
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A team of threads; the one that submits is one of them.
#[derive(Debug)]
pub struct Threads {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    /// Recordings take turns.
    turn: Turn,
    /// Whether kernels run several invocations at a time where they may.
    lanes: AtomicBool,
}

#[derive(Debug, Default)]
struct Shared {
    posted: Mutex<Posted>,
    woken: Condvar,
    /// The number of recordings that were posted, to look at without the lock.
    count: AtomicU32,
    /// Threads that sleep, or are about to.
    asleep: AtomicU32,
}

#[derive(Debug, Default)]
struct Posted {
    run: Option<Arc<Run>>,
    count: u32,
    end: bool,
}

/// A recording that is being run.
#[derive(Debug)]
struct Run {
    commands: Vec<Command>,
    /// See [`Threads::set_lanes`].
    lanes: bool,
    /// See [`Claim`]: one for each thread's part of the chunks.
    claims: Box<[Line]>,
    /// Workgroups along each axis of the dispatch that chunks are taken of.
    groups: [AtomicU32; 3],
    /// Chunks that are done.
    done: AtomicU32,
    over: AtomicBool,
    /// What a kernel panicked with, the first of them.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// A word in a cache line of its own, or in two where they come in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Line(AtomicU64);

/// A dispatch, the number of its chunks, and the next of a thread's part of them that is not taken, in one word: who adds 1 to it
/// has taken the chunk that it then finds there, if the part has so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Claim {
    command: u32,
    chunks: u32,
    next: u32,
}

impl Claim {
    fn pack(self) -> u64 {
        u64::from(self.command) << 40 | u64::from(self.chunks) << 24 | u64::from(self.next)
    }

    fn unpack(word: u64) -> Self {
        let bits = |from: u32, count: u32| ((word >> from) & ((1 << count) - 1)) as u32;
        Self { command: bits(40, 24), chunks: bits(24, 16), next: bits(0, 24) }
    }

    /// The first chunk of the part of thread `thread` of so many; behind the last thread's part there is none.
    fn first(chunks: u32, thread: usize, threads: usize) -> u32 {
        (u64::from(chunks) * thread as u64 / threads as u64) as u32
    }
}

impl Threads {
    /// So many threads, the caller's among them. Where the system gives fewer, it is those.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let shared = Arc::new(Shared::default());
        let work = |number| {
            let shared = shared.clone();
            let thread = thread::Builder::new().name("pliant".into());
            thread.spawn(move || shared.work(number)).ok()
        };
        let workers = (1..count).filter_map(work).collect();
        Self { shared, workers, turn: Turn::default(), lanes: AtomicBool::new(true) }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.workers.len() + 1
    }

    /// Whether kernels run several invocations at a time where they may. They do at first; the results are the same.
    #[cfg(feature = "verify")]
    pub fn set_lanes(&self, on: bool) {
        self.lanes.store(on, Relaxed);
    }

    /// An array of `bytes` zeros, a multiple of 4; `None` when there is no memory left.
    #[must_use]
    pub fn zeroed(&self, bytes: u64) -> Option<Memory> {
        Memory::zeroed(bytes, self.turn.clone())
    }

    /// Runs a recording to its end.
    ///
    /// # Panics
    /// Where a kernel does: in debug builds, when it breaks a rule of WGSL. When it reaches arrays of other threads.
    pub fn run(&self, recording: Recording) {
        let mut own = recording.commands.iter().map(|command| command.belongs_to(&self.turn));
        assert!(own.all(|own| own), "an array belongs to other threads");
        let _turn = self.turn.take();
        let run = Arc::new(Run {
            commands: recording.commands,
            lanes: self.lanes.load(Relaxed),
            claims: (0..self.count()).map(|_| Line::default()).collect(),
            groups: Default::default(),
            done: AtomicU32::new(0),
            over: AtomicBool::new(false),
            panic: Mutex::default(),
        });
        let mut posted = false;
        for (index, command) in run.commands.iter().enumerate() {
            self.command(&run, index, command, &mut posted);
            if run.over.load(Relaxed) {
                break;
            }
        }
        run.over.store(true, Release);
        if posted {
            unpoisoned(&self.shared.posted).run = None;
        }
        let panic = unpoisoned(&run.panic).take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    fn command(&self, run: &Arc<Run>, index: usize, command: &Command, posted: &mut bool) {
        let groups = command.groups();
        let count = groups.into_iter().fold(1, u32::saturating_mul);
        if count == 0 {
            // Each that is timed has its time, or the others would be taken for it.
            if let Some(times) = command.times() {
                unpoisoned(times).push(0.0);
            }
            return;
        }
        let begun = command.times().map(|times| (times, Instant::now()));
        let chunks = count.min(CHUNKS * self.count() as u32);
        if chunks == 1 || self.workers.is_empty() || command.is_watched() {
            run.attempt(|| command.run(0..count, groups, run.lanes));
        } else {
            if !*posted {
                self.post(run);
                *posted = true;
            }
            run.hand_out(index, groups, chunks);
            self.shared.wake();
            run.take_chunks(0);
            wait_until(|| run.done.load(Acquire) == chunks);
        }
        command.end();
        if let Some((times, begun)) = begun {
            unpoisoned(times).push(1e6 * begun.elapsed().as_secs_f64());
        }
    }

    /// Shows a recording to the others.
    fn post(&self, run: &Arc<Run>) {
        {
            let mut posted = unpoisoned(&self.shared.posted);
            posted.run = Some(run.clone());
            posted.count = posted.count.wrapping_add(1);
            self.shared.count.store(posted.count, Release);
        }
        self.shared.wake();
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        {
            let mut posted = unpoisoned(&self.shared.posted);
            posted.end = true;
            posted.run = None;
            posted.count = posted.count.wrapping_add(1);
            self.shared.count.store(posted.count, Release);
        }
        self.shared.wake();
        for worker in self.workers.drain(..) {
            // What panicked in it was caught, and went to whoever submitted.
            let _ = worker.join();
        }
    }
}

impl Shared {
    /// What each thread but the leading one does, whose number is 0.
    fn work(&self, number: usize) {
        let mut known = 0;
        loop {
            self.look_out(|| self.count.load(Acquire) != known);
            let run = {
                let posted = unpoisoned(&self.posted);
                if posted.end {
                    return;
                }
                known = posted.count;
                posted.run.clone()
            };
            if let Some(run) = run {
                while !run.over.load(Acquire) {
                    run.take_chunks(number);
                    self.look_out(|| run.over.load(Relaxed) || run.has_chunks());
                }
            }
        }
    }

    /// Waits for something that whoever makes it so tells by [`Self::wake`], but for the end of a recording: for some turns
    /// awake, then asleep. Whoever sleeps through the end of a recording wakes for the next.
    fn look_out(&self, over: impl Fn() -> bool) {
        let mut turns = TURNS;
        wait_until(|| {
            turns = turns.saturating_sub(1);
            turns == 0 || over()
        });
        if over() {
            return;
        }
        self.asleep.fetch_add(1, Relaxed);
        // Either this sees what there is to do, or who offers it sees that somebody sleeps.
        fence(SeqCst);
        let posted = unpoisoned(&self.posted);
        drop(self.woken.wait_while(posted, |_| !over()));
        self.asleep.fetch_sub(1, Relaxed);
    }

    /// Wakes those that sleep, once there is something to do.
    fn wake(&self) {
        fence(SeqCst);
        if self.asleep.load(Relaxed) > 0 {
            let _posted = unpoisoned(&self.posted);
            self.woken.notify_all();
        }
    }
}

impl Run {
    /// Offers the chunks of a dispatch.
    fn hand_out(&self, command: usize, groups: [u32; 3], chunks: u32) {
        self.done.store(0, Relaxed);
        for (word, count) in self.groups.iter().zip(groups) {
            word.store(count, Relaxed);
        }
        for (thread, line) in self.claims.iter().enumerate() {
            let next = Claim::first(chunks, thread, self.claims.len());
            let claim = Claim { command: command as u32, chunks, next };
            line.0.store(claim.pack(), Release);
        }
    }

    /// Whether there are chunks that nobody has taken.
    fn has_chunks(&self) -> bool {
        let mut claims = self.claims.iter().enumerate();
        claims.any(|(thread, line)| self.chunk(thread, line.0.load(Relaxed)).is_some())
    }

    /// The chunk that a thread's claim is at, if its part has so many.
    fn chunk(&self, thread: usize, claim: u64) -> Option<Claim> {
        let claim = Claim::unpack(claim);
        let end = Claim::first(claim.chunks, thread + 1, self.claims.len());
        (claim.next < end).then_some(claim)
    }

    /// Runs chunks as long as there are any, those of its own part first.
    fn take_chunks(&self, number: usize) {
        let threads = self.claims.len();
        for thread in (0..threads).map(|k| (number + k) % threads) {
            let claim = &self.claims[thread].0;
            while self.chunk(thread, claim.load(Relaxed)).is_some() {
                if let Some(chunk) = self.chunk(thread, claim.fetch_add(1, Acquire)) {
                    self.run_chunk(chunk);
                    self.done.fetch_add(1, Release);
                }
            }
        }
    }

    fn run_chunk(&self, claim: Claim) {
        // The leading thread waits for this chunk: nobody changes the dispatch meanwhile.
        let groups = self.groups.each_ref().map(|count| count.load(Relaxed));
        if let Some(command) = self.commands.get(claim.command as usize) {
            self.attempt(|| command.run(part(groups, claim), groups, self.lanes));
        }
    }

    /// Runs some of a command; what it panics with is kept for whoever submitted.
    fn attempt(&self, work: impl FnOnce()) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            unpoisoned(&self.panic).get_or_insert(panic);
            self.over.store(true, Relaxed);
        }
    }
}

/// The workgroups of a chunk.
fn part(groups: [u32; 3], claim: Claim) -> Range<u32> {
    let count: u64 = groups.into_iter().map(u64::from).product();
    let border = |chunk: u32| (count * u64::from(chunk) / u64::from(claim.chunks)) as u32;
    border(claim.next)..border(claim.next + 1)
}

fn wait_until(mut over: impl FnMut() -> bool) {
    let mut turns = 0;
    while !over() {
        match turns < SPINS {
            true => std::hint::spin_loop(),
            false => thread::yield_now(),
        }
        turns += 1;
    }
}

/// A thread that panicked left nothing half done.
fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cpu::rt::{Binding, Kernel};
    use crate::cpu::{Bound, Groups, Part, Times};
    use crate::gpu::Content;

    const BINDINGS: &[Binding] = &[Binding { name: "words", stride: 4, written: true }];

    /// Word g of workgroup g becomes 3 times itself and the word behind all of them, which counts the passes.
    static TRIPLE: Kernel = Kernel {
        name: "triple",
        workgroup_size: 1,
        bindings: BINDINGS,
        run: |groups, [count, ..], arrays, _| {
            let pass = arrays.written[0][count as usize].load(Relaxed);
            for group in groups {
                let word = &arrays.written[0][group as usize];
                word.store(word.load(Relaxed).wrapping_mul(3).wrapping_add(pass), Relaxed);
            }
        },
        lanes: None,
    };

    /// Counts the passes, in the last word.
    static COUNT: Kernel = Kernel {
        name: "count",
        run: |_, _, arrays, _| {
            let last = arrays.written[0].last().expect("a word");
            last.store(last.load(Relaxed) + 1, Relaxed);
        },
        ..TRIPLE
    };

    /// Words of what the last pass has written, the last first, each one more.
    static TURN_OVER: Kernel = Kernel {
        name: "turn_over",
        workgroup_size: 1,
        bindings: &[
            Binding { name: "before", stride: 4, written: false },
            Binding { name: "words", stride: 4, written: true },
        ],
        run: |groups, [count, ..], arrays, _| {
            for group in groups {
                let before = arrays.read[0][(count - 1 - group) as usize];
                arrays.written[0][group as usize].store(before + 1, Relaxed);
            }
        },
        lanes: None,
    };

    /// Has a workgroup that breaks a rule.
    static BREAK: Kernel = Kernel {
        name: "break",
        run: |mut groups, _, _, _| assert!(groups.all(|group| group != 5), "workgroup 5 is broken"),
        ..TRIPLE
    };

    /// Takes longer than any thread looks out; a workgroup says whether the thread that leads has run it.
    static WHO: Kernel = Kernel {
        name: "who",
        run: |groups, _, arrays, _| {
            for group in groups {
                thread::sleep(Duration::from_millis(20));
                let leads = thread::current().name() != Some("pliant");
                arrays.written[0][group as usize].store(1 + u32::from(leads), Relaxed);
            }
        },
        ..TRIPLE
    };

    fn bound(kernel: &'static Kernel, memory: &Memory) -> Arc<Bound> {
        let part = Part { memory: memory.clone(), words: 0..memory.words().len(), slot: 0 };
        Arc::new(Bound::new(kernel, Content::ALL, vec![part], false))
    }

    /// A copy is made by several threads, and not again while both arrays stay as they are.
    #[test]
    fn copies_follow_both_arrays() {
        let team = Threads::new(3);
        let [from, to] = [10_000, 12_000].map(|words| team.zeroed(4 * words).unwrap());
        let copied = |first: u64, words: u64| {
            let mut recording = Recording::default();
            recording.copy(&from, &to, 4 * first, 4 * words);
            team.run(recording);
        };
        let word = |memory: &Memory, k: u64| memory.read(4 * k..4 * k + 4);
        let bytes: Vec<u8> = (0..40_000_u32).map(|k| (k % 251) as u8).collect();
        from.write(0, &bytes);
        copied(0, 10_000);
        assert!(to.holds(&from));
        assert_eq!(to.read(0..40_000), bytes);
        copied(0, 10_000);
        assert_eq!(to.read(0..48_000), [bytes.clone(), vec![0; 8000]].concat());
        to.write(40, &[7; 4]);
        assert!(!to.holds(&from));
        copied(0, 10_000);
        assert_eq!(to.read(0..40_000), bytes);
        from.write(4 * 9999, &[9; 4]);
        copied(0, 9999);
        assert_eq!(word(&to, 9999), bytes[4 * 9999..]);
        copied(0, 10_000);
        assert_eq!(word(&to, 9999), [9; 4]);
        copied(2000, 10_000);
        assert_eq!(to.read(8000..48_000), from.read(0..40_000));
        assert!(!to.holds(&from));
        copied(0, 10_000);
        assert_eq!(to.read(0..40_000), from.read(0..40_000));
    }

    /// Each workgroup runs once, and a pass begins when the one before it is done, for as many threads as there may be.
    #[test]
    fn passes_run_in_order_and_their_workgroups_once() {
        for (threads, groups) in [(1, 7), (2, 1), (2, 2), (3, 7), (4, 500), (7, 64)] {
            let team = Threads::new(threads);
            let memory = team.zeroed(4 * (u64::from(groups) + 1)).unwrap();
            let [triple, count] = [&TRIPLE, &COUNT].map(|kernel| bound(kernel, &memory));
            // Miri is slow.
            let passes = if cfg!(miri) { 5 } else { 300 };
            for _ in 0..3 {
                let mut recording = Recording::default();
                for _ in 0..passes {
                    recording.dispatch(&triple, Groups::Direct([groups, 1, 1]), 0, None);
                    recording.dispatch(&count, Groups::Direct([1, 1, 1]), 0, None);
                }
                team.run(recording);
            }
            let want = (0..3 * passes).fold(0, |x: u32, k| x.wrapping_mul(3).wrapping_add(k));
            let (last, words) = memory.words().split_last().unwrap();
            assert_eq!(last.load(Relaxed), 3 * passes);
            let wrong = words.iter().filter(|word| word.load(Relaxed) != want).count();
            assert_eq!(wrong, 0, "of {groups} workgroups on {threads} threads");
        }
    }

    /// Where nothing is to be done, too: times go by the order of the passes.
    #[test]
    fn each_pass_that_is_timed_has_its_time() {
        for threads in [1, 2] {
            let team = Threads::new(threads);
            let memory = team.zeroed(40).unwrap();
            let [triple, count] = [&TRIPLE, &COUNT].map(|kernel| bound(kernel, &memory));
            let times = Times::default();
            let mut recording = Recording::default();
            let none = Groups::Indirect(memory.clone(), 0);
            recording.dispatch(&count, none, 0, Some(times.clone()));
            recording.dispatch(&triple, Groups::Direct([9, 1, 1]), 0, Some(times.clone()));
            recording.dispatch(&count, Groups::Direct([1; 3]), 0, None);
            team.run(recording);
            let times = unpoisoned(&times).clone();
            assert!(matches!(times[..], [0.0, time] if time > 0.0), "{times:?}");
        }
    }

    /// Others sleep while one has something to do, and have their part of what comes behind it.
    #[test]
    fn whoever_sleeps_wakes_for_work() {
        let (team, groups) = (Threads::new(3), 12);
        let memory = team.zeroed(4 * u64::from(groups)).unwrap();
        let who = bound(&WHO, &memory);
        for _ in 0..3 {
            let mut recording = Recording::default();
            for groups in [groups, 1, groups] {
                recording.dispatch(&who, Groups::Direct([groups, 1, 1]), 0, None);
            }
            team.run(recording);
            for kind in [1, 2] {
                let mut words = memory.words().iter();
                assert!(
                    words.any(|word| word.load(Relaxed) == kind),
                    "none by threads of kind {kind}"
                );
            }
            // They fall asleep, or this does not end.
            while team.shared.asleep.load(Relaxed) < 2 {
                thread::yield_now();
            }
        }
    }

    /// Plain words are read that other threads have written in the pass before, and the host before the recording. Miri looks
    /// whether these are races: docs/notes/cpu-threads.md has the command.
    #[test]
    fn what_a_pass_has_written_the_next_reads_as_plain_words() {
        let [groups, passes, recordings] = if cfg!(miri) { [9, 6, 3] } else { [500, 100, 10] };
        for threads in [1, 2, 3] {
            let team = Threads::new(threads);
            let sides = [0; 2].map(|_| team.zeroed(4 * u64::from(groups)).unwrap());
            let part = |memory: &Memory| {
                let memory = memory.clone();
                Part { words: 0..memory.words().len(), memory, slot: 0 }
            };
            let there_and_back = [0, 1].map(|from| {
                let parts = [from, 1 - from].map(|side: usize| part(&sides[side]));
                Arc::new(Bound::new(&TURN_OVER, Content::ALL, parts.into(), false))
            });
            let first: Vec<u32> = (0..groups).map(|k| k * k).collect();
            for recording in 0..recordings {
                if recording == 0 {
                    sides[0].write(0, bytemuck::cast_slice(&first));
                }
                let mut both = Recording::default();
                for pass in 0..2 * passes {
                    let pass = &there_and_back[pass as usize % 2];
                    both.dispatch(pass, Groups::Direct([groups, 1, 1]), 0, None);
                }
                team.run(both);
            }
            let end: Vec<_> = sides[0].words().iter().map(|word| word.load(Relaxed)).collect();
            let want: Vec<_> = first.iter().map(|x| x + 2 * passes * recordings).collect();
            assert_eq!(end, want, "on {threads} threads");
        }
    }

    /// What breaks a rule is heard of where it was submitted, and what comes behind it runs.
    #[test]
    fn a_kernel_that_panics_is_heard_of() {
        for threads in [1, 2, 4] {
            let team = Threads::new(threads);
            let memory = team.zeroed(40).unwrap();
            let mut broken = Recording::default();
            broken.dispatch(&bound(&BREAK, &memory), Groups::Direct([9, 1, 1]), 0, None);
            broken.dispatch(&bound(&COUNT, &memory), Groups::Direct([1, 1, 1]), 0, None);
            let panic = catch_unwind(AssertUnwindSafe(|| team.run(broken))).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"workgroup 5 is broken"));
            let mut sound = Recording::default();
            sound.dispatch(&bound(&TRIPLE, &memory), Groups::Direct([9, 1, 1]), 0, None);
            let all = sound.fetch(vec![(memory.clone(), 0..40)]);
            team.run(sound);
            assert_eq!(all.get(), Some(&[0; 40][..]), "nothing runs behind what broke");
        }
    }

    #[test]
    fn claims_are_words() {
        let claim = Claim { command: 0xab_cdef, chunks: 0x1234, next: 0x0f_eeee };
        assert_eq!(Claim::unpack(claim.pack()), claim);
        assert_eq!(Claim::unpack(claim.pack() + 1).next, claim.next + 1);
    }

    #[test]
    fn chunks_are_all_of_a_dispatch() {
        for (groups, chunks) in
            [([9, 1, 1], 4), ([65_535, 3, 1], 8), ([1, 1, 1], 1), ([5, 7, 2], 16)]
        {
            for threads in [1, 2, 3, 16] {
                let first = |thread| Claim::first(chunks, thread, threads);
                let parts = (0..threads).flat_map(|thread| first(thread)..first(thread + 1));
                assert!(parts.eq(0..chunks), "{threads} threads have all of {chunks} chunks once");
            }
            let borders = (0..chunks).map(|next| part(groups, Claim { command: 0, chunks, next }));
            let all: u32 = groups.iter().product();
            let end = borders.fold(0, |end, part| {
                assert_eq!(part.start, end);
                part.end
            });
            assert_eq!(end, all);
        }
    }
}
