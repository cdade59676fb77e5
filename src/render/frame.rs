//! The uniform that all shaders of one picture share.

use glam::camera::rh::{proj::directx, view};
use glam::{Mat4, Vec2, Vec3};

use super::{Camera, Look, color};
use crate::gpu::types::{Frame, SHADOW_SIZE};

/// Radius around the camera's target inside which things throw shadows, in distances to the target.
const SHADOW_RADIUS: f32 = 0.8;
/// How far planes reach, in distances to the target.
const REACH: f32 = 8.0;

/// The uniform for one picture of `size` (width, height) [pixels]. `encode`: the target does not encode sRGB
/// itself.
#[must_use]
pub(super) fn frame(camera: &Camera, look: &Look, size: [u32; 2], encode: bool) -> Frame {
    let size = Vec2::new(size[0].max(1) as f32, size[1].max(1) as f32);
    let light = look.light.try_normalize().unwrap_or(Vec3::Y);
    let palette = look.background.palette();
    let target = |color: Vec3| {
        if encode { color.map(color::encode) } else { color }
    };
    let ground = target(palette.ground);
    // What takes this share of the ground's light takes that of its value in the target.
    let share = |strength: f32| 1.0 - target((1.0 - strength) * palette.ground).x / ground.x;
    let radius = SHADOW_RADIUS * camera.distance();
    Frame {
        view_projection: camera.view_projection(size.x / size.y),
        shadow_projection: shadow_projection(camera.target, radius, light),
        eye: camera.eye,
        reach: REACH * camera.distance(),
        focus: camera.target,
        shadow_texel: 2.0 * radius / SHADOW_SIZE,
        light,
        encode: encode.into(),
        sky_top: target(palette.sky_top),
        line_strength: share(palette.line_strength),
        sky_bottom: target(palette.sky_bottom),
        shadow_strength: share(palette.shadow_strength),
        ground,
        ambient_from_above: palette.ambient_from_above,
        ambient_from_below: palette.ambient_from_below,
        sun: palette.sun,
        pixel: 2.0 * (0.5 * camera.fov_y).tan() / size.y,
        size,
    }
}

/// A box along the light around the target; as wide as the shadow's radius, and three times as long on either side.
fn shadow_projection(target: Vec3, radius: f32, light: Vec3) -> Mat4 {
    let up = if light.y.abs() > 0.9 { Vec3::Z } else { Vec3::Y };
    let from = target + 3.0 * radius * light;
    directx::orthographic(-radius, radius, -radius, radius, 0.0, 6.0 * radius)
        * view::look_to_mat4(from, -light, up)
}
