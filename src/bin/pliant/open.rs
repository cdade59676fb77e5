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
        Err(_) => match output_of_a_run(path) {
            Some(what) => {
                let message = format!(
                    "is {what}, wanted a scene or a mesh file; `pliant view DIR` plays the run that has left its files in the \
                     folder DIR"
                );
                Err(Error::file(path, "scene", message))
            }
            None => Scene::load(path),
        },
    }
}

/// What a file that is there is by its name, if runs or who shows them leave such files.
fn output_of_a_run(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let what = match ending.as_str() {
        "png" | "apng" | "jpg" | "jpeg" | "gif" | "bmp" | "webp" | "mp4" | "webm" => "a picture",
        "json" => "a report",
        "state" => "a saved state",
        "usda" | "usdc" | "pvd" | "mtl" => "an output for other programs",
        _ => return None,
    };
    path.is_file().then_some(what)
}

/// What there is to be shown.
#[cfg(feature = "viewer")]
#[derive(Debug)]
pub struct Opened {
    pub scene: Scene,
    /// The scene's file, or the mesh's.
    pub file: PathBuf,
    /// The states of a run of it, frame by frame, and the frames' numbers; none where it is to be simulated.
    pub states: Vec<(u64, PathBuf)>,
}

/// A scene or a mesh, to be simulated or with the states that a run has left in the folder `cache`; or such a folder, whose
/// report names the scene.
///
/// # Errors
/// What is wrong with them.
#[cfg(feature = "viewer")]
pub fn open(path: &Path, cache: Option<&Path>) -> Result<Opened> {
    let file = match path.is_dir() {
        true => scene_of(path)?,
        false => path.into(),
    };
    let folder = cache.or(path.is_dir().then_some(path));
    let states = folder.map_or(Ok(Vec::new()), states)?;
    let scene = load(&file)?;
    scene.check()?;
    Ok(Opened { scene, file, states })
}

/// The states in a run's folder, in order.
#[cfg(feature = "viewer")]
fn states(folder: &Path) -> Result<Vec<(u64, PathBuf)>> {
    use crate::run::frames::{STATE, frame_name, of_frames};
    let mut states: Vec<_> = of_frames(folder, STATE).collect();
    states.sort();
    if states.is_empty() {
        let wanted = frame_name(0, STATE);
        let message = format!(
            "has no states to play, wanted {wanted} and so on, which `pliant run` writes without --format, or if that includes \
             `state`"
        );
        return Err(Error::file(folder, "folder", message));
    }
    Ok(states)
}

/// The scene that a folder's report names, as it is or from a folder above.
#[cfg(feature = "viewer")]
fn scene_of(folder: &Path) -> Result<PathBuf> {
    let path = folder.join("report.json");
    let wrong = |message: &str| {
        let help = "wanted the report of a run, which names its scene; `pliant view SCENE --cache DIR` works without it";
        Error::file(&path, "report", format!("{message}, {help}"))
    };
    let text = std::fs::read_to_string(&path).map_err(|_| wrong("cannot be read"))?;
    let report: serde_json::Value = serde_json::from_str(&text).map_err(|_| wrong("is damaged"))?;
    let scene = report.get("scene").and_then(serde_json::Value::as_str);
    let scene = Path::new(scene.ok_or_else(|| wrong("names no scene"))?);
    let absolute = std::path::absolute(folder).map_err(|error| Error::io(folder, error))?;
    let mut places = std::iter::once(scene.to_owned())
        .chain(absolute.ancestors().map(|above| above.join(scene)));
    places.find(|place| place.is_file()).ok_or_else(|| {
        wrong(&format!("names the scene {:?}, which does not exist", scene.display().to_string()))
    })
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
        return Err(Error::file(path, "mesh", "all points coincide, wanted a mesh with an extent"));
    }
    let scale = SIZE / longest;
    if (scale - 1.0).abs() > 1e-6 {
        let name = path.display();
        log::warn!(
            "{name} is {longest:.3} m long and scaled to {SIZE} m; a scene takes it as it is"
        );
    }
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
            log::warn!("the surface is open: it is simulated as a shell, one triangle thick");
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
