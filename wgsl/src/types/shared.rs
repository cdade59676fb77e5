//! Structs that Rust and WGSL share, said once: the Rust struct is written, its WGSL text follows from it, and `encase` lays
//! its bytes out by the rules of WGSL.

use std::fmt::Write as _;

use glam::{DMat3, DVec3, Mat4, UVec2, UVec4, Vec2, Vec3, Vec4};

/// A type that WGSL has, too.
#[doc(hidden)]
pub trait Wgsl: Copy {
    /// All of its bytes 0.
    const ZERO: Self;

    /// What WGSL calls it.
    fn name() -> String;
}

macro_rules! wgsl {
    ($($rust:ty: $wgsl:literal = $zero:expr;)*) => {
        $(impl Wgsl for $rust {
            const ZERO: Self = $zero;

            fn name() -> String {
                $wgsl.into()
            }
        })*
    };
}

wgsl! {
    f32: "f32" = 0.0;
    u32: "u32" = 0;
    Vec2: "vec2f" = Vec2::ZERO;
    Vec3: "vec3f" = Vec3::ZERO;
    Vec4: "vec4f" = Vec4::ZERO;
    UVec2: "vec2u" = UVec2::ZERO;
    UVec4: "vec4u" = UVec4::ZERO;
    Mat4: "mat4x4f" = Mat4::ZERO;
}

impl<T: Wgsl, const N: usize> Wgsl for [T; N] {
    const ZERO: Self = [T::ZERO; N];

    fn name() -> String {
        format!("array<{}, {N}>", T::name())
    }
}

/// A struct that both have.
#[derive(Clone, Copy, Debug)]
pub struct Struct {
    /// What both call it.
    pub name: &'static str,
    /// Of each member the name, the type as WGSL writes it, and where it begins [bytes].
    pub members: fn() -> Vec<(&'static str, String, u64)>,
    /// Bytes of one in an array.
    pub stride: u64,
}

impl Struct {
    /// Its declaration in WGSL.
    pub fn text(&self) -> String {
        let mut text = format!("struct {} {{\n", self.name);
        for (name, of, _) in (self.members)() {
            writeln!(text, "    {name}: {of},").expect("a String grows");
        }
        text + "}\n"
    }
}

/// Declares structs, and `STRUCTS`, which lists them for WGSL. The default of each is all zeros.
macro_rules! shared {
    ($(
        $(#[$doc:meta])*
        pub struct $name:ident {
            $($(#[$member_doc:meta])* pub $member:ident: $type:ty,)*
        }
    )*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, encase::ShaderType)]
            pub struct $name {
                $($(#[$member_doc])* pub $member: $type,)*
            }

            impl Default for $name {
                fn default() -> Self {
                    <Self as $crate::types::Wgsl>::ZERO
                }
            }

            impl $crate::types::Wgsl for $name {
                const ZERO: Self = Self {
                    $($member: <$type as $crate::types::Wgsl>::ZERO,)*
                };

                fn name() -> String {
                    stringify!($name).into()
                }
            }
        )*

        /// The structs of this module.
        pub(super) const STRUCTS: &[$crate::types::Struct] = &[$($crate::types::Struct {
            name: stringify!($name),
            members: || {
                let members = [$((
                    stringify!($member),
                    <$type as $crate::types::Wgsl>::name(),
                )),*];
                let places = 0..members.len();
                let begins = |k| <$name as encase::ShaderType>::METADATA.offset(k);
                let placed = |(k, (name, of))| (name, of, begins(k));
                places.zip(members).map(placed).collect()
            },
            stride: <$name as encase::ShaderSize>::SHADER_SIZE.get(),
        }),*];
    };
}

/// A symmetric matrix by its diagonal and its yz, zx, xy.
#[must_use]
pub fn symmetric(diagonal: Vec3, off: Vec3) -> DMat3 {
    let (d, o) = (diagonal.as_dvec3(), off.as_dvec3());
    DMat3::from_cols(
        DVec3::new(d.x, o.z, o.y),
        DVec3::new(o.z, d.y, o.x),
        DVec3::new(o.y, o.x, d.z),
    )
}
