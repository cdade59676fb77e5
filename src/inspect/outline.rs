//! Where colliders are, as lines.

use std::f32::consts::TAU;
use std::ops::Range;

use glam::{Quat, Vec3, Vec4};

use super::Shared;
use crate::gpu::types::{
    COLLIDER_BOX, COLLIDER_CYLINDER, COLLIDER_POINT, COLLIDER_SEGMENT, Collider, HullFace,
    Lines as GpuLines, Outline, Segment,
};
use crate::gpu::{Buffer, Kernel, Recorder, Uniforms};
use crate::model::Model;
use crate::{Result, World};

/// Lines around what is round.
const AROUND: usize = 32;

/// Outlines of colliders as line segments in world coordinates.
#[derive(Clone, Copy, Debug)]
pub struct ColliderLines<'a> {
    /// The lines of all bodies' colliders.
    pub segments: &'a Buffer<Segment>,
    /// The lines of each body, as ranges of `segments`; deformable bodies have none.
    pub ranges: &'a [Range<u32>],
}

/// The pass that puts outlines where their poses are.
#[derive(Debug)]
pub(super) struct Outlines {
    outlines: Buffer<Outline>,
    segments: Buffer<Segment>,
    uniform: Uniforms<GpuLines>,
    kernel: Kernel,
    ranges: Vec<Range<u32>>,
}

impl Outlines {
    /// Those of a world's bodies.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(world: &World) -> Result<Self> {
        let context = world.context();
        let (outlines, ranges) = outlines(world.model());
        Ok(Self {
            segments: Buffer::drawable(context, "segments", outlines.len())?,
            outlines: Buffer::new(context, "outlines", &outlines)?,
            uniform: Uniforms::new(context, "lines", 1),
            kernel: Kernel::new(context, "collider_lines"),
            ranges,
        })
    }

    pub fn update(&self, world: &World, shared: &Shared) -> ColliderLines<'_> {
        let context = world.context();
        let count = self.outlines.len();
        shared.sim.write(context, &[world.present_sim()]);
        self.uniform.write(context, &[GpuLines { count: count as u32, ..GpuLines::default() }]);
        let others = [self.segments.binding(), self.outlines.binding(), self.uniform.binding()];
        let mut recorder = Recorder::new(context);
        recorder.dispatch(&shared.bind(world, &self.kernel, &others), count, 0);
        recorder.submit();
        self.lines()
    }

    pub fn lines(&self) -> ColliderLines<'_> {
        ColliderLines { segments: &self.segments, ranges: &self.ranges }
    }
}

/// The outlines of all bodies' colliders, and which of them are each body's.
fn outlines(model: &Model) -> (Vec<Outline>, Vec<Range<u32>>) {
    let mut all = Vec::new();
    let mut ranges = vec![0..0; model.bodies.len()];
    // The colliders of a body stand together; obstacles, which are drawn as they are, behind those of bodies.
    for collider in &model.colliders[..model.first_obstacle] {
        let range = &mut ranges[collider.body as usize];
        if range.start == range.end {
            *range = all.len() as u32..all.len() as u32;
        }
        let turn = Quat::from_vec4(collider.rotation);
        let place = |x: Vec3| collider.position + turn * x;
        let lines = outline(collider, &model.hull_vertices, &model.hull_faces);
        all.extend(lines.into_iter().map(|[start, end]| Outline {
            start: place(start),
            pose: collider.pose,
            end: place(end),
        }));
        range.end = all.len() as u32;
    }
    (all, ranges)
}

/// The lines of a collider, in its own axes: edges of what is flat, of what is round circles and lines along it.
fn outline(collider: &Collider, vertices: &[Vec4], faces: &[HullFace]) -> Vec<[Vec3; 2]> {
    let (half, radius) = (collider.half, collider.radius);
    let [across, side, along] = [Vec3::X, Vec3::Z, Vec3::Y];
    let sides = |radius: f32| {
        let away = [across, -across, side, -side];
        away.map(|away| [radius * away - half.y * along, radius * away + half.y * along])
    };
    let rings = |radius: f32| {
        let ring = |y: f32| arc(y * along, radius * across, radius * side, AROUND);
        [ring(half.y), ring(-half.y)].concat()
    };
    match collider.kind {
        COLLIDER_POINT => {
            let axes = [(across, side), (side, along), (along, across)];
            axes.map(|(u, v)| arc(Vec3::ZERO, radius * u, radius * v, AROUND)).concat()
        }
        COLLIDER_SEGMENT => {
            let cap = |sign: f32, u: Vec3| {
                arc(sign * half.y * along, radius * u, sign * radius * along, AROUND / 2)
            };
            let caps = [(1.0, across), (1.0, side), (-1.0, across), (-1.0, side)];
            let caps = caps.map(|(sign, u)| cap(sign, u)).concat();
            [sides(radius).to_vec(), rings(radius), caps].concat()
        }
        COLLIDER_CYLINDER => [sides(half.x).to_vec(), rings(half.x)].concat(),
        COLLIDER_BOX => box_edges(half),
        _ => hull_edges(collider, vertices, faces),
    }
}

/// A circle about a centre from the end of u over that of v, or its first lines.
fn arc(centre: Vec3, u: Vec3, v: Vec3, lines: usize) -> Vec<[Vec3; 2]> {
    let place = |k: usize| {
        let (sine, cosine) = (TAU * k as f32 / AROUND as f32).sin_cos();
        centre + cosine * u + sine * v
    };
    (0..lines).map(|k| [place(k), place(k + 1)]).collect()
}

fn box_edges(half: Vec3) -> Vec<[Vec3; 2]> {
    let signs = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
    let edge = |axis: usize, [first, second]: [f32; 2]| {
        [-1.0, 1.0].map(|end| {
            let mut corner = [0.0; 3];
            corner[axis] = end;
            corner[(axis + 1) % 3] = first;
            corner[(axis + 2) % 3] = second;
            half * Vec3::from(corner)
        })
    };
    (0..3).flat_map(|axis| signs.map(|signs| edge(axis, signs))).collect()
}

/// The sides of its faces, each once.
fn hull_edges(collider: &Collider, vertices: &[Vec4], faces: &[HullFace]) -> Vec<[Vec3; 2]> {
    let first = collider.first_face as usize;
    let mut edges: Vec<[[f32; 3]; 2]> = Vec::new();
    for face in &faces[first..first + collider.face_count as usize] {
        let first = face.first as usize;
        let corners = &vertices[first..first + face.count as usize];
        let next = corners.iter().cycle().skip(1);
        edges.extend(corners.iter().zip(next).map(|(a, b)| {
            let mut ends = [a, b].map(|x| x.truncate().to_array());
            ends.sort_by(order);
            ends
        }));
    }
    edges.sort_by(|a, b| order(&a[0], &b[0]).then_with(|| order(&a[1], &b[1])));
    edges.dedup();
    edges.into_iter().map(|ends| ends.map(Vec3::from)).collect()
}

/// Any order, as long as it is one.
fn order(a: &[f32; 3], b: &[f32; 3]) -> std::cmp::Ordering {
    let by_axis = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    by_axis.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::family::rigid::shape::pack;
    use crate::gpu::types::COLLIDER_TRIANGLE;
    use crate::mesh::Shape;

    fn of(shape: Shape) -> Vec<[Vec3; 2]> {
        let parts = shape.colliders(DVec3::ONE).unwrap();
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        let colliders = pack(&parts, &mut vertices, &mut faces);
        outline(&colliders[0], &vertices, &faces)
    }

    /// How far ends are from what `distance` measures from [m].
    fn off(lines: &[[Vec3; 2]], distance: impl Fn(Vec3) -> f32) -> f32 {
        let ends = lines.iter().flatten();
        ends.map(|x| distance(*x).abs()).fold(0.0, crate::extreme::greatest)
    }

    #[test]
    fn outlines_lie_on_the_surface_and_have_every_edge_once() {
        let ball = of(Shape::Sphere { radius: 0.7 });
        assert!(ball.len() == 3 * AROUND && off(&ball, |x| x.length() - 0.7) < 1e-6);
        let capsule = of(Shape::Capsule { radius: 0.3, length: 1.0 });
        let axis = |x: Vec3| x.with_y(x.y - x.y.clamp(-0.5, 0.5));
        assert!(off(&capsule, |x| axis(x).length() - 0.3) < 1e-6);
        let highest = capsule.iter().flatten().fold(0.0_f32, |most, x| most.max(x.y.abs()));
        assert!((highest - 0.8).abs() < 1e-6);
        let cylinder = of(Shape::Cylinder { radius: 0.4, length: 1.5 });
        assert!(off(&cylinder, |x| x.with_y(0.0).length() - 0.4) < 1e-6);
        assert!(off(&cylinder, |x| x.y.abs() - 0.75) < 1e-6);
        let cuboid = of(Shape::Box { size: [1.0, 2.0, 0.5] });
        assert!(off(&cuboid, |x| (x.abs() - Vec3::new(0.5, 1.0, 0.25)).length()) < 1e-6);
        let lengths: f32 = cuboid.iter().map(|[a, b]| a.distance(*b)).sum();
        assert!(cuboid.len() == 12 && (lengths - 14.0).abs() < 1e-5);
        // As many edges as corners and faces, less two.
        for triangles in [6, 8, 80] {
            let edges = of(Shape::Bipyramid { triangles });
            assert_eq!(edges.len() as u32, triangles / 2 * 3);
        }
    }

    #[test]
    fn a_triangle_has_three_sides_from_the_front_alone_too() {
        let vertices = [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::ZERO, Vec3::Z, Vec3::X];
        let vertices = vertices.map(|x| x.extend(0.0));
        let face = |first: u32| HullFace { first, count: 3, ..HullFace::default() };
        for count in [1, 2] {
            let kind = COLLIDER_TRIANGLE;
            let triangle = Collider { kind, face_count: count, ..Collider::default() };
            assert_eq!(outline(&triangle, &vertices, &[face(0), face(3)]).len(), 3);
        }
    }
}
