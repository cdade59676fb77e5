//! Triangles of meshes against what their meshes make of the normals that are found for them alone.

use glam::{DQuat, DVec3, UVec2, Vec2};

use super::narrow::run;
use super::pairs::{Pairs, rim};
use crate::Result;
use crate::family::rigid::facets::facets;
use crate::gpu::types::{
    COLLIDER_BOX, COLLIDER_HULL, COLLIDER_POINT, COLLIDER_SEGMENT, MANIFOLD, Manifold,
    ManifoldPoint, NONE,
};
use crate::mesh::{Shape, Surface};
use crate::reference::rigid::mesh::Mesh;
use crate::verify::{Bench, ErrorStats, Random, TOLERANCE};

/// Records of other kinds.
const FIRST: usize = 3;
/// Decisions that are closer to their border may go either way.
const CLOSE: f64 = 1e-4;
/// Cores that are no farther apart, or no deeper in each other, take the normals of their faces instead [m].
const TOUCHING: f64 = 2e-3;
/// The part of the smaller core's size down to which all of a triangle's plane counts.
const SHALLOW: f64 = 0.1;
/// The scale of lengths, in sizes of both colliders.
const SCALE: f64 = 4.0;
/// Kinds of what touches.
const KINDS: [u32; 4] = [COLLIDER_POINT, COLLIDER_BOX, COLLIDER_HULL, COLLIDER_SEGMENT];

/// One of some triangles of a mesh, and where the mesh is.
struct Case {
    mesh: Mesh,
    triangle: usize,
    rotation: DQuat,
    position: DVec3,
    /// Which of the two it is.
    is_b: bool,
}

/// A sheet of eight triangles, folded or flat; or what is closed, with dents.
fn surface(k: usize, random: &mut Random) -> Surface {
    if k.is_multiple_of(3) {
        let mut closed = Shape::Bipyramid { triangles: 12 }.surface();
        for x in &mut closed.points {
            *x *= 0.5 * random.between(0.5, 1.4);
        }
        return closed;
    }
    let mut points = Vec::new();
    for i in 0..9 {
        let height = if k % 3 == 1 || random.index(0, 2) == 0 { 0.0 } else { 0.3 };
        let x = DVec3::new(f64::from(i % 3) - 1.0, 0.0, 1.0 - f64::from(i / 3));
        points.push(0.5 * x + DVec3::Y * height * random.between(-1.0, 1.0));
    }
    let square = |i: u32| {
        let [a, b, c, d] = [0, 1, 4, 3].map(|corner| corner + i);
        if k.is_multiple_of(2) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
    };
    Surface {
        points,
        triangles: [0, 1, 3, 4].into_iter().flat_map(square).collect(),
        ..Surface::default()
    }
}

/// So many pairs of a triangle and something near it.
fn cases(count: usize) -> (Pairs, Vec<Case>) {
    let random = &mut Random::new(133);
    let mut pairs = Pairs::new(0, 0);
    let mut cases = Vec::new();
    for k in 0..count {
        let surface = surface(k, random);
        let triangle = random.index(0, surface.triangles.len());
        let facet = facets(&surface).swap_remove(triangle);
        let corners = surface.corners(triangle);
        let mesh = Mesh {
            points: surface.points.clone(),
            triangles: surface.triangles.iter().map(|t| t.map(|i| i as usize)).collect(),
            closed: surface.open_edges() == 0,
        };
        let turn = |random: &mut Random| {
            let axis = random.vector(1.0).normalize_or(DVec3::X);
            DQuat::from_axis_angle(axis, random.between(-3.0, 3.0))
        };
        let (rotation, position) =
            (turn(random), random.vector(if k.is_multiple_of(5) { 60.0 } else { 1.0 }));
        // Near a corner, an edge or the middle.
        let mut weights = DVec3::from_array([0; 3].map(|_| random.between(0.0, 1.0).powi(4)));
        weights /= weights.element_sum();
        let near = weights.x * corners[0] + weights.y * corners[1] + weights.z * corners[2];
        let kind = KINDS[k / 3 % KINDS.len()];
        let number = pairs.add_collider(kind, 1.0, random);
        let bound = f64::from(pairs.colliders[number].bound);
        let way = random.vector(1.0).normalize_or(DVec3::Y) + 0.5 * mesh.front(triangle);
        let far = bound * random.between(0.7, 1.1) + 0.05;
        let middle = near + far * way.normalize();
        pairs.place(number, position + rotation * middle, turn(random));
        let own = pairs.add_facet(&facet, corners);
        pairs.place(own, position + rotation * facet.position, rotation);
        let is_b = k.is_multiple_of(2);
        let numbers = if is_b { [number, own] } else { [own, number] };
        let radii = numbers.map(|number| pairs.colliders[number].radius);
        pairs.manifolds.push(Manifold {
            last: NONE,
            colliders: UVec2::new(numbers[0] as u32, numbers[1] as u32),
            radii: Vec2::from_array(radii),
            reach: 0.1,
            same: 0.02,
            rim_a: rim(&pairs.colliders[numbers[0]]).as_vec3(),
            rim_b: rim(&pairs.colliders[numbers[1]]).as_vec3(),
            ..Manifold::default()
        });
        cases.push(Case { mesh, triangle, rotation, position, is_b });
    }
    (pairs, cases)
}

/// Each pair as it is, and with the triangle alone in the world.
pub fn check(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (mut pairs, cases) = cases(bench.len());
    let held = FIRST..bench.len().saturating_sub(1);
    let unseen = ManifoldPoint { distance: 7.0, ..ManifoldPoint::default() };
    let last = vec![unseen; MANIFOLD as usize * bench.len()];
    let found = run(bench, &pairs, &held, &last)?;
    let (got, points) = (found.get::<Manifold>("manifolds"), found.get("manifold_points"));
    pairs.vertices.iter_mut().for_each(|vertex| vertex.w = 0.0);
    let alone = run(bench, &pairs, &held, &last)?;
    let (bare, bare_points) = (alone.get::<Manifold>("manifolds"), alone.get("manifold_points"));
    for i in held {
        fn own<'a>(
            points: &'a [ManifoldPoint],
            i: usize,
            manifold: &Manifold,
        ) -> &'a [ManifoldPoint] {
            &points[MANIFOLD as usize * i..][..manifold.count as usize]
        }
        let least = [own(&points, i, &got[i]), own(&bare_points, i, &bare[i])].map(|own| {
            own.iter().map(|point| f64::from(point.distance)).fold(f64::INFINITY, f64::min)
        });
        compare_points(&pairs, &cases[i], &got[i], own(&points, i, &got[i]), errors);
        compare(&pairs, &cases[i], &got[i], &bare[i], least, errors);
    }
    Ok(())
}

/// What comes to the mesh touches it with a point of its own, straight in front of one of the triangle's plane; a ball with its
/// centre, whichever of the two it is.
fn compare_points(
    pairs: &Pairs,
    case: &Case,
    got: &Manifold,
    points: &[ManifoldPoint],
    errors: &mut ErrorStats,
) {
    let numbers = got.colliders.to_array().map(|number| number as usize);
    let other = usize::from(!case.is_b);
    let collider = &pairs.colliders[numbers[other]];
    let bounds = numbers.map(|number| f64::from(pairs.colliders[number].bound));
    let scale = SCALE * bounds.iter().sum::<f64>();
    let n = got.normal.as_dvec3();
    for (k, point) in points.iter().enumerate() {
        let places = pairs.places(got, k, point);
        let way = places[0] - places[1];
        errors.vector((way - way.dot(n) * n).as_vec3(), DVec3::ZERO, scale);
        errors.number(
            pairs.cores[numbers[other]].outside(places[other]).max(0.0) as f32,
            0.0,
            scale,
        );
        if collider.kind == COLLIDER_POINT {
            let own = [point.a, point.b][other].as_dvec3();
            errors.vector((own - collider.position.as_dvec3()).as_vec3(), DVec3::ZERO, 0.1);
        }
    }
}

fn compare(
    pairs: &Pairs,
    case: &Case,
    got: &Manifold,
    bare: &Manifold,
    [least, bare_least]: [f64; 2],
    errors: &mut ErrorStats,
) {
    if bare.count == 0 {
        return errors.holds(got.count == 0);
    }
    let radii = got.radii.as_dvec2().element_sum();
    if (bare_least + radii).abs() < TOUCHING {
        return;
    }
    let numbers = got.colliders.to_array().map(|number| number as usize);
    let other = &pairs.cores[numbers[usize::from(!case.is_b)]];
    let out = if case.is_b { 1.0 } else { -1.0 };
    let back = case.rotation.inverse();
    let answer = |normal: DVec3| {
        let middle = back * (other.position - case.position);
        case.mesh.answer(case.triangle, out * (back * normal), middle)
    };
    let wanted = answer(bare.normal.as_dvec3().normalize());
    if wanted.closest < CLOSE {
        return;
    }
    let normal = out * (case.rotation * wanted.normal);
    let [a, b] = numbers.map(|number| &pairs.cores[number]);
    let apart = a.apart_along(b, normal);
    let bounds = numbers.map(|number| f64::from(pairs.colliders[number].bound));
    let scale = SCALE * bounds.iter().sum::<f64>();
    let near = TOLERANCE * scale;
    let most = f64::from(got.reach) + radii;
    let shallow = -SHALLOW * bounds[0].min(bounds[1]);
    let in_front = !wanted.is_blind && wanted.is_low && apart > shallow + near;
    let is_there = wanted.is_given || in_front;
    if is_there && apart < most - near {
        errors.holds(got.count > 0);
        errors.vector(got.normal, normal, 4.0);
        errors.number(least as f32, apart - radii, scale);
    } else if apart > most + near || (!wanted.is_given && wanted.is_blind) {
        errors.holds(got.count == 0);
    } else if got.count > 0 {
        // Of the triangle itself, or of a face of the other side that the mesh leaves as it is; and where the mesh falls away the
        // deepest point is there, or none has met it.
        let found = got.normal.as_dvec3().normalize();
        let own = answer(found);
        errors.holds(found.distance(normal) < 1e-5 || own.is_given || own.closest < CLOSE);
        if !wanted.is_level && least + radii <= 0.0 {
            errors.number(least as f32, a.apart_along(b, found) - radii, scale);
        }
    }
}
