//! Opening files: scenes, and meshes that fall on a floor.

use std::path::Path;
#[cfg(feature = "viewer")]
use std::path::PathBuf;

use pliant::mesh::{self, Mesh};
use pliant::scene::{Body, DEFAULT_CELLS, Fem, Kind, Mass, Scene, ShapeMatching, Springs};
use pliant::{Error, Result};

/// Longest side of a mesh that is opened alone [m].
const SIZE: f64 = 1.0;
/// How high it falls from [m].
const HEIGHT: f64 = 0.5;

/// The scene of a file: as it says, or with one soft body of a mesh above a floor.
///
/// # Errors
/// What is wrong with the file; what its numbers must not be is for [`Scene::check`] to say.
pub fn load(path: &Path) -> Result<Scene> {
    match mesh::Format::from_path(path) {
        Ok(_) => falling(path),
        Err(_) => Scene::load(path),
    }
}

/// The same, checked.
///
/// # Errors
/// What is wrong with it.
#[cfg(feature = "viewer")]
pub fn open(path: &Path) -> Result<Scene> {
    let scene = load(path)?;
    scene.check()?;
    Ok(scene)
}

/// The scenes beside a file, by name.
#[cfg(feature = "viewer")]
pub fn beside(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let is_scene = |path: &PathBuf| path.extension().is_some_and(|end| end == "toml");
    let mut scenes: Vec<_> = paths.filter(is_scene).collect();
    scenes.sort();
    scenes
}

fn falling(path: &Path) -> Result<Scene> {
    let absolute = std::path::absolute(path).map_err(|error| Error::io(path, error))?;
    let read = mesh::read(&absolute)?;
    let points = match &read {
        Mesh::Tets(mesh) => &mesh.points,
        Mesh::Surface(surface) => &surface.points,
        Mesh::Points(cloud) => &cloud.points,
    };
    let bounds = mesh::Bounds::of(points.iter().copied());
    let longest = bounds.size().max_element();
    if !(longest > 0.0 && longest.is_finite()) {
        return Err(Error::file(path, "mesh", "has no extent, wanted points in different places"));
    }
    let scale = SIZE / longest;
    let name = path.file_stem().map_or("mesh".into(), |stem| stem.to_string_lossy());
    let mut body = Body::from_file(name, &absolute);
    let middle = 0.5 * (bounds.min + bounds.max) * scale;
    body.scale = [scale; 3];
    body.position = [-middle.x, HEIGHT - scale * bounds.min.y, -middle.z];
    body.mass = Mass::Density(1000.0);
    soften(&mut body, &read);
    let mut scene = Scene { bodies: vec![body], ..Scene::default() };
    scene.world.floor = Some(0.0);
    Ok(scene)
}

/// A soft material of the kind that suits the mesh.
fn soften(body: &mut Body, mesh: &Mesh) {
    let clusters = ShapeMatching { relaxation: 0.01, ..ShapeMatching::default() };
    body.kind = match mesh {
        Mesh::Tets(_) => Kind::Fem(Fem { relaxation: Some(0.01), ..Fem::new(1e5, 0.35) }),
        // A surface that encloses nothing is a shell.
        Mesh::Surface(surface) if mesh::embed(surface, DEFAULT_CELLS).is_err() => {
            body.shell = true;
            body.radius = Some(0.01 * SIZE);
            clusters.into()
        }
        Mesh::Surface(_) => {
            Kind::Springs(Springs::Moduli { young: Some(1e5), relaxation: Some(0.02) })
        }
        Mesh::Points(_) => clusters.into(),
    };
}
