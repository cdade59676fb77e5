//! What the viewer takes note of: sums, plots, and how far colours reach.

use glam::Vec3;
use pliant::Result;
use pliant::render::{Camera, ColorScale, Orbit};
use pliant::world::{Partner, Touch};

use super::super::history::Sample;
use super::Viewer;
use crate::drawing::{Coloring, Extent, START, with_surroundings};

impl Viewer {
    /// Takes note of what plots and scales show: the sums that have arrived.
    ///
    /// # Errors
    /// A lost device.
    pub fn observe(&mut self) -> Result<()> {
        let passes = self.history.look(&self.world);
        if self.options.panel && self.history.wants_triangles(self.now) {
            self.count_triangles()?;
        }
        self.hear_contacts()?;
        self.inspector.begin_sums(&self.world)?;
        let Some(sums) = self.inspector.take_sums()? else {
            return Ok(());
        };
        let [kinetic, elastic, gravity] = sums.energies();
        self.centroids = sums.bodies.iter().map(|body| body.centroid).collect();
        self.history.push(Sample { time: sums.time, kinetic, elastic, gravity, passes });
        if let Some(Extent(now)) = Extent::of(&sums, self.options.style.coloring) {
            // It grows at once and shrinks slowly, so that colours do not flicker.
            self.extent.0 = now.max(0.98 * self.extent.0);
        }
        self.move_along();
        Ok(())
    }

    /// Counts the points that touched solids in a step of the last frame.
    fn hear_contacts(&mut self) -> Result<()> {
        if !self.tells_contacts {
            return Ok(());
        }
        if let Some(events) = self.world.contact_events()?.pop() {
            let solid = |touch: &&Touch| matches!(touch.partner, Partner::Solid(_));
            let touches = events.touching.iter().filter(solid);
            let points =
                touches.map(|touch| f64::from(touch.contacts) / f64::from(touch.steps.max(1)));
            self.history.on_solids = Some(points.sum::<f64>().round() as u64);
        }
        Ok(())
    }

    fn count_triangles(&mut self) -> Result<()> {
        self.history.triangles = self.world.read_contacts()?.triangles;
        Ok(())
    }

    /// For a picture that stands alone: colours that reach as far as the field does now, and counts of now.
    ///
    /// # Errors
    /// A lost device.
    pub fn look_afresh(&mut self) -> Result<()> {
        self.extent = Extent::default();
        self.look_closely()?;
        if self.options.panel {
            self.count_triangles()?;
        }
        Ok(())
    }

    /// The same as [`Self::observe`] of the present state, waiting for it.
    ///
    /// # Errors
    /// A lost device.
    pub fn look_closely(&mut self) -> Result<()> {
        if let Some(field) = self.options.style.coloring.field() {
            self.inspector.field(&self.world, field)?;
        }
        self.inspector.sums(&self.world)?;
        self.observe()
    }

    /// Which value has which colour.
    pub fn color_scale(&self) -> ColorScale {
        self.options.style.scale(self.extent)
    }

    /// The camera moves as far as the active body has since it last did, if it is to follow.
    fn move_along(&mut self) {
        let centre = self.centroid().filter(|_| self.follow);
        let now = centre.map(|centre| (self.active, centre.as_vec3()));
        if let (Some((before, from)), Some((body, to))) = (self.followed, now)
            && before == body
        {
            self.orbit.shift(to - from);
        }
        self.followed = now;
    }

    /// Colours by something else.
    pub fn set_coloring(&mut self, coloring: Coloring) {
        self.options.style.coloring = coloring;
        self.extent = Extent::default();
    }

    /// Everything that is visible in view.
    pub fn frame_all(&mut self, aspect: f32) {
        match self.inspector.sums(&self.world) {
            Ok(sums) => {
                let bodies = sums.bodies.iter().zip(&self.visible).filter(|(_, visible)| **visible);
                let nothing = (Vec3::INFINITY, Vec3::NEG_INFINITY);
                let (low, high) = bodies.fold(nothing, |(low, high), (body, _)| {
                    (low.min(body.bounds[0]), high.max(body.bounds[1]))
                });
                let [low, high] = with_surroundings([low, high], &self.look, START);
                self.orbit = Orbit::from(Camera::frame(low, high, aspect));
            }
            Err(error) => self.complain(&error),
        }
    }

    /// The active body's centre of mass [m], as last summed.
    pub fn centroid(&self) -> Option<glam::DVec3> {
        self.centroids.get(self.active).copied()
    }
}
