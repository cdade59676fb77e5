//! Where a picture is taken from.

use glam::camera::rh::{proj::directx, view};
use glam::{Mat4, Vec2, Vec3};

use crate::{Error, Result};

/// A perspective camera that holds the horizon level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands [m].
    pub eye: Vec3,
    /// What it looks at [m]; the middle of the picture. Must not be `eye`.
    pub target: Vec3,
    /// Vertical field of view [rad], in (0, π).
    pub fov_y: f32,
}

/// Vertical field of view of cameras that nobody chose otherwise [rad].
pub(super) const FOV_Y: f32 = 0.6;
/// Share of the picture that [`Camera::frame`] fills.
const FILL: f32 = 0.84;
/// From the target to the eye of [`Camera::frame`]: to the right, above, in front.
const THREE_QUARTER: Vec3 = Vec3::new(0.55, 0.42, 1.0);
/// Coordinates beyond this are refused [m]: single precision has no detail left there.
pub(super) const FARTHEST: f32 = 1e6;

impl Camera {
    /// Everything between the corners of the box is in the picture, seen three-quarter from slightly above.
    /// `aspect` is width / height. Bounds that are empty or not finite count as the unit cube around the origin.
    #[must_use]
    pub fn frame(bounds_min: Vec3, bounds_max: Vec3, aspect: f32) -> Self {
        let usable =
            bounds_min.is_finite() && bounds_max.is_finite() && bounds_min.cmple(bounds_max).all();
        let half_cube = Vec3::splat(0.5);
        let (low, high) = if usable { (bounds_min, bounds_max) } else { (-half_cube, half_cube) };
        let centre = 0.5 * (low + high);
        let smallest = 1e-3_f32.max(1e-5 * centre.abs().max_element());
        let half = (0.5 * (high - low)).max(Vec3::splat(smallest));
        Self::around(&[[centre - half, centre + half]], aspect)
    }

    /// Everything between the corners of each box, its least and its greatest [m], is in the picture, seen three-quarter from
    /// slightly above, and as near as that allows. `aspect` is width / height. Boxes that are not finite do not count; none,
    /// or all in one place, count as the unit cube around it, or around the origin.
    #[must_use]
    pub fn around(boxes: &[[Vec3; 2]], aspect: f32) -> Self {
        Self::around_from(boxes, THREE_QUARTER, aspect)
    }

    /// As [`Self::around`], seen from another direction: `back` points from the target to the eye. A direction that is not
    /// finite, 0 or straight up or down counts as three-quarter.
    #[must_use]
    pub fn around_from(boxes: &[[Vec3; 2]], back: Vec3, aspect: f32) -> Self {
        let finite = boxes.iter().filter(|[low, high]| low.is_finite() && high.is_finite());
        let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (low, high) =
            finite.clone().fold(start, |(low, high), own| (low.min(own[0]), high.max(own[1])));
        let centre = if low.is_finite() { 0.5 * (low + high) } else { Vec3::ZERO };
        let farthest = centre.abs().max_element();
        if !low.is_finite() || low.distance(high) <= 1e-6 * farthest {
            let half = Vec3::splat(0.5_f32.max(1e-5 * farthest));
            return Self::around_from(&[[centre - half, centre + half]], back, aspect);
        }

        let back = back.normalize_or_zero();
        let level = Vec3::Y.cross(back).length();
        let back = if level > 1e-3 { back } else { THREE_QUARTER.normalize() };
        let right = Vec3::Y.cross(back).normalize();
        let up = back.cross(right);
        let slope = (FILL * (0.5 * FOV_Y).tan()) * Vec2::new(aspect, 1.0);

        // Each side of the view pyramid must pass outside every corner: at distance d with the eye moved by e along
        // an axis, |x - e| <= slope (d + depth). The tightest eye sits between the two sides' bounds.
        let mut right_side = Vec2::NEG_INFINITY;
        let mut left_side = Vec2::NEG_INFINITY;
        let mut nearest = f32::NEG_INFINITY;
        for corner in finite.flat_map(|[low, high]| corners(*low - centre, *high - centre)) {
            let across = Vec2::new(corner.dot(right), corner.dot(up));
            let towards = corner.dot(back);
            right_side = right_side.max(across + slope * towards);
            left_side = left_side.max(-across + slope * towards);
            nearest = nearest.max(towards);
        }
        let distance = ((right_side + left_side) / (2.0 * slope)).max_element();
        // A picture so wide that the box is close to the eye still needs it in front of the near plane.
        let distance = distance.max(1.1 * nearest);
        let shift = 0.5 * (right_side - left_side);
        let target = centre + shift.x * right + shift.y * up;
        Self { eye: target + distance * back, target, fov_y: FOV_Y }
    }

    /// Reads `EYE:TARGET`, each `x,y,z` in metres.
    ///
    /// # Errors
    /// [`Error::Value`] when there are not six finite numbers of at most 10⁶, or when eye and target coincide.
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = |want: &str| Error::value("camera", format!("\"{text}\""), want);
        let form = "EYE:TARGET, each x,y,z in metres, e.g. 3,2,4:0,0.5,0";
        let (eye, target) = text.split_once(':').ok_or_else(|| wrong(form))?;
        let (eye, target) = (parse_point(eye), parse_point(target));
        let (Some(eye), Some(target)) = (eye, target) else {
            return Err(wrong(form));
        };
        if eye.abs().max_element() > FARTHEST || target.abs().max_element() > FARTHEST {
            return Err(wrong("coordinates of at most 1e6 m"));
        }
        let least = 1e-4_f32.max(1e-5 * eye.abs().max_element());
        if eye.distance(target) < least {
            return Err(wrong("an eye that differs from the target"));
        }
        Ok(Self { eye, target, fov_y: FOV_Y })
    }

    /// World to clip space: x and y in [-1, 1], depth 1 at the near plane (a hundredth of the distance to the target)
    /// and 0 at infinity. `aspect` is width / height.
    #[must_use]
    pub fn view_projection(&self, aspect: f32) -> Mat4 {
        let near = 0.01 * self.distance();
        directx::perspective_infinite_reverse(self.fov_y, aspect, near) * self.view()
    }

    /// The ray through a place of a picture of `size` (width, height) [pixels]: the eye [m], and a unit vector. `pixel`
    /// counts from the upper left corner to the right and down; pixels have their centres at halves.
    #[must_use]
    pub fn ray(&self, pixel: Vec2, size: [u32; 2]) -> (Vec3, Vec3) {
        let size = Vec2::new(size[0].max(1) as f32, size[1].max(1) as f32);
        let place = (2.0 * pixel / size - 1.0) * Vec2::new(size.x / size.y, -1.0);
        let slope = (0.5 * self.fov_y).tan() * place;
        let [right, up, back] = self.axes();
        (self.eye, (slope.x * right + slope.y * up - back).normalize())
    }

    /// Where a point is seen in a picture of `size` (width, height), as a place for [`Self::ray`] [pixels]; it may lie
    /// outside the picture. `None` for points behind the near plane, and those that are not finite.
    #[must_use]
    pub fn project(&self, point: Vec3, size: [u32; 2]) -> Option<Vec2> {
        let size = Vec2::new(size[0].max(1) as f32, size[1].max(1) as f32);
        let clip = self.view_projection(size.x / size.y) * point.extend(1.0);
        if !clip.is_finite() || clip.w < clip.z {
            return None;
        }
        let place = clip.truncate().truncate() / clip.w;
        Some(0.5 * size * (Vec2::ONE + place * Vec2::new(1.0, -1.0)))
    }

    /// Unit vectors of the picture: to the right, up, and towards the viewer.
    pub(crate) fn axes(&self) -> [Vec3; 3] {
        let view = self.view();
        [0, 1, 2].map(|row| view.row(row).truncate())
    }

    /// From the eye to the target [m].
    #[must_use]
    pub fn distance(&self) -> f32 {
        self.eye.distance(self.target)
    }

    fn view(&self) -> Mat4 {
        let forward = (self.target - self.eye).normalize();
        let up = if forward.y.abs() > 0.999 { Vec3::NEG_Z } else { Vec3::Y };
        view::look_to_mat4(self.eye, forward, up)
    }
}

/// Three finite numbers with commas between.
fn parse_point(text: &str) -> Option<Vec3> {
    let mut numbers = text.split(',').map(|number| number.trim().parse::<f32>());
    let point = Vec3::new(numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
    (numbers.next().is_none() && point.is_finite()).then_some(point)
}

/// The eight corners of a box.
pub(super) fn corners(low: Vec3, high: Vec3) -> [Vec3; 8] {
    std::array::from_fn(|corner| {
        let pick = |axis: usize| {
            if corner >> axis & 1 == 0 { low[axis] } else { high[axis] }
        };
        Vec3::new(pick(0), pick(1), pick(2))
    })
}
