//! Obstacles as things to draw: planes by point, normal and colour, spheres and boxes as triangles.

use std::f32::consts::{PI, TAU};
use std::ops::Range;

use glam::{Quat, Vec3, Vec4};

use super::color::linear;
use super::{Background, DrawnSurface, Look, SurfaceStyle};
use crate::gpu::{Buffer, Context, types};
use crate::{Result, gpu::types::Solid};

/// Everything of a [`Look`] that stands still, on the device.
#[derive(Debug)]
pub(super) struct Solids {
    /// Vertices of the spheres and boxes.
    pub positions: Buffer<Vec4>,
    /// Their normals.
    pub normals: Buffer<Vec4>,
    /// Their triangles.
    pub indices: Buffer<u32>,
    /// One point of each plane.
    pub plane_origins: Buffer<Vec4>,
    /// The outward normal of each plane.
    pub plane_normals: Buffer<Vec4>,
    /// The linear RGB of each plane, and 1; 0 where it has that of the ground.
    pub plane_colors: Buffer<Vec4>,
    /// Neighbours of one colour in `indices`, with that colour, if they have one.
    runs: Vec<(Option<[u8; 3]>, Range<u32>)>,
    floor: Option<f32>,
    solids: Vec<Solid>,
}

impl Solids {
    pub fn new(context: &Context, look: &Look) -> Result<Self> {
        let mut mesh = Mesh::default();
        let mut runs: Vec<(Option<[u8; 3]>, Range<u32>)> = Vec::new();
        let floor = look.floor.map(|height| Solid {
            centre: height * Vec3::Y,
            extent: Vec3::Y,
            kind: types::SOLID_PLANE,
            ..Solid::default()
        });
        let mut planes: Vec<_> = floor.into_iter().collect();
        for solid in &look.solids {
            match solid.kind {
                types::SOLID_PLANE => planes.push(*solid),
                types::SOLID_SPHERE => mesh.add_sphere(solid.centre, solid.extent.x),
                _ => mesh.add_box(solid.centre, solid.extent, Quat::from_vec4(solid.rotation)),
            }
            let (color, end) = (color_of(solid), mesh.indices.len() as u32);
            match runs.last_mut() {
                Some((last, run)) if *last == color => run.end = end,
                last => {
                    let start = last.map_or(0, |(_, run)| run.end);
                    runs.push((color, start..end));
                }
            }
        }
        let of_planes = |what: fn(&Solid) -> Vec4| planes.iter().map(what).collect::<Vec<_>>();
        let origins = of_planes(|plane| plane.centre.extend(0.0));
        let normals = of_planes(|plane| plane.extent.extend(0.0));
        let colors = of_planes(|plane| {
            let color = color_of(plane).map(|color| Vec3::from(color.map(linear)).extend(1.0));
            color.unwrap_or_default()
        });
        Ok(Self {
            positions: upload(context, "solid positions", &mesh.positions)?,
            normals: upload(context, "solid normals", &mesh.normals)?,
            indices: upload(context, "solid triangles", &mesh.indices)?,
            plane_origins: upload(context, "plane origins", &origins)?,
            plane_normals: upload(context, "plane normals", &normals)?,
            plane_colors: upload(context, "plane colours", &colors)?,
            runs,
            floor: look.floor,
            solids: look.solids.clone(),
        })
    }

    /// The spheres and boxes, by colours; the picture's background decides on that of those that have none.
    pub fn surfaces(&self, background: Background) -> Vec<DrawnSurface<'_>> {
        let surface = |(color, index_range): &(Option<[u8; 3]>, Range<u32>)| DrawnSurface {
            positions: &self.positions,
            normals: &self.normals,
            indices: &self.indices,
            index_range: index_range.clone(),
            color: color.unwrap_or(background.palette().solid),
            closed: true,
            style: SurfaceStyle::Smooth,
            values: None,
            active: false,
        };
        self.runs.iter().map(surface).collect()
    }

    /// Whether they are still those of this look.
    pub fn show(&self, look: &Look) -> bool {
        self.floor == look.floor && self.solids == look.solids
    }
}

/// The sRGB that a solid has of its own.
fn color_of(solid: &Solid) -> Option<[u8; 3]> {
    let [own, rgb @ ..] = solid.color.to_be_bytes();
    (own > 0).then_some(rgb)
}

/// A buffer for drawing with the given elements.
pub(super) fn upload<T: crate::gpu::Shared>(
    context: &Context,
    label: &str,
    elements: &[T],
) -> Result<Buffer<T>>
where
    Vec<T>: encase::ShaderType + encase::internal::WriteInto + encase::internal::CreateFrom,
{
    let buffer = Buffer::drawable(context, label, elements.len())?;
    buffer.write(context, 0, elements);
    Ok(buffer)
}

/// Triangles of solids, counter-clockwise from outside.
#[derive(Default)]
pub(crate) struct Mesh {
    /// x, y, z, 1
    pub positions: Vec<Vec4>,
    /// x, y, z, 0
    pub normals: Vec<Vec4>,
    /// Three per triangle.
    pub indices: Vec<u32>,
}

impl Mesh {
    fn add_vertex(&mut self, position: Vec3, normal: Vec3) {
        self.positions.push(position.extend(1.0));
        self.normals.push(normal.extend(0.0));
    }

    /// Meridians and parallels; the poles are repeated once per meridian.
    pub fn add_sphere(&mut self, centre: Vec3, radius: f32) {
        const AROUND: u32 = 64;
        const DOWN: u32 = 32;
        let first = self.positions.len() as u32;
        for row in 0..=DOWN {
            let (sin, cos) = (PI * row as f32 / DOWN as f32).sin_cos();
            for column in 0..=AROUND {
                let (z, x) = (TAU * column as f32 / AROUND as f32).sin_cos();
                let normal = Vec3::new(sin * x, cos, sin * z);
                self.add_vertex(centre + radius * normal, normal);
            }
        }
        for row in 0..DOWN {
            for column in 0..AROUND {
                let a = first + row * (AROUND + 1) + column;
                let b = a + AROUND + 1;
                // At a pole one of the two has no area.
                if row > 0 {
                    self.indices.extend([a, a + 1, b]);
                }
                if row + 1 < DOWN {
                    self.indices.extend([b, a + 1, b + 1]);
                }
            }
        }
    }

    /// Four vertices per face, so that edges stay sharp.
    pub fn add_box(&mut self, centre: Vec3, half: Vec3, rotation: Quat) {
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                let first = self.positions.len() as u32;
                let normal = sign * Vec3::AXES[axis];
                let (u, v) = (Vec3::AXES[(axis + 1) % 3], sign * Vec3::AXES[(axis + 2) % 3]);
                for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    self.add_vertex(
                        centre + rotation * (half * (normal + a * u + b * v)),
                        rotation * normal,
                    );
                }
                self.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_run_counterclockwise_seen_from_outside() {
        let mut mesh = Mesh::default();
        mesh.add_sphere(Vec3::new(1.0, 2.0, 3.0), 0.5);
        mesh.add_box(
            Vec3::new(-2.0, 0.0, 1.0),
            Vec3::new(0.1, 0.5, 2.0),
            Quat::from_rotation_y(0.7),
        );
        let mut volume = 0.0;
        for corners in mesh.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| mesh.positions[corners[k] as usize].truncate());
            let normal = mesh.normals[corners[0] as usize].truncate();
            assert!((b - a).cross(c - a).dot(normal) > 0.0, "{corners:?}");
            volume += a.dot(b.cross(c)) / 6.0;
        }
        let exact = 4.0 / 3.0 * PI * 0.125 + 8.0 * 0.1 * 0.5 * 2.0;
        assert!((volume - exact).abs() < 0.01 * exact, "{volume}, wanted {exact}");
    }
}
