//! Stanford PLY, text and binary, with `ply-rs-bw`. Without faces it is a point cloud.

use super::cut;
use crate::error::{Error, Result};
use crate::mesh::{Mesh, PointCloud, Surface, TextureCoordinates};
use glam::DVec3;
use ply_rs_bw::parser::{Parser, Reader};
use ply_rs_bw::ply::{
    ElementDef, Encoding, Header, Property, PropertyAccess, PropertyAccessResult, PropertyType,
    ScalarType,
};
use std::path::Path;

/// The names under which programs store texture coordinates.
const U: [&str; 3] = ["u", "s", "texture_u"];
const V: [&str; 3] = ["v", "t", "texture_v"];

/// Any element of a file, with the properties that matter here.
struct Row {
    point: DVec3,
    uv: [f64; 2],
    normal: DVec3,
    /// Point indices of a face.
    corners: Vec<i64>,
}

impl PropertyAccess for Row {
    fn new() -> Self {
        Self { point: DVec3::ZERO, uv: [0.0; 2], normal: DVec3::ZERO, corners: Vec::new() }
    }

    fn set_property(&mut self, name: &str, value: Property) -> PropertyAccessResult {
        match (name, scalar(&value)) {
            ("x", Some(x)) => self.point.x = x,
            ("y", Some(y)) => self.point.y = y,
            ("z", Some(z)) => self.point.z = z,
            ("nx", Some(x)) => self.normal.x = x,
            ("ny", Some(y)) => self.normal.y = y,
            ("nz", Some(z)) => self.normal.z = z,
            (name, Some(u)) if U.contains(&name) => self.uv[0] = u,
            (name, Some(v)) if V.contains(&name) => self.uv[1] = v,
            ("vertex_indices" | "vertex_index", None) => match integers(value) {
                Some(corners) => self.corners = corners,
                None => return PropertyAccessResult::UnsupportedType,
            },
            _ => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

fn scalar(value: &Property) -> Option<f64> {
    match *value {
        Property::Char(x) => Some(x.into()),
        Property::UChar(x) => Some(x.into()),
        Property::Short(x) => Some(x.into()),
        Property::UShort(x) => Some(x.into()),
        Property::Int(x) => Some(x.into()),
        Property::UInt(x) => Some(x.into()),
        Property::Float(x) => Some(x.into()),
        Property::Double(x) => Some(x),
        _ => None,
    }
}

fn integers(value: Property) -> Option<Vec<i64>> {
    fn wide<T: Into<i64>>(list: Vec<T>) -> Option<Vec<i64>> {
        Some(list.into_iter().map(Into::into).collect())
    }
    match value {
        Property::ListChar(list) => wide(list),
        Property::ListUChar(list) => wide(list),
        Property::ListShort(list) => wide(list),
        Property::ListUShort(list) => wide(list),
        Property::ListInt(list) => wide(list),
        Property::ListUInt(list) => wide(list),
        _ => None,
    }
}

/// Reads a file: `vertex` with x, y, z (and nx, ny, nz, and u, v or s, t), `face` with `vertex_indices`. Polygons are cut into triangles.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Mesh> {
    let fault = |at: &str, error: ply_rs_bw::parser::ParseError| {
        Error::file(path, at, super::cursor::shortened(&error.to_string()))
    };
    let parser = Parser::<Row>::new();
    let mut reader = Reader::new(bytes);
    let header = parser.read_header(&mut reader).map_err(|error| fault("header", error))?;
    check_counts(path, &header, bytes.len())?;
    check_elements(path, &header)?;

    let (mut points, mut normals) = (Vec::new(), Vec::new());
    let (mut values, mut polygons) = (Vec::new(), Vec::new());
    for (name, element) in &header.elements {
        let rows = parser.read_payload_for_element(&mut reader, element, &header);
        let rows = rows.map_err(|error| fault(&format!("element {name}"), error))?;
        match name.as_str() {
            "vertex" => {
                for axis in ["x", "y", "z"] {
                    if !element.properties.contains_key(axis) {
                        let message = format!("has no property {axis}");
                        return Err(Error::file(path, "element vertex", message));
                    }
                }
                points = rows.iter().map(|row| row.point).collect();
                normals = rows.iter().map(|row| row.normal.as_vec3().normalize_or_zero()).collect();
                if has_texture(element) {
                    values = rows.iter().map(|row| row.uv.map(|x| x as f32)).collect();
                }
            }
            "face" => polygons = faces(path, &rows)?,
            _ => {}
        }
    }
    if polygons.is_empty() {
        return Ok(Mesh::Points(PointCloud::new(points)?));
    }
    // A point that does not exist is refused below.
    let place = |i: u32| points.get(i as usize).copied().unwrap_or_default();
    let triangles: Vec<_> = polygons.iter().flat_map(|corners| cut(corners, place)).collect();
    let uv =
        (!values.is_empty()).then(|| TextureCoordinates { values, corners: triangles.clone() });
    let surface = Surface::new(points, triangles, uv)?;
    Ok(Mesh::Surface(super::with_normals(surface, &normals)))
}

/// A header may claim any count. Elements without properties take no bytes, so that reading them would not end at
/// the end of the file: they are refused, and all others must fit into the file together.
fn check_counts(path: &Path, header: &Header, bytes: usize) -> Result<()> {
    let mut left = bytes;
    for element in header.elements.values() {
        let at = format!("element {}", super::cursor::shortened(&element.name));
        let least = match header.encoding {
            Encoding::Ascii => element.properties.len().min(1),
            _ => element.properties.values().map(|p| least_bytes(&p.data_type)).sum(),
        };
        if least == 0 {
            return Err(Error::file(path, at, "has no properties"));
        }
        let count = element.count;
        let after = count.checked_mul(least).and_then(|needed| left.checked_sub(needed));
        left = after.ok_or_else(|| {
            let file = format!("the file has {bytes} bytes in all");
            let message = format!("the header announces {count} of {least} bytes or more, {file}");
            Error::file(path, at, message)
        })?;
    }
    Ok(())
}

/// Triangles in another form than faces must not pass for a bare cloud.
fn check_elements(path: &Path, header: &Header) -> Result<()> {
    let holds = |name: &str| header.elements.get(name).is_some_and(|e| e.count > 0);
    if !holds("face") && holds("tristrips") {
        let message = "holds triangle strips, wanted faces";
        return Err(Error::file(path, "element tristrips", message));
    }
    if !header.elements.contains_key("vertex") {
        return Err(Error::file(path, "header", "has no element vertex"));
    }
    Ok(())
}

fn least_bytes(property: &PropertyType) -> usize {
    let (PropertyType::Scalar(scalar) | PropertyType::List(scalar, _)) = property;
    match scalar {
        ScalarType::Char | ScalarType::UChar => 1,
        ScalarType::Short | ScalarType::UShort => 2,
        ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
        ScalarType::Double => 8,
    }
}

fn has_texture(vertex: &ElementDef) -> bool {
    let has = |name: &str| vertex.properties.contains_key(name);
    U.iter().zip(V).any(|(u, v)| has(u) && has(v))
}

fn faces(path: &Path, rows: &[Row]) -> Result<Vec<Vec<u32>>> {
    let mut polygons = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let fault = |message| Error::file(path, format!("face {i}"), message);
        let corners: Option<Vec<u32>> = row.corners.iter().map(|c| (*c).try_into().ok()).collect();
        let corners = corners.ok_or_else(|| fault("has a negative vertex index".into()))?;
        if corners.len() < 3 {
            return Err(fault(format!("has {} vertex_indices, wanted at least 3", corners.len())));
        }
        polygons.push(corners);
    }
    Ok(polygons)
}

/// Writes a binary file, coordinates as doubles; of points without triangles the faces are left out. Texture coordinates
/// and normals belong to corners here and to points in PLY; they are not written.
pub fn write(surface: &Surface) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\ncomment pliant\nelement vertex {}\nproperty double x\nproperty double y\n\
         property double z\n",
        surface.points.len()
    )
    .into_bytes();
    if !surface.triangles.is_empty() {
        let count = surface.triangles.len();
        let faces = format!("element face {count}\nproperty list uchar uint vertex_indices\n");
        bytes.extend(faces.into_bytes());
    }
    bytes.extend(b"end_header\n");
    for x in surface.points.iter().flat_map(|p| p.to_array()) {
        bytes.extend(x.to_le_bytes());
    }
    for triangle in &surface.triangles {
        bytes.push(3);
        for corner in triangle {
            bytes.extend(corner.to_le_bytes());
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::io::tests::{assert_faults, surface};
    use glam::Vec3;

    const QUAD: &str = "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\nproperty float x\nproperty float y\n\
        property float z\nproperty uchar red\nproperty float s\nproperty float t\nelement face 1\n\
        property list uchar int vertex_indices\nproperty uchar flag\nend_header\n0 0 0 255 0 0\n1 0 0 255 1 0\n\
        1 1 0 255 1 1\n0 1 0 255 0 1\n4 0 1 2 3 9\n";

    fn read_text(text: &str) -> Result<Mesh> {
        read(Path::new("a.ply"), text.as_bytes())
    }

    #[test]
    fn quads_are_cut_and_texture_coordinates_kept() {
        let surface = surface(read_text(QUAD));
        assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3]]);
        let uv = surface.uv.unwrap();
        assert_eq!((uv.values[2], &uv.corners), ([1.0, 1.0], &surface.triangles));
    }

    /// One of no length says nothing.
    #[test]
    fn normals_of_points_are_those_of_corners() {
        let with = QUAD.replace("uchar red", "float nx\nproperty float ny\nproperty float nz");
        let with = with.replace(" 255 ", " 0 0 2 ").replace("1 1 0 0 0 2", "1 1 0 0 0 0");
        let got = surface(read_text(&with)).corner_normals;
        assert_eq!(got, [[Vec3::Z, Vec3::Z, Vec3::ZERO], [Vec3::Z, Vec3::ZERO, Vec3::Z]]);
        assert!(surface(read_text(QUAD)).corner_normals.is_empty());
    }

    #[test]
    fn big_endian_is_read() {
        let header = "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty float x\nproperty double y\n\
            property short z\nelement face 1\nproperty list ushort uchar vertex_index\nend_header\n";
        let mut bytes = header.as_bytes().to_vec();
        for (x, y, z) in [(0f32, 0f64, 0i16), (1.0, 0.0, 0), (0.0, 2.5, -7)] {
            bytes.extend(x.to_be_bytes());
            bytes.extend(y.to_be_bytes());
            bytes.extend(z.to_be_bytes());
        }
        bytes.extend([0, 3, 0, 1, 2]);
        let surface = surface(read(Path::new("a.ply"), &bytes));
        assert_eq!(surface.points[2], DVec3::new(0.0, 2.5, -7.0));
        assert_eq!(surface.triangles, [[0, 1, 2]]);
    }

    #[test]
    fn vertices_alone_are_a_cloud() {
        let cloud =
            PointCloud { points: vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y] };
        let faces = "element face 1\nproperty list uchar int vertex_indices\nproperty uchar flag\n";
        let bare = QUAD.replace(faces, "").replace("4 0 1 2 3 9\n", "");
        let counted = QUAD.replace("face 1", "face 0").replace("4 0 1 2 3 9\n", "");
        for text in [bare, counted] {
            assert_eq!(read_text(&text).unwrap(), Mesh::Points(cloud.clone()));
        }
    }

    #[test]
    fn faults_name_the_place() {
        let strips = "element tristrips 1\nproperty list int int vertex_indices\n";
        let faces = "element face 1\nproperty list uchar int vertex_indices\nproperty uchar flag\n";
        let none = "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
        let endless =
            "ply\nformat binary_little_endian 1.0\nelement nothing 4000000000\nend_header\n";
        let with = |from: &str, to: &str| QUAD.replace(from, to);
        let face = |to: &str| with("4 0 1 2 3 9", to);
        let faults = [
            (&*with(faces, strips), "element tristrips: holds triangle"),
            (&with("vertex 4", "points 4"), "no element vertex"),
            (none, "holds no points"),
            ("", "header"),
            (&with("vertex 4", "vertex 4000000000"), "the header announces 4000000000"),
            (endless, "element nothing"),
            (&with("float z", "float w"), "no property z"),
            (&face("2 0 1 9"), "face 0: has 2"),
            (&face("3 0 1 -2 9"), "face 0: has a negative"),
            (&with("1 1 0 255", "1 nan 0 255"), "Line 17"),
            (&face("4000000000 0 1 2 3 9"), "face"),
        ];
        assert_faults(read_text, &faults);
    }
}
