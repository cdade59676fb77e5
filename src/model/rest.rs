//! A body's rest shape: its points and what connects them.

use std::path::Path;

use glam::{DVec3, Vec3};

use crate::family::{self, rigid};
use crate::mesh::{
    self, Embedded, Embedding, Mesh, Part, PointCloud, Surface, TetMesh, TextureCoordinates,
};
use crate::scene::{Body, Constant, DEFAULT_CELLS, Kind, MeshSource, Scene, body_label};
use crate::{Error, Result};

/// Points in the mesh's own coordinates, and what connects them: tetrahedra, the triangles of a shell, or nothing.
#[derive(Clone, Debug)]
pub struct Rest {
    /// Points and tetrahedra; of shells and clouds the points alone.
    pub mesh: TetMesh,
    /// Edges, each once, lower point first.
    pub edges: Vec<[u32; 2]>,
    /// Surface triangles, wound outward.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates of `triangles`.
    pub uv: Option<TextureCoordinates>,
    /// Normals of the corners of `triangles` that a file has given, or none.
    pub corner_normals: Vec<[Vec3; 3]>,
    /// What the tetrahedra carry to be drawn.
    pub embedding: Option<Embedding>,
    /// Of tetrahedra that were made around a surface: what of each is of the body.
    pub parts: Option<Vec<Part>>,
    /// Of shells, whose points are welded: for each point of the mesh as it was given the point that it became, `u32::MAX`
    /// where no triangle uses it.
    pub welded: Option<Vec<u32>>,
    /// Of rigid bodies whose mesh is given: what they are made of.
    pub rigid: Option<rigid::Parts>,
}

impl Rest {
    /// Reads or makes a body's mesh.
    ///
    /// # Errors
    /// Unreadable or unusable meshes; a mesh that the body's kind cannot use.
    pub fn load(body: &Body, scene: &Scene) -> Result<Self> {
        if let Some(rest) = family::of(&body.kind).rest(body, scene) {
            let rest = rest?;
            return match &body.skin {
                Some(skin) => rest.carrying(body, skin, scene),
                None => Ok(rest),
            };
        }
        let rest = match source(body, scene)? {
            (Mesh::Tets(mesh), around) => {
                let triangles = mesh.surface_triangles();
                let (embedding, parts) = around.unzip();
                Self {
                    edges: mesh.edges(),
                    uv: match &body.mesh {
                        MeshSource::Lattice { .. } => {
                            Some(mesh::box_sides(&mesh.points, &triangles))
                        }
                        _ => None,
                    },
                    triangles,
                    corner_normals: Vec::new(),
                    mesh,
                    embedding,
                    parts: parts.filter(|parts| !parts.is_empty()),
                    welded: None,
                    rigid: None,
                }
            }
            (Mesh::Surface(surface), _) => shell(&surface)?,
            (Mesh::Points(cloud), _) => Self {
                mesh: bare(cloud.points),
                edges: Vec::new(),
                triangles: Vec::new(),
                uv: None,
                corner_normals: Vec::new(),
                embedding: None,
                parts: None,
                welded: None,
                rigid: None,
            },
        };
        rest.check(body)?;
        let Some(skin) = &body.skin else {
            return Ok(rest);
        };
        rest.carrying(body, skin, scene)
    }

    /// The same with another surface to be drawn.
    fn carrying(self, body: &Body, skin: &Path, scene: &Scene) -> Result<Self> {
        let bound =
            read_mesh(body, "skin", &scene.folder.join(skin)).and_then(|found| match found {
                Mesh::Surface(surface) => mesh::bind_to_tets(&surface, &self.mesh),
                Mesh::Tets(_) => {
                    Err(Error::Mesh("contains tetrahedra, wanted a surface to draw".into()))
                }
                Mesh::Points(_) => {
                    Err(Error::Mesh("contains points only, wanted a surface to draw".into()))
                }
            });
        let at = || format!("{}.skin", body_label(&body.name));
        let embedding = Some(bound.map_err(|error| error.in_field(at(), Some(skin)))?);
        Ok(Self { embedding, ..self })
    }

    /// What of a tetrahedron is of the body.
    pub fn part(&self, tet: usize) -> Part {
        self.parts.as_ref().map_or(Part::ALL, |parts| parts[tet])
    }

    /// Refuses a body that asks for more than its shape has.
    pub(super) fn check(&self, body: &Body) -> Result<()> {
        let wrong = |message: String| Err(Error::Mesh(message));
        if !self.mesh.tets.is_empty() {
            return Ok(());
        }
        let found = if self.edges.is_empty() { "a point cloud" } else { "a shell" };
        if body.skin.is_some() {
            return wrong(format!("is {found}, which cannot carry a skin, wanted tetrahedra"));
        }
        let mut constants = body.regions.iter().flat_map(|region| &region.constants);
        for (key, given) in [
            ("region", constants.any(|(constant, _)| *constant != Constant::Density)),
            ("cell_data", !body.cell_data.is_empty()),
        ] {
            if given {
                return wrong(format!("is {found}, wanted tetrahedra, which {key} requires"));
            }
        }
        if family::of(&body.kind).deforms_bare(self) {
            return Ok(());
        }
        let all = Kind::all().into_iter();
        let bare = all.filter(|kind| family::of(kind).deforms_bare(self));
        let kinds: Vec<_> = bare.map(|kind| format!("\"{}\"", kind.name())).collect();
        let kinds = kinds.join(" or ");
        let kind = body.kind.name();
        wrong(format!(
            "is {found}, which kind \"{kind}\" cannot use, wanted tetrahedra or kind {kinds}"
        ))
    }
}

/// Points without tetrahedra.
fn bare(points: Vec<DVec3>) -> TetMesh {
    TetMesh { points, tets: Vec::new(), cell_data: std::collections::BTreeMap::new() }
}

/// A shell of the surface's triangles that are not collapsed.
///
/// # Errors
/// A surface whose triangles all are.
fn shell(surface: &Surface) -> Result<Rest> {
    let (welded, places) = surface.weld();
    let (points, triangles) = (welded.points, welded.triangles);
    if triangles.is_empty() {
        let message = format!(
            "all {} triangles of the shell are degenerate: two corners of each are within a millionth of the mesh's size, wanted \
             at least one triangle with three different corners",
            surface.triangles.len()
        );
        return Err(Error::Mesh(message));
    }
    let mut edges: Vec<_> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    Ok(Rest {
        mesh: bare(points),
        edges,
        triangles,
        uv: welded.uv,
        corner_normals: welded.corner_normals,
        embedding: None,
        parts: None,
        welded: Some(places),
        rigid: None,
    })
}

/// Reads a mesh. If the file cannot be read, or its extension belongs to no format, the error names the field of the body.
pub(crate) fn read_mesh(body: &Body, field: &str, path: &Path) -> Result<Mesh> {
    let refused = |wanted| {
        Error::value(format!("{}.{field}", body_label(&body.name)), path.display(), wanted)
    };
    if mesh::Format::from_path(path).is_err() {
        return Err(refused(format!("a name that ends in {}", mesh::Format::extensions())));
    }
    mesh::read(path).map_err(|error| match error {
        Error::Io { source, .. } => refused(format!("a file that can be read: {source}")),
        other => other,
    })
}

/// Refuses `cells` that a file's mesh makes no use of.
fn check_cells(body: &Body, mesh: &Mesh) -> Result<()> {
    let embeds = !body.shell && !matches!(mesh, Mesh::Points(_));
    match &body.mesh {
        MeshSource::File { cells, .. } | MeshSource::Embedded { cells, .. }
            if !embeds && *cells != DEFAULT_CELLS =>
        {
            let at = format!("{}.mesh.cells", body_label(&body.name));
            let want = "no such key: clouds and shells get no tetrahedra";
            Err(Error::value(at, cells, want))
        }
        _ => Ok(()),
    }
}

/// What tetrahedra carry that were made around a surface, and what of each is inside it.
type Around = (Embedding, Vec<Part>);

fn source(body: &Body, scene: &Scene) -> Result<(Mesh, Option<Around>)> {
    let given = match &body.mesh {
        MeshSource::Lattice { cubes, size } => {
            Mesh::Tets(TetMesh::lattice(*cubes, DVec3::from(*size))?)
        }
        MeshSource::Tets(mesh) => {
            let checked = TetMesh::new(mesh.points.clone(), mesh.tets.clone())?;
            Mesh::Tets(checked.with_cell_data(mesh.cell_data.clone())?)
        }
        MeshSource::Points(points) => Mesh::Points(PointCloud::new(points.clone())?),
        MeshSource::Surface { surface, .. } => Mesh::Surface(surface.clone()),
        MeshSource::Embedded { shape, cells } => Mesh::Surface(shape.fine_surface(*cells)),
        MeshSource::File { path, .. } => read_mesh(body, "mesh.file", &scene.folder.join(path))?,
        MeshSource::Shape(_) | MeshSource::Parts(_) => {
            let kind = body.kind.name();
            let message = format!(
                "is for rigid bodies, wanted kind \"rigid\" instead of \"{kind}\", or another mesh"
            );
            return Err(Error::Mesh(message));
        }
    };
    let cells = match &body.mesh {
        MeshSource::File { cells, .. }
        | MeshSource::Surface { cells, .. }
        | MeshSource::Embedded { cells, .. } => *cells,
        _ => DEFAULT_CELLS,
    };
    check_cells(body, &given)?;
    match given {
        Mesh::Surface(surface) if body.shell => {
            surface.check()?;
            Ok((Mesh::Surface(surface), None))
        }
        Mesh::Surface(surface) => {
            let embedded = match body.fitted {
                true => mesh::embed(&surface, cells),
                false => mesh::embed_in_cubes(&surface, cells),
            };
            let Embedded { mesh, embedding, parts } = embedded?;
            Ok((Mesh::Tets(mesh), Some((embedding, parts))))
        }
        other if body.shell => {
            let found = match other {
                Mesh::Points(_) => "points only",
                _ => "tetrahedra",
            };
            let message = format!("a shell needs a surface, but the mesh has {found}");
            Err(Error::Mesh(message))
        }
        other => Ok((other, None)),
    }
}
