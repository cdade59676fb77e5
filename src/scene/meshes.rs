//! The forms of a body's `mesh` in a scene file.

use super::fields::{Fields, short};
use super::format::*;
use super::kind::MeshShape;
use crate::Result;
use crate::mesh::Shape;

/// Shapes by their measures: what each key wants.
const SHAPES: [(&str, &str); 6] = [
    ("box", "its lengths along x, y and z [m]"),
    ("sphere", "a radius [m]"),
    ("capsule", "the radius, and the length of the straight part [m]"),
    ("cylinder", "the radius and the length [m]"),
    ("bipyramid", "the number of triangles"),
    ("torus", "the radius of the ring, then that of its tube [m]"),
];

/// What a mesh may have: of bodies that deform, and of rigid ones.
pub(super) const SOFT_FORMS: &[&str] = &["lattice", "file"];
pub(super) const RIGID_FORMS: &[&str] = &["file", "parts"];

fn shape_keys() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().map(|(key, _)| *key)
}

/// Refuses keys of a mesh that stand beside it, in the body, and says how they are written.
pub(super) fn refuse_outside(body: &Fields) -> Result<()> {
    let is_of_mesh = |key: &str| {
        shape_keys().chain(["lattice", "size", "file", "cells", "parts"]).any(|k| k == key)
    };
    let Some(first) = body.keys().find(|key| is_of_mesh(key)) else {
        return Ok(());
    };
    let mesh = body.get::<Fields>("mesh").ok().flatten();
    let mut keys: Vec<&str> = mesh.iter().flat_map(Fields::keys).collect();
    keys.extend(body.keys().filter(|key| is_of_mesh(key)));
    if matches!(body.get("kind"), Ok(Some("rigid"))) {
        keys.retain(|key| !["lattice", "size", "cells"].contains(key));
        if keys.is_empty() {
            keys.push("box");
        }
    }
    match keys[..] {
        ["cells"] => keys.insert(0, "sphere"),
        ["size"] => keys.insert(0, "lattice"),
        ["lattice"] => keys.push("size"),
        _ => {}
    }
    let keys: Vec<_> = keys.iter().map(|key| format!("{key} = …")).collect();
    let message = format!("is a key of the mesh, wanted mesh = {{ {} }}", keys.join(", "));
    Err(body.error(first, message))
}

/// The one form of these, or of the shapes, that a mesh has, which is `want`.
fn form(body: &Fields, mesh: &Fields, others: &[&'static str], want: &str) -> Result<&'static str> {
    let all: Vec<_> = shape_keys().chain(others.iter().copied()).collect();
    let given: Vec<_> = all.into_iter().filter(|key| mesh.has(key)).collect();
    let message = match given[..] {
        [key] => return Ok(key),
        [] => format!("has none of its forms, wanted {want}"),
        [a, b, ..] => format!("has {a} and {b}, wanted only one of the two"),
    };
    Err(body.error("mesh", message))
}

/// The shape of this key.
fn shape(mesh: &Fields, key: &str) -> Result<Shape> {
    let want = SHAPES.iter().find(|(known, _)| *known == key).map_or("", |(_, want)| want);
    let pair = || -> Result<[f64; 2]> {
        let numbers = mesh.required::<Vec<f64>>(key, want).ok();
        numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| mesh.wrong(key, want))
    };
    Ok(match key {
        "box" => Shape::Box { size: mesh.required(key, want)? },
        "sphere" => Shape::Sphere { radius: mesh.required(key, want)? },
        "bipyramid" => Shape::Bipyramid { triangles: mesh.required(key, want)? },
        "capsule" => {
            let [radius, length] = pair()?;
            Shape::Capsule { radius, length }
        }
        "cylinder" => {
            let [radius, length] = pair()?;
            Shape::Cylinder { radius, length }
        }
        _ => {
            let [radius, tube] = pair()?;
            Shape::Torus { radius, tube }
        }
    })
}

/// The table `mesh`; a file's name alone is answered with the table that it belongs in.
fn table<'a>(body: &Fields<'a>, want: &str) -> Result<Fields<'a>> {
    match body.get::<&str>("mesh") {
        Ok(Some(file)) => Err(body.wrong("mesh", &format!("{{ file = {:?} }}", short(file)))),
        _ => body.required("mesh", want),
    }
}

/// Of a body that deforms.
pub(super) fn mesh(body: &Fields) -> Result<MeshSource> {
    let want = "{ lattice = [x, y, z], size = [x, y, z] }, { file = \"…\" } or a shape, as { sphere = radius }";
    let mesh = table(body, want)?;
    let shapes: Vec<_> = shape_keys().collect();
    mesh.only(&[SOFT_FORMS, &["size", "cells"], &shapes].concat())?;
    match form(body, &mesh, SOFT_FORMS, want)? {
        "lattice" => {
            mesh.only(&["lattice", "size"])?;
            Ok(MeshSource::Lattice {
                cubes: mesh.required("lattice", "the cubes along x, y and z")?,
                size: mesh.required("size", "the lengths of the lattice along x, y and z [m]")?,
            })
        }
        "file" => {
            mesh.only(&["file", "cells"])?;
            Ok(MeshSource::File {
                path: mesh.required::<&str>("file", "a string")?.into(),
                cells: mesh.get("cells")?.unwrap_or(DEFAULT_CELLS),
            })
        }
        key => {
            mesh.only(&[key, "cells"])?;
            Ok(MeshSource::Embedded {
                shape: shape(&mesh, key)?,
                cells: mesh.get("cells")?.unwrap_or(DEFAULT_CELLS),
            })
        }
    }
}

/// Of a rigid body.
pub(super) fn rigid_mesh(body: &Fields) -> Result<MeshSource> {
    let want = "{ box = [x, y, z] }, { sphere = radius }, { capsule = [radius, length] }, { cylinder = [radius, length] }, \
                { bipyramid = triangles }, { file = \"…\" } or { parts = [\"…\", …] }";
    let mesh = table(body, want)?;
    if mesh.has("lattice") {
        let message =
            "is for deformable bodies, wanted box = [x, y, z], the lengths of the whole box [m]";
        return Err(mesh.error("lattice", message));
    }
    if mesh.has("cells") {
        let message =
            "is for deformable bodies, wanted no such key: a rigid body is not cut into tetrahedra";
        return Err(mesh.error("cells", message));
    }
    let shapes: Vec<_> = shape_keys().collect();
    mesh.only(&[&shapes, RIGID_FORMS].concat())?;
    let key = form(body, &mesh, RIGID_FORMS, want)?;
    let source = match key {
        "parts" => {
            let paths = mesh.required::<Vec<&str>>(key, "the paths of mesh files")?;
            MeshSource::Parts(paths.into_iter().map(Into::into).collect())
        }
        "file" => MeshSource::File {
            path: mesh.required::<&str>(key, "a string")?.into(),
            cells: DEFAULT_CELLS,
        },
        _ => MeshSource::Shape(shape(&mesh, key)?),
    };
    let shape: &str = match key {
        "file" | "parts" => "hull",
        shape => shape,
    };
    match body.get::<&str>("shape")? {
        Some(other) if other != shape && (key, other) != ("file", MeshShape::Mesh.name()) => {
            let want = match key {
                "file" => "\"hull\", or \"mesh\" if the body is held".into(),
                key => format!("{shape:?}, as given by mesh.{key}, or no such key"),
            };
            Err(body.error("shape", format!("is {:?}, wanted {want}", short(other))))
        }
        _ => Ok(source),
    }
}
