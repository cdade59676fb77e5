//! Uniforms of the drawing shaders.

use super::COLOR_ENTRIES;
use glam::{Mat4, Vec2, Vec3, Vec4};

shared! {
    /// Camera, light and palette. Colours of light are linear RGB; those of sky and planes are as the target stores them.
    pub struct Frame {
        /// World to clip space; depth 1 at the near plane, 0 at infinity.
        pub view_projection: Mat4,
        /// World to the shadow map's clip space.
        pub shadow_projection: Mat4,
        /// The camera's place [m].
        pub eye: Vec3,
        /// Planes have faded this far from the focus, or farther where the eye is higher [m].
        pub reach: f32,
        /// What the camera looks at [m].
        pub focus: Vec3,
        /// Edge of one texel of the shadow map [m].
        pub shadow_texel: f32,
        /// Unit, towards the light.
        pub light: Vec3,
        /// 1: the target does not turn linear into sRGB itself.
        pub encode: u32,
        /// Background at the picture's top.
        pub sky_top: Vec3,
        /// How far grid lines darken (below 0: brighten) a plane.
        pub line_strength: f32,
        /// Background at the picture's bottom.
        pub sky_bottom: Vec3,
        /// What a full shadow takes from a plane's colour.
        pub shadow_strength: f32,
        /// Planes.
        pub ground: Vec3,
        /// Light of the upper hemisphere.
        pub ambient_from_above: Vec3,
        /// Light of the lower hemisphere.
        pub ambient_from_below: Vec3,
        /// Light of the one direction.
        pub sun: Vec3,
        /// Across one pixel at a distance of 1 m along the view's axis [m].
        pub pixel: f32,
        /// Width and height [pixels].
        pub size: Vec2,
    }

    /// How the spheres of one cloud look; a uniform.
    pub struct CloudLook {
        /// Linear RGB.
        pub albedo: Vec3,
        /// Of each sphere [m].
        pub radius: f32,
        /// Between corners of the polygons that throw the shadows [rad].
        pub turn: f32,
        /// Their circumscribed radius [radii]; they have the area of a disk.
        pub stretch: f32,
        /// 1 for the active body's.
        pub glow: f32,
    }

    /// A scale as the shaders see it; a uniform.
    pub struct ValueLook {
        /// Linear RGB.
        pub table: [Vec4; COLOR_ENTRIES as usize],
        /// The value of the first entry.
        pub low: f32,
        /// Entries per unit of the value.
        pub per_value: f32,
        /// Values below count as this.
        pub least: f32,
        /// Values above count as this.
        pub most: f32,
        /// 0: bodies have their own colours.
        pub used: u32,
    }
}
