//! Bodies that lie in each other at the start.

use crate::extreme;
use glam::DVec3;

use super::{BodyRanges, Model, near};
use crate::family::rigid;
use crate::mesh::{Bounds, tet_distance, triangle_distance};
use crate::number::short;
use crate::scene::Scene;

/// Tests of a point against a tetrahedron, a triangle or another point that the search may take, a few tens of
/// milliseconds; where bodies share more, it looks at every second point, or third …
const MOST_TESTS: usize = 5_000_000;
/// Depth in mean edges of the finer body below which bodies that start in each other are none the worse for it.
pub(super) const HARMLESS: f64 = 0.05;

/// Part of an edge within which a point counts as on a face between two tetrahedra, and not as outside of both.
const ROUNDING: f64 = 1e-9;

/// A body that starts in another, or of two that are rigid either of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The body whose point lies in the other, and that one.
    pub bodies: [usize; 2],
    /// How deep \[m\].
    pub depth: f64,
}

/// The deepest of all points that start in another body which theirs can touch.
pub fn deepest(scene: &Scene, model: &Model) -> Option<Overlap> {
    let reach = |body: &BodyRanges| {
        let bounds = Bounds::of(model.positions[body.particles.clone()].iter().copied());
        grown(&bounds, body.radius)
    };
    let boxes: Vec<Bounds> = model.bodies.iter().map(reach).collect();
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|a, b| boxes[*a].min.x.total_cmp(&boxes[*b].min.x));
    // Bodies in the order of their least x: of two pairs of one depth the later counts.
    let ordered: Vec<Bounds> = order.iter().map(|body| boxes[*body]).collect();
    let mut pairs = Vec::new();
    for [a, b] in near::pairs(&ordered) {
        let shared = shared(&ordered[a], &ordered[b]);
        let [a, b] = [order[a], order[b]];
        if can_touch(scene, a, b) && !(model.is_held(a) && model.is_held(b)) {
            pairs.extend([([a, b], shared), ([b, a], shared)]);
        }
    }
    let share = MOST_TESTS / pairs.len().max(1);
    let of_pair = |(bodies, shared): ([usize; 2], Bounds)| {
        if let [Some(a), Some(b)] = bodies.map(|body| model.bodies[body].rigid)
            && let Some(depth) = rigid::overlap::of_bodies(model, &a, &b)
        {
            let least = [a, b].map(|body| rigid::overlap::harmless(model, &body));
            return (depth > least[0].min(least[1])).then_some(Overlap { bodies, depth });
        }
        let depth = depth(model, bodies, &shared, share)?;
        let finer = bodies.map(|body| model.bodies[body].edge);
        let harmless = HARMLESS * finer[0].min(finer[1]);
        (depth > harmless).then_some(Overlap { bodies, depth })
    };
    let found = pairs.into_iter().filter_map(of_pair);
    found.max_by(|a, b| a.depth.total_cmp(&b.depth))
}

/// What to be told of it.
pub fn warning(scene: &Scene, model: &Model) -> Option<String> {
    let Overlap { bodies, depth } = deepest(scene, model)?;
    let [inner, outer] = bodies.map(|body| &model.bodies[body]);
    let what = match inner.rigid.is_some() && outer.rigid.is_some() {
        true => format!("they are pushed apart {}", rigid::overlap::parting()),
        false => "each point is pushed out by the shortest path from the first step on, which may not separate them".into(),
    };
    let copied = |name: &str| {
        let (original, number) = name.rsplit_once(' ')?;
        number.parse::<u32>().is_ok().then(|| original.to_owned())
    };
    let original = copied(&inner.name);
    let room = match original.is_some() && original == copied(&outer.name) {
        true => "give the copies more `spacing` or less `jitter`",
        false => "leave more room between them",
    };
    Some(format!(
        "body \"{}\" starts {} m inside body \"{}\": {what}; {room}",
        inner.name,
        short(depth),
        outer.name
    ))
}

fn can_touch(scene: &Scene, a: usize, b: usize) -> bool {
    let size = scene.replica_size();
    let (a, b) = match a / size == b / size {
        true => (&scene.bodies[a], &scene.bodies[b]),
        false => return false,
    };
    a.group & b.mask != 0 && b.group & a.mask != 0
}

fn grown(bounds: &Bounds, by: f64) -> Bounds {
    Bounds { min: bounds.min - by, max: bounds.max + by }
}

fn shared(a: &Bounds, b: &Bounds) -> Bounds {
    Bounds { min: a.min.max(b.min), max: a.max.min(b.max) }
}

/// How deep the deepest point of the first body, with its radius, lies in the second \[m\]; none where none does.
fn depth(
    model: &Model,
    [inner, outer]: [usize; 2],
    shared: &Bounds,
    most_tests: usize,
) -> Option<f64> {
    let (inner, outer) = (&model.bodies[inner], &model.bodies[outer]);
    let near = grown(shared, inner.radius.max(outer.radius));
    let holds = |x: &DVec3| x.cmpge(near.min).all() && x.cmple(near.max).all();
    let of = |body: &BodyRanges| {
        let points = model.positions[body.particles.clone()].iter().copied();
        points.filter(holds).collect::<Vec<_>>()
    };
    let points = of(inner);
    let depths: Vec<f64> = if outer.radius > 0.0 {
        if inner.radius == 0.0 {
            // Seen from the other side: its spheres against the tetrahedra of this one.
            return None;
        }
        let others = of(outer);
        let touch = inner.radius + outer.radius;
        let depth = |x: DVec3| touch - nearest(others.iter().map(|y| x.distance(*y)));
        every(&points, others.len(), most_tests).map(depth).collect()
    } else {
        let meets = |corners: &[DVec3]| {
            let common = self::shared(&Bounds::of(corners.iter().copied()), &near);
            common.min.cmple(common.max).all()
        };
        let place = |i: u32| model.positions[i as usize];
        let tets = &model.tets[outer.tets.clone()];
        let tets = tets.iter().map(|tet| tet.corners.map(place));
        let tets: Vec<_> = tets.filter(|corners| meets(corners)).collect();
        let triangles = &model.triangles[outer.triangles.clone()];
        let depth = |x: DVec3| {
            let inside = tets.iter().any(|tet| tet_distance(x, *tet) <= ROUNDING * outer.edge);
            if !inside && inner.radius == 0.0 {
                return 0.0;
            }
            let distances = triangles.iter().map(|t| triangle_distance(x, t.map(place)));
            let distance = nearest(distances);
            inner.radius + if inside { distance } else { -distance }
        };
        let tests = tets.len() + triangles.len();
        every(&points, tests, most_tests).map(depth).collect()
    };
    let deepest = depths.into_iter().fold(0.0, extreme::greatest);
    (deepest > 0.0 && deepest.is_finite()).then_some(deepest)
}

fn nearest(distances: impl Iterator<Item = f64>) -> f64 {
    distances.fold(f64::INFINITY, extreme::least)
}

/// As many of the points as can be tested, evenly.
fn every(points: &[DVec3], tests: usize, most: usize) -> impl Iterator<Item = DVec3> {
    let stride = (points.len() * tests).div_ceil(most.max(1)).max(1);
    points.iter().copied().step_by(stride)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Shape;
    use crate::scene::{Body, Copies, MeshSource, Rigid, ShapeMatching};

    fn block(name: &str, y: f64) -> Body {
        let mut body = Body::lattice(name, [4, 4, 4], [1.0; 3]);
        body.position = [0.01, y, 0.02];
        body
    }

    /// Nine points of radius 0.05 m at this height.
    fn cloud(name: &str, y: f64) -> Body {
        let along = |i: usize| 0.2 * i as f64 - 0.2;
        let points = (0..9).map(|i| DVec3::new(along(i % 3), 0.0, along(i / 3)));
        let mut body = Body::new(name, MeshSource::Points(points.collect()));
        body.kind = ShapeMatching::default().into();
        body.position = [0.0, y, 0.0];
        body.radius = Some(0.05);
        body
    }

    fn found(bodies: Vec<Body>) -> Option<Overlap> {
        let scene = Scene { bodies, ..Scene::default() };
        deepest(&scene, &Model::new(&scene, "", u64::MAX).unwrap())
    }

    #[test]
    fn the_depth_is_that_of_the_deepest_point() {
        let depth = |bodies: Vec<Body>, want: f64| {
            let found = found(bodies).unwrap();
            assert!((found.depth - want).abs() < 1e-12, "{found:?}");
            found.bodies
        };
        let turned =
            [vec![block("a", 0.0), block("b", 0.8)], vec![block("b", 0.8), block("a", 0.0)]];
        turned.into_iter().for_each(|bodies| {
            depth(bodies, 0.2);
        });
        // Centres within, then only the spheres' lower ends; one sphere in another.
        let onto = |y: f64| vec![block("a", 0.0), cloud("b", y)];
        assert_eq!(depth(onto(0.47), 0.08), [1, 0]);
        assert_eq!(depth(onto(0.53), 0.02), [1, 0]);
        depth(vec![cloud("a", 0.0), cloud("b", 0.07)], 0.03);
    }

    #[test]
    fn bodies_beside_each_other_or_deaf_to_each_other_do_not_count() {
        assert_eq!(found(vec![block("a", 0.0), block("b", 1.0)]), None);
        assert_eq!(found(vec![block("a", 0.0), cloud("b", 0.55)]), None);
        assert_eq!(found(vec![block("a", 0.0), cloud("b", 0.549)]), None);
        assert_eq!(found(vec![cloud("a", 0.0), cloud("b", 0.1)]), None);
        let (mut low, mut deaf) = (block("a", 0.0), block("b", 0.8));
        (low.group, deaf.mask) = (1, 2);
        assert_eq!(found(vec![low, deaf]), None);
        assert_eq!(found(vec![block("a", 0.0)]), None);
    }

    #[test]
    fn copies_in_each_other_are_told_of_their_spacing() {
        let copies = Copies { count: [2, 1, 1], spacing: [0.8, 0.0, 0.0], ..Copies::default() };
        let bodies = block("a", 0.0).copies(&copies).unwrap();
        let scene = Scene { bodies, ..Scene::default() };
        let said = warning(&scene, &Model::new(&scene, "", u64::MAX).unwrap()).unwrap();
        assert!(said.contains(" starts 0.2 m inside body "), "{said}");
        assert!(said.ends_with("give the copies more `spacing` or less `jitter`"), "{said}");
    }

    /// Boxes whose corners all lie on each other's sides; held ones may stand in each other.
    #[test]
    fn rigid_bodies_that_start_in_each_other_are_found() {
        let boxes = |x: f64, held: bool| {
            let mut a = Body::rigid("a", Shape::Box { size: [1.0; 3] });
            a.kind = Rigid { held, ..Rigid::default() }.into();
            let b = Body { name: "b".into(), position: [x, 0.0, 0.0], ..a.clone() };
            vec![a, b]
        };
        let depth = found(boxes(0.5, false)).unwrap().depth;
        assert!((depth - 0.5).abs() < 1e-6, "{depth}");
        assert_eq!(found(boxes(0.5, true)), None);
        assert!(found(boxes(0.975, false)).is_some());
        assert_eq!(found(boxes(0.985, false)), None);
        assert_eq!(found(boxes(1.0, false)), None);
        let scene = Scene { bodies: boxes(0.5, false), ..Scene::default() };
        let said = warning(&scene, &Model::new(&scene, "", u64::MAX).unwrap()).unwrap();
        assert!(said.contains("pushed apart at up to 3 m/s"), "{said}");
        assert!(said.ends_with("leave more room between them"), "{said}");
    }

    /// One that surrounds another, in which only the inner one has points.
    #[test]
    fn a_small_body_within_a_large_one_is_found() {
        let mut large = Body::lattice("large", [1, 1, 1], [4.0; 3]);
        large.position = [0.0; 3];
        let found = found(vec![large, block("small", 0.0)]).unwrap();
        assert_eq!(found.bodies, [1, 0]);
        assert!((found.depth - 2.0).abs() < 0.03, "{found:?}");
    }
}
