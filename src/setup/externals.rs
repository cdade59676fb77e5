//! Obstacles, pulls and wind.

use glam::{DQuat, DVec3, Vec3};

use crate::gpu::types::{self, Externals, Pull as GpuPull, Solid as GpuSolid};
use crate::model::{Model, rotation_matrix};
use crate::scene::{Event, Scene, Solid, SolidShape};
use crate::setup::Clock;

/// Obstacles and pulls, with times in ticks of the clock, and how many of each; a checked scene has no more than fit.
pub fn externals(scene: &Scene, model: &Model, clock: &Clock) -> (Externals, u32, u32) {
    let solids: Vec<_> = scene.obstacles().iter().map(gpu_solid).collect();
    let pulls: Vec<_> =
        scene.events.iter().flat_map(|event| pulls(event, scene, model, clock)).collect();
    let mut externals = Externals::default();
    externals.solids[..solids.len()].copy_from_slice(&solids);
    externals.pulls[..pulls.len()].copy_from_slice(&pulls);
    (externals, solids.len() as u32, pulls.len() as u32)
}

/// A solid as the kernels see it.
pub fn gpu_solid(solid: &Solid) -> GpuSolid {
    let vec = |v: [f64; 3]| DVec3::from(v).as_vec3();
    let (kind, extent) = match solid.shape {
        SolidShape::Plane { normal } => {
            (types::SOLID_PLANE, DVec3::from(normal).normalize().as_vec3())
        }
        SolidShape::Sphere { radius } => (types::SOLID_SPHERE, Vec3::new(radius as f32, 0.0, 0.0)),
        SolidShape::Box { size } => (types::SOLID_BOX, 0.5 * vec(size)),
    };
    GpuSolid {
        centre: vec(solid.position),
        kind,
        extent,
        friction: solid.friction.map_or(-1.0, |friction| friction as f32),
        rotation: DQuat::from_mat3(&rotation_matrix(solid.rotation)).as_quat().into(),
        restitution: solid.restitution as f32,
        color: solid.color.map_or(0, |[r, g, b]| u32::from_be_bytes([0xff, r, g, b])),
        ..GpuSolid::default()
    }
}

/// The pulls of an event: of each body of the name, of which every replica has one.
fn pulls(event: &Event, scene: &Scene, model: &Model, clock: &Clock) -> Vec<GpuPull> {
    let Event::LineForce { body, point, force, from, to } = event else {
        return Vec::new();
    };
    let [(from_tick, from_part), (to_tick, to_part)] = [*from, *to].map(|time| {
        let ticks = clock.ticks(time).min(f64::from(i32::MAX));
        (tick_index(ticks as u64), ticks.fract() as f32)
    });
    let named = (0..scene.bodies.len()).filter(|b| scene.bodies[*b].name == *body);
    let pull = |body| GpuPull {
        force: DVec3::from(*force).as_vec3(),
        particle: model.nearest(body, DVec3::from(*point)) as u32,
        from_tick,
        from_part,
        to_tick,
        to_part,
    };
    named.map(pull).collect()
}

/// A number of ticks as the kernels have it, who take differences of them as i32.
pub fn tick_index(ticks: u64) -> u32 {
    ticks.min(i32::MAX as u64) as u32
}

/// Mean velocity of the air in a step of so many ticks that begins at one: at each time the last wind that blows then counts.
pub fn wind(scene: &Scene, start: u64, ticks: u64, clock: &Clock) -> Vec3 {
    let winds = scene.events.iter().filter_map(|event| match event {
        Event::Wind { velocity, from, to } => Some((DVec3::from(*velocity), *from, *to)),
        Event::LineForce { .. } | Event::Move { .. } | Event::Keyframes { .. } => None,
    });
    let winds: Vec<_> = winds.collect();
    if winds.is_empty() {
        return Vec3::ZERO;
    }
    let [start, end] = [start, start + ticks].map(|ticks| clock.time(ticks));
    let changes = winds.iter().flat_map(|(_, from, to)| [*from, *to]);
    let within = changes.filter(|time| (start..end).contains(time));
    let mut times: Vec<f64> = [start, end].into_iter().chain(within).collect();
    times.sort_by(f64::total_cmp);
    let blown = times.windows(2).map(|pair| {
        let middle = 0.5 * (pair[0] + pair[1]);
        let mut blowing = winds.iter().rev().filter(|(_, from, to)| (*from..*to).contains(&middle));
        let velocity = blowing.next().map_or(DVec3::ZERO, |wind| wind.0);
        (pair[1] - pair[0]) / (end - start) * velocity
    });
    blown.sum::<DVec3>().as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One wind from 1 to 4 s, another, which counts before it, from 2.5 to 2.75 s.
    #[test]
    fn the_air_of_a_step_is_the_mean_over_its_time() {
        let wind_of = |velocity, from, to| Event::Wind { velocity, from, to };
        let scene = Scene {
            events: vec![wind_of([8.0, 0.0, 0.0], 1.0, 4.0), wind_of([0.0, 4.0, 0.0], 2.5, 2.75)],
            ..Scene::default()
        };
        let clock = Clock { start: 0.0, tick: 0.5 };
        let found = |start, ticks| wind(&scene, start, ticks, &clock);
        assert_eq!(found(0, 2), Vec3::ZERO);
        assert_eq!(found(0, 3), Vec3::new(8.0 / 3.0, 0.0, 0.0));
        assert_eq!(found(2, 2), Vec3::new(8.0, 0.0, 0.0));
        assert_eq!(found(5, 1), Vec3::new(4.0, 2.0, 0.0));
        assert_eq!(found(0, 8), Vec3::new(8.0 * 2.75 / 4.0, 4.0 * 0.25 / 4.0, 0.0));
        assert_eq!(found(8, 1), Vec3::ZERO);
        let later = Clock { start: 2.0, ..clock };
        assert_eq!(wind(&scene, 1, 1, &later), found(5, 1));
    }
}
