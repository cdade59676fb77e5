//! Universal Scene Description, as text: what is drawn, one mesh per body, or points, with a sample per frame; of a rigid body
//! one mesh, with a sample of where it is per frame.
//!
//! An attribute's samples stand together in the file, so the frames are kept in a scratch file until the end.

use super::samples::{Attribute, Samples};
use super::text::{prim_names, put, put_vector, quoted};
use super::{BodyTopology, Frame, FrameWriter, Placement, Topology};
use crate::error::Result;
use crate::file::write_whole;
use crate::render::color::linear;
use glam::Vec3;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The folder of the materials in the stage; no body may have this name.
const LOOKS: &str = "Looks";

/// Normals belong to vertices, not to corners of faces.
const PER_VERTEX: &str = "        normal3f[] normals (interpolation = \"vertex\")\n";

/// Writes `scene.usda` when it finishes.
pub struct UsdaWriter {
    path: PathBuf,
    /// None once the file is written.
    samples: Option<Samples>,
    /// Of each frame those of the rigid bodies.
    placements: Vec<Vec<Placement>>,
    fps: f64,
}

impl UsdaWriter {
    pub fn new(folder: &Path, topology: &Topology, fps: f64) -> Result<Self> {
        let count = topology.shown().last().map_or(0, |shown| shown.end);
        let samples = Samples::create(folder.join("scene.usda.samples"), count)?;
        let path = folder.join("scene.usda");
        Ok(Self { path, samples: Some(samples), placements: Vec::new(), fps })
    }
}

impl FrameWriter for UsdaWriter {
    fn write(&mut self, topology: &Topology, frame: &Frame<'_>) -> Result<()> {
        if let Some(samples) = &mut self.samples {
            samples.add(topology, frame)?;
            self.placements.push(frame.placements.to_vec());
        }
        Ok(())
    }

    /// Writes the stage; without a frame there is none. The scratch file goes when the stage is complete.
    fn finish(&mut self, topology: &Topology) -> Result<()> {
        let Some(mut samples) = self.samples.take() else {
            return Ok(());
        };
        if !samples.frames().is_empty() {
            write_whole(&self.path, |out| {
                let (samples, placements) = (&mut samples, &self.placements);
                Stage { out, samples, placements }.write(topology, self.fps)
            })?;
        }
        samples.delete()
    }
}

/// The stage while it is written.
struct Stage<'a> {
    out: &'a mut dyn Write,
    samples: &'a mut Samples,
    placements: &'a [Vec<Placement>],
}

impl Stage<'_> {
    fn write(mut self, topology: &Topology, fps: f64) -> io::Result<()> {
        let frames = self.samples.frames();
        let (first, last) = (frames.first().unwrap_or(&0), frames.last().unwrap_or(&0));
        write!(
            self.out,
            r#"#usda 1.0
(
    defaultPrim = "World"
    startTimeCode = {first}
    endTimeCode = {last}
    framesPerSecond = {fps}
    timeCodesPerSecond = {fps}
    metersPerUnit = 1
    upAxis = "Y"
)

def Xform "World"
{{
"#
        )?;
        let names = prim_names(topology.bodies.iter().map(|body| body.name.as_str()), LOOKS);
        let mut rigid = 0;
        for ((body, name), shown) in topology.bodies.iter().zip(&names).zip(topology.shown()) {
            if body.is_rigid {
                self.rigid_mesh(body, name, shown, rigid)?;
                rigid += 1;
            } else if body.is_cloud() {
                self.points(body, name, shown)?;
            } else {
                self.mesh(body, name, shown)?;
            }
        }
        write!(self.out, "    def Scope \"{LOOKS}\"\n    {{\n")?;
        for (body, name) in topology.bodies.iter().zip(&names) {
            self.out.write_all(material(body, name).as_bytes())?;
        }
        self.out.write_all(b"    }\n}\n")
    }

    fn mesh(&mut self, body: &BodyTopology, name: &str, shown: Range<usize>) -> io::Result<()> {
        self.out.write_all(mesh_head(body, name).as_bytes())?;
        self.positions(&shown, 0.0)?;
        self.out.write_all(PER_VERTEX.as_bytes())?;
        self.attribute(&shown, "normal3f[] normals", Attribute::Normal, put_vectors)?;
        self.out.write_all(b"    }\n\n")
    }

    /// A mesh about its centre as the first frame shows it, along the body's own axes, and where it is. `rigid`: its number among
    /// the rigid bodies.
    fn rigid_mesh(
        &mut self,
        body: &BodyTopology,
        name: &str,
        shown: Range<usize>,
        rigid: usize,
    ) -> io::Result<()> {
        let first = self.placements[0][rigid];
        let points = self.samples.read(0, Attribute::Position, shown.clone())?;
        let points: Vec<_> = points.iter().map(|x| first.own(*x)).collect();
        let normals = self.samples.read(0, Attribute::Normal, shown)?;
        let normals: Vec<_> = normals.iter().map(|n| first.own_direction(*n)).collect();
        let mut text = mesh_head(body, name);
        text.push_str("        float3[] extent = ");
        put_extent(&mut text, &points, 0.0);
        text.push_str("\n        point3f[] points = ");
        put_vectors(&mut text, &points);
        text.push('\n');
        text.push_str(PER_VERTEX);
        text.push_str("        normal3f[] normals = ");
        put_vectors(&mut text, &normals);
        text.push_str("\n        double3 xformOp:translate.timeSamples = {\n");
        let frames = self.samples.frames().iter().zip(self.placements);
        for (frame, placements) in frames.clone() {
            put(&mut text, format_args!("            {frame}: ("));
            put_vector(&mut text, placements[rigid].centre, ", ");
            text.push_str("),\n");
        }
        text.push_str("        }\n        quatf xformOp:orient.timeSamples = {\n");
        for (frame, placements) in frames {
            let q = placements[rigid].rotation;
            put(&mut text, format_args!("            {frame}: ({:?}, ", q.w));
            put_vector(&mut text, q.xyz(), ", ");
            text.push_str("),\n");
        }
        text.push_str(
            "        }\n        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n    }\n\n",
        );
        self.out.write_all(text.as_bytes())
    }

    /// Spheres of the body's radius.
    fn points(&mut self, body: &BodyTopology, name: &str, shown: Range<usize>) -> io::Result<()> {
        self.out.write_all(prim_head("Points", body, name).as_bytes())?;
        let width = 2.0 * body.radius;
        writeln!(self.out, "        float[] widths = [{width:?}] (interpolation = \"constant\")")?;
        self.positions(&shown, body.radius)?;
        self.out.write_all(b"    }\n\n")
    }

    /// Points and the box around them, if each is as thick as `radius`.
    fn positions(&mut self, shown: &Range<usize>, radius: f32) -> io::Result<()> {
        let put_box = |text: &mut String, points: &[Vec3]| put_extent(text, points, radius);
        self.attribute(shown, "float3[] extent", Attribute::Position, put_box)?;
        self.attribute(shown, "point3f[] points", Attribute::Position, put_vectors)
    }

    /// The time samples of one attribute of the points shown of a body, each formatted by `put_sample`.
    fn attribute(
        &mut self,
        shown: &Range<usize>,
        declaration: &str,
        attribute: Attribute,
        put_sample: impl Fn(&mut String, &[Vec3]),
    ) -> io::Result<()> {
        writeln!(self.out, "        {declaration}.timeSamples = {{")?;
        let mut text = String::new();
        for record in 0..self.samples.frames().len() {
            text.clear();
            put(&mut text, format_args!("            {}: ", self.samples.frames()[record]));
            put_sample(&mut text, self.samples.read(record, attribute, shown.clone())?);
            text.push_str(",\n");
            self.out.write_all(text.as_bytes())?;
        }
        self.out.write_all(b"        }\n")
    }
}

/// The begin of a prim of any kind that is drawn.
fn prim_head(kind: &str, body: &BodyTopology, name: &str) -> String {
    format!(
        r#"    def {kind} "{name}" (
        prepend apiSchemas = ["MaterialBindingAPI"]
        customData = {{
            string name = {}
        }}
    )
    {{
        rel material:binding = </World/{LOOKS}/{name}>
        color3f[] primvars:displayColor = [{}]
"#,
        quoted(&body.name),
        color(body)
    )
}

/// A mesh prim up to what changes with time.
fn mesh_head(body: &BodyTopology, name: &str) -> String {
    let mut text = prim_head("Mesh", body, name);
    text.push_str(
        r#"        uniform token subdivisionScheme = "none"
        uniform bool doubleSided = 1
        int[] faceVertexCounts = ["#,
    );
    put_list(&mut text, &body.triangles, |text, _| text.push('3'));
    text.push_str("]\n        int[] faceVertexIndices = [");
    let start = body.vertices.start;
    put_list(&mut text, body.triangles.as_flattened(), |text, &i| {
        put(text, format_args!("{}", i as usize - start));
    });
    text.push_str("]\n");
    if let Some(uv) = &body.uv {
        text.push_str("        texCoord2f[] primvars:st = [");
        put_list(&mut text, &uv.values, |text, [u, v]| {
            put(text, format_args!("({u:?}, {v:?})"));
        });
        text.push_str("] (interpolation = \"faceVarying\")\n        int[] primvars:st:indices = [");
        put_list(&mut text, uv.corners.as_flattened(), |text, i| {
            put(text, format_args!("{i}"));
        });
        text.push_str("]\n");
    }
    text
}

/// A material of one colour.
fn material(body: &BodyTopology, name: &str) -> String {
    format!(
        r#"        def Material "{name}"
        {{
            token outputs:surface.connect = </World/{LOOKS}/{name}/Surface.outputs:surface>

            def Shader "Surface"
            {{
                uniform token info:id = "UsdPreviewSurface"
                color3f inputs:diffuseColor = {}
                token outputs:surface
            }}
        }}

"#,
        color(body)
    )
}

/// The body's colour in linear light.
fn color(body: &BodyTopology) -> String {
    let mut text = String::from("(");
    put_vector(&mut text, Vec3::from(body.color.map(linear)), ", ");
    text.push(')');
    text
}

/// Appends the corners of the box around spheres of this radius; of none, the origin.
fn put_extent(text: &mut String, positions: &[Vec3], radius: f32) {
    let (mut low, mut high) = positions.first().map_or((Vec3::ZERO, Vec3::ZERO), |&x| (x, x));
    for &position in positions {
        (low, high) = (low.min(position - radius), high.max(position + radius));
    }
    put_vectors(text, &[low, high]);
}

fn put_vectors(text: &mut String, vectors: &[Vec3]) {
    text.push('[');
    put_list(text, vectors, |text, &vector| {
        text.push('(');
        put_vector(text, vector, ", ");
        text.push(')');
    });
    text.push(']');
}

/// Appends the items with commas between them.
fn put_list<T>(text: &mut String, items: &[T], put_item: impl Fn(&mut String, &T)) {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            text.push_str(", ");
        }
        put_item(text, item);
    }
}
