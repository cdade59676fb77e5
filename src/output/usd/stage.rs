//! What there is in a stage.

use super::super::solid::SolidMesh;
use super::super::text::prim_names;
use super::super::{BodyTopology, SolidShape, SolidTopology, Topology};
use super::prim::{Prim, Sample, Stage, Value};
use super::samples::Attribute;
use super::{Recording, extent};
use crate::render::color::linear;
use crate::render::{Camera, Look};
use glam::{Mat3, Quat, Vec3};
use std::io;
use std::ops::Range;

/// The prim that holds all others, and those in it that are neither bodies nor solids.
const WORLD: &str = "World";
const LOOKS: &str = "Looks";
const CAMERA: &str = "Camera";
const SUN: &str = "Sun";
const SKY: &str = "Sky";

/// Height of the camera's film [tenths of a metre]: that of 35 mm film.
const APERTURE: f32 = 0.24;
/// Width of the sun [degrees]: shadows that are a little soft.
const SUN_ANGLE: f32 = 3.0;
/// Brightness of the sun, whatever its width, and of the sky: as UsdLux defines them white is grey in the sun, in Blender,
/// which takes the sun to be four times as bright, nearly white.
const SUN_INTENSITY: f32 = 1.0;
const SKY_INTENSITY: f32 = 0.5;

/// The stage of what was recorded.
pub fn stage(topology: &Topology, recording: &mut Recording, fps: f64) -> io::Result<Stage> {
    let names = topology.bodies.iter().map(|body| body.name.as_str());
    let names = names.chain(topology.solids.iter().map(|solid| solid.name.as_str()));
    let names = prim_names(names, &[LOOKS, CAMERA, SUN, SKY]);
    let (of_bodies, of_solids) = names.split_at(topology.bodies.len());
    let mut root = Prim::new("Xform", WORLD);
    let mut looks = Prim::new("Scope", LOOKS);
    let mut rigid = 0;
    for ((body, name), shown) in topology.bodies.iter().zip(of_bodies).zip(topology.shown()) {
        let colored = Colored { name, own_name: &body.name, color: body.color };
        root.children.push(if body.is_rigid {
            rigid += 1;
            rigid_mesh(&colored, body, shown, rigid - 1, recording)?
        } else if body.is_cloud() {
            points(&colored, body, shown)
        } else {
            mesh(&colored, body, shown)
        });
        looks.children.push(colored.material());
    }
    for ((solid, name), index) in topology.solids.iter().zip(of_solids).zip(rigid..) {
        let colored = Colored { name, own_name: &solid.name, color: solid.color };
        root.children.push(solid_mesh(&colored, solid, index, recording));
        looks.children.push(colored.material());
    }
    root.children.push(camera(topology, recording, rigid));
    let towards_light = Look::default().light.normalize();
    root.children.push(
        turned(Prim::new("DistantLight", SUN), Quat::from_rotation_arc(Vec3::Z, towards_light))
            .with("float", "inputs:angle", Value::Float(SUN_ANGLE))
            .with("bool", "inputs:normalize", Value::Bool(true))
            .with("float", "inputs:intensity", Value::Float(SUN_INTENSITY)),
    );
    root.children.push(
        Prim::new("DomeLight", SKY).with("color3f", "inputs:color", Value::Vector(Vec3::ONE)).with(
            "float",
            "inputs:intensity",
            Value::Float(SKY_INTENSITY),
        ),
    );
    root.children.push(looks);
    let frames = recording.frames();
    let frames = [frames.first(), frames.last()].map(|frame| frame.copied().unwrap_or_default());
    Ok(Stage { fps, frames, root })
}

/// What is drawn in one colour.
struct Colored<'a> {
    /// Its prim's name.
    name: &'a str,
    /// Its own name.
    own_name: &'a str,
    color: [u8; 3],
}

impl Colored<'_> {
    /// A prim of any kind that is drawn.
    fn prim(&self, kind: &'static str) -> Prim {
        let mut prim = Prim::new(kind, self.name);
        prim.display_name = (self.name != self.own_name).then(|| self.own_name.to_owned());
        prim.schemas = &["MaterialBindingAPI"];
        let material = format!("/{WORLD}/{LOOKS}/{}", self.name);
        prim.with("rel", "material:binding", Value::Path(material)).with(
            "color3f[]",
            "primvars:displayColor",
            Value::Vectors(vec![self.linear()]),
        )
    }

    /// A mesh of triangles that are given by indices of points.
    fn mesh(&self, corners: impl Iterator<Item = u32>) -> Prim {
        let corners: Vec<_> = corners.map(|i| i as i32).collect();
        self.prim("Mesh")
            .with("token", "subdivisionScheme", Value::Token("none"))
            .uniform()
            .with("bool", "doubleSided", Value::Bool(true))
            .uniform()
            .with("int[]", "faceVertexCounts", Value::Ints(vec![3; corners.len() / 3]))
            .with("int[]", "faceVertexIndices", Value::Ints(corners))
    }

    /// A material of this colour.
    fn material(&self) -> Prim {
        let shader = Prim::new("Shader", "Surface")
            .with("token", "info:id", Value::Token("UsdPreviewSurface"))
            .uniform()
            .with("color3f", "inputs:diffuseColor", Value::Vector(self.linear()))
            .with("token", "outputs:surface", Value::Nothing);
        let surface = format!("/{WORLD}/{LOOKS}/{}/Surface.outputs:surface", self.name);
        let mut material =
            Prim::new("Material", self.name).with("token", "outputs:surface", Value::Path(surface));
        material.children.push(shader);
        material
    }

    /// The colour in linear light.
    fn linear(&self) -> Vec3 {
        self.color.map(linear).into()
    }
}

/// The mesh of a body up to its points.
fn body_mesh(colored: &Colored<'_>, body: &BodyTopology) -> Prim {
    let start = body.vertices.start as u32;
    let prim = colored.mesh(body.triangles.as_flattened().iter().map(|i| i - start));
    let Some(uv) = &body.uv else {
        return prim;
    };
    let indices = uv.corners.as_flattened().iter().map(|i| *i as i32).collect();
    prim.with("texCoord2f[]", "primvars:st", Value::Pairs(uv.values.clone()))
        .per("faceVarying")
        .with("int[]", "primvars:st:indices", Value::Ints(indices))
}

fn mesh(colored: &Colored<'_>, body: &BodyTopology, shown: Range<usize>) -> Prim {
    sampled(body_mesh(colored, body), &shown, 0.0)
        .with("normal3f[]", "normals", Value::Samples(Sample::Normals(shown)))
        .per("vertex")
}

/// Spheres of the body's radius.
fn points(colored: &Colored<'_>, body: &BodyTopology, shown: Range<usize>) -> Prim {
    let widths = Value::Floats(vec![2.0 * body.radius]);
    let prim = colored.prim("Points").with("float[]", "widths", widths).per("constant");
    sampled(prim, &shown, body.radius)
}

/// Points, each as thick as `radius`.
fn sampled(prim: Prim, shown: &Range<usize>, radius: f32) -> Prim {
    prim.with("float3[]", "extent", Value::Samples(Sample::Extent(shown.clone(), radius))).with(
        "point3f[]",
        "points",
        Value::Samples(Sample::Points(shown.clone())),
    )
}

/// A mesh about its centre as the first frame shows it, along the body's own axes, and where it is. `rigid`: its number
/// among what is rigid.
fn rigid_mesh(
    colored: &Colored<'_>,
    body: &BodyTopology,
    shown: Range<usize>,
    rigid: usize,
    recording: &mut Recording,
) -> io::Result<Prim> {
    let first = recording.placements[0][rigid];
    let points = recording.read(0, Attribute::Position, &shown)?;
    let points = points.iter().map(|x| first.own(*x)).collect();
    let normals = recording.read(0, Attribute::Normal, &shown)?;
    let normals = normals.iter().map(|n| first.own_direction(*n)).collect();
    let prim = own_shape(body_mesh(colored, body), points, normals);
    Ok(placed(prim, rigid, recording))
}

fn solid_mesh(
    colored: &Colored<'_>,
    solid: &SolidTopology,
    rigid: usize,
    recording: &Recording,
) -> Prim {
    let mesh = SolidMesh::new(solid.shape);
    let prim = colored.mesh(mesh.triangles.as_flattened().iter().copied());
    placed(own_shape(prim, mesh.positions, mesh.normals), rigid, recording)
}

/// Points and normals that do not change.
fn own_shape(prim: Prim, points: Vec<Vec3>, normals: Vec<Vec3>) -> Prim {
    prim.with("float3[]", "extent", extent(&points, 0.0))
        .with("point3f[]", "points", Value::Vectors(points))
        .with("normal3f[]", "normals", Value::Vectors(normals))
        .per("vertex")
}

/// Where something rigid is: per frame, if it moves.
fn placed(prim: Prim, rigid: usize, recording: &Recording) -> Prim {
    let first = recording.placements[0][rigid];
    let moves = recording.placements.iter().any(|frame| frame[rigid] != first);
    let (centre, rotation) = match moves {
        true => (Value::Samples(Sample::Centre(rigid)), Value::Samples(Sample::Rotation(rigid))),
        false => (Value::Place(first.centre), Value::Rotation(first.rotation)),
    };
    prim.with("double3", "xformOp:translate", centre)
        .with("quatf", "xformOp:orient", rotation)
        .with("token[]", "xformOpOrder", Value::Tokens(&["xformOp:translate", "xformOp:orient"]))
        .uniform()
}

fn turned(prim: Prim, rotation: Quat) -> Prim {
    prim.with("quatf", "xformOp:orient", Value::Rotation(rotation))
        .with("token[]", "xformOpOrder", Value::Tokens(&["xformOp:orient"]))
        .uniform()
}

/// The camera that is given, or one that has all in view that has an end, in all frames. `first` is the number of the first
/// solid among what is rigid.
fn camera(topology: &Topology, recording: &Recording, first: usize) -> Prim {
    let (mut low, mut high) = recording.bounds;
    for (solid, index) in topology.solids.iter().zip(first..) {
        if matches!(solid.shape, SolidShape::Plane { .. }) {
            continue;
        }
        let mesh = SolidMesh::new(solid.shape);
        for (x, _) in recording.placements.iter().flat_map(|frame| mesh.at(&frame[index])) {
            (low, high) = (low.min(x), high.max(x));
        }
    }
    let aspect = topology.view.aspect;
    let camera = topology.view.camera.unwrap_or_else(|| Camera::frame(low, high, aspect));
    let [right, up, back] = camera.axes();
    let rotation = Quat::from_mat3(&Mat3::from_cols(right, up, back));
    let distance = camera.distance();
    let focal_length = 0.5 * APERTURE / (0.5 * camera.fov_y).tan();
    Prim::new("Camera", CAMERA)
        .with("token", "projection", Value::Token("perspective"))
        .with("float", "focalLength", Value::Float(focal_length))
        .with("float", "horizontalAperture", Value::Float(aspect * APERTURE))
        .with("float", "verticalAperture", Value::Float(APERTURE))
        .with("float2", "clippingRange", Value::Pair([0.01 * distance, 1000.0 * distance]))
        .with("double3", "xformOp:translate", Value::Place(camera.eye))
        .with("quatf", "xformOp:orient", Value::Rotation(rotation))
        .with("token[]", "xformOpOrder", Value::Tokens(&["xformOp:translate", "xformOp:orient"]))
        .uniform()
}
