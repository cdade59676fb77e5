//! Where pairs of colliders touch, by many random pairs of each two kinds in one dispatch, against parry: where the two differ, the
//! reference decides.

use std::f64::consts::PI;

use glam::{DQuat, DVec3, UVec2, Vec2, Vec3, Vec4};
use parry3d_f64::math as parry;
use parry3d_f64::query::contact;
use parry3d_f64::shape::SharedShape;
use pliant::Context;
use pliant::internals::bind;
use pliant::internals::gpu::types::{
    COLLIDER_BOX, COLLIDER_CYLINDER, COLLIDER_HULL, COLLIDER_POINT, COLLIDER_SEGMENT,
    COLLIDER_TRIANGLE, Collide, Collider, HullFace, MANIFOLD, Manifold, ManifoldPoint, NONE, Pose,
    Sim,
};
use pliant::internals::gpu::{Buffer, Kernel, Recorder, Uniforms};
use pliant::internals::reference::rigid::{Convex, Core, hull_faces};
use pliant::internals::verify::Random;

/// Pairs of two kinds: of boxes and of hulls, and of others.
const MANY: usize = 100_000;
const SOME: usize = 20_000;
/// Shapes of a kind that they are made of.
const SHAPES: usize = 40;
/// What distances may be off, as a part of the size.
const OFF: f64 = 1e-5;
/// The same of cylinders, which are not followed around their rim as exactly: one in so many may be off by more. And how deep they
/// are compared.
const OFF_ROUND: f64 = 3e-4;
const RARE: usize = 500;
const DEEP: f64 = 0.05;
const REACH: f32 = 0.1;

/// Shapes of one kind, each as the kernel, the reference and parry have it.
#[derive(Default)]
struct Shapes {
    colliders: Vec<Collider>,
    vertices: Vec<Vec4>,
    faces: Vec<HullFace>,
    cores: Vec<Core>,
    others: Vec<SharedShape>,
}

fn vector(x: DVec3) -> parry::Vector {
    parry::Vector::new(x.x, x.y, x.z)
}

impl Shapes {
    fn add(&mut self, kind: u32, random: &mut Random) {
        let mut length = || random.between(0.1, 0.6) as f32;
        let [x, y, z] = [length(), length(), length()];
        let (half, bound) = match kind {
            COLLIDER_BOX => (Vec3::new(x, y, z), Vec3::new(x, y, z).length()),
            COLLIDER_SEGMENT => (Vec3::new(0.0, y, 0.0), y),
            COLLIDER_CYLINDER => (Vec3::new(x, y, x), x.hypot(y)),
            _ => (Vec3::ZERO, 0.0),
        };
        let radius = if kind <= COLLIDER_SEGMENT { z } else { 0.0 };
        let base = Collider { half, bound: bound + radius, radius, kind, ..Collider::default() };
        let mut collider = Collider { rotation: Vec4::W, ..base };
        let h = half.as_dvec3();
        let (core, other) = match kind {
            COLLIDER_POINT => (Core::Corners(vec![DVec3::ZERO]), SharedShape::ball(0.0)),
            COLLIDER_SEGMENT => (Core::Corners(vec![-h, h]), SharedShape::capsule_y(h.y, 0.0)),
            COLLIDER_CYLINDER => (Core::Cylinder(h.x, h.y), SharedShape::cylinder(h.y, h.x)),
            COLLIDER_BOX => {
                let sign = |k: usize, axis: usize| if k >> axis & 1 == 1 { 1.0 } else { -1.0 };
                let corner = |k| h * DVec3::new(sign(k, 0), sign(k, 1), sign(k, 2));
                (Core::Corners((0..8).map(corner).collect()), SharedShape::cuboid(h.x, h.y, h.z))
            }
            _ => {
                let count = if kind == COLLIDER_HULL { 12 } else { 3 };
                let corner = |_| (0.5 * random.vector(1.0).normalize()).as_vec3();
                let corners: Vec<Vec3> = (0..count).map(corner).collect();
                self.add_hull(&mut collider, &corners)
            }
        };
        self.colliders.push(collider);
        self.cores.push(core);
        self.others.push(other);
    }

    fn add_hull(&mut self, collider: &mut Collider, corners: &[Vec3]) -> (Core, SharedShape) {
        let exact: Vec<_> = corners.iter().map(|x| x.as_dvec3()).collect();
        collider.bound = 0.5;
        (collider.first_vertex, collider.vertex_count) =
            (self.vertices.len() as u32, corners.len() as u32);
        self.vertices.extend(corners.iter().map(|x| x.extend(0.0)));
        collider.first_face = self.faces.len() as u32;
        for (normal, face) in hull_faces(&exact) {
            let (first, count) = (self.vertices.len() as u32, face.len() as u32);
            let offset = normal.dot(exact[face[0]]) as f32;
            self.faces.push(HullFace { normal: normal.as_vec3(), offset, first, count });
            self.vertices.extend(face.iter().map(|k| corners[*k].extend(0.0)));
        }
        collider.face_count = self.faces.len() as u32 - collider.first_face;
        let points: Vec<_> = exact.iter().map(|x| vector(*x)).collect();
        (Core::Corners(exact), SharedShape::convex_hull(&points).unwrap())
    }
}

fn quaternion(q: Vec4) -> DQuat {
    DQuat::from_array(q.to_array().map(f64::from)).normalize()
}

/// Pairs of two kinds: shape k of the first with shape SHAPES + k of the second.
struct Pairs {
    shapes: Shapes,
    colliders: Vec<Collider>,
    poses: Vec<Pose>,
    manifolds: Vec<Manifold>,
}

impl Pairs {
    fn new(kinds: [u32; 2], count: usize, random: &mut Random) -> Self {
        let mut shapes = Shapes::default();
        for kind in kinds {
            (0..SHAPES).for_each(|_| shapes.add(kind, random));
        }
        let (mut colliders, mut poses, mut manifolds) = (Vec::new(), Vec::new(), Vec::new());
        for k in 0..count {
            let sides = [k % SHAPES, SHAPES + (k / SHAPES) % SHAPES].map(|s| shapes.colliders[s]);
            let away = random.vector(1.0).normalize() * f64::from(sides[0].bound + sides[1].bound);
            let places = [away * random.between(0.1, 1.0), DVec3::ZERO];
            for (side, place) in sides.into_iter().zip(places) {
                let axis = random.vector(1.0).normalize();
                let turn = DQuat::from_axis_angle(axis, random.between(-PI, PI));
                colliders.push(Collider { pose: poses.len() as u32, ..side });
                poses.push(Pose {
                    position: place.as_vec3(),
                    rotation: turn.as_quat().normalize().into(),
                    ..Pose::default()
                });
            }
            manifolds.push(Manifold {
                colliders: UVec2::new(2 * k as u32, 2 * k as u32 + 1),
                radii: Vec2::new(sides[0].radius, sides[1].radius),
                reach: REACH,
                last: NONE,
                ..Manifold::default()
            });
        }
        Self { shapes, colliders, poses, manifolds }
    }

    fn run(&self, context: &Context, kernel: &Kernel) -> (Vec<Manifold>, Vec<ManifoldPoint>) {
        let (sim, collide) =
            (Uniforms::new(context, "sim", 1), Uniforms::new(context, "collide", 1));
        sim.write(context, &[Sim::default()]);
        let count = self.manifolds.len() as u32;
        collide
            .write(context, &[Collide { feature_count: 1, capacity: count, ..Collide::default() }]);
        let first = Buffer::new(context, "record_first", &[0, count]).unwrap();
        let colliders = Buffer::new(context, "colliders", &self.colliders).unwrap();
        let vertices = [&self.shapes.vertices[..], &[Vec4::ZERO]].concat();
        let vertices = Buffer::new(context, "hull_vertices", &vertices).unwrap();
        let faces = [&self.shapes.faces[..], &[HullFace::default()]].concat();
        let faces = Buffer::new(context, "hull_faces", &faces).unwrap();
        let poses = Buffer::new(context, "poses", &self.poses).unwrap();
        let manifolds = Buffer::new(context, "manifolds", &self.manifolds).unwrap();
        let room = MANIFOLD as usize * self.manifolds.len();
        let points = Buffer::<ManifoldPoint>::zeroed(context, "points", room).unwrap();
        let last = Buffer::<ManifoldPoint>::zeroed(context, "last", 1).unwrap();
        let bound = kernel.bind(
            context,
            &[
                sim.bind("sim"),
                collide.bind("collide"),
                bind(&first, "record_first"),
                bind(&colliders, "colliders"),
                bind(&vertices, "hull_vertices"),
                bind(&faces, "hull_faces"),
                bind(&poses, "poses"),
                bind(&manifolds, "manifolds"),
                bind(&points, "manifold_points"),
                bind(&last, "manifold_points_last"),
            ],
        );
        let mut recorder = Recorder::new(context);
        recorder.dispatch(&bound, self.manifolds.len(), 0);
        recorder.submit();
        (manifolds.read(context).unwrap(), points.read(context).unwrap())
    }

    /// Where pair `k` differs from parry and from the reference, if it does.
    fn wrong(&self, k: usize, got: &Manifold, points: &[ManifoldPoint]) -> Option<String> {
        let shapes = [k % SHAPES, SHAPES + (k / SHAPES) % SHAPES];
        let places = [2 * k, 2 * k + 1].map(|number| {
            let pose = &self.poses[number];
            (pose.position.as_dvec3(), quaternion(pose.rotation))
        });
        let [a, b] = [0, 1].map(|side| self.colliders[2 * k + side]);
        let size = f64::from(a.bound + b.bound);
        let radii = f64::from(a.radius) + f64::from(b.radius);
        let most = f64::from(REACH) + radii;
        let other = places.map(|(x, q)| {
            let turn = parry::Rotation::from_xyzw(q.x, q.y, q.z, q.w);
            parry::Pose::from_parts(vector(x), turn)
        });
        let [own, theirs] = shapes.map(|shape| &*self.shapes.others[shape]);
        let known = contact(&other[0], own, &other[1], theirs, 2.0 * most + 1.0).unwrap();
        let known = known.map(|found| (found.dist, found.normal1));
        let distance =
            points[..got.count as usize].iter().map(|p| f64::from(p.distance)).reduce(f64::min);
        let found = distance.map(|distance| distance + radii);
        let is_round = [a.kind, b.kind].contains(&COLLIDER_CYLINDER);
        let off = size * if is_round { OFF_ROUND } else { OFF };
        let n = got.normal.as_dvec3();
        match (found, known) {
            (Some(found), Some((known, normal))) if (found - known).abs() <= off => {
                // Of what is apart there is one normal.
                let turned = (n + DVec3::new(normal.x, normal.y, normal.z)).length();
                let is_unique = found > 0.01 * size;
                if !is_unique || turned * found <= 10.0 * off + 1e-3 * found {
                    return None;
                }
            }
            (None, Some((known, _))) if known >= most - off => return None,
            (None, None) => return None,
            _ => {}
        }
        let solid = |side: usize| {
            let (x, q) = places[side];
            Convex::new(self.shapes.cores[shapes[side]].clone(), x, q)
        };
        let [one, two] = [solid(0), solid(1)];
        let Some(found) = found else {
            let apart = one.apart_along(&two, got.normal.as_dvec3().normalize());
            return (apart < most - off).then(|| format!("none, but {known:?}, {apart}"));
        };
        // Apart, a distance between two points that is one along a normal is the least; else it is the most of all directions.
        let apart = one.apart_along(&two, n.normalize());
        let best = one.most_apart(&two).0;
        let is_deep = is_round && best < -DEEP * size;
        let is_right = (found - apart).abs() <= off && (found > 0.0 || found >= best - off);
        (!is_right && !is_deep).then(|| {
            format!("{found}, parry {known:?}, along {n} apart {apart}, at the most {best}")
        })
    }
}

#[test]
fn pairs_of_all_kinds_touch_where_they_do() {
    let context = Context::new().unwrap();
    let kernel = Kernel::new(&context, "narrow_gjk");
    let random = &mut Random::new(17);
    let kinds = COLLIDER_POINT..=COLLIDER_TRIANGLE;
    for kinds in kinds.flat_map(|b| (COLLIDER_POINT..=b).map(move |a| [a, b])) {
        let is_main = kinds == [COLLIDER_BOX; 2] || kinds == [COLLIDER_HULL; 2];
        let count = if is_main { MANY } else { SOME };
        let pairs = Pairs::new(kinds, count, random);
        let (found, points) = pairs.run(&context, &kernel);
        let hits = found.iter().filter(|manifold| manifold.count > 0).count();
        assert!(hits > count / 20, "{kinds:?}: {hits} touch");
        let check = |range: std::ops::Range<usize>| {
            let wrong = |k: usize| {
                let own = &points[MANIFOLD as usize * k..][..MANIFOLD as usize];
                Some(format!("{k}: {}", pairs.wrong(k, &found[k], own)?))
            };
            range.filter_map(wrong).collect::<Vec<_>>()
        };
        let wrong: Vec<_> = std::thread::scope(|scope| {
            let half = scope.spawn(|| check(0..count / 2));
            let other = check(count / 2..count);
            [half.join().unwrap(), other].concat()
        });
        let few = if kinds.contains(&COLLIDER_CYLINDER) { count / RARE } else { 0 };
        let shown = &wrong[..wrong.len().min(5)];
        assert!(wrong.len() <= few, "{kinds:?}: {} wrong, {shown:#?}", wrong.len());
    }
}
