//! The rest shapes of rigid bodies.

use glam::{DMat3, DVec3};

use super::mass::MassProperties;
use super::shape::{Part as Convex, tetrahedra};
use crate::mesh::{self, Hull, Mesh, Surface, TetMesh, bind_to_tets};
use crate::model::Rest;
use crate::scene::{Body, MeshSource, Scene, body_label};
use crate::{Error, Result};

/// What a body is made of whose mesh is given: closed surfaces, each with its hull.
#[derive(Clone, Debug)]
pub struct Parts(Vec<(Surface, Hull)>);

impl Parts {
    /// The hulls, and the mass of what the surfaces enclose, once they are scaled and, where that comes first, turned.
    ///
    /// # Errors
    /// A surface that is not closed, is inside out, or encloses nothing; a hull that is flat.
    pub fn scaled(&self, shape: DMat3, density: f64) -> Result<(Vec<Convex>, MassProperties)> {
        let mut convex = Vec::new();
        let mut masses = Vec::new();
        let moved = |points: &[DVec3]| points.iter().map(|x| shape * *x).collect::<Vec<_>>();
        for (surface, hull) in &self.0 {
            convex.push(Convex::of_hull(&Hull::of(&moved(&hull.points))?));
            let surface = Surface { points: moved(&surface.points), ..surface.clone() };
            masses.push(MassProperties::of_surface(&surface, density)?);
        }
        Ok((convex, MassProperties::combined(&masses)?))
    }
}

/// Reads or makes the mesh of a rigid body.
///
/// # Errors
/// Unreadable or unusable meshes.
pub fn rest(body: &Body, scene: &Scene) -> Result<Rest> {
    let surfaces = match &body.mesh {
        MeshSource::Shape(shape) => {
            let surface = shape.surface();
            return Ok(of_tets(tetrahedra(&surface)?, surface.triangles));
        }
        MeshSource::File { path, .. } => {
            let file = scene.folder.join(path);
            vec![closed(read(body, "mesh.file", &file)?).map_err(|error| error.in_file(path))?]
        }
        MeshSource::Parts(paths) => {
            let part = |(k, path): (usize, &std::path::PathBuf)| {
                let file = scene.folder.join(path);
                let mesh = read(body, &format!("mesh.parts[{k}]"), &file)?;
                closed(mesh).map_err(|error| error.in_file(path))
            };
            paths.iter().enumerate().map(part).collect::<Result<_>>()?
        }
        MeshSource::Surface { surface, .. } => vec![closed(Mesh::Surface(surface.clone()))?],
        MeshSource::Tets(tets) => vec![closed(Mesh::Tets(tets.clone()))?],
        MeshSource::Points(_) => {
            return Err(Error::Mesh("is bare points, wanted a closed surface or a shape".into()));
        }
        MeshSource::Lattice { .. } => {
            let message = "is a lattice, which deforms, wanted a shape or a closed surface";
            return Err(Error::Mesh(message.into()));
        }
    };
    let with_hull = |surface: Surface| {
        let hull = Hull::of(&surface.points)?;
        Ok((surface, hull))
    };
    let parts: Vec<_> = surfaces.into_iter().map(with_hull).collect::<Result<_>>()?;
    of_parts(parts)
}

/// The tetrahedra of hulls, which carry the surfaces.
fn of_parts(parts: Vec<(Surface, Hull)>) -> Result<Rest> {
    let (mut points, mut tets, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    let mut drawn = Surface::default();
    for (surface, hull) in &parts {
        let own = tetrahedra(&hull.surface())?;
        let first = points.len() as u32;
        triangles.extend(hull.triangles().iter().map(|corners| corners.map(|i| i + first)));
        points.extend(own.points);
        tets.extend(own.tets.iter().map(|corners| corners.map(|i| i + first)));
        let first = drawn.points.len() as u32;
        drawn.points.extend(&surface.points);
        drawn.triangles.extend(surface.triangles.iter().map(|corners| corners.map(|i| i + first)));
    }
    if let [(surface, _)] = &parts[..] {
        drawn.uv.clone_from(&surface.uv);
    }
    let mesh = TetMesh::new(points, tets)?;
    let embedding = bind_to_tets(&drawn, &mesh)?;
    Ok(Rest { embedding: Some(embedding), rigid: Some(Parts(parts)), ..of_tets(mesh, triangles) })
}

fn of_tets(mesh: TetMesh, triangles: Vec<[u32; 3]>) -> Rest {
    Rest {
        edges: mesh.edges(),
        triangles,
        mesh,
        uv: None,
        embedding: None,
        parts: None,
        welded: None,
        rigid: None,
    }
}

fn read(body: &Body, field: &str, path: &std::path::Path) -> Result<Mesh> {
    mesh::read(path).map_err(|error| match error {
        Error::Io { path, source } => {
            let at = format!("{}.{field}", body_label(&body.name));
            Error::value(at, path.display(), format!("a file that can be read: {source}"))
        }
        other => other,
    })
}

/// The surface of a mesh, its points welded; whether it is closed its mass will tell.
fn closed(mesh: Mesh) -> Result<Surface> {
    match mesh {
        Mesh::Surface(surface) => {
            surface.check()?;
            let welded = surface.welded();
            MassProperties::of_surface(&welded, 1.0)?;
            Ok(welded)
        }
        Mesh::Tets(tets) => {
            let triangles = tets.surface_triangles();
            Ok(Surface { points: tets.points, triangles, uv: None }.welded())
        }
        Mesh::Points(_) => Err(Error::Mesh("holds points alone, wanted a closed surface".into())),
    }
}
