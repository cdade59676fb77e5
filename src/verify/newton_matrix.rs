//! The matrix of Newton's method: its products with a direction, and its blocks.

use glam::{DMat3, DVec3, UVec2, Vec3, Vec4};

use super::fem::{Elements, LAWS, area, gradient_scale, sorts, stiffness, turn};
use super::oracle::{longest_edge, velocities};
use super::states::{contact_blocks, directions};
use super::trial::Arrays;
use super::vertex::nears;
use super::{Bench, Check, Checks, ErrorStats, Oracle, Random};
use crate::Result;
use crate::family;
use crate::family::fem::law::outer;
use crate::gpu::types::{Block, Body, FemTangent, symmetric};
use crate::model::Incidence;
use crate::reference::fem::Element;
use crate::reference::{positive, springs};

pub const CHECKS: Checks = &[
    ("newton_tangent", Check::Trial(tangent)),
    ("newton_block", Check::Trial(block)),
    ("newton_fem", Check::Trial(fem)),
    ("newton_apply", Check::Trial(apply)),
];

/// Scale of (K + C/h) w [N]: of a spring its whole stiffness, across it with the tension that it would have if it were as
/// far from rest as it is long, times the difference of w; of volumes and areas with longest edge L k (L²/(6 V0))² and
/// k (L/A0)², the latter with the tension over the flatness, too.
pub fn scale(oracle: &Oracle<'_>, w: &[DVec3]) -> Vec<f64> {
    let (system, x, h) = (&oracle.system, &oracle.system.position, oracle.h);
    let v = &system.velocity;
    let mut scale = vec![0.0; w.len()];
    for spring in &system.springs {
        let [i, j] = spring.points;
        let (_, length) = springs::direction(spring, x);
        let damping = springs::damping_coefficient(spring);
        let stiffness = spring.stiffness / spring.rest.powi(2);
        let across = match length > 0.0 {
            true => {
                stiffness * (1.0 + spring.rest / length) + damping * v[i].distance(v[j]) / length
            }
            false => 0.0,
        };
        for point in [i, j] {
            scale[point] += (stiffness + damping / h + across) * w[i].distance(w[j]);
        }
    }
    for tet in &system.tets {
        let (edge, apart) = (longest_edge(&tet.corners, x), longest_edge(&tet.corners, w));
        let gradient = edge * edge / (6.0 * tet.rest_volume);
        for i in tet.corners {
            scale[i] += 3.0 * tet.stiffness * gradient * gradient * apart;
        }
    }
    for area in &system.areas {
        let (edge, apart) = (longest_edge(&area.corners, x), longest_edge(&area.corners, w));
        let [a, b, c] = area.corners.map(|i| x[i]);
        let flatness = edge.powi(2) / (b - a).cross(c - a).length();
        let stretch = edge * edge / area.rest;
        let stiffness = area.stiffness / area.rest;
        for i in area.corners {
            scale[i] +=
                stiffness * (stretch + (stretch + 1.0) * flatness) * (1.0 + flatness) * apart;
        }
    }
    scale
}

/// H z and z·H z of all particles.
fn apply(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = directions(bench, 101);
    let contact_blocks = contact_blocks(&mut Random::new(102), bench.len());
    let oracle = bench.oracle();
    let (system, h) = (&oracle.system, oracle.h);
    let z = velocities(&inputs);
    let wanted = positive::product(system, &system.position, None, h, &z);
    let scales = scale(&oracle, &z);
    // Every fourth point is tied, whatever its body is made of.
    let tied = |i: usize| i % 4 == 2;
    let load = |(i, load): (usize, &DVec3)| load.as_vec3().extend(if tied(i) { -1.0 } else { 0.0 });
    let loads: Vec<_> = system.loads.iter().enumerate().map(load).collect();
    let after = bench.run_each(&[
        ("directions", &inputs),
        ("contact_blocks", &contact_blocks),
        ("products", &vec![Vec4::NAN; bench.len()]),
        ("loads", &loads),
    ])?;
    for (i, got) in after.get::<Vec4>("products").iter().enumerate() {
        if system.pinned(i) {
            errors.holds(*got == Vec4::ZERO);
            continue;
        }
        let (mass, press) = (system.mass(i), &contact_blocks[i]);
        let inertia = oracle.inertia(i);
        let hold = press.matrix();
        let springs = bench.case.bodies[system.body[i]].loaded == family::springs::LOADED;
        let (mut elements, mut of_elements) = match springs {
            true => (wanted[i], scales[i]),
            false => (DVec3::ZERO, 0.0),
        };
        if bench.case.content.loads && (!springs || tied(i)) {
            elements -= mass * system.loads[i];
            of_elements += mass * system.loads[i].length();
        }
        let want = inertia * z[i] + hold * z[i] + elements;
        let scale = (inertia + 700.0) * z[i].length() + of_elements;
        errors.vector(got.truncate(), want, scale);
        errors.number(got.w, want.dot(z[i]), scale * z[i].length());
    }
    Ok(())
}

/// Each particle's own block: of springs by moving it alone, of finite elements the sum of its corners', of clusters their
/// pull.
fn block(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    pulled_block(bench, errors)?;
    let mut random = Random::new(103);
    let oracle = bench.oracle();
    let (system, nears) = (&oracle.system, nears(&oracle));
    let mut corners = Vec::new();
    for i in 0..bench.len() {
        for _ in 0..random.index(0, 6) {
            corners.push((i as u32, [(); 2].map(|()| random.vector(5.0).as_vec3())));
        }
    }
    let rows = Incidence::new(bench.len(), &corners);
    let slots = rows.entries.iter().flatten().map(|v| v.extend(0.0));
    for (i, got) in
        blocks(bench, &rows.ranges(), &slots.collect(), &bench.case.bodies)?.iter().enumerate()
    {
        if system.pinned(i) {
            errors.holds(*got == Block::default());
            continue;
        }
        let found = got.matrix();
        if bench.case.bodies[system.body[i]].loaded != family::springs::LOADED {
            let own = corners.iter().filter(|(owner, _)| *owner as usize == i);
            let own: Vec<_> = own.map(|(_, [d, o])| symmetric(*d, *o)).collect();
            errors.matrix(&found, &own.iter().sum(), 10.0 * own.len() as f64);
            continue;
        }
        for (k, unit) in DVec3::AXES.into_iter().enumerate() {
            let (want, scale) = nears[i].column(unit);
            errors.vector(found.col(k).as_vec3(), want, scale);
        }
    }
    Ok(())
}

/// The blocks of particles with these corners of elements, in these bodies.
fn blocks(
    bench: &Bench<'_>,
    rows: &Vec<UVec2>,
    corner_blocks: &Vec<Vec4>,
    bodies: &Vec<Body>,
) -> Result<Vec<Block>> {
    let after = bench.run_each(&[
        ("fem_rows", rows),
        ("corner_blocks", corner_blocks),
        ("blocks", &vec![Block::default(); bench.len()]),
        ("bodies", bodies),
    ])?;
    Ok(after.get("blocks"))
}

/// Of clusters: (α/h² + rate) (1 + τ/h) m along every axis.
fn pulled_block(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut bodies = bench.case.bodies.clone();
    let pulled = |body: &Body| body.loaded != family::springs::LOADED;
    for body in bodies.iter_mut().filter(|body| pulled(body)) {
        body.loaded = family::shape::LOADED;
        (body.alpha, body.pull_rate, body.relaxation) = (0.3, 200.0, 0.02);
    }
    let none = vec![UVec2::ZERO; bench.len()];
    let (system, h) = (bench.oracle().system, f64::from(bench.case.sim.step));
    for (i, got) in blocks(bench, &none, &Vec::new(), &bodies)?.iter().enumerate() {
        let body = &bodies[system.body[i]];
        if !pulled(body) || system.pinned(i) {
            continue;
        }
        let [alpha, rate, relaxation] =
            [body.alpha, body.pull_rate, body.relaxation].map(f64::from);
        let want = (alpha / (h * h) + rate) * (1.0 + relaxation / h) * system.mass(i);
        errors.vector(got.diagonal, DVec3::splat(want), want);
        errors.holds(got.off == Vec3::ZERO);
    }
    Ok(())
}

/// The stress that a tangent has for a change of F S_p⁻¹ in the axes U and V.
fn stress(tangent: &FemTangent, y: &DMat3) -> DMat3 {
    let at = |row: usize, column: usize| y.col(column)[row];
    let pairs = [(1, 2), (2, 0), (0, 1)];
    let low = [tangent.low_x, tangent.low_y, tangent.low_z].map(f64::from);
    let both = [tangent.both_x, tangent.both_y, tangent.both_z].map(f64::from);
    let matrix = symmetric(tangent.diagonal, tangent.off);
    let own = matrix * DVec3::new(at(0, 0), at(1, 1), at(2, 2));
    let mut stress = DMat3::from_diagonal(own);
    for (k, (i, j)) in pairs.into_iter().enumerate() {
        let up = f64::from(tangent.up[k]);
        stress.col_mut(j)[i] = up * at(i, j) + both[k] * at(j, i);
        stress.col_mut(i)[j] = both[k] * at(i, j) + low[k] * at(j, i);
    }
    stress
}

fn axes(tangent: &FemTangent) -> DMat3 {
    let (first, second) = (tangent.first.as_dvec3(), tangent.second.as_dvec3());
    DMat3::from_cols(first, second, first.cross(second))
}

/// The gradients of all corners, in the axes V.
fn gradients(tangent: &FemTangent) -> [DVec3; 4] {
    let given = [tangent.gradient_b, tangent.gradient_c, tangent.gradient_d];
    let [b, c, d] = given.map(|g| g.as_dvec3());
    [-(b + c + d), b, c, d]
}

/// Scale of an element's tangent, times the gradients' squares [N/m].
fn tangent_scale(element: &Element, x: &[DVec3], wanted: &[[f64; 9]; 9]) -> f64 {
    let size = wanted.iter().flatten().map(|a| a * a).sum::<f64>().sqrt();
    let uncertain = 1.0 + gradient_scale(element, x);
    let steep: f64 = element.gradients.iter().map(|g| g.length()).sum();
    let inverse = element.plastic.inverse().to_cols_array();
    let inverse = inverse.iter().map(|a| a * a).sum::<f64>();
    area(element) * steep * inverse * turn(element, x) * uncertain * (size + stiffness(element, x))
}

/// Corner forces of directions along the axes by the tangents of random elements, and their corners' blocks.
fn tangent(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for (k, (law, plastic)) in sorts().enumerate() {
        let elements = Elements::new(bench, law, plastic, 104 + k as u64);
        let none = vec![FemTangent::default(); elements.tets.len()];
        let arrays: &Arrays<'_> =
            &[("tangents", &none), ("corner_blocks", &vec![Vec4::ZERO; 2 * elements.slots])];
        let after = elements.run(bench, bench.case.sim, arrays)?;
        let (tangents, blocks): (Vec<FemTangent>, Vec<Vec4>) =
            (after.get("tangents"), after.get("corner_blocks"));
        let oracle = bench.oracle();
        let x = &oracle.system.position;
        for (t, element) in elements.wanted.iter().enumerate() {
            let wanted = positive::tangent(element, x, oracle.h);
            let block = |slot: u32| {
                let at = 2 * slot as usize;
                symmetric(blocks[at].truncate(), blocks[at + 1].truncate())
            };
            let blocks = elements.tets[t].slots.to_array().map(block);
            compare_tangent(
                &tangents[t],
                &blocks,
                element,
                &wanted,
                tangent_scale(element, x, &wanted),
                errors,
            );
        }
    }
    Ok(())
}

/// Compares the forces on an element's corners where one of them moves along an axis, and the corners' blocks.
fn compare_tangent(
    tangent: &FemTangent,
    blocks: &[DMat3; 4],
    element: &Element,
    wanted: &[[f64; 9]; 9],
    scale: f64,
    errors: &mut ErrorStats,
) {
    let (u, found, inverse) = (axes(tangent), gradients(tangent), element.plastic.inverse());
    for moved in 0..4 {
        for (axis, e) in DVec3::AXES.into_iter().enumerate() {
            let turned = stress(tangent, &outer(u.transpose() * e, found[moved]));
            let change = outer(e, inverse * element.gradients[moved]).to_cols_array();
            let column = |i: usize| (0..9).map(|j| wanted[i][j] * change[j]).sum::<f64>();
            let want = DMat3::from_cols_array(&std::array::from_fn(column));
            for c in 0..4 {
                let force = u * (turned * found[c]);
                let want = element.volume * (want * (inverse * element.gradients[c]));
                errors.vector(force.as_vec3(), want, scale);
                if c == moved {
                    errors.vector(blocks[c].col(axis).as_vec3(), want, scale);
                }
            }
        }
    }
}

fn random_tangent(random: &mut Random) -> FemTangent {
    let (first, other) = (random.vector(1.0).normalize(), random.vector(1.0));
    let [gradient_b, gradient_c, gradient_d] = [(); 3].map(|()| random.vector(3.0).as_vec3());
    let [diagonal, off, up] = [(); 3].map(|()| random.vector(5.0).as_vec3());
    let [low_x, low_y, low_z, both_x, both_y, both_z] =
        [(); 6].map(|()| random.between(1.0, 5.0) as f32);
    FemTangent {
        first: first.as_vec3(),
        second: first.cross(other).normalize().as_vec3(),
        gradient_b,
        gradient_c,
        gradient_d,
        diagonal,
        off,
        up,
        low_x,
        low_y,
        low_z,
        both_x,
        both_y,
        both_z,
    }
}

/// Corner forces of random tangents along random directions.
fn fem(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let elements = Elements::new(bench, LAWS[0], false, 110);
    let mut random = Random::new(111);
    let tangent = |_| random_tangent(&mut random);
    let tangents: Vec<_> = elements.tets.iter().map(tangent).collect();
    let inputs = directions(bench, 112);
    let arrays: &Arrays<'_> = &[("tangents", &tangents), ("directions", &inputs)];
    let after = elements.run(bench, bench.case.sim, arrays)?;
    let z = velocities(&inputs);
    let wanted = |t: usize| {
        let (tangent, corners) = (&tangents[t], elements.wanted[t].corners);
        let (u, gradients) = (axes(tangent), gradients(tangent));
        let apart = [1, 2, 3].map(|c| z[corners[c]] - z[corners[0]]);
        let mut y = DMat3::ZERO;
        for c in 1..4 {
            y += outer(u.transpose() * apart[c - 1], gradients[c]);
        }
        let stress = u * stress(tangent, &y);
        let steep: f64 = gradients.iter().map(|g| g.length()).sum();
        let apart: f64 = apart.iter().map(|z| z.length()).sum();
        (gradients.map(|g| -(stress * g)), 30.0 * steep * steep * apart)
    };
    elements.compare(&after, wanted, errors);
    Ok(())
}
