//! Solids that pass between the points of bodies.

use super::{BodyRanges, Model};
use crate::scene::{Scene, SolidShape};

/// Part of the mean distance of a body's points below which a solid can pass between them: the shortest edges of a lattice.
const BETWEEN: f64 = 0.75;

/// What to be told of the narrowest solid beside the body whose points are farthest apart for it: points alone meet solids.
pub fn warning(scene: &Scene, model: &Model) -> Option<String> {
    if !scene.world.contact {
        return None;
    }
    let widths = scene.named_solids();
    let widths = widths.filter_map(|solid| Some((solid.label(), width(solid.shape)?)));
    let (solid, width) = widths.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let gap = |body: &BodyRanges| body.edge - 2.0 * body.radius;
    // Of what is rigid all is touched.
    let deform = model.bodies.iter().filter(|body| body.rigid.is_none());
    let body = deform.max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    (width < BETWEEN * gap(body)).then(|| {
        format!(
            "{solid} is {width:.3} m wide, but the points of body \"{}\" are {:.3} m apart: only points collide with solids, so \
             a narrow solid passes between them; use more cells or a wider solid",
            body.name,
            body.edge
        )
    })
}

/// How wide a solid is across its longest side \[m\]; none of a half-space.
fn width(shape: SolidShape) -> Option<f64> {
    match shape {
        SolidShape::Plane { .. } => None,
        SolidShape::Sphere { radius } => Some(2.0 * radius),
        SolidShape::Box { mut size } => {
            size.sort_by(f64::total_cmp);
            Some(size[1])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Body, Solid};

    #[test]
    fn a_post_between_the_points_is_named_and_a_plate_is_not() {
        let said = |size: [f64; 3]| {
            let post = Solid::cuboid([0.0, -1.0, 0.0], size);
            let scene = Scene {
                bodies: vec![Body::lattice("block", [4; 3], [1.0; 3])],
                solids: vec![post],
                ..Scene::default()
            };
            warning(&scene, &Model::new(&scene, "", u64::MAX).unwrap())
        };
        let post = said([0.1, 1.0, 0.1]).unwrap();
        assert!(post.contains("solid 1") && post.contains("\"block\""), "{post}");
        assert_eq!(said([2.0, 0.1, 2.0]), None, "a plate");
        assert_eq!(said([0.5, 1.0, 0.5]), None, "as wide as two cells");
    }
}
