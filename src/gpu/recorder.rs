//! Records dispatches and copies, and submits them.

use std::collections::BTreeMap;
use std::ops::Range;

use super::device::Device;
use super::fetch::Fetching;
use super::kernel::BoundCode;
use super::mapping::Mapping;
use super::{Bound, Buffer, Bytes, Context, Executor, Gates, Memory, Profiler, types, unless_lost};
use crate::cpu::{self, Threads};

/// Groups per dimension that every device accepts.
const MAX_GROUPS: u32 = 65_535;

/// The workgroups of `size` threads for at least `count` threads.
#[must_use]
pub fn groups(count: usize, size: u32) -> [u32; 3] {
    let groups = u32::try_from(count.div_ceil(size as usize)).expect("buffers hold fewer elements");
    match groups {
        0..=MAX_GROUPS => [groups, 1, 1],
        _ => [types::GROUP_ROW, groups.div_ceil(types::GROUP_ROW), 1],
    }
}

/// Commands on their way to whatever computes. On a device, dispatches share a compute pass, unless a profiler times them
/// one by one.
#[derive(Debug)]
pub struct Recorder<'a> {
    context: &'a Context,
    recording: Recording<'a>,
    profiler: Option<&'a mut Profiler>,
    calls: BTreeMap<&'static str, u64>,
    /// What the following dispatches go through.
    gate: Option<(Gates, u32)>,
}

#[derive(Debug)]
enum Recording<'a> {
    Device(Box<Encoding<'a>>),
    Threads(&'a Threads, cpu::Recording),
}

/// A recording for a device.
#[derive(Debug)]
struct Encoding<'a> {
    device: &'a Device,
    encoder: wgpu::CommandEncoder,
    pass: Option<wgpu::ComputePass<'static>>,
}

impl<'a> Encoding<'a> {
    fn new(device: &'a Device) -> Self {
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("pliant") };
        Self { device, encoder: device.device.create_command_encoder(&descriptor), pass: None }
    }

    /// The encoder, between two passes.
    fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        &mut self.encoder
    }

    fn submit(mut self) {
        self.pass = None;
        unless_lost(&self.device.device, || self.device.queue.submit([self.encoder.finish()]));
    }
}

impl<'a> Recording<'a> {
    fn new(context: &'a Context) -> Self {
        match &context.executor {
            Executor::Device(device) => Self::Device(Box::new(Encoding::new(device))),
            Executor::Threads(team) => Self::Threads(&team.threads, cpu::Recording::default()),
        }
    }

    fn submit(self) {
        match self {
            Self::Device(encoding) => encoding.submit(),
            Self::Threads(threads, recording) => threads.run(recording),
        }
    }
}

/// The numbers of workgroups of a dispatch: the host's, or three words of an array from an index on, as they are by then.
enum Groups<'a> {
    Direct([u32; 3]),
    Indirect(&'a Buffer<u32>, usize),
}

impl<'a> Recorder<'a> {
    /// An empty recording.
    #[must_use]
    pub fn new(context: &'a Context) -> Self {
        let (recording, calls) = (Recording::new(context), BTreeMap::new());
        Self { context, recording, profiler: None, calls, gate: None }
    }

    /// Times the following dispatches, each in a pass of its own, as far as the profiler has room.
    pub fn profile(&mut self, profiler: &'a mut Profiler) {
        if let Recording::Device(encoding) = &mut self.recording {
            encoding.pass = None;
        }
        self.profiler = Some(profiler);
    }

    /// Dispatches from here on share a pass again.
    pub fn end_profile(&mut self) {
        if let (Some(profiler), Recording::Device(encoding)) =
            (self.profiler.take(), &mut self.recording)
        {
            profiler.resolve(encoding.encoder());
        }
    }

    /// The device that this is recorded for.
    #[must_use]
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// What `passes` dispatches runs only while this gate is open.
    pub fn through(&mut self, gates: &Gates, gate: u32, passes: impl FnOnce(&mut Self)) {
        self.gate = Some((gates.clone(), gate));
        passes(self);
        self.gate = None;
    }

    /// Runs a kernel with at least `count` threads, reading the uniform `sim` from slot `slot`.
    pub fn dispatch(&mut self, bound: &Bound, count: usize, slot: usize) {
        if count == 0 {
            return;
        }
        let groups = groups(count, bound.workgroup_size);
        match self.gate.clone() {
            Some((gates, gate)) => {
                let first = 3 * gates.way(groups, gate);
                self.record(bound, slot, Groups::Indirect(gates.groups(), first));
            }
            None => self.record(bound, slot, Groups::Direct(groups)),
        }
    }

    /// Runs a kernel with the numbers of workgroups that are on the device by then: three words of `groups` from index
    /// `first` on.
    pub fn dispatch_indirect(
        &mut self,
        bound: &Bound,
        groups: &Buffer<u32>,
        first: usize,
        slot: usize,
    ) {
        self.record(bound, slot, Groups::Indirect(groups, first));
    }

    fn record(&mut self, bound: &Bound, slot: usize, groups: Groups<'_>) {
        *self.calls.entry(bound.name).or_default() += 1;
        match (&mut self.recording, &bound.code) {
            (Recording::Device(encoding), BoundCode::Device { pipeline, group, takes_sim }) => {
                let profiler = self.profiler.as_mut();
                let timestamps = profiler.and_then(|profiler| profiler.stamps(bound.name));
                let timed = timestamps.is_some();
                if timed {
                    encoding.pass = None;
                }
                let encoder = &mut encoding.encoder;
                let pass = encoding.pass.get_or_insert_with(|| {
                    let descriptor = wgpu::ComputePassDescriptor {
                        label: Some(bound.name),
                        timestamp_writes: timestamps,
                    };
                    encoder.begin_compute_pass(&descriptor).forget_lifetime()
                });
                pass.set_pipeline(pipeline.get());
                let offset = [slot as u32 * types::SIM_STRIDE as u32];
                pass.set_bind_group(0, group, if *takes_sim { &offset } else { &[] });
                match groups {
                    Groups::Direct([x, y, z]) => pass.dispatch_workgroups(x, y, z),
                    Groups::Indirect(groups, first) => {
                        let groups = groups.memory().buffer();
                        pass.dispatch_workgroups_indirect(groups, 4 * first as u64);
                    }
                }
                if timed {
                    encoding.pass = None;
                }
            }
            (Recording::Threads(_, recording), BoundCode::Threads(code)) => {
                let profiler = self.profiler.as_mut();
                let times = profiler.and_then(|profiler| profiler.times_of(bound.name));
                let groups = match groups {
                    Groups::Direct(groups) => cpu::Groups::Direct(groups),
                    Groups::Indirect(groups, first) => {
                        cpu::Groups::Indirect(groups.memory().words().clone(), first)
                    }
                };
                recording.dispatch(code, groups, slot, times);
            }
            _ => panic!("{} was bound in another context", bound.name),
        }
    }

    /// Copies one array over another of the same length.
    pub fn copy(&mut self, from: &dyn Bytes, to: &dyn Bytes) {
        self.copy_to(from, to, 0, from.size());
    }

    /// Copies one array over the start of another, or as much of it as fits.
    pub fn copy_start(&mut self, from: &dyn Bytes, to: &dyn Bytes) {
        self.copy_to(from, to, 0, from.size().min(to.size()));
    }

    /// Copies the first bytes of one array over those of another from byte `first` on; multiples of 4.
    pub fn copy_to(&mut self, from: &dyn Bytes, to: &dyn Bytes, first: u64, size: u64) {
        let (from, to) = (from.memory(), to.memory());
        match &mut self.recording {
            Recording::Device(encoding) => {
                let encoder = encoding.encoder();
                encoder.copy_buffer_to_buffer(from.buffer(), 0, to.buffer(), first, size);
            }
            Recording::Threads(_, recording) => {
                recording.copy(from.words(), to.words(), first, size);
            }
        }
    }

    /// Fills an array with zeros.
    pub fn clear(&mut self, array: &dyn Bytes) {
        match &mut self.recording {
            Recording::Device(encoding) => {
                encoding.encoder().clear_buffer(array.memory().buffer(), 0, None);
            }
            Recording::Threads(_, recording) => recording.clear(array.memory().words()),
        }
    }

    /// Brings bytes of arrays to the host, one behind the other; on a device by a buffer that is mapped then.
    pub(super) fn fetch(
        &mut self,
        staging: Option<&wgpu::Buffer>,
        parts: &[(&Memory, Range<u64>)],
    ) -> Fetching {
        match (&mut self.recording, staging) {
            (Recording::Device(encoding), Some(staging)) => {
                let encoder = encoding.encoder();
                let mut to = 0;
                for (memory, part) in parts.iter().filter(|(_, part)| !part.is_empty()) {
                    let size = part.end - part.start;
                    encoder.copy_buffer_to_buffer(memory.buffer(), part.start, staging, to, size);
                    to += size;
                }
                let mapped = Mapping::default();
                encoder.map_buffer_on_submit(staging, wgpu::MapMode::Read, .., mapped.callback());
                Fetching::Device(mapped)
            }
            (Recording::Threads(_, recording), None) => {
                let own =
                    |(memory, part): &(&Memory, Range<u64>)| (memory.words().clone(), part.clone());
                Fetching::Threads(recording.fetch(parts.iter().map(own).collect()))
            }
            _ => panic!("what is fetched was prepared in another context"),
        }
    }

    /// Hands what has been recorded so far over, to be computed while the rest is recorded.
    pub fn hand_over(&mut self) {
        std::mem::replace(&mut self.recording, Recording::new(self.context)).submit();
    }

    /// Hands everything over. Returns the number of dispatches by kernel.
    pub fn submit(mut self) -> BTreeMap<&'static str, u64> {
        self.end_profile();
        self.recording.submit();
        self.calls
    }
}
