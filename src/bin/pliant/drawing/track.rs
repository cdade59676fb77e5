//! Where the camera of each frame of a run stands.

use glam::Vec3;
use pliant::World;
use pliant::inspect::Sums;
use pliant::internals::Inside as _;
use pliant::render::{Camera, Look};

use super::framing::{Aabb, MOVING, NOTHING, RUN, WHOLE, centre, diagonal, surroundings, union};
use super::vantage::{Place, vantage};

/// Bodies farther than this from the median place of all are not framed [the distance within which three quarters of them
/// are, or half the diagonal of their box at the start].
const OUTLYING: f32 = 3.0;
/// A camera that stands still shows at most so long a way [diagonals of the bodies' box in one frame]; else it moves along.
const LONGEST_WAY: f32 = 8.0;
/// Space around what the camera moves along with [its diagonals].
const AROUND: f32 = 0.35;
/// Bodies whose places are kept of each frame; of more of them some.
const MOST: usize = 1000;

/// Where things are in the frames of a run, from which its camera follows.
pub struct Track {
    /// The body that the camera moves along with.
    follow: Option<usize>,
    /// Every so many-th body is looked at.
    stride: usize,
    frames: Vec<Seen>,
}

/// What is seen of a frame.
struct Seen {
    /// Of bodies that can move.
    free: Vec<Aabb>,
    /// Of bodies that are held.
    held: Vec<Aabb>,
    /// The centre of mass of the body that is followed, and its box.
    followed: Option<(Vec3, Aabb)>,
    look: Look,
}

impl Track {
    /// Of a run of this world; `follow`: a body.
    pub fn new(world: &World, follow: Option<usize>) -> Self {
        let stride = world.model().bodies.len().div_ceil(MOST).max(1);
        Self { follow, stride, frames: Vec::new() }
    }

    /// Takes note of a frame: its sums, and where solids are.
    pub fn push(&mut self, world: &World, sums: &Sums, look: &Look) {
        let model = world.model();
        let mut seen =
            Seen { free: Vec::new(), held: Vec::new(), followed: None, look: look.clone() };
        for (index, body) in sums.bodies.iter().enumerate() {
            let radius = model.bodies[index].radius as f32;
            let place = [body.bounds[0] - radius, body.bounds[1] + radius];
            if model.bodies[index].absent || !place.iter().all(|corner| corner.is_finite()) {
                continue;
            }
            if self.follow == Some(index) {
                seen.followed = Some((body.centroid.as_vec3(), place));
            }
            if index % self.stride == 0 {
                let list = if model.is_held(index) { &mut seen.held } else { &mut seen.free };
                list.push(place);
            }
        }
        self.frames.push(seen);
    }

    /// The camera of each frame: `given`, or one that has in view what matters; it stands still, or moves along with a body,
    /// or with all where they go far. `aspect`: width over height of the pictures.
    pub fn cameras(&self, given: Option<Camera>, aspect: f32) -> Vec<Camera> {
        let followed: Vec<_> = self.frames.iter().filter_map(|seen| seen.followed).collect();
        let frame = |size: f32| {
            let half = Vec3::splat((0.5 + AROUND) * size);
            Camera::frame(-half, half, aspect)
        };
        if let Some((start, _)) = followed.first().copied() {
            let sizes = followed.iter().map(|(_, place)| diagonal(*place));
            let size = sizes.fold(0.0, f32::max);
            let (camera, from) = match given {
                Some(camera) => (camera, start),
                None => (frame(size), Vec3::ZERO),
            };
            let mut place = start;
            return self
                .frames
                .iter()
                .map(|seen| {
                    // Where it is not there, the camera waits.
                    place = seen.followed.map_or(place, |(centre, _)| centre);
                    moved(camera, place - from)
                })
                .collect();
        }
        if let Some(camera) = given {
            return vec![camera; self.frames.len()];
        }
        let limit = self.limit();
        let near = |place: &&Aabb| centre(**place).distance(limit.0) <= limit.1;
        let kept = |seen: &Seen| seen.movable().iter().filter(near).copied().fold(NOTHING, union);
        let start = self
            .frames
            .first()
            .map_or(NOTHING, |seen| seen.movable().iter().copied().fold(NOTHING, union));
        let each: Vec<_> = self.frames.iter().map(kept).collect();
        let core = each.iter().copied().fold(start, union);
        let size = quantile(each.iter().map(|place| diagonal(*place)), 0.5);
        if diagonal(core) > LONGEST_WAY * size {
            let camera = frame(size);
            let mut place = centre(core);
            return each
                .iter()
                .map(|own| {
                    place = if own[0].is_finite() { centre(*own) } else { place };
                    moved(camera, place)
                })
                .collect();
        }
        let mut shown: Vec<_> =
            self.frames.iter().take(1).flat_map(Seen::movable).copied().collect();
        let mut look = None;
        for seen in &self.frames {
            shown.extend(seen.movable().iter().filter(near));
            // Most stand still.
            if look != Some(&seen.look) {
                shown.extend(surroundings(core, &seen.look, RUN));
                shown.extend(surroundings(core, &self.moved_solids(&seen.look), MOVING));
                look = Some(&seen.look);
            }
            let held = seen.held.iter().filter(|place| {
                let nearest = centre(core).clamp(place[0], place[1]);
                nearest.distance(centre(core)) <= RUN.solids * diagonal(core)
                    && diagonal(**place) <= WHOLE * diagonal(core)
            });
            shown.extend(held);
        }
        let places = self.frames.iter().flat_map(|seen| {
            let own = seen.movable().iter().filter(near).copied();
            own.map(|place| Place { place, solids: &seen.look.solids, held: seen.surrounding() })
        });
        let camera = vantage(&shown, aspect, &Vec::from_iter(places));
        vec![camera; self.frames.len()]
    }

    /// The solids that are not where they were at first, then and now.
    fn moved_solids(&self, look: &Look) -> Look {
        let first = self.frames.first().map(|seen| &seen.look.solids);
        let both = look.solids.iter().zip(first.into_iter().flatten());
        let moved = both.filter(|(now, then)| now != then).flat_map(|(now, then)| [now, then]);
        Look { floor: None, solids: moved.cloned().collect(), ..Look::default() }
    }

    /// The median place of all bodies in all frames, and the distance from it beyond which a body is left out.
    fn limit(&self) -> (Vec3, f32) {
        let places: Vec<_> = self
            .frames
            .iter()
            .flat_map(|seen| seen.movable())
            .map(|place| centre(*place))
            .collect();
        let [x, y, z] = [0, 1, 2].map(|axis| quantile(places.iter().map(|p| p[axis]), 0.5));
        let median = Vec3::new(x, y, z);
        let most = quantile(places.iter().map(|place| place.distance(median)), 0.75);
        let start = self
            .frames
            .first()
            .map_or(NOTHING, |seen| seen.movable().iter().copied().fold(NOTHING, union));
        (median, OUTLYING * most.max(0.5 * diagonal(start)))
    }
}

impl Seen {
    /// The bodies that can move; where all are held, these.
    fn movable(&self) -> &[Aabb] {
        if self.free.is_empty() { &self.held } else { &self.free }
    }

    /// The held bodies around these.
    fn surrounding(&self) -> &[Aabb] {
        if self.free.is_empty() { &[] } else { &self.held }
    }
}

/// A camera moved by `by` [m].
fn moved(camera: Camera, by: Vec3) -> Camera {
    Camera { eye: camera.eye + by, target: camera.target + by, ..camera }
}

/// The value below which a share of all are; 0 of none.
fn quantile(values: impl Iterator<Item = f32>, share: f32) -> f32 {
    let mut values: Vec<_> = values.collect();
    if values.is_empty() {
        return 0.0;
    }
    let index = (share * (values.len() - 1) as f32).round() as usize;
    *values.select_nth_unstable_by(index, f32::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(frames: impl Iterator<Item = Vec<Vec3>>) -> Track {
        let look = Look { floor: Some(0.0), ..Look::default() };
        let seen = |places: Vec<Vec3>| Seen {
            free: places.into_iter().map(|at| [at - 0.5, at + 0.5]).collect(),
            held: Vec::new(),
            followed: None,
            look: look.clone(),
        };
        Track { follow: None, stride: 1, frames: frames.map(seen).collect() }
    }

    fn sees(camera: &Camera, point: Vec3) -> bool {
        let size = [1600, 900];
        let pixel = camera.project(point, size);
        pixel.is_some_and(|p| p.cmpge(glam::Vec2::ZERO).all() && p.x < 1600.0 && p.y < 900.0)
    }

    /// A cube that falls five metres and then lies, beside one that flies away.
    #[test]
    fn all_of_a_run_is_in_view_but_what_flies_away() {
        let fall = |k: usize| Vec3::new(0.0, (5.5 - 0.02 * (k * k) as f32).max(0.5), 0.0);
        let pile = (0..100).map(|k| {
            let mut places: Vec<_> = (0..4).map(|x| fall(k) + Vec3::X * x as f32).collect();
            places.push(Vec3::new(10.0 * k as f32, 0.5, 0.0));
            places
        });
        let cameras = track(pile).cameras(None, 16.0 / 9.0);
        assert_eq!(cameras.len(), 100);
        assert!(cameras.iter().all(|camera| *camera == cameras[0]), "it stands still");
        for k in [0, 5, 99] {
            assert!(sees(&cameras[0], fall(k)) && sees(&cameras[0], fall(k) + 3.0 * Vec3::X));
        }
        assert!(!sees(&cameras[0], Vec3::new(500.0, 0.5, 0.0)));
        assert!(cameras[0].distance() < 30.0, "{}", cameras[0].distance());
    }

    /// A body that is held alone does not hide itself, as one beside others would.
    #[test]
    fn what_is_held_alone_is_seen_from_the_usual_side() {
        let mut track = track([vec![Vec3::ZERO]].into_iter());
        let back = |track: &Track| {
            let camera = track.cameras(None, 1.6)[0];
            (camera.eye - camera.target).normalize()
        };
        let usual = back(&track);
        let seen = &mut track.frames[0];
        std::mem::swap(&mut seen.free, &mut seen.held);
        assert_eq!(back(&track), usual);
    }

    /// What falls for ever would be a dot.
    #[test]
    fn the_camera_moves_along_where_the_way_is_long() {
        let fall = |k: usize| Vec3::new(0.0, 100.0 - 0.05 * (k * k) as f32, 0.0);
        let cameras = track((0..200).map(|k| vec![fall(k)])).cameras(None, 16.0 / 9.0);
        let distance = cameras[0].distance();
        assert!(distance < 10.0, "{distance}");
        for (k, camera) in cameras.iter().enumerate() {
            assert!(camera.target.abs_diff_eq(fall(k) + cameras[0].target - fall(0), 1e-3));
            assert!(sees(camera, fall(k)));
        }
    }
}
