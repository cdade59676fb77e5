//! The window: its events, its frames, its end.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use pliant::{Error, Result};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::{Window, WindowId};

use super::Arguments;
use super::capture::{Capture, Shown};
use super::gui::{Figures, Gui, aspect};
use super::screen::Screen;
use super::trace::Trace;
use super::viewer::Viewer;
use crate::Outcome;

/// How long a window that cannot be drawn in waits before it tries again.
const UNSEEN: Duration = Duration::from_millis(50);
/// How long a picture that does not move stays.
const IDLE: Duration = Duration::from_millis(100);
/// A device that is lost again and again is given up.
const MOST_LOSSES: u32 = 5;
/// Part of a new figure in a mean.
const FRESH: f64 = 0.1;

/// Opens a window and shows the file until it is closed.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let failed = |error: String| {
        let help = "`pliant view --screenshot FILE.png` works without one";
        Error::Device(format!("cannot open a window: {error}; {help}"))
    };
    let events = EventLoop::new().map_err(|error| {
        let message = error.to_string();
        // Winit names the place in its source before what is wrong.
        let what = message.strip_prefix("os error at ").and_then(|rest| rest.split_once(": "));
        failed(what.map_or(message.as_str(), |(_, what)| what.trim_end_matches('.')).into())
    })?;
    let mut application = Application { arguments, open: None, ended: Ok(()) };
    let ran = events.run_app(&mut application);
    application.ended?;
    ran.map_err(|error| failed(error.to_string()))?;
    Ok(Outcome::Done)
}

/// What winit calls.
struct Application<'a> {
    arguments: &'a Arguments,
    open: Option<Open<'a>>,
    ended: Result<()>,
}

impl ApplicationHandler for Application<'_> {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.open.is_some() {
            return;
        }
        match Open::new(self.arguments, events) {
            Ok(open) => self.open = Some(open),
            Err(error) => {
                self.ended = Err(error);
                events.exit();
            }
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(open) = &mut self.open else {
            return;
        };
        match open.handle(&event) {
            Ok(true) => {}
            Ok(false) => self.close(events),
            Err(error) => {
                self.ended = Err(error);
                self.close(events);
            }
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        if let Some(open) = &mut self.open {
            open.schedule(events);
        }
    }
}

impl Application<'_> {
    /// Everything of the device goes before the window does.
    fn close(&mut self, events: &ActiveEventLoop) {
        if let Some(mut open) = self.open.take() {
            let finished = open.capture.finish();
            if self.ended.is_ok() {
                self.ended = finished;
            }
        }
        events.exit();
    }
}

/// An open window.
struct Open<'a> {
    arguments: &'a Arguments,
    // Before the window: the surface is made of it.
    screen: Screen,
    viewer: Viewer,
    gui: Gui,
    input: egui_winit::State,
    capture: Capture,
    trace: Option<Trace>,
    figures: Figures,
    opened: Instant,
    last: Option<f64>,
    frames: u64,
    losses: u32,
    /// It could not be drawn in when that was last tried.
    unseen: bool,
    /// When the last frame was done.
    shown: Instant,
    title: String,
    window: Arc<Window>,
}

impl<'a> Open<'a> {
    fn new(arguments: &'a Arguments, events: &ActiveEventLoop) -> Result<Self> {
        let (width, height) = arguments.size;
        let attributes = Window::default_attributes()
            .with_title("pliant")
            .with_inner_size(LogicalSize::new(width, height));
        let window = events
            .create_window(attributes)
            .map_err(|error| Error::Device(format!("cannot open a window: {error}")))?;
        let window = Arc::new(window);
        let screen = Screen::new(arguments, &window)?;
        let size = screen.size();
        let mut viewer = arguments.open(&screen.computing, size)?;
        viewer.show_panel(true);
        viewer.run_to(arguments.time()?);
        if viewer.notice.is_none() {
            viewer.say("left drag pulls, right drag orbits, Space pauses, H lists all keys");
        }
        let gui = Gui::default();
        let input = egui_winit::State::new(
            gui.context.clone(),
            egui::ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            None,
            Some(screen.device.limits().max_texture_dimension_2d as usize),
        );
        Ok(Self {
            capture: Capture::new(&screen.context, &arguments.out, screen.configuration.format),
            trace: arguments.trace.as_deref().map(Trace::new).transpose()?,
            arguments,
            screen,
            viewer,
            gui,
            input,
            figures: Figures::default(),
            opened: Instant::now(),
            last: None,
            frames: 0,
            losses: 0,
            unseen: false,
            shown: Instant::now(),
            title: String::new(),
            window,
        })
    }

    /// Handles an event; false: the window is to close.
    fn handle(&mut self, event: &WindowEvent) -> Result<bool> {
        let response = self.input.on_window_event(&self.window, event);
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => return Ok(false),
            WindowEvent::Resized(size) => self.screen.resize([size.width, size.height]),
            WindowEvent::DroppedFile(file) => {
                let size = self.screen.size();
                self.gui.open(&mut self.viewer, file, size);
            }
            WindowEvent::RedrawRequested => self.frame()?,
            _ if response.repaint => self.window.request_redraw(),
            _ => {}
        }
        Ok(!self.viewer.quit)
    }

    /// The next frame comes as soon as the last is shown; a window that nobody sees need not be quick, nor one in which
    /// nothing moves but what input asks for.
    fn schedule(&mut self, events: &ActiveEventLoop) {
        let rest = match (self.unseen, self.viewer.paused) {
            (true, _) => UNSEEN,
            (false, true) => IDLE,
            (false, false) => Duration::ZERO,
        };
        let next = self.shown + rest;
        if Instant::now() >= next {
            self.window.request_redraw();
        }
        events.set_control_flow(match rest.is_zero() {
            true => ControlFlow::Poll,
            false => ControlFlow::WaitUntil(next),
        });
    }

    fn frame(&mut self) -> Result<()> {
        if self.arguments.lose_device == Some(self.frames) {
            self.screen.device.destroy();
        }
        let now = self.opened.elapsed().as_secs_f64();
        if let Some(last) = self.last.replace(now) {
            let fps = 1.0 / (now - last).max(1e-6);
            self.figures.fps += FRESH * (fps - self.figures.fps);
        }
        self.viewer.begin(now);
        let done = self.show();
        self.frames += 1;
        if let Some(trace) = &mut self.trace {
            trace.write(self.frames, now, &self.viewer, &self.figures, self.screen.size());
        }
        self.shown = Instant::now();
        self.name();
        // A device that only draws is not asked anything else once it is lost.
        let _ = self.screen.device.poll(wgpu::PollType::Poll);
        let lost = self.screen.lost.load(Ordering::Relaxed);
        match done {
            Err(error) if !lost => self.viewer.complain(&error),
            _ => {}
        }
        if lost {
            self.recover()?;
        }
        Ok(())
    }

    /// The title says what is open.
    fn name(&mut self) {
        let file = self.viewer.file.file_name().unwrap_or_default();
        let title = format!("{} - pliant", file.to_string_lossy());
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
    }

    /// Lays out the panel, draws, presents.
    fn show(&mut self) -> Result<()> {
        let start = Instant::now();
        let size = self.screen.size();
        let raw = self.input.take_egui_input(&self.window);
        self.figures.recorded = self.capture.recorded();
        let (input, window) = (&mut self.input, &self.window);
        let platform = |output| input.handle_platform_output(window, output);
        let (mut painted, asked) =
            self.gui.run(raw, &mut self.viewer, &self.figures, size, platform);
        self.screen.stage.take_textures(&mut painted);
        if let Some(file) = &asked.open {
            self.gui.open(&mut self.viewer, file, size);
        }
        if self.frames == 0 && self.arguments.style.camera.is_none() {
            self.viewer.frame_all(aspect(self.viewer.look.area(size)));
        }
        self.viewer.observe()?;
        if size.contains(&0) {
            self.unseen = true;
            return Ok(());
        }
        let texture = self.screen.acquire();
        self.unseen = texture.is_none();
        if let Some(texture) = texture {
            let view = texture.texture.create_view(&Default::default());
            let stage = &mut self.screen.stage;
            stage.draw(&mut self.viewer, &view, size, painted.whole())?;
            self.screen.context.wait()?;
            self.window.pre_present_notify();
            self.screen.queue.present(texture);
            let took = start.elapsed().as_secs_f64();
            self.figures.drawn_in += FRESH * (took - self.figures.drawn_in);
        }
        let mut shown = Shown {
            stage: &mut self.screen.stage,
            viewer: &mut self.viewer,
            size,
            painted: &painted,
        };
        if asked.screenshot {
            let path = self.capture.screenshot(&mut shown)?;
            shown.viewer.say(format!("wrote {}", path.display()));
        }
        if asked.record {
            let folder = self.capture.toggle()?;
            let on = self.capture.recorded().is_some();
            shown.viewer.by_frames = on;
            let what = if on { "recording into" } else { "recorded into" };
            shown.viewer.say(format!("{what} {}", folder.display()));
        }
        self.capture.frame(&mut shown)
    }

    /// Goes on with another device.
    fn recover(&mut self) -> Result<()> {
        self.losses += 1;
        if self.losses > MOST_LOSSES {
            return Err(Error::Device("the graphics device was lost repeatedly".into()));
        }
        self.screen = Screen::new(self.arguments, &self.window)?;
        self.viewer.recover(&self.screen.computing)?;
        let context = &self.screen.context;
        self.capture = Capture::new(context, &self.arguments.out, self.screen.configuration.format);
        // Its textures went with the device.
        self.gui = Gui::default();
        self.input = egui_winit::State::new(
            self.gui.context.clone(),
            egui::ViewportId::ROOT,
            &self.window,
            Some(self.window.scale_factor() as f32),
            None,
            None,
        );
        Ok(())
    }
}
