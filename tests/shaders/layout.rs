//! Whether the structs that Rust declares and those of the shaders are the same, byte for byte.

use std::collections::BTreeMap;

use encase::internal::WriteInto;
use encase::{ShaderType, StorageBuffer};
use glam::{Mat4, UVec2, UVec4, Vec2, Vec3, Vec4};
use naga::{AddressSpace, Module, Type, TypeInner};
use pliant::gpu::types::{
    Beam, Block, Body, Box, Candidate, Chunk, ChunkSums, Cluster, ClusterState, CoarseMotion,
    CoarsePart, Collide, ColorVertex, Conjugate, Contact, Edge, Element, Externals, FemState,
    FemTangent, FemTet, Grip, Impulse, Lines, MeshSource, MeshVertex, Newton, Particle, Patch,
    PatchShape, Penetration, PickChunk, Pin, Point, PointAnswer, Pose, Press, Pull, Query,
    QueryRay, RayAnswer, Segment, Shift, Sim, SkinPoint, Solid, Tested, Tet, Tie, TieEnd, TieRow,
    TouchSum, Tug, VertexTet,
};
use pliant::render::{CloudLook, Frame, ValueLook};

/// A member of a struct: its name, and the bytes [first, end) that it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub name: &'static str,
    pub first: usize,
    pub end: usize,
}

/// A struct as `encase` writes it.
pub struct Layout {
    pub size: usize,
    pub members: Vec<Member>,
}

/// A value of which every byte is the same.
trait Filled {
    fn filled(byte: u8) -> Self;
}

impl Filled for u32 {
    fn filled(byte: u8) -> Self {
        Self::from_ne_bytes([byte; 4])
    }
}

impl Filled for f32 {
    fn filled(byte: u8) -> Self {
        Self::from_bits(u32::filled(byte))
    }
}

impl Filled for Vec2 {
    fn filled(byte: u8) -> Self {
        Self::splat(f32::filled(byte))
    }
}

impl Filled for Vec3 {
    fn filled(byte: u8) -> Self {
        Self::splat(f32::filled(byte))
    }
}

impl Filled for Vec4 {
    fn filled(byte: u8) -> Self {
        Self::splat(f32::filled(byte))
    }
}

impl Filled for UVec2 {
    fn filled(byte: u8) -> Self {
        Self::splat(u32::filled(byte))
    }
}

impl Filled for UVec4 {
    fn filled(byte: u8) -> Self {
        Self::splat(u32::filled(byte))
    }
}

impl Filled for Mat4 {
    fn filled(byte: u8) -> Self {
        Self::from_cols_array(&[f32::filled(byte); 16])
    }
}

impl<T: Filled, const N: usize> Filled for [T; N] {
    fn filled(byte: u8) -> Self {
        std::array::from_fn(|_| T::filled(byte))
    }
}

fn encode<T: ShaderType + WriteInto>(value: &T) -> Vec<u8> {
    let mut buffer = StorageBuffer::new(Vec::new());
    buffer.write(value).expect("a Vec grows");
    buffer.into_inner()
}

/// The bytes that differ between two values.
fn difference(name: &'static str, one: &[u8], other: &[u8]) -> Member {
    let differs = |&at: &usize| one[at] != other[at];
    let first = (0..one.len()).find(differs).expect("a member takes bytes");
    let last = (0..one.len()).rfind(differs).expect("a member takes bytes");
    Member {
        name,
        first,
        end: last + 1,
    }
}

/// Finds where `encase` writes each member by changing one at a time. All members must be listed.
macro_rules! layouts {
    ($($name:ident { $($member:ident),* $(,)? })*) => {
        $(impl Filled for $name {
            fn filled(byte: u8) -> Self {
                Self { $($member: Filled::filled(byte)),* }
            }
        })*

        /// All structs that Rust and WGSL share, by name.
        pub fn layouts() -> BTreeMap<&'static str, Layout> {
            let mut layouts = BTreeMap::new();
            $({
                let zeros = encode(&$name::filled(0));
                let mut members = Vec::new();
                $({
                    let mut value = $name::filled(0);
                    value.$member = Filled::filled(0xff);
                    members.push(difference(stringify!($member), &encode(&value), &zeros));
                })*
                layouts.insert(stringify!($name), Layout { size: zeros.len(), members });
            })*
            layouts
        }
    };
}

layouts! {
    Particle { position, inverse_mass, velocity, damping_rate }
    Point { first, counts, area_count, body }
    Element { other, inverse_rest }
    Body {
        distance, volume, damping, friction, margin, stiffness_rate, probe_scale, chunk_first,
        chunk_count, damping_mode, touching, group, mask, self_contact, edge, kind, varied, area, radius, law, alpha,
        beta, relaxation, yield_strain, creep, plastic_most, pull_rate, borne,
    }
    Sim {
        gravity, step, wind, drag, particle_count, body_count, solid_count, pull_count, tick, slot,
        damping_gathers, theta_scale, step_ratio, speed_limit, stage_step, stage_weight, probe, chunk_count,
        first_stage, skin_count, flow, fem_count, cluster_count, cluster_chunk_count, implicit, stage, iterations,
        tolerance, span, pose_count, first_thread, status_words, events, watch,
    }
    Solid { centre, kind, extent, reserved, rotation, velocity, reserved_velocity, spin, reserved_spin }
    Pose { centre, solid, rotation, velocity, elapsed, spin, going }
    Pin { anchor, particle, velocity, pose }
    Tie { corners, weights, anchor, particle, stiffness, damping, length, pose }
    TieRow { particle, first, end, reserved }
    TieEnd { tie, weight }
    Pull { force, particle, from_tick, from_part, to_tick, to_part }
    Externals { solids, pulls }
    Chunk { first, end }
    Edge { ends, wings }
    Tested { position, body, normal, margin }
    Cluster {
        origin, inverse_mass, root_diagonal, flags, root_off, body, whiten_diagonal, fit, whiten_off, size, anchor,
        chunk_first, chunk_count, reserved, centre, reserved_centre, square_diagonal, reserved_diagonal, square_off,
        reserved_off, square_diagonal_low, reserved_diagonal_low, square_off_low, reserved_off_low,
    }
    ClusterState { rotation, plastic_diagonal, reserved, plastic_off, reserved_off, spin, reserved_spin }
    SkinPoint { corners, weights }
    MeshSource { uv, vertex, reserved }
    MeshVertex { position, normal_x, normal_yz, uv }
    Collide {
        inverse_cell, floor, margin_scale, margin, stale, table, levels, tet_count, capacity, moved, share,
        feature_count, edge_count, edge_table, edge_levels, source, particle_groups, record_groups,
        inverse_sphere_cell, sphere_size, sphere_table, sphere_levels, triangle_count, hold, replica_size,
    }
    Box { low, a, high, b }
    Patch { centre, spread, body, first, end, reserved }
    PatchShape { low, spread, high, reserved, centre, reserved_centre }
    Tet { corners, across }
    Penetration { direction, depth, feature, tet, body, sweep }
    Contact {
        normal, gap, particles, weights, second, second_weight, target_speed, friction, edge, feature,
        body, fresh, unreached, crowded, depth, reach, partner,
    }
    Impulse { tangent, normal, partner, normal_change, tangent_change, body }
    Shift { way, takes_part, force, area }
    CloudLook { albedo, radius, turn, stretch, glow }
    ValueLook { table, low, per_value, least, most, used }
    Segment { start, value, end, body }
    FemTet {
        corners, slots, gradient_b, volume, gradient_c, lambda, gradient_d, mu, body, shape_rate, relaxation, reserved,
    }
    ColorVertex { particle, tet_first, tet_count, reserved }
    VertexTet {
        b, c, d, volume, gradient_b, lambda, gradient_c, mu, gradient_d, relaxation,
    }
    CoarsePart { force, torque, diagonal, off, mixed_x, mixed_y, mixed_z, turn, turn_off }
    CoarseMotion { shift, turn, origin }
    Grip { impulse, stiffness, normal, share }
    Press { force, stiffness, diagonal, reserved, off, reserved_off }
    Newton {
        phase, gates, iterations, conjugate, conjugate_sum, rounds, tries, gamma, alpha, beta, goal, slope, taken, share,
        residual, reserved,
    }
    Conjugate {
        residual, reserved, change, reserved_change, search, reserved_search, image, reserved_image,
    }
    Block { diagonal, reserved, off, reserved_off }
    FemTangent {
        first, low_x, second, low_y, gradient_b, low_z, gradient_c, both_x, gradient_d, both_y, diagonal, both_z, off,
        reserved, up, reserved_up,
    }
    FemState { rotation, diagonal, reserved_a, off, reserved_b }
    Tug { goal, rate, particle, body, entry, damping, most }
    Beam { origin, count, direction, first, right, end, up, body }
    PickChunk { first, end, body, radius }
    Lines { first, count, scale, body }
    ChunkSums { origin, mass, moment, kinetic, low, elastic, high, speed, momentum, least, greatest }
    Candidate { place, distance, index, body }
    Query { count, piece_count, solid_count, words, mask }
    QueryRay { origin, reach, direction, right, up }
    RayAnswer { position, distance, normal, body, weights, element }
    TouchSum { impulse, normal_impulse, place, depth, normal, contacts, body, other, steps, last }
    PointAnswer { weights, body, element, inside }
    Frame {
        view_projection, shadow_projection, eye, reach, focus, shadow_texel, light, encode, sky_top, line_strength,
        sky_bottom, shadow_strength, ground, ambient_from_above, ambient_from_below, sun, pixel, size,
    }
}

/// Every difference between the structs of a module and those of Rust, and every struct in a buffer that Rust lacks.
pub fn differences(module: &Module, layouts: &BTreeMap<&'static str, Layout>) -> Vec<String> {
    let mut found = Vec::new();
    for (_, ty) in module.types.iter() {
        if let Some(layout) = ty.name.as_deref().and_then(|name| layouts.get(name)) {
            found.extend(compare(module, ty, layout));
        }
    }
    let buffers = module.global_variables.iter().map(|(_, variable)| variable);
    for buffer in buffers.filter(|buffer| {
        matches!(
            buffer.space,
            AddressSpace::Uniform | AddressSpace::Storage { .. }
        )
    }) {
        let ty = match module.types[buffer.ty].inner {
            TypeInner::Array { base, .. } => &module.types[base],
            _ => &module.types[buffer.ty],
        };
        let name = ty.name.as_deref().unwrap_or_default();
        if matches!(ty.inner, TypeInner::Struct { .. }) && !layouts.contains_key(name) {
            found.push(format!("{name} is in a buffer, but not compared"));
        }
    }
    found
}

fn compare(module: &Module, ty: &Type, layout: &Layout) -> Vec<String> {
    let mut found = Vec::new();
    let name = ty.name.as_deref().unwrap_or_default();
    let TypeInner::Struct { ref members, span } = ty.inner else {
        return vec![format!("{name} is no struct in WGSL")];
    };
    if span as usize != layout.size {
        found.push(format!(
            "{name}: {span} bytes in WGSL, {} in Rust",
            layout.size
        ));
    }
    let bytes = |member: &naga::StructMember| {
        let first = member.offset as usize;
        let end = first + module.types[member.ty].inner.size(module.to_ctx()) as usize;
        (member.name.clone().unwrap_or_default(), first, end)
    };
    let wgsl: Vec<_> = members.iter().map(bytes).collect();
    let rust: Vec<_> = layout
        .members
        .iter()
        .map(|m| (m.name.to_owned(), m.first, m.end))
        .collect();
    if wgsl != rust {
        found.push(format!(
            "{name}: members {wgsl:?} in WGSL, {rust:?} in Rust"
        ));
    }
    found
}
