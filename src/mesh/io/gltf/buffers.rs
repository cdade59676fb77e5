//! The bytes behind a glTF document, and the accessors that give them meaning.

use super::Told;
use crate::error::{Error, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::{DVec3, Vec3};
use gltf::json;
use gltf::json::accessor::{ComponentType, Type};
use gltf::json::validation::{Checked, USize64};
use std::io::Read;
use std::path::{Component, Path};

/// The most bytes of all buffers: many may name the same file.
const MOST_BYTES: u64 = 1 << 32;

/// All buffers of a document, in its order.
pub struct Buffers(Vec<Vec<u8>>);

impl Buffers {
    /// Loads every buffer: `blob` is that of a `.glb` file; files are looked for beside `path`.
    pub fn load(root: &json::Root, mut blob: Option<Vec<u8>>, path: &Path) -> Result<Self> {
        let mut buffers = Vec::new();
        let mut total = 0;
        for (i, buffer) in root.buffers.iter().enumerate() {
            let bytes = match &buffer.uri {
                Some(uri) if uri.starts_with("data:") => data_address(uri),
                Some(uri) => beside(path, uri, buffer.byte_length.0),
                None => blob
                    .take()
                    .filter(|_| i == 0)
                    .ok_or_else(|| "has no uri and is not the GLB's own buffer".to_string()),
            };
            let fault = |message| Error::file(path, format!("buffer {i}"), message);
            let bytes = bytes.map_err(fault)?;
            let (length, wanted) = (bytes.len() as u64, buffer.byte_length.0);
            if length < wanted {
                return Err(fault(format!("has {length} bytes, wanted {wanted}")));
            }
            total += length;
            if total > MOST_BYTES {
                let most = format!("the buffers have more than {MOST_BYTES} bytes in total");
                return Err(fault(most));
            }
            buffers.push(bytes);
        }
        Ok(Self(buffers))
    }

    /// The elements of an accessor: a component type, and one slice for each.
    fn elements(
        &self,
        root: &json::Root,
        index: usize,
        (kind, components): (Type, usize),
    ) -> Told<(ComponentType, impl Iterator<Item = &[u8]>)> {
        let accessor =
            root.accessors.get(index).ok_or_else(|| format!("accessor {index} does not exist"))?;
        if accessor.sparse.is_some() {
            return Err(format!("accessor {index} is sparse, wanted a plain one"));
        }
        if accessor.type_ != Checked::Valid(kind) {
            let got = accessor.type_;
            return Err(format!("accessor {index} is of type {got:?}, wanted {kind:?}"));
        }
        let Checked::Valid(component) = accessor.component_type else {
            return Err(format!("accessor {index} has an unknown component type"));
        };
        let size = component.0.size() * components;
        let (bytes, stride) =
            self.bytes(root, accessor).map_err(|message| format!("accessor {index} {message}"))?;
        let stride = stride.unwrap_or(size);
        let count = accessor.count.0;
        // The last element ends (count − 1) strides and one size from the first.
        let needed = match count {
            0 => Some(0),
            _ => (count - 1)
                .checked_mul(stride as u64)
                .and_then(|start| start.checked_add(size as u64)),
        };
        if stride < size || needed.is_none_or(|needed| needed > bytes.len() as u64) {
            return Err(format!(
                "accessor {index} of {count} elements, {stride} bytes apart, is longer than its buffer"
            ));
        }
        Ok((component.0, (0..count as usize).map(move |i| &bytes[i * stride..i * stride + size])))
    }

    /// The bytes of an accessor's buffer view from the accessor's beginning, and the view's stride.
    fn bytes(
        &self,
        root: &json::Root,
        accessor: &json::Accessor,
    ) -> std::result::Result<(&[u8], Option<usize>), &'static str> {
        let view = accessor
            .buffer_view
            .and_then(|view| root.buffer_views.get(view.value()))
            .ok_or("has no buffer view (compressed geometry is not supported)")?;
        let buffer = self.0.get(view.buffer.value()).ok_or("is in no buffer")?;
        let offset =
            |bytes: Option<USize64>| usize::try_from(bytes.map_or(0, |bytes| bytes.0)).ok();
        let bytes = offset(view.byte_offset)
            .and_then(|start| buffer.get(start..))
            .and_then(|bytes| bytes.get(..offset(Some(view.byte_length))?))
            .and_then(|bytes| bytes.get(offset(accessor.byte_offset)?..))
            .ok_or("begins outside its buffer")?;
        Ok((bytes, view.byte_stride.map(|stride| stride.0)))
    }

    /// An accessor of points.
    pub fn vec3(&self, root: &json::Root, index: usize) -> Told<Vec<DVec3>> {
        let (component, elements) = self.elements(root, index, (Type::Vec3, 3))?;
        if component != ComponentType::F32 {
            return Err(format!("accessor {index} holds {component:?}, wanted F32"));
        }
        let points: Vec<DVec3> = elements
            .map(|e| Vec3::new(float(&e[0..4]), float(&e[4..8]), float(&e[8..12])).as_dvec3())
            .collect();
        match points.iter().position(|p| !p.is_finite()) {
            Some(i) => Err(format!("point {i} is at {}, wanted finite coordinates", points[i])),
            None => Ok(points),
        }
    }

    /// An accessor of texture coordinates; integers mean parts of one.
    pub fn vec2(&self, root: &json::Root, index: usize) -> Told<Vec<[f32; 2]>> {
        let (component, elements) = self.elements(root, index, (Type::Vec2, 2))?;
        let decode: fn(&[u8]) -> [f32; 2] = match component {
            ComponentType::F32 => |e| [float(&e[0..4]), float(&e[4..8])],
            ComponentType::U8 => |e| [0, 1].map(|i| f32::from(e[i]) / 255.0),
            ComponentType::U16 => {
                |e| [0, 2].map(|i| f32::from(u16::from_le_bytes([e[i], e[i + 1]])) / 65535.0)
            }
            other => {
                return Err(format!("accessor {index} holds {other:?}, wanted F32, U8 or U16"));
            }
        };
        Ok(elements.map(decode).collect())
    }

    /// An accessor of point indices.
    pub fn indices(&self, root: &json::Root, index: usize) -> Told<Vec<u32>> {
        let (component, elements) = self.elements(root, index, (Type::Scalar, 1))?;
        let decode: fn(&[u8]) -> u32 = match component {
            ComponentType::U8 => |e| e[0].into(),
            ComponentType::U16 => |e| u16::from_le_bytes([e[0], e[1]]).into(),
            ComponentType::U32 => super::u32_at,
            other => {
                return Err(format!("accessor {index} holds {other:?}, wanted U8, U16 or U32"));
            }
        };
        Ok(elements.map(decode).collect())
    }
}

fn float(bytes: &[u8]) -> f32 {
    f32::from_bits(super::u32_at(bytes))
}

/// The bytes of `data:…;base64,…`.
fn data_address(uri: &str) -> Told<Vec<u8>> {
    let (_, data) = uri.split_once(";base64,").ok_or("has a data URI that is not base64")?;
    STANDARD.decode(data).map_err(|error| format!("has a malformed data URI: {error}"))
}

/// The bytes of a file beside the document, no more than it says.
fn beside(path: &Path, uri: &str, length: u64) -> Told<Vec<u8>> {
    let shown = super::shortened(uri);
    let name = percent_decoded(uri)
        .ok_or_else(|| format!("has the uri `{shown}`, which cannot be read"))?;
    let name = Path::new(&name);
    // A document from elsewhere must not point at other files of this machine.
    if !name.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(format!("has the uri `{shown}`, wanted a file beside the document"));
    }
    let file = path.with_file_name("").join(name);
    let read = || {
        let handle = std::fs::File::open(&file)?;
        if !handle.metadata()?.is_file() {
            return Err(std::io::Error::other("is not a file"));
        }
        let mut bytes = Vec::new();
        handle.take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error: std::io::Error| format!("{}: {error}", file.display()))
}

/// A uri with its `%20` and the like made plain.
fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
