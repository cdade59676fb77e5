//! Forces and penetration vectors as lines.

use super::Shared;
use crate::family::At;
use crate::gpu::types::{Lines as GpuLines, Segment};
use crate::gpu::{Buffer, Kernel, Recorder, Uniforms};
use crate::integrate::Arrays;
use crate::{Error, Result, World};

/// Lines to draw: the first `count` of some segments.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// The segments, of which those of zero length are not drawn.
    pub segments: &'a Buffer<Segment>,
    /// How many there are.
    pub count: u32,
}

/// The passes that write lines.
#[derive(Debug)]
pub(super) struct LinePasses {
    forces: Buffer<Segment>,
    depths: Buffer<Segment>,
    uniform: Uniforms<GpuLines>,
    force: Kernel,
    depth: Kernel,
    /// Lines of forces and of penetration vectors that were written last.
    counts: [Option<u32>; 2],
}

impl LinePasses {
    /// The kernels; room is made when it is known how much.
    pub fn new(world: &World) -> Result<Self> {
        let context = world.context();
        let kernel = |name| Kernel::for_content(context, name, world.content());
        Ok(Self {
            forces: Buffer::drawable(context, "force_segments", 0)?,
            depths: Buffer::drawable(context, "depth_segments", 0)?,
            uniform: Uniforms::new(context, "lines", 1),
            force: kernel("force_lines"),
            depth: kernel("depth_lines"),
            counts: [None; 2],
        })
    }

    pub fn forces(
        &mut self,
        world: &World,
        shared: &Shared,
        body: usize,
        length: f32,
    ) -> Result<Lines<'_>> {
        let context = world.context();
        let lines = lines(world, body, length)?;
        shared.sim.write(context, &[world.present_sim()]);
        self.uniform.write(context, &[lines]);
        make_room(world, &mut self.forces, lines.count as usize)?;
        let mut recorder = Recorder::new(context);
        world.renew_pointer_spring(&mut recorder);
        // What elements keep stays as it is: the uniform has no flow.
        let arrays = Arrays { sim: &shared.sim, ..world.arrays() };
        // What Newton's method has left of springs is no load.
        let loads = arrays.state.loads.raw();
        recorder.encoder().clear_buffer(loads, 0, None);
        let loads = arrays.elements.loads(&At::state(&arrays, world.particles()));
        loads.record(&mut recorder, 0);
        let others = [self.forces.bind("segments"), self.uniform.binding()];
        let force = shared.bind(world, &self.force, &others);
        recorder.dispatch(&force, lines.count as usize, 0);
        recorder.submit();
        self.counts[0] = Some(lines.count);
        Ok(Lines { segments: &self.forces, count: lines.count })
    }

    pub fn penetrations(
        &mut self,
        world: &World,
        shared: &Shared,
        body: usize,
        scale: f32,
    ) -> Result<Lines<'_>> {
        let context = world.context();
        let mut lines = lines(world, body, scale)?;
        let Some(collision) = world.collision() else {
            self.counts[1] = Some(0);
            let segments = &self.depths;
            return Ok(Lines { segments, count: 0 });
        };
        lines.count = collision.capacity().records as u32;
        shared.sim.write(context, &[world.present_sim()]);
        self.uniform.write(context, &[lines]);
        make_room(world, &mut self.depths, lines.count as usize)?;
        let mut others = collision.bindings();
        others.extend([self.depths.bind("segments"), self.uniform.binding()]);
        let mut recorder = Recorder::new(context);
        let depth = shared.bind(world, &self.depth, &others);
        recorder.dispatch(&depth, lines.count as usize, 0);
        recorder.submit();
        self.counts[1] = Some(lines.count);
        Ok(Lines { segments: &self.depths, count: lines.count })
    }

    /// The lines of forces and of penetration vectors as they were written last.
    pub fn last(&self) -> [Option<Lines<'_>>; 2] {
        let [forces, depths] = self.counts;
        let lines = |segments, count: Option<u32>| count.map(|count| Lines { segments, count });
        [lines(&self.forces, forces), lines(&self.depths, depths)]
    }
}

/// What the lines of a body's particles are drawn of.
fn lines(world: &World, body: usize, scale: f32) -> Result<GpuLines> {
    world.check_body(body)?;
    if !scale.is_finite() {
        return Err(Error::value("the lines' scale", scale, "a finite number"));
    }
    let ranges = &world.model().bodies[body];
    Ok(GpuLines {
        first: ranges.particles.start as u32,
        count: ranges.particles.len() as u32,
        scale,
        body: body as u32,
    })
}

fn make_room(world: &World, segments: &mut Buffer<Segment>, count: usize) -> Result<()> {
    if segments.len() < count {
        *segments = Buffer::drawable(world.context(), "segments", count)?;
    }
    Ok(())
}
