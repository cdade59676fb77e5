//! The viewer without its window: a running world, what is shown of it, and what the user does to it.

use std::path::{Path, PathBuf};

use pliant::inspect::Inspector;
use pliant::internals::Inside as _;
use pliant::query::Queries;
use pliant::render::{Camera, Look, Orbit, Wires};
use pliant::report::SelfCrossings;
use pliant::scene::WorldSettings;
use pliant::world::Handover;
use pliant::{Context, Error, Result, Scene, World};

use super::history::History;
use super::keys::Action;
use super::notice::{Notice, NoticeKind};
use super::options::Options;
use super::pace::Pace;
use super::playback::Playback;
use super::pull::Held;
use crate::amounts::amounts;
use crate::drawing::{Extent, START, Style, bodies_at_start, look, with_surroundings};
use crate::open::{beside, open};

mod advance;
mod observe;
mod play;

/// Room for what touches in a frame.
const EVENTS: usize = 4096;

/// A running world and its user.
pub struct Viewer {
    /// What was opened: a scene, a mesh, a run's folder.
    pub file: PathBuf,
    /// Scenes beside it.
    pub scenes: Vec<PathBuf>,
    pub world: World,
    /// As the file says, with the user's changes.
    scene: Scene,
    pub inspector: Inspector,
    pub queries: Queries,
    pub wires: Wires,
    pub orbit: Orbit,
    pub look: Look,
    pub options: Options,
    /// Whether the world tells what touches.
    tells_contacts: bool,
    /// One flag per body.
    pub visible: Vec<bool>,
    pub active: usize,
    pub paused: bool,
    /// The run that is played; none while the world is simulated.
    pub playback: Option<Playback>,
    /// Frames follow simulated time and not the wall's: to record.
    pub by_frames: bool,
    /// Those of a simulated second.
    pub fps: f64,
    pub pace: Pace,
    pub history: History,
    pub notice: Option<Notice>,
    /// Of the field that is shown, lately.
    extent: Extent,
    /// Whether the camera moves along with the active body.
    pub follow: bool,
    /// The body that it moves along with, and where its centre was [m].
    followed: Option<(usize, glam::Vec3)>,
    centroids: Vec<glam::DVec3>,
    pub held: Option<Held>,
    /// When it is to be kept again [s], and what was kept.
    kept: Option<(f64, Handover)>,
    /// Looked for whenever the state is kept.
    crossings: SelfCrossings,
    /// Wall time of the last frame's simulation [s].
    pub simulated_in: f64,
    pub quit: bool,
    /// What stopped the world, until someone asks.
    fault: Option<Error>,
    now: f64,
}

impl Viewer {
    /// Opens a file, or a run's folder.
    ///
    /// # Errors
    /// What is wrong with it; a scene that does not run on this device.
    pub fn new(context: &Context, file: &Path, aspect: f32) -> Result<Self> {
        Self::with_cache(context, file, None, aspect)
    }

    /// The same; `cache` has the run of a scene that is to be played.
    ///
    /// # Errors
    /// As [`Self::new`]; states of another scene.
    pub fn with_cache(
        context: &Context,
        file: &Path,
        cache: Option<&Path>,
        aspect: f32,
    ) -> Result<Self> {
        let opened = open(file, cache)?;
        let scene = opened.scene;
        let built = match opened.states.is_empty() {
            true => World::new(context, &scene).map(|world| (world, None)),
            false => Playback::begin(context, &scene, opened.states)
                .map(|(world, playback)| (world, Some(playback))),
        };
        let (world, playback) = built.map_err(|error| Scene::locate(&opened.file, error))?;
        let bodies = world.model().bodies.len();
        let look = look(&world, Style::default().background);
        let [low, high] = with_surroundings(bodies_at_start(&world), &look, START);
        let mut viewer = Self {
            file: file.into(),
            scenes: beside(&opened.file),
            inspector: Inspector::new(&world),
            queries: Queries::new(&world)?,
            wires: Wires::new(&world)?,
            orbit: Orbit::from(Camera::frame(low, high, aspect)),
            look,
            options: Options::default(),
            tells_contacts: false,
            visible: vec![true; bodies],
            active: 0,
            paused: false,
            by_frames: false,
            fps: playback.as_ref().map_or(world.scene().world.fps, Playback::rate),
            playback,
            pace: Pace::default(),
            history: History::default(),
            notice: None,
            extent: Extent::default(),
            follow: false,
            followed: None,
            centroids: Vec::new(),
            held: None,
            kept: None,
            crossings: SelfCrossings::new(&world),
            simulated_in: 0.0,
            quit: false,
            fault: None,
            now: 0.0,
            scene,
            world,
        };
        viewer.warn(&[]);
        Ok(viewer)
    }

    /// Opens another file in place of this one; where that fails, says why and goes on.
    pub fn open(&mut self, file: &Path, aspect: f32) {
        match Self::new(self.world.context(), file, aspect) {
            Ok(next) => {
                let old = std::mem::replace(self, next);
                self.options = old.options;
                self.follow = old.follow;
                self.attend();
                self.look.background = self.options.style.background;
                self.look.scale = old.look.scale;
                (self.look.left, self.look.left_color) = (old.look.left, old.look.left_color);
                self.now = old.now;
                if let Some(notice) = &mut self.notice {
                    notice.show(self.now);
                }
            }
            Err(error) => self.complain(&error),
        }
    }

    /// Shows an error.
    pub fn complain(&mut self, error: &Error) {
        let text = format!("error: {error}");
        self.notice = Some(Notice::new(text, NoticeKind::Error, self.now));
    }

    /// Shows a line for a moment.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice::new(text.into(), NoticeKind::Done, self.now));
    }

    /// What is to be told about the world, what it came to be included.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = self.world.warnings().to_vec();
        warnings.extend(self.crossings.warnings(&self.world));
        warnings
    }

    /// Shows the first warning that is not `known`.
    fn warn(&mut self, known: &[String]) {
        let mut warnings = self.warnings().into_iter();
        if let Some(warning) = warnings.find(|warning| !known.contains(warning)) {
            let text = format!("warning: {warning}");
            self.notice = Some(Notice::new(text, NoticeKind::Warning, self.now));
        }
    }

    /// The scene as it runs.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Does what a key asks for, except taking pictures. `aspect`: of the picture.
    pub fn act(&mut self, action: Action, aspect: f32) {
        let bodies = self.visible.len();
        match action {
            Action::Quit if self.options.help => self.options.help = false,
            Action::Quit => self.quit = true,
            Action::Pause => self.set_paused(!self.paused),
            Action::Step => self.step(1),
            Action::Back => self.step(-1),
            Action::Reset => self.reset(),
            Action::NextBody => self.activate((self.active + 1) % bodies.max(1)),
            Action::PreviousBody => {
                self.activate((self.active + bodies.max(1) - 1) % bodies.max(1))
            }
            Action::Hide => {
                if let Some(visible) = self.visible.get_mut(self.active) {
                    *visible = !*visible;
                }
            }
            Action::Forces => self.options.forces = !self.options.forces,
            Action::Penetrations => self.options.penetrations = !self.options.penetrations,
            Action::Surface(style) => {
                self.options.style.surface = style;
                self.options.style.wireframe = false;
            }
            Action::Wireframe => self.options.style.wireframe = !self.options.style.wireframe,
            Action::Orbit(dx, dy) => self.orbit.orbit(dx, dy, 1.0),
            Action::Zoom(steps) => self.orbit.zoom(steps),
            Action::Home => self.frame_all(aspect),
            Action::Help => self.options.help = !self.options.help,
            Action::Panel => self.show_panel(!self.options.panel),
            Action::Screenshot | Action::Record => {}
        }
    }

    /// Passes are timed, and contacts with solids counted, only where someone sees it.
    pub fn show_panel(&mut self, panel: bool) {
        self.options.panel = panel;
        self.attend();
    }

    /// Has the world tell what the panel shows.
    fn attend(&mut self) {
        let panel = self.options.panel;
        self.world.set_profiling(panel);
        let events = if panel && self.playback.is_none() { EVENTS } else { 0 };
        // Adaptive steps tell of none.
        self.tells_contacts = self.world.set_contact_events(events).is_ok() && events > 0;
    }

    /// Makes a body the active one.
    pub fn activate(&mut self, body: usize) {
        self.active = body;
    }

    /// The active body's name.
    pub fn active_name(&self) -> &str {
        let body = self.world.model().bodies.get(self.active);
        body.map_or("", |body| body.name.as_str())
    }

    /// The active body's mass and volume; of what is held that it is.
    pub fn active_amounts(&self) -> String {
        let model = self.world.model();
        match model.bodies.get(self.active) {
            Some(_) if model.is_held(self.active) => "held".into(),
            Some(body) => amounts(model.mass(self.active), body.volume),
            None => String::new(),
        }
    }

    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.rewind_at_end();
        self.pace.hold();
    }

    /// Starts again, with the constants as they are now.
    pub fn reset(&mut self) {
        if self.playback.is_some() {
            self.seek(0);
            return;
        }
        match World::new(self.world.context(), &self.scene) {
            Ok(world) => {
                self.take(world);
                self.attend();
                self.history = History::default();
                self.kept = None;
            }
            Err(error) => self.complain(&error),
        }
    }

    /// Goes on as this scene says.
    pub fn change(&mut self, scene: Scene) {
        let before = self.world.scene().world.clone();
        let known = self.warnings();
        if let Err(error) = self.world.change(&scene) {
            self.complain(&error);
            return;
        }
        self.scene = scene;
        self.warn(&known);
        self.inspector = Inspector::new(&self.world);
        self.look = Look {
            scale: self.look.scale,
            left: self.look.left,
            left_color: self.look.left_color,
            ..look(&self.world, self.look.background)
        };
        self.world.show_moved(&mut self.look);
        // Another integrator has other steps, and may have another order of particles.
        let now = &self.world.scene().world;
        let touching = |world: &WorldSettings| (world.contact, world.self_contact);
        if now.integrator != before.integrator || touching(now) != touching(&before) {
            self.crossings = SelfCrossings::new(&self.world);
        }
        if now.integrator != before.integrator {
            self.held = None;
            self.pace.forget();
            match Wires::new(&self.world) {
                Ok(wires) => self.wires = wires,
                Err(error) => self.complain(&error),
            }
        }
    }

    fn take(&mut self, world: World) {
        self.inspector = Inspector::new(&world);
        self.held = None;
        self.pace.hold();
        self.crossings = SelfCrossings::new(&world);
        self.world = world;
    }
}
