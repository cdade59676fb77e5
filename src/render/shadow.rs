//! The shadow map.

use super::targets::{DEPTH, texture};
use crate::Result;
use crate::gpu::Context;
use crate::gpu::types::SHADOW_SIZE;

/// The map's view to draw into, and the bind group that surfaces read it by.
pub(super) fn shadow_map(
    context: &Context,
    layout: &wgpu::BindGroupLayout,
) -> Result<(wgpu::TextureView, wgpu::BindGroup)> {
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    let map = texture(context, "shadow map", [SHADOW_SIZE as u32; 2], 1, DEPTH, usage)?;
    let view = map.create_view(&Default::default());
    let sampler = context.executor.device().device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("shadow map"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        compare: Some(wgpu::CompareFunction::LessEqual),
        ..Default::default()
    });
    let group = context.executor.device().device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("shadow map"),
        layout,
        entries: &[
            wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&view),
            },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&sampler) },
        ],
    });
    Ok((view, group))
}
