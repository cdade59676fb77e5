//! glTF 2.0, `.gltf` and `.glb`: all triangles of the scene, node transforms applied, as one surface.
//!
//! The crate `gltf` reads the document into plain types; accessors and the node tree are followed here, with every
//! index checked: the crate's own validation can panic on indices, and its iterators trust offsets and node cycles.

mod buffers;
#[cfg(test)]
mod tests;

use super::Told;
use super::cursor::shortened;
use crate::error::{Error, Result};
use crate::mesh::{Mesh, Surface, TextureCoordinates, polygon};
use buffers::Buffers;
use glam::{DAffine3, DMat4, DQuat, DVec3, Quat, Vec3};
use gltf::json;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use std::collections::HashSet;
use std::path::Path;

/// The most points and triangles of a scene: a mesh drawn by many nodes could make a small file endlessly large.
const MOST: usize = 1 << 25;

/// The surface so far.
#[derive(Default)]
struct Scene {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// Texture coordinates by point, as long as every primitive has them.
    uv: Option<Vec<[f32; 2]>>,
    /// Normals by point, 0 where a primitive has none.
    normals: Vec<Vec3>,
}

/// Reads a file. Buffers may be the file's own, `data:` addresses, or files beside `path`.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Mesh> {
    let fault = |at: &str, message: String| Error::file(path, at, shortened(&message));
    let gltf::Gltf { document, blob } =
        document(bytes).map_err(|message| fault("document", message))?;
    let root = document.into_json();
    let buffers = Buffers::load(&root, blob, path)?;
    let mut scene = Scene { uv: Some(Vec::new()), ..Scene::default() };
    let mut visited = vec![false; root.nodes.len()];
    let roots = roots(&root).map_err(|message| fault("document", message))?;
    let mut open: Vec<(usize, DAffine3)> =
        roots.into_iter().rev().map(|node| (node, DAffine3::IDENTITY)).collect();
    while let Some((index, parent)) = open.pop() {
        let at = format!("node {index}");
        let node = root.nodes.get(index).ok_or_else(|| fault(&at, "does not exist".into()))?;
        if std::mem::replace(&mut visited[index], true) {
            return Err(fault(&at, "is reached twice, wanted a tree of nodes".into()));
        }
        let transform = parent * local_transform(node);
        if !transform.is_finite() {
            return Err(fault(&at, "has a transform that is not finite".into()));
        }
        scene.add_mesh(&root, &buffers, node, transform).map_err(|message| fault(&at, message))?;
        open.extend(node.children.iter().flatten().rev().map(|child| (child.value(), transform)));
    }
    scene.finish()
}

/// The document, as far as the crate can be trusted with it.
fn document(bytes: &[u8]) -> Told<gltf::Gltf> {
    // The crate subtracts the header's twelve bytes from the length without a check.
    if bytes.starts_with(b"glTF") && bytes.get(8..12).is_none_or(|length| u32_at(length) < 12) {
        return Err("the file's length is missing or less than that of its header".into());
    }
    let gltf =
        gltf::Gltf::from_slice_without_validation(bytes).map_err(|error| error.to_string())?;
    match &gltf.as_json().asset.version {
        version if version.starts_with("2.") => Ok(gltf),
        version => Err(format!("the version is `{version}`, wanted 2.0")),
    }
}

fn u32_at(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// The nodes of the default scene, or of the first; without scenes, all that are nobody's children.
fn roots(root: &json::Root) -> Told<Vec<usize>> {
    let index = root.scene.map_or(0, |scene| scene.value());
    match root.scenes.get(index) {
        Some(scene) => Ok(scene.nodes.iter().map(|node| node.value()).collect()),
        None if root.scene.is_some() => Err(format!("scene {index} does not exist")),
        None => {
            let children = root.nodes.iter().flat_map(|node| node.children.iter().flatten());
            let children: HashSet<usize> = children.map(|child| child.value()).collect();
            Ok((0..root.nodes.len()).filter(|node| !children.contains(node)).collect())
        }
    }
}

fn local_transform(node: &json::Node) -> DAffine3 {
    if let Some(matrix) = node.matrix {
        return DAffine3::from_mat4(DMat4::from_cols_array(&matrix.map(f64::from)));
    }
    let scale = node.scale.map_or(DVec3::ONE, |s| Vec3::from_array(s).as_dvec3());
    let rotation = node.rotation.map_or(DQuat::IDENTITY, |q| Quat::from_array(q.0).as_dquat());
    // Rounding in the file would scale the mesh; a zero quaternion turns nothing.
    let rotation =
        if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
    let translation = node.translation.map_or(DVec3::ZERO, |t| Vec3::from_array(t).as_dvec3());
    DAffine3::from_scale_rotation_translation(scale, rotation, translation)
}

impl Scene {
    /// Adds what a node draws, if anything.
    fn add_mesh(
        &mut self,
        root: &json::Root,
        buffers: &Buffers,
        node: &json::Node,
        transform: DAffine3,
    ) -> Told<()> {
        let Some(index) = node.mesh.map(|mesh| mesh.value()) else {
            return Ok(());
        };
        let mesh = root.meshes.get(index).ok_or_else(|| format!("mesh {index} does not exist"))?;
        for (i, primitive) in mesh.primitives.iter().enumerate() {
            self.add(root, buffers, primitive, transform)
                .map_err(|message| format!("mesh {index}, primitive {i}: {message}"))?;
        }
        Ok(())
    }

    /// Adds one primitive; all but triangles are passed over.
    fn add(
        &mut self,
        root: &json::Root,
        buffers: &Buffers,
        primitive: &Primitive,
        transform: DAffine3,
    ) -> Told<()> {
        let Checked::Valid(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) =
            primitive.mode
        else {
            return Ok(());
        };
        let accessor = |semantic: Semantic| primitive.attributes.get(&Checked::Valid(semantic));
        let positions = accessor(Semantic::Positions).ok_or("has no POSITION")?;
        let positions = buffers.vec3(root, positions.value())?;
        let first = self.points.len();
        let count = positions.len();
        let corners = match primitive.indices {
            Some(indices) => buffers.indices(root, indices.value())?,
            None => (0..count as u32).collect(),
        };
        if first + count > MOST || self.triangles.len() + corners.len() > MOST {
            return Err(format!("the scene has more than {MOST} points or triangles"));
        }
        if let Some(&index) = corners.iter().find(|&&i| i as usize >= count) {
            return Err(format!("names point {index} of {count}"));
        }
        let mirrored = transform.matrix3.determinant() < 0.0;
        for [a, b, c] in triangles(mode, &corners) {
            let [b, c] = if mirrored { [c, b] } else { [b, c] };
            self.triangles.push([a, b, c].map(|i| first as u32 + i));
        }
        self.points.extend(positions.into_iter().map(|p| transform.transform_point3(p)));
        match accessor(Semantic::TexCoords(0)) {
            Some(texture) if self.uv.is_some() => {
                // glTF counts v from the top of the picture.
                let mut values = buffers.vec2(root, texture.value())?;
                values.iter_mut().for_each(|uv| uv[1] = 1.0 - uv[1]);
                if values.len() != count {
                    let values = values.len();
                    return Err(format!("has {values} texture coordinates for {count} points"));
                }
                self.uv.iter_mut().for_each(|uv| uv.extend(&values));
            }
            _ => self.uv = None,
        }
        if let Some(normals) = accessor(Semantic::Normals) {
            let across = transform.matrix3.inverse().transpose();
            let normals = buffers.vec3(root, normals.value())?;
            self.normals
                .extend(normals.iter().map(|n| (across * *n).normalize_or_zero().as_vec3()));
        }
        self.normals.resize(self.points.len(), Vec3::ZERO);
        Ok(())
    }

    fn finish(self) -> Result<Mesh> {
        let uv =
            self.uv.map(|values| TextureCoordinates { values, corners: self.triangles.clone() });
        let surface = Surface::new(self.points, self.triangles, uv)?;
        Ok(Mesh::Surface(super::with_normals(surface, &self.normals)))
    }
}

/// The triangles of a list, strip or fan.
fn triangles(mode: Mode, corners: &[u32]) -> Vec<[u32; 3]> {
    match mode {
        Mode::TriangleStrip => corners
            .windows(3)
            .enumerate()
            .map(|(i, w)| if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] })
            .collect(),
        Mode::TriangleFan => {
            let fan = polygon::fan(corners.len() as u32);
            fan.map(|triangle| triangle.map(|i| corners[i as usize])).collect()
        }
        _ => corners.as_chunks::<3>().0.to_vec(),
    }
}
