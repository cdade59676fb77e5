//! Where rest shapes stand in the world.

use glam::DVec3;

use super::Model;
use super::build::placing;
use crate::scene::Scene;

impl Model {
    /// Every particle's place in its body's rest shape, which is turned and moved as the body is at the start, and
    /// neither stretched nor scattered [m]. `scene`: that of the model.
    #[must_use]
    pub fn placed_rest(&self, scene: &Scene) -> Vec<DVec3> {
        let mut places = self.rest_positions.clone();
        for (ranges, body) in self.bodies.iter().zip(&scene.bodies) {
            let (_, rotation) = placing(body);
            for place in &mut places[ranges.particles.clone()] {
                *place = rotation * *place + DVec3::from(body.position);
            }
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extreme;
    use crate::scene::{Body, Order};

    #[test]
    fn a_placed_rest_shape_is_where_a_body_without_stretch_starts() {
        let mut scene = Scene::default();
        for order in [Order::ScaleFirst, Order::RotateFirst] {
            let mut body = Body::lattice("bar", [3, 2, 1], [3.0, 1.0, 0.5]);
            body.name = format!("{order:?}");
            body.scale = [1.0, 2.0, 0.5];
            body.rotation = [0.3, -0.8, 0.2];
            body.position = [1.0, 5.0, -2.0];
            body.order = order;
            scene.bodies.push(body);
        }
        let plain = Model::new(&scene, "", u64::MAX).unwrap();
        for body in &mut scene.bodies {
            body.stretch = [1.0, -0.2, 3.0];
            body.scatter = 0.1;
        }
        let model = Model::new(&scene, "", u64::MAX).unwrap();
        for (got, wanted) in model.placed_rest(&scene).iter().zip(&plain.positions) {
            assert!(got.distance(*wanted) < 1e-12, "{got} {wanted}");
        }
        let moved = model.positions.iter().zip(&plain.positions);
        assert!(moved.map(|(a, b)| a.distance(*b)).fold(0.0, extreme::greatest) > 0.5);
    }
}
