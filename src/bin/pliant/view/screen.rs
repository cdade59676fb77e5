//! The surface of a window, and what draws into it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pliant::{Context, Error, Result};
use winit::window::Window;

use super::Arguments;
use super::stage::Stage;

/// Where the window is drawn, on one device.
pub struct Screen {
    /// What computes the world.
    pub computing: Context,
    /// What draws.
    pub context: Context,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    surface: wgpu::Surface<'static>,
    pub configuration: wgpu::SurfaceConfiguration,
    pub stage: Stage,
    pub lost: Arc<AtomicBool>,
}

impl Screen {
    pub fn new(arguments: &Arguments, window: &Arc<Window>) -> Result<Self> {
        let (computing, (context, surface, capabilities)) =
            arguments.executor.for_window(window.clone())?;
        let (device, queue) = context.graphics()?;
        let (device, queue) = (device.clone(), queue.clone());
        // egui mixes colours as they are stored.
        let plain = |format: &&wgpu::TextureFormat| {
            matches!(format, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm)
        };
        let formats = &capabilities.formats;
        let format = formats.iter().find(plain).or(formats.first());
        let format = *format.ok_or_else(|| {
            Error::Device("the graphics adapter has no format for this window".into())
        })?;
        let size = window.inner_size();
        let configuration = wgpu::SurfaceConfiguration {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            format,
            width: size.width,
            height: size.height,
            present_mode: wgpu::PresentMode::AutoVsync,
            desired_maximum_frame_latency: 2,
            alpha_mode: wgpu::CompositeAlphaMode::Auto,
            view_formats: Vec::new(),
            color_space: wgpu::SurfaceColorSpace::Auto,
        };
        let lost = Arc::new(AtomicBool::new(false));
        let flag = lost.clone();
        device.set_device_lost_callback(move |_, _| flag.store(true, Ordering::Relaxed));
        let stage = Stage::new(&context, format)?;
        let screen =
            Self { computing, context, device, queue, surface, configuration, stage, lost };
        screen.configure();
        Ok(screen)
    }

    pub fn size(&self) -> [u32; 2] {
        [self.configuration.width, self.configuration.height]
    }

    pub fn resize(&mut self, size: [u32; 2]) {
        [self.configuration.width, self.configuration.height] = size;
        self.configure();
    }

    /// A minimised window has no size, and nothing to configure.
    fn configure(&self) {
        if !self.size().contains(&0) {
            self.surface.configure(&self.device, &self.configuration);
        }
    }

    /// The window's next picture; none while it is hidden.
    pub fn acquire(&self) -> Option<wgpu::SurfaceTexture> {
        use wgpu::CurrentSurfaceTexture::{
            Lost, Occluded, Outdated, Suboptimal, Success, Timeout, Validation,
        };
        for _ in 0..2 {
            match self.surface.get_current_texture() {
                Success(texture) => return Some(texture),
                Suboptimal(texture) => return Some(texture),
                Outdated | Lost => self.configure(),
                Timeout | Occluded | Validation => return None,
            }
        }
        None
    }
}
