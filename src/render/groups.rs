//! Bind groups of one picture.

use crate::gpu::Context;

/// Bind groups of one layout, whose bindings are buffers from 0 on; things that share all buffers share a group.
pub(super) struct Groups<'a> {
    context: &'a Context,
    label: &'static str,
    layout: &'a wgpu::BindGroupLayout,
    made: Vec<(Vec<(wgpu::Buffer, u64)>, wgpu::BindGroup)>,
}

impl<'a> Groups<'a> {
    pub fn new(
        context: &'a Context,
        label: &'static str,
        layout: &'a wgpu::BindGroupLayout,
    ) -> Self {
        let made = Vec::new();
        Self { context, label, layout, made }
    }

    /// The group of these buffers.
    pub fn of(&mut self, bindings: &[wgpu::BufferBinding<'_>]) -> wgpu::BindGroup {
        let same = |(key, _): &&(Vec<(wgpu::Buffer, u64)>, _)| {
            key.len() == bindings.len()
                && (key.iter().zip(bindings)).all(|((buffer, offset), binding)| {
                    buffer == binding.buffer && *offset == binding.offset
                })
        };
        if let Some((_, group)) = self.made.iter().find(same) {
            return group.clone();
        }
        let entries: Vec<_> = bindings
            .iter()
            .enumerate()
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding: binding as u32,
                resource: wgpu::BindingResource::Buffer(buffer.clone()),
            })
            .collect();
        let device = &self.context.executor.device().device;
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(self.label),
            layout: self.layout,
            entries: &entries,
        });
        let key = bindings.iter().map(|b| (b.buffer.clone(), b.offset));
        self.made.push((key.collect(), group.clone()));
        group
    }
}
