//! Forces, penetration vectors and contact normals as lines.

use super::Shared;
use super::marks::anchors;
use crate::family::At;
use crate::gpu::types::{Lines as GpuLines, MANIFOLD, Segment, SkinPoint};
use crate::gpu::{Binding, Buffer, Kernel, Recorder, Uniforms};
use crate::integrate::Arrays;
use crate::{Error, Result, World};

/// Lines to draw: the first `count` of some segments.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// The segments; those of zero length are not drawn.
    pub segments: &'a Buffer<Segment>,
    /// How many there are.
    pub count: u32,
}

/// The passes that write lines.
#[derive(Debug)]
pub(super) struct LinePasses {
    uniform: Uniforms<GpuLines>,
    forces: Written,
    depths: Written,
    normals: Written,
    skin: Kernel,
    anchors: Buffer<SkinPoint>,
}

/// The lines of one kernel.
#[derive(Debug)]
struct Written {
    kernel: Kernel,
    segments: Buffer<Segment>,
    /// How many were written last.
    count: Option<u32>,
}

impl Written {
    /// Room is made when it is known how much.
    fn new(world: &World, kernel: &str) -> Result<Self> {
        let context = world.context();
        Ok(Self {
            kernel: Kernel::for_content(context, kernel, world.content()),
            segments: Buffer::drawable(context, "segments", 0)?,
            count: None,
        })
    }

    /// Records the kernel over as many threads as there are lines, behind what has been recorded, and submits all of it.
    fn write(
        &mut self,
        world: &World,
        shared: &Shared,
        (uniform, lines): (&Uniforms<GpuLines>, GpuLines),
        others: Vec<Binding<'_>>,
        mut recorder: Recorder<'_>,
    ) -> Result<Lines<'_>> {
        let context = world.context();
        shared.sim.write(context, &[world.present_sim()]);
        uniform.write(context, &[lines]);
        let count = lines.count as usize;
        if self.segments.len() < count {
            self.segments = Buffer::drawable(context, "segments", count)?;
        }
        let others = [others, vec![self.segments.bind("segments"), uniform.binding()]].concat();
        recorder.dispatch(&shared.bind(world, &self.kernel, &others), count, 0);
        recorder.submit();
        self.count = Some(lines.count);
        Ok(Lines { segments: &self.segments, count: lines.count })
    }

    /// None of anything.
    fn nothing(&mut self) -> Lines<'_> {
        self.count = Some(0);
        Lines { segments: &self.segments, count: 0 }
    }

    fn lines(&self) -> Option<Lines<'_>> {
        self.count.map(|count| Lines { segments: &self.segments, count })
    }
}

impl LinePasses {
    pub fn new(world: &World) -> Result<Self> {
        Ok(Self {
            uniform: Uniforms::new(world.context(), "lines", 1),
            forces: Written::new(world, "force_lines")?,
            depths: Written::new(world, "depth_lines")?,
            normals: Written::new(world, "manifold_lines")?,
            skin: Kernel::new(world.context(), "skin_lines"),
            anchors: Buffer::new(world.context(), "anchors", &anchors(world.model()))?,
        })
    }

    pub fn forces(
        &mut self,
        world: &World,
        shared: &Shared,
        body: usize,
        length: f32,
    ) -> Result<Lines<'_>> {
        let lines = lines(world, body, length)?;
        let mut recorder = Recorder::new(world.context());
        world.renew_pointer_spring(&mut recorder);
        // What elements keep stays as it is: the uniform has no flow.
        let arrays = Arrays { sim: &shared.sim, ..world.arrays() };
        // What Newton's method has left of springs is no load.
        recorder.clear(&arrays.state.loads);
        let loads = arrays.elements.loads(&At::state(&arrays, world.particles()));
        loads.record(&mut recorder, 0);
        self.forces.write(world, shared, (&self.uniform, lines), Vec::new(), recorder)
    }

    pub fn penetrations(
        &mut self,
        world: &World,
        shared: &Shared,
        body: usize,
        scale: f32,
    ) -> Result<Lines<'_>> {
        let lines = lines(world, body, scale)?;
        let Some(collision) = world.collision() else {
            return Ok(self.depths.nothing());
        };
        let lines = GpuLines { count: collision.capacity().records as u32, ..lines };
        let (others, recorder) = (collision.bindings(), Recorder::new(world.context()));
        self.depths.write(world, shared, (&self.uniform, lines), others, recorder)
    }

    pub fn normals(
        &mut self,
        world: &World,
        shared: &Shared,
        body: usize,
        length: f32,
    ) -> Result<Lines<'_>> {
        let lines = lines(world, body, length)?;
        let collision = world.collision().filter(|_| !world.model().colliders.is_empty());
        let Some(collision) = collision else {
            return Ok(self.normals.nothing());
        };
        let count = MANIFOLD * collision.capacity().records as u32;
        let (others, recorder) = (collision.bindings(), Recorder::new(world.context()));
        let uniform = (&self.uniform, GpuLines { count, ..lines });
        self.normals.write(world, shared, uniform, others, recorder)
    }

    /// Lets the lines of a body's forces start on its skin.
    pub fn forces_on_skin(&self, world: &World, shared: &Shared, body: usize) {
        let ranges = &world.model().bodies[body].particles;
        let count = self.forces.count.unwrap_or(0).min(ranges.len() as u32);
        self.on_skin(world, shared, &self.forces.segments, (ranges.start as u32, count));
    }

    /// The same of the line of a pull.
    pub fn pull_on_skin(&self, world: &World, shared: &Shared) {
        if let (Some(pull), Some(segment)) =
            (world.pointer_spring(), world.pointer_spring_segment())
        {
            self.on_skin(world, shared, segment, (pull.particle as u32, 1));
        }
    }

    fn on_skin(
        &self,
        world: &World,
        shared: &Shared,
        segments: &Buffer<Segment>,
        (first, count): (u32, u32),
    ) {
        let context = world.context();
        shared.sim.write(context, &[world.present_sim()]);
        self.uniform.write(context, &[GpuLines { first, count, ..GpuLines::default() }]);
        let others = [segments.bind("segments"), self.anchors.binding(), self.uniform.binding()];
        let mut recorder = Recorder::new(context);
        recorder.dispatch(&shared.bind(world, &self.skin, &others), count as usize, 0);
        recorder.submit();
    }

    /// The lines of forces, penetration vectors and normals as they were written last.
    pub fn last(&self) -> [Option<Lines<'_>>; 3] {
        [&self.forces, &self.depths, &self.normals].map(Written::lines)
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
