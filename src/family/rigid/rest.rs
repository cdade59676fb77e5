//! The rest shapes of rigid bodies.

use glam::{DMat3, DVec3};

use super::facets;
use super::mass::MassProperties;
use super::shape::{Part as Convex, tetrahedra};
use crate::mesh::{Embedding, Hull, Mesh, Surface, TetMesh, bind_to_tets};
use crate::model::{Rest, read_mesh};
use crate::scene::{Body, Kind, MeshShape, MeshSource, Scene, body_label};
use crate::{Error, Result};

/// What a body is made of whose mesh is given.
#[derive(Clone, Debug)]
pub enum Parts {
    /// Closed surfaces, each with its hull, by which it touches.
    Hulls(Vec<(Surface, Hull)>),
    /// Of a held body a surface that may be open, by the triangles of which it touches.
    Triangles(Surface),
}

impl Parts {
    /// The hulls, and the mass of what the surfaces enclose, once they are scaled and, where that comes first, turned. Of triangles
    /// these, and the mass of their box: nothing asks how what is held would move.
    ///
    /// # Errors
    /// A surface that is not closed, is inside out, or encloses nothing; a hull that is flat.
    pub fn scaled(&self, shape: DMat3, density: f64) -> Result<(Vec<Convex>, MassProperties)> {
        let mut convex = Vec::new();
        let mut masses = Vec::new();
        let moved = |points: &[DVec3]| points.iter().map(|x| shape * *x).collect::<Vec<_>>();
        let hulls = match self {
            Self::Hulls(hulls) => hulls,
            Self::Triangles(surface) => {
                let surface = Surface { points: moved(&surface.points), ..surface.clone() };
                facets::check(&surface)?;
                let bounds = surface.bounds();
                // A flat mesh has a box, too.
                let size = bounds.size().max(DVec3::splat(FLAT * bounds.diagonal()));
                let mass = MassProperties::of_box(size, density);
                let volume = if surface.open_edges() > 0 { 0.0 } else { surface.volume() };
                return Ok((
                    facets::facets(&surface),
                    MassProperties { centre: bounds.centre(), volume, ..mass },
                ));
            }
        };
        for (surface, hull) in hulls {
            convex.push(Convex::of_hull(&Hull::of(&moved(&hull.points))?));
            let surface = Surface { points: moved(&surface.points), ..surface.clone() };
            masses.push(MassProperties::of_surface(&surface, density)?);
        }
        Ok((convex, MassProperties::combined(&masses)?))
    }
}

/// Sides of the box of a mesh are at least this long, in its diagonal.
const FLAT: f64 = 1e-3;

/// Reads or makes the mesh of a rigid body.
///
/// # Errors
/// Unreadable or unusable meshes.
pub fn rest(body: &Body, scene: &Scene) -> Result<Rest> {
    let by_triangles =
        matches!(&body.kind, Kind::Rigid(rigid) if rigid.mesh_shape() == MeshShape::Mesh);
    let surfaces = match &body.mesh {
        MeshSource::Shape(shape) => {
            let surface = shape.surface();
            return Ok(of_tets(tetrahedra(&surface)?, surface.triangles));
        }
        MeshSource::File { path, .. } => {
            let mesh = read_mesh(body, "mesh.file", &scene.folder.join(path))?;
            if by_triangles {
                return of_triangles(mesh);
            }
            vec![closed(mesh)?]
        }
        MeshSource::Surface { surface, .. } if by_triangles => {
            return of_triangles(Mesh::Surface(surface.clone()));
        }
        MeshSource::Tets(tets) if by_triangles => return of_triangles(Mesh::Tets(tets.clone())),
        MeshSource::Parts(paths) => {
            let part = |(k, path): (usize, &std::path::PathBuf)| {
                let file = scene.folder.join(path);
                let field = format!("mesh.parts[{k}]");
                let at = format!("{}.{field}", body_label(&body.name));
                let mesh = read_mesh(body, &field, &file).and_then(closed);
                mesh.map_err(|error| error.in_field(at, Some(path)))
            };
            paths.iter().enumerate().map(part).collect::<Result<_>>()?
        }
        MeshSource::Surface { surface, .. } => vec![closed(Mesh::Surface(surface.clone()))?],
        MeshSource::Tets(tets) => vec![closed(Mesh::Tets(tets.clone()))?],
        MeshSource::Points(_) => {
            return Err(Error::Mesh("is a point cloud, wanted a closed surface or a shape".into()));
        }
        MeshSource::Lattice { .. } | MeshSource::Embedded { .. } => {
            let message =
                "is a lattice, which is for deformable bodies, wanted a shape or a closed surface";
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
        let said = |i: usize| surface.corner_normals.get(i).copied().unwrap_or_default();
        drawn.corner_normals.extend((0..surface.triangles.len()).map(said));
        drawn.triangles.extend(surface.triangles.iter().map(|corners| corners.map(|i| i + first)));
    }
    if let [(surface, _)] = &parts[..] {
        drawn.uv.clone_from(&surface.uv);
    }
    let mesh = TetMesh::new(points, tets)?;
    let embedding = bind_to_tets(&drawn, &mesh)?;
    let rigid = Some(Parts::Hulls(parts));
    Ok(Rest { embedding: Some(embedding), rigid, ..of_tets(mesh, triangles) })
}

/// The layer of tetrahedra under a surface, whose upper points it is drawn by.
fn of_triangles(mesh: Mesh) -> Result<Rest> {
    let surface = match mesh {
        Mesh::Surface(surface) => {
            surface.check()?;
            surface.welded()
        }
        Mesh::Tets(tets) => {
            let triangles = tets.surface_triangles();
            Surface { points: tets.points, triangles, ..Surface::default() }.welded()
        }
        Mesh::Points(_) => {
            return Err(Error::Mesh("has points only, wanted triangles".into()));
        }
    };
    if surface.triangles.is_empty() {
        return Err(Error::Mesh("all corners coincide, wanted triangles with an area".into()));
    }
    facets::check(&surface)?;
    let mesh = facets::layer(&surface)?;
    let count = surface.points.len();
    let (mut tets, mut weights) = (vec![0; count], vec![[0.0; 4]; count]);
    for (t, corners) in mesh.tets.iter().enumerate() {
        for (k, &i) in corners.iter().enumerate().filter(|(_, i)| (**i as usize) < count) {
            tets[i as usize] = t as u32;
            weights[i as usize] = [0, 1, 2, 3].map(|corner| f64::from(u8::from(corner == k)));
        }
    }
    let embedding = Some(Embedding { skin: surface.clone(), tets, weights });
    let triangles = mesh.surface_triangles();
    Ok(Rest { embedding, rigid: Some(Parts::Triangles(surface)), ..of_tets(mesh, triangles) })
}

fn of_tets(mesh: TetMesh, triangles: Vec<[u32; 3]>) -> Rest {
    Rest {
        edges: mesh.edges(),
        triangles,
        mesh,
        uv: None,
        corner_normals: Vec::new(),
        embedding: None,
        parts: None,
        welded: None,
        rigid: None,
    }
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
            Ok(Surface { points: tets.points, triangles, ..Surface::default() }.welded())
        }
        Mesh::Points(_) => Err(Error::Mesh("has points only, wanted a closed surface".into())),
    }
}
