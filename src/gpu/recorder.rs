//! Records dispatches into one compute pass, and submits them.

use std::collections::BTreeMap;

use super::{Bound, Buffer, Bytes, Context, Gates, Profiler, types, unless_lost};

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

fn encoder(context: &Context) -> wgpu::CommandEncoder {
    let descriptor = wgpu::CommandEncoderDescriptor { label: Some("pliant") };
    context.device.create_command_encoder(&descriptor)
}

fn queue(context: &Context, encoder: wgpu::CommandEncoder) {
    unless_lost(&context.device, || context.queue.submit([encoder.finish()]));
}

/// Commands on their way to the device. Dispatches share a compute pass, unless a profiler times them one by one.
#[derive(Debug)]
pub struct Recorder<'a> {
    context: &'a Context,
    encoder: wgpu::CommandEncoder,
    pass: Option<wgpu::ComputePass<'static>>,
    profiler: Option<&'a mut Profiler>,
    calls: BTreeMap<&'static str, u64>,
    /// What the following dispatches go through.
    gate: Option<(Gates, u32)>,
}

impl<'a> Recorder<'a> {
    /// An empty recording.
    #[must_use]
    pub fn new(context: &'a Context) -> Self {
        let (encoder, calls) = (encoder(context), BTreeMap::new());
        Self { context, encoder, pass: None, profiler: None, calls, gate: None }
    }

    /// Times the following dispatches, each in a pass of its own, as far as the profiler has room.
    pub fn profile(&mut self, profiler: &'a mut Profiler) {
        self.pass = None;
        self.profiler = Some(profiler);
    }

    /// Dispatches from here on share a pass again.
    pub fn end_profile(&mut self) {
        if let Some(profiler) = self.profiler.take() {
            self.pass = None;
            profiler.resolve(&mut self.encoder);
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
        let [x, y, z] = groups(count, bound.workgroup_size);
        if let Some((gates, gate)) = self.gate.clone() {
            let way = gates.way([x, y, z], gate);
            self.dispatch_indirect(bound, gates.groups(), 3 * way, slot);
            return;
        }
        self.record(bound, slot, |pass| pass.dispatch_workgroups(x, y, z));
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
        self.record(bound, slot, |pass| {
            pass.dispatch_workgroups_indirect(groups.raw(), 4 * first as u64);
        });
    }

    fn record(
        &mut self,
        bound: &Bound,
        slot: usize,
        dispatch: impl FnOnce(&mut wgpu::ComputePass<'static>),
    ) {
        *self.calls.entry(bound.name).or_default() += 1;
        let timestamps = self.profiler.as_mut().and_then(|profiler| profiler.begin(bound.name));
        let timed = timestamps.is_some();
        if timed {
            self.pass = None;
        }
        let encoder = &mut self.encoder;
        let pass = self.pass.get_or_insert_with(|| {
            let descriptor = wgpu::ComputePassDescriptor {
                label: Some(bound.name),
                timestamp_writes: timestamps,
            };
            encoder.begin_compute_pass(&descriptor).forget_lifetime()
        });
        pass.set_pipeline(bound.pipeline.get());
        let offset = [slot as u32 * types::SIM_STRIDE as u32];
        pass.set_bind_group(0, &bound.group, if bound.takes_sim { &offset } else { &[] });
        dispatch(pass);
        if timed {
            self.pass = None;
        }
    }

    /// Copies one array over another of the same length.
    pub fn copy(&mut self, from: &dyn Bytes, to: &dyn Bytes) {
        self.pass = None;
        self.encoder.copy_buffer_to_buffer(from.raw(), 0, to.raw(), 0, from.size());
    }

    /// Copies one array over the start of another, or as much of it as fits.
    pub fn copy_start(&mut self, from: &dyn Bytes, to: &dyn Bytes) {
        self.pass = None;
        let size = from.size().min(to.size());
        self.encoder.copy_buffer_to_buffer(from.raw(), 0, to.raw(), 0, size);
    }

    /// The encoder, between two passes.
    pub fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        &mut self.encoder
    }

    /// Hands what has been recorded so far to the device, which computes it while the rest is recorded.
    pub fn hand_over(&mut self) {
        self.pass = None;
        let recorded = std::mem::replace(&mut self.encoder, encoder(self.context));
        queue(self.context, recorded);
    }

    /// Hands everything to the device. Returns the number of dispatches by kernel.
    pub fn submit(mut self) -> BTreeMap<&'static str, u64> {
        self.end_profile();
        self.pass = None;
        queue(self.context, self.encoder);
        self.calls
    }
}
