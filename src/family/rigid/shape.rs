//! Shapes of rigid bodies: how they are drawn, what they weigh, and the convex parts by which they touch.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DQuat, DVec3, Vec4};

use super::facets::{Facet, Ring};
use super::mass::MassProperties;
use crate::error::{Error, Result};
use crate::extreme;
use crate::gpu::types::{
    COLLIDER_BOX, COLLIDER_CYLINDER, COLLIDER_HULL, COLLIDER_POINT, COLLIDER_SEGMENT, Collider,
    HullFace, NONE,
};
use crate::mesh::{BoundingSphere, Hull, HullFace as Face, Shape, Surface, TetMesh};

impl Shape {
    /// Mass and moments of the shape after scaling; `density` in kg/m³.
    ///
    /// # Errors
    /// Those of [`Self::colliders`].
    pub(crate) fn mass(&self, scale: DVec3, density: f64) -> Result<MassProperties> {
        Ok(match self.scaled(scale)? {
            Self::Box { size } => MassProperties::of_box(size.into(), density),
            Self::Sphere { radius } => MassProperties::sphere(radius, density),
            Self::Capsule { radius, length } => MassProperties::capsule(radius, length, density),
            Self::Cylinder { radius, length } => MassProperties::cylinder(radius, length, density),
            Self::Bipyramid { triangles } => {
                MassProperties::bipyramid(triangles / 2, scale, density)
            }
            Self::Torus { .. } => return Err(not_convex()),
        })
    }

    /// The convex parts by which the shape touches after scaling.
    ///
    /// # Errors
    /// [`Error::Value`]: a scale that makes it another kind of shape. [`Error::Mesh`]: a bipyramid that it makes flat.
    pub(crate) fn colliders(&self, scale: DVec3) -> Result<Vec<Part>> {
        let part = Part::simple;
        Ok(vec![match self.scaled(scale)? {
            Self::Box { size } => part(COLLIDER_BOX, 0.5 * DVec3::from(size), 0.0),
            Self::Sphere { radius } => part(COLLIDER_POINT, DVec3::ZERO, radius),
            Self::Capsule { radius, length } => {
                part(COLLIDER_SEGMENT, 0.5 * length * DVec3::Y, radius)
            }
            Self::Cylinder { radius, length } => Part {
                bound: radius.hypot(0.5 * length),
                ..part(COLLIDER_CYLINDER, DVec3::new(radius, 0.5 * length, radius), 0.0)
            },
            Self::Bipyramid { .. } => {
                let points: Vec<_> = self.surface().points.iter().map(|x| x * scale).collect();
                Part::of_hull(&Hull::of(&points)?)
            }
            Self::Torus { .. } => return Err(not_convex()),
        }])
    }

    /// The same kind of shape after scaling; a bipyramid has no size of its own.
    fn scaled(&self, scale: DVec3) -> Result<Self> {
        let wanted = |want: &str| {
            let want = format!("{want}; a mesh = {{ file = … }} accepts any");
            Err(Error::value("scale", scale, want))
        };
        let (same, round) = (scale == DVec3::splat(scale.x), scale.x == scale.z);
        let factor = scale.x;
        Ok(match *self {
            Self::Box { size } => Self::Box { size: (DVec3::from(size) * scale).into() },
            Self::Sphere { .. } if !same => {
                return wanted("the same along x, y and z for a sphere");
            }
            Self::Capsule { .. } if !same => {
                return wanted("the same along x, y and z for a capsule");
            }
            Self::Cylinder { .. } if !round => {
                return wanted("the same along x and z for a cylinder");
            }
            Self::Sphere { radius } => Self::Sphere { radius: radius * factor },
            Self::Capsule { radius, length } => {
                Self::Capsule { radius: radius * factor, length: length * factor }
            }
            Self::Cylinder { radius, length } => {
                Self::Cylinder { radius: radius * factor, length: length * scale.y }
            }
            Self::Bipyramid { .. } | Self::Torus { .. } => *self,
        })
    }
}

/// The error of a shape that no convex part is.
fn not_convex() -> Error {
    Error::Mesh("is a torus, which is not convex, wanted a convex shape".into())
}

/// Tetrahedra from the centre of mass to each triangle of a closed surface.
///
/// # Errors
/// [`Error::Mesh`]: those of [`MassProperties::of_surface`], and a surface that its centre does not see all of.
pub fn tetrahedra(surface: &Surface) -> Result<TetMesh> {
    let centre = MassProperties::of_surface(surface, 1.0)?.centre;
    let hidden = |i: &usize| {
        let [a, b, c] = surface.corners(*i).map(|x| x - centre);
        a.dot(b.cross(c)) <= 0.0
    };
    if let Some(i) = (0..surface.triangles.len()).find(hidden) {
        return Err(Error::Mesh(format!(
            "triangle {i} faces the centre of mass, wanted a surface all of whose triangles face away from it, such as a convex \
             one"
        )));
    }
    let mut points = surface.points.clone();
    let last = points.len() as u32;
    points.push(centre);
    TetMesh::new(points, surface.triangles.iter().map(|&[a, b, c]| [last, a, b, c]).collect())
}

/// A convex part of a body, in the body's coordinates: what a [`Collider`] is made of, which says what its numbers mean.
#[derive(Clone, Debug)]
pub struct Part {
    /// `COLLIDER_…`
    pub kind: u32,
    /// [m]
    pub position: DVec3,
    /// Turns its own axes into the body's.
    pub rotation: DQuat,
    /// [m]
    pub half: DVec3,
    /// [m]
    pub radius: f64,
    /// [m]
    pub bound: f64,
    /// Of a hull, in its own axes. Parts that share one share its corners on the device.
    pub hull: Option<Arc<Hull>>,
    /// Of a triangle of a mesh.
    pub facet: Option<Facet>,
}

impl Part {
    /// A part about the body's origin that is no hull, of half extents and a radius.
    pub fn simple(kind: u32, half: DVec3, radius: f64) -> Self {
        Self {
            kind,
            position: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            half,
            radius,
            bound: half.length() + radius,
            hull: None,
            facet: None,
        }
    }

    /// A hull, its origin moved to the centre of its smallest bounding sphere.
    pub fn of_hull(hull: &Hull) -> Self {
        let sphere = BoundingSphere::smallest(&hull.points);
        let position = sphere.centre;
        let mut hull = hull.clone();
        hull.points.iter_mut().for_each(|x| *x -= position);
        hull.faces.iter_mut().for_each(|face| face.offset -= face.normal.dot(position));
        Self {
            position,
            bound: sphere.radius,
            hull: Some(Arc::new(hull)),
            ..Self::simple(COLLIDER_HULL, DVec3::ZERO, 0.0)
        }
    }

    /// The angle from a face of a hull to the one that it turns least to, the median over all faces \[rad\]; of other cores none.
    pub fn facet_angle(&self) -> Option<f64> {
        let faces = &self.hull.as_ref()?.faces;
        let edges = |face: &Face| {
            let next = face.corners.iter().cycle().skip(1);
            face.corners.iter().zip(next).map(|(a, b)| [*a, *b]).collect::<Vec<_>>()
        };
        let owners: HashMap<[u32; 2], usize> = (faces.iter().enumerate())
            .flat_map(|(i, face)| edges(face).into_iter().map(move |edge| (edge, i)))
            .collect();
        let least = |face: &Face| {
            let others = edges(face).into_iter().filter_map(|[a, b]| owners.get(&[b, a]));
            let cosines = others.map(|i| faces[*i].normal.dot(face.normal));
            cosines.fold(-1.0, extreme::greatest).min(1.0).acos()
        };
        let mut angles: Vec<f64> = faces.iter().map(least).collect();
        angles.sort_by(f64::total_cmp);
        angles.get(angles.len() / 2).copied()
    }

    /// The same along these axes from this centre, as with those of a body's mass.
    pub fn seen_from(self, centre: DVec3, axes: DQuat) -> Self {
        let back = axes.inverse();
        let (position, rotation) = (back * (self.position - centre), back * self.rotation);
        Self { position, rotation, ..self }
    }
}

/// Colliders in the order of the parts; adds the corners and faces of all of them to `hull_vertices` and `hull_faces`. Poses and
/// bodies are the caller's to fill in.
pub fn pack(parts: &[Part], vertices: &mut Vec<Vec4>, faces: &mut Vec<HullFace>) -> Vec<Collider> {
    let mut known = HashMap::new();
    let mut rings = HashMap::new();
    let collider = |part: &Part| {
        let mut collider = Collider {
            position: part.position.as_vec3(),
            bound: part.bound as f32,
            rotation: Vec4::from(part.rotation.as_quat()),
            half: part.half.as_vec3(),
            radius: part.radius as f32,
            kind: part.kind,
            pose: NONE,
            body: NONE,
            ..Collider::default()
        };
        if let Some(hull) = &part.hull {
            let first =
                *known.entry(Arc::as_ptr(hull)).or_insert_with(|| append(hull, vertices, faces));
            [collider.first_vertex, collider.first_face, collider.face_count] = first;
            collider.vertex_count = hull.points.len() as u32;
        }
        if let Some(facet) = &part.facet {
            let mut ring_of = |ring: &Arc<Ring>| {
                *rings.entry(Arc::as_ptr(ring)).or_insert_with(|| append_ring(ring, vertices))
            };
            let rings = facet.rings.each_ref().map(&mut ring_of);
            let first = append_facet(facet, rings, vertices, faces);
            [collider.first_vertex, collider.first_face] = first;
            collider.vertex_count = 3;
            collider.face_count = faces.len() as u32 - collider.first_face;
        }
        collider
    };
    parts.iter().map(collider).collect()
}

/// Adds what is around a point of a mesh: its normal, beside it as bits how many ways follow, and these. Returns where they begin,
/// which is never 0.
fn append_ring(ring: &Ring, vertices: &mut Vec<Vec4>) -> u32 {
    let first = vertices.len() as u32 + 1;
    let count = f32::from_bits(ring.ways.len() as u32);
    vertices.push(ring.normal.as_vec3().extend(count));
    vertices.extend(ring.ways.iter().map(|way| way.as_vec3().extend(0.0)));
    first
}

/// Adds a triangle of a mesh: its corners, beside each as bits where its ways begin, its wings, and the loops of its faces.
/// Returns where the corners and the faces begin.
fn append_facet(
    facet: &Facet,
    rings: [u32; 3],
    vertices: &mut Vec<Vec4>,
    faces: &mut Vec<HullFace>,
) -> [u32; 2] {
    let first = [vertices.len() as u32, faces.len() as u32];
    let [a, b, c] = facet.corners;
    let place = |x: DVec3| x.as_vec3().extend(0.0);
    let ringed = |k: usize| facet.corners[k].as_vec3().extend(f32::from_bits(rings[k]));
    vertices.extend([0, 1, 2].map(ringed));
    vertices.extend(facet.wings.map(place));
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let sides = [(normal, [a, b, c]), (-normal, [a, c, b])];
    for (normal, corners) in sides.into_iter().take(if facet.is_closed { 1 } else { 2 }) {
        faces.push(HullFace {
            normal: normal.as_vec3(),
            offset: normal.dot(a) as f32,
            first: vertices.len() as u32,
            count: 3,
        });
        vertices.extend(corners.map(place));
    }
    first
}

/// Adds the corners of a hull, the loops of its faces, and the faces; returns where the corners and the faces begin, and how many faces
/// there are. Planes of several faces come first, as of equal faces the first is what something lies on.
fn append(hull: &Hull, vertices: &mut Vec<Vec4>, faces: &mut Vec<HullFace>) -> [u32; 3] {
    let first = [vertices.len() as u32, faces.len() as u32];
    let place = |x: &DVec3| x.as_vec3().extend(0.0);
    vertices.extend(hull.points.iter().map(place));
    for face in hull.wholes().iter().chain(&hull.faces) {
        faces.push(HullFace {
            normal: face.normal.as_vec3(),
            offset: face.offset as f32,
            first: vertices.len() as u32,
            count: face.corners.len() as u32,
        });
        vertices.extend(face.corners.iter().map(|&i| place(&hull.points[i as usize])));
    }
    let [vertex, face] = first;
    [vertex, face, faces.len() as u32 - face]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extreme;
    use crate::mesh::cloud;

    const SHAPES: [Shape; 7] = [
        Shape::Box { size: [1.0, 2.0, 0.5] },
        Shape::Sphere { radius: 0.7 },
        Shape::Capsule { radius: 0.3, length: 1.0 },
        Shape::Cylinder { radius: 0.4, length: 1.5 },
        Shape::Bipyramid { triangles: 6 },
        Shape::Bipyramid { triangles: 8 },
        Shape::Bipyramid { triangles: 80 },
    ];

    fn same_mass(got: &MassProperties, want: &MassProperties, tolerance: f64) {
        assert!((got.mass / want.mass - 1.0).abs() < tolerance, "{got:?} {want:?}");
        let ratio = got.moments / want.moments - 1.0;
        assert!(ratio.abs().max_element() < tolerance, "{got:?} {want:?}");
        assert!(got.centre.distance(want.centre) < tolerance, "{got:?}");
    }

    #[test]
    fn surfaces_are_closed_and_as_heavy_as_the_closed_forms_say() {
        for shape in SHAPES {
            let surface = shape.surface();
            surface.check().unwrap();
            assert_eq!(surface.open_edges(), 0, "{shape:?}");
            let got = MassProperties::of_surface(&surface, 3.0).unwrap();
            let flat = matches!(shape, Shape::Box { .. } | Shape::Bipyramid { .. });
            let want = shape.mass(DVec3::ONE, 3.0).unwrap();
            same_mass(&got, &want, if flat { 1e-12 } else { 0.06 });
            assert!(flat || got.mass < want.mass);
        }
        assert_eq!(SHAPES[5].surface().triangles.len(), 8);
    }

    #[test]
    fn fine_meshes_approach_the_closed_forms_quadratically() {
        let errors = [40, 80, 160].map(|around| {
            [SHAPES[1], SHAPES[2], SHAPES[3]].map(|shape| {
                let surface = shape.surface_of(around, f64::INFINITY);
                let got = MassProperties::of_surface(&surface, 1.0).unwrap();
                let want = shape.mass(DVec3::ONE, 1.0).unwrap();
                same_mass(&got, &want, 80.0 / f64::from(around * around));
                1.0 - got.moments.x / want.moments.x
            })
        });
        for shape in 0..3 {
            for pair in errors.windows(2) {
                let ratio = pair[0][shape] / pair[1][shape];
                assert!((ratio - 4.0).abs() < 0.05, "{shape}: {ratio}");
            }
        }
    }

    #[test]
    fn tetrahedra_fill_what_the_centre_sees() {
        for shape in SHAPES {
            let surface = shape.surface();
            let mesh = tetrahedra(&surface).unwrap();
            assert_eq!(mesh.tets.len(), surface.triangles.len());
            assert!((mesh.total_volume() / surface.volume() - 1.0).abs() < 1e-12);
            assert_eq!(mesh.surface_triangles().len(), surface.triangles.len());
        }
        // Bent so that the ends hide from the middle.
        let mut bent = Shape::Capsule { radius: 0.1, length: 2.0 }.surface_of(12, f64::INFINITY);
        bent.points.iter_mut().for_each(|x| x.x += 2.0 * x.y * x.y);
        let message = tetrahedra(&bent).unwrap_err().to_string();
        assert!(message.contains("faces the centre of mass"), "{message}");
    }

    #[test]
    fn scales_that_make_another_shape_are_refused() {
        let long = DVec3::new(2.0, 3.0, 2.0);
        for (shape, scale, fits) in [
            (SHAPES[0], DVec3::new(1.0, 2.0, 3.0), true),
            (SHAPES[1], long, false),
            (SHAPES[1], DVec3::splat(2.0), true),
            (SHAPES[2], long, false),
            (SHAPES[3], long, true),
            (SHAPES[3], DVec3::new(2.0, 2.0, 3.0), false),
            (SHAPES[4], DVec3::new(1.0, 2.0, 3.0), true),
        ] {
            match (shape.colliders(scale), fits) {
                (Ok(_), true) => {
                    let mut surface = shape.surface();
                    surface.points.iter_mut().for_each(|x| *x *= scale);
                    let got = MassProperties::of_surface(&surface, 2.0).unwrap();
                    same_mass(&shape.mass(scale, 2.0).unwrap(), &got, 0.07);
                }
                (Err(error), false) => assert!(error.to_string().contains("mesh = { file")),
                (got, _) => panic!("{shape:?} by {scale}: {got:?}"),
            }
        }
    }

    #[test]
    fn bounds_hold_the_surface_and_reach_it() {
        for shape in SHAPES {
            let part = &shape.colliders(DVec3::ONE).unwrap()[0];
            let distances = shape.surface().points.into_iter().map(|x| x.distance(part.position));
            let farthest = distances.fold(0.0, extreme::greatest);
            assert!((part.bound - farthest).abs() < 1e-12, "{shape:?}");
        }
    }

    #[test]
    fn packed_hulls_are_found_again_and_shared() {
        let hull = Hull::of(&cloud(5, 30).iter().map(|x| x + 500.0).collect::<Vec<_>>()).unwrap();
        let part = Part::of_hull(&hull);
        let octahedron = SHAPES[5].colliders(DVec3::ONE).unwrap().remove(0);
        let turned = part.clone().seen_from(DVec3::X, DQuat::from_rotation_y(0.3));
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        let colliders = pack(&[octahedron, part.clone(), turned], &mut vertices, &mut faces);
        let [first, a, b] = colliders[..] else { panic!("three") };
        assert_eq!(
            (first.vertex_count, first.face_count, a.first_vertex, a.first_face),
            (6, 8, 30, 8)
        );
        assert_eq!((a.first_vertex, a.first_face), (b.first_vertex, b.first_face));
        assert_eq!(faces.len() as u32, a.first_face + a.face_count);
        let place = |x: Vec4| x.truncate().as_dvec3() + part.position;
        let [begin, end] = [a.first_vertex, a.first_vertex + a.vertex_count].map(|i| i as usize);
        for (got, want) in vertices[begin..end].iter().zip(&hull.points) {
            assert!(place(*got).distance(*want) < 1e-6 && got.w == 0.0);
        }
        for (got, want) in faces[a.first_face as usize..].iter().zip(&hull.faces) {
            assert_eq!(got.count as usize, want.corners.len());
            for (k, i) in want.corners.iter().enumerate() {
                let corner = vertices[got.first as usize + k];
                assert!(place(corner).distance(hull.points[*i as usize]) < 1e-6);
                assert!((got.normal.dot(corner.truncate()) - got.offset).abs() < 1e-5);
            }
        }
        let back = DQuat::from_rotation_y(0.3) * b.position.as_dvec3() + DVec3::X;
        assert!(back.distance(part.position) < 1e-3);
    }
}
