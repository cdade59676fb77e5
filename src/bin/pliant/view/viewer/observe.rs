//! What the viewer takes note of: sums, plots, and how far colours reach.

use glam::Vec3;
use pliant::Result;
use pliant::internals::extreme;
use pliant::render::{Camera, ColorMap, ColorScale, Orbit};

use super::super::framing::with_surroundings;
use super::super::history::Sample;
use super::super::options::Coloring;
use super::Viewer;

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
        self.inspector.begin_sums(&self.world)?;
        let Some(sums) = self.inspector.take_sums()? else {
            return Ok(());
        };
        let [kinetic, elastic, gravity] = sums.energies();
        self.centroids = sums.bodies.iter().map(|body| body.centroid).collect();
        self.history.push(Sample { time: sums.time, kinetic, elastic, gravity, passes });
        if sums.field.is_some() && sums.field == self.options.coloring.field() {
            let ends = sums.bodies.iter().flat_map(|body| body.field);
            let largest =
                ends.map(f32::abs).filter(|end| end.is_finite()).fold(0.0, extreme::greatest);
            // It grows at once and shrinks slowly, so that colours do not flicker.
            self.reach = largest.max(0.98 * self.reach);
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
        self.reach = 0.0;
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
        if let Some(field) = self.options.coloring.field() {
            self.inspector.field(&self.world, field)?;
        }
        self.inspector.sums(&self.world)?;
        self.observe()
    }

    /// Which value has which colour. Signed fields have nothing in the middle.
    pub fn color_scale(&self) -> ColorScale {
        let high = self.reach.max(self.options.coloring.least());
        match self.options.coloring {
            Coloring::Body | Coloring::Penetration => {
                ColorScale { map: ColorMap::Sequential, low: 0.0, high }
            }
            Coloring::Strain | Coloring::Pressure => {
                ColorScale { map: ColorMap::Diverging, low: -high, high }
            }
        }
    }

    /// Colours by something else.
    pub fn set_coloring(&mut self, coloring: Coloring) {
        self.options.coloring = coloring;
        self.reach = 0.0;
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
                let [low, high] = with_surroundings([low, high], &self.look);
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
