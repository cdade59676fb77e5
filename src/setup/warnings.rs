//! What a user is told about a step or a place that is not good.

use crate::extreme;
use crate::number::short;
use std::f64::consts::TAU;

use glam::DVec3;

use super::step::{Estimate, MAX_SUBSTEPS, SAFETY, longest_pull, stiffness_rate};
use crate::model::{BodyRanges, Model};
use crate::scene::{self, Body, Integrator, Kind, MOST_ITERATIONS, MeshSource, Scene};

/// Says whose frequency the step does not let it have.
pub(super) fn slow_pulls(scene: &Scene, model: &Model, step: f64) -> Vec<String> {
    let slow = (0..scene.bodies.len()).filter_map(|body| {
        let longest = longest_pull(scene, model, body)?;
        // As f32 has them.
        (step > longest * (1.0 + 1e-6)).then(|| {
            format!(
                "world.step is {step} s, too long for the `frequency` of body \"{}\": it acts as if that were {:.3} Hz; use a \
                 step of at most {longest:.3e} s",
                scene.bodies[body].name,
                1.0 / (TAU * step)
            )
        })
    });
    slow.collect()
}

/// Says whose angles are beyond a whole turn, as degrees are.
pub fn rotation_warnings(scene: &Scene) -> Vec<String> {
    let bodies = scene.bodies.iter();
    let bodies = bodies.map(|body| (scene::body_label(&body.name), body.rotation));
    let solids = scene.named_solids().map(|solid| (solid.label(), solid.rotation));
    let far = bodies.chain(solids).filter(|(_, angles)| angles.iter().any(|a| a.abs() > WHOLE));
    let mut said = far.map(|(label, angles)| {
        format!(
            "{label}.rotation is {angles:?} rad, more than a full turn: angles are in radians, a right angle is {:.4}; rotation_degrees takes degrees",
            TAU / 4.0
        )
    });
    // Of many copies one is enough.
    said.next().into_iter().collect()
}

/// Says which rigid body has a hull that is larger than its mesh, unless it was asked for: of several the one of the largest.
pub fn hull_warning(scene: &Scene, model: &Model) -> Option<String> {
    let unasked = |body: &Body| match &body.kind {
        Kind::Rigid(rigid) => {
            rigid.shape.is_none()
                && !matches!(body.mesh, MeshSource::Shape(_) | MeshSource::Parts(_))
        }
        _ => false,
    };
    let larger = |(body, ranges): (&Body, &BodyRanges)| {
        let hull: f64 = model.tets[ranges.tets.clone()].iter().map(|tet| tet.rest).sum();
        let times = hull / ranges.volume;
        (times > CONCAVE).then(|| (times, body.name.clone()))
    };
    let bodies = scene.bodies.iter().zip(&model.bodies).filter(|(body, _)| unasked(body));
    // Of many copies the first.
    let (times, name) = bodies.filter_map(larger).reduce(|a, b| if b.0 > a.0 { b } else { a })?;
    Some(format!(
        "{} collides by its convex hull, which has {times:.2} times its volume: use mesh = {{ parts = [...] }} of convex parts or, if \
         the body is held, shape = \"mesh\"; shape = \"hull\" accepts it",
        scene::body_label(&name)
    ))
}

/// A hull of more than this many times the volume of its mesh is told of.
const CONCAVE: f64 = 1.02;

/// A whole turn, and what writing it with few digits adds \[rad\].
const WHOLE: f64 = TAU + 0.01;

/// Distance from the origin, in smallest edges of a body, up to which f32 holds its shape to a thousandth of that edge.
const RANGE: f64 = 1e4;

/// Says which bodies, by number, are too far from the origin for their size.
pub fn range_warnings(model: &Model, position: impl Fn(usize) -> DVec3) -> Vec<(usize, String)> {
    let mut warnings = Vec::new();
    for (index, body) in model.bodies.iter().enumerate() {
        let rests = model.springs[body.springs.clone()].iter().map(|spring| spring.rest);
        let shortest = match (&body.rigid, body.springs.is_empty()) {
            // Their shape is that of their own axes.
            (Some(_), _) => body.edge,
            (None, true) => 2.0 * body.radius,
            (None, false) => rests.fold(f64::INFINITY, extreme::least),
        };
        let distances = body.particles.clone().map(|i| position(i).abs().max_element());
        let farthest = distances.fold(0.0, extreme::greatest);
        if farthest > RANGE * shortest {
            let sentence = format!(
                "body \"{}\" is {} m from the origin, more than {RANGE} times its smallest edge of {} m: f32 positions are too \
                 coarse for its shape there",
                body.name,
                short(farthest),
                short(shortest)
            );
            warnings.push((index, sentence));
        }
    }
    warnings
}

/// Says of implicit steps which bodies are so stiff that rounding of their positions moves them.
pub fn rounding_warnings(scene: &Scene, model: &Model, estimates: &[Estimate]) -> Vec<String> {
    let bodies = estimates.iter().enumerate();
    bodies.filter_map(|(index, estimate)| rounding_warning(scene, model, index, estimate)).collect()
}

/// The same of one body: each of its positions is wrong by half of its last place, |x| 2⁻²⁴, which a body of rate ω² answers
/// with an acceleration ω² |x| 2⁻²⁴, in a long step as in a short one.
pub(super) fn rounding_warning(
    scene: &Scene,
    model: &Model,
    index: usize,
    estimate: &Estimate,
) -> Option<String> {
    let body = &model.bodies[index];
    let far = body.particles.clone();
    let far = far.map(|i| model.positions[i].abs().max_element());
    let noise =
        stiffness_rate(estimate) * far.fold(0.0, extreme::greatest) * 0.5 * f64::from(f32::EPSILON);
    (noise > scene.world.integrator.bears_rounding()).then(|| {
        format!(
            "body \"{}\" is so stiff for its mass and size that rounding of its f32 positions causes accelerations of about \
             {noise:.1e} m/s² in implicit steps: smaller forces are lost, and it may gain energy; make it softer or coarser, or \
             use an explicit integrator",
            body.name
        )
    })
}

pub(super) fn too_long_warning(
    name: &str,
    step: f64,
    integrator: Integrator,
    longest: f64,
) -> String {
    if longest == 0.0 {
        let why = unknown_damping(name, integrator);
        return format!("world.step is {step} s, which may be unstable: {why}");
    }
    format!(
        "world.step is {step} s, above the stability bound of body \"{name}\" with {}; use at most {:.3e} s",
        integrator.name(),
        SAFETY * longest
    )
}

/// Says of a fixed step that the sweeps of vertex block descent are too few for a body: those that it has and those that would
/// be enough, and the step \[s\] that it has and the longest that they are enough for.
pub(super) fn swept_warning(
    name: &str,
    [sweeps, enough]: [f64; 2],
    [step, longest]: [f64; 2],
) -> String {
    let more = match enough <= MOST_ITERATIONS {
        true => format!("use {enough} sweeps, or steps of {longest:.3e} s"),
        false => format!("use steps of {longest:.3e} s"),
    };
    format!(
        "world.iterations is {sweeps}: too few sweeps for body \"{name}\" in steps of {step} s, so that it responds to forces \
         with a delay; {more}"
    )
}

pub(super) fn refusal(name: &str, integrator: Integrator, longest: f64) -> String {
    if longest == 0.0 {
        let why = unknown_damping(name, integrator);
        format!("a number [s], more damping, or another integrator: {why}")
    } else {
        format!(
            "a softer body \"{name}\": its largest good step is {:.3e} s, more than {MAX_SUBSTEPS} steps per frame",
            SAFETY * longest
        )
    }
}

/// Says why no step is known to be stable.
fn unknown_damping(name: &str, integrator: Integrator) -> String {
    format!(
        "{} is stable only with damping, and the least damping of body \"{name}\" is not known; it is known only for damped \
         finite elements and for damped springs without volumes and areas",
        integrator.name()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Shape;
    use crate::scene::{MeshShape, Rigid, Solid};

    #[test]
    fn a_hull_larger_than_its_mesh_is_told_of_unless_asked_for() {
        let said = |shape: Shape, asked: Option<MeshShape>| {
            let surface = MeshSource::Surface { surface: shape.surface(), cells: 4 };
            let mut body = Body::new("thing", surface);
            body.kind = Rigid { shape: asked, ..Rigid::default() }.into();
            let scene = Scene { bodies: vec![body], ..Scene::default() };
            hull_warning(&scene, &Model::new(&scene, "", u64::MAX).unwrap())
        };
        let ring = || Shape::Torus { radius: 0.2, tube: 0.05 };
        let told = said(ring(), None).unwrap();
        assert!(
            told.starts_with("body \"thing\" collides by its convex hull, which has 1.8"),
            "{told}"
        );
        assert_eq!(said(ring(), Some(MeshShape::Hull)), None);
        assert_eq!(said(Shape::Sphere { radius: 0.1 }, None), None);
    }

    #[test]
    fn angles_in_degrees_are_told_of() {
        let mut scene =
            Scene { bodies: vec![Body::lattice("a", [2; 3], [0.1; 3])], ..Scene::default() };
        scene.bodies[0].rotation = [0.0, -6.29, 3.0];
        assert!(rotation_warnings(&scene).is_empty());
        scene.bodies[0].rotation = [0.0, 0.0, -90.0];
        let said = rotation_warnings(&scene);
        let wanted = "body \"a\".rotation is [0.0, 0.0, -90.0] rad";
        assert!(said.len() == 1 && said[0].contains(wanted), "{said:?}");
        scene.bodies[0].rotation = [0.0; 3];
        let [position, size] = [[0.0; 3], [1.0; 3]];
        scene.solids.push(Solid { rotation: [45.0, 0.0, 0.0], ..Solid::cuboid(position, size) });
        assert!(rotation_warnings(&scene)[0].contains("solid 1.rotation is [45.0"));
    }

    #[test]
    fn bodies_too_stiff_for_rounding_are_named() {
        let mut scene =
            Scene { bodies: vec![Body::lattice("steel", [2; 3], [0.1; 3])], ..Scene::default() };
        let model = Model::new(&scene, "", u64::MAX).unwrap();
        let warnings = |scene: &Scene, stiffness: f64| {
            let estimate = Estimate { stiffness, damping: 0.0, rate: 0.0 };
            rounding_warnings(scene, &model, &[estimate])
        };
        assert!(warnings(&scene, 1e13).is_empty(), "verlet");
        let integrators = [Integrator::ImplicitEuler, Integrator::Vbd];
        for (integrator, [bears, noisy]) in integrators.into_iter().zip([[1e9, 1e10], [1e11, 1e13]])
        {
            scene.world.integrator = integrator;
            assert!(warnings(&scene, bears).is_empty());
            let said = warnings(&scene, noisy);
            assert!(said.len() == 1 && said[0].contains("steel"), "{said:?}");
        }
    }
}
