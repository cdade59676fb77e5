//! A line of JSON per frame, for tests and for looking into how frames are paced.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use pliant::scene::{Kind, Pull, Springs};
use pliant::{Error, Result};
use serde_json::json;

use super::gui::Figures;
use super::viewer::Viewer;

/// Writes the lines.
pub struct Trace(BufWriter<File>);

impl Trace {
    /// Into this file.
    pub fn new(path: &Path) -> Result<Self> {
        let file = File::create(path).map_err(|error| Error::io(path, error))?;
        Ok(Self(BufWriter::new(file)))
    }

    /// Adds a frame.
    pub fn write(
        &mut self,
        frame: u64,
        wall: f64,
        viewer: &Viewer,
        figures: &Figures,
        size: [u32; 2],
    ) {
        let (world, options, camera) = (&viewer.world, &viewer.options, viewer.orbit.camera());
        let line = json!({
            "frame": frame,
            // When the frame began [s]; the window opened at 0.
            "wall": wall,
            // Simulated [s].
            "time": world.time(),
            "steps": world.steps(),
            "step": world.stepping().step,
            "integrator": world.scene().world.integrator.name(),
            "file": viewer.file.display().to_string(),
            "paused": viewer.paused,
            "factor": viewer.pace.factor(),
            "active": viewer.active_name(),
            "visible": viewer.visible,
            "surface": format!("{:?}", options.style.surface),
            "wireframe": options.style.wireframe,
            "forces": options.forces,
            "penetrations": options.penetrations,
            "coloring": format!("{:?}", options.style.coloring),
            "background": format!("{:?}", options.style.background),
            "panel": options.panel,
            "help": options.help,
            "pulls": viewer.pulls(),
            // Of the active body [m], as last summed.
            "centroid": viewer.centroid().map(|x| x.to_array()),
            // Of its material: the first constant, Young's modulus, k_D or the pull.
            "material": material(viewer),
            "recorded": figures.recorded,
            "notice": viewer.notice.as_ref().map(|notice| &notice.text),
            "eye": camera.eye.to_array(),
            "target": camera.target.to_array(),
            "size": size,
            "simulated_in": viewer.simulated_in,
            "drawn_in": figures.drawn_in,
            // Resident [bytes], where the system tells.
            "memory": resident(),
        });
        // A trace that cannot be written is not worth the window.
        let _ = writeln!(self.0, "{line}");
        let _ = self.0.flush();
    }
}

fn material(viewer: &Viewer) -> f64 {
    let body = viewer.scene().bodies.get(viewer.active);
    body.map_or(0.0, |body| match &body.kind {
        Kind::Springs(Springs::Constants { distance, .. }) => *distance,
        Kind::Springs(Springs::Moduli { young, .. }) => young.unwrap_or_default(),
        Kind::Fem(fem) => fem.young.unwrap_or_default(),
        Kind::Shape(shape) => match shape.pull {
            Pull::Alpha(pull) | Pull::Frequency(pull) => pull,
            Pull::Suited => 0.0,
        },
        Kind::Rigid(rigid) => rigid.restitution,
    })
}

/// Resident memory of this process [bytes].
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(1024 * kilobytes)
}
