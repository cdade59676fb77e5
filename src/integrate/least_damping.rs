//! How well the least damped vibration of a body is damped.

use std::collections::HashMap;

use glam::DVec3;

use crate::mesh::topology::TET_EDGES;
use crate::model::{BodyKind, BodyRanges, Model, Spring};

const TRIANGLE_EDGES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

/// A bound of the least wᵀCw/wᵀKw [s] of a body at rest, 0 where something is undamped. With the relative stretches ε_e of
/// its edges C = Σ d_e ε_e² and K = Σ k_e ε_e² + Σ k_t (Σ a_te ε_e)², where t are its tetrahedra with δV/V = Σ a_te ε_e and the
/// triangles whose areas it keeps, alike. By Cauchy and Schwarz (Σ a_te ε_e)² ≤ Σ n_e a_te²/d_e · Σ d_e ε_e²/n_e, n_e the number
/// of tetrahedra, or triangles, that share an edge. So K ≤ (max k_e/d_e + max k_t Σ n_e a_te²/d_e + that of triangles) C.
///
/// Of finite elements C is the relaxation time times K at rest.
pub fn least_damping(model: &Model, body: &BodyRanges) -> f64 {
    if body.kind == BodyKind::Fem {
        let elements = model.elements[body.elements.clone()].iter();
        let least = elements.fold(f64::INFINITY, |least, e| least.min(e.relaxation));
        return if least.is_finite() { least } else { 0.0 };
    }
    let springs = &model.springs[body.springs.clone()];
    let edges = Edges(
        springs
            .iter()
            .map(|spring| (sorted(spring.points), spring))
            .collect(),
    );
    let per_damping = |stiffness: f64, damping: f64| match stiffness {
        0.0 => 0.0,
        _ => stiffness / damping,
    };
    let of_springs = springs
        .iter()
        .map(|spring| per_damping(spring.distance, spring.damping));
    let x = |i: u32| model.rest_positions[i as usize];
    let tets = &model.tets[body.tets.clone()];
    let sharing = sharing(tets.iter().map(|tet| tet.corners), &TET_EDGES);
    let of_tets = tets.iter().map(|tet| {
        let weights = volume_weights(tet.corners.map(x));
        edges.share(&tet.corners, &TET_EDGES, &weights, &sharing, tet.volume)
    });
    let areas = &model.areas[body.areas.clone()];
    let sharing = self::sharing(areas.iter().map(|area| area.corners), &TRIANGLE_EDGES);
    let of_areas = areas.iter().map(|area| {
        let weights = area_weights(area.corners.map(x));
        let stiffness = body.material.area;
        edges.share(
            &area.corners,
            &TRIANGLE_EDGES,
            &weights,
            &sharing,
            stiffness,
        )
    });
    let longest = largest(of_springs) + largest(of_tets) + largest(of_areas);
    if longest > 0.0 { longest.recip() } else { 0.0 }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// The largest of the values; what is no number, as of a flat tetrahedron, counts as infinite.
fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |most: f64, value| {
        if value.is_nan() {
            f64::INFINITY
        } else {
            most.max(value)
        }
    })
}

/// How many of the elements share each edge.
fn sharing<const N: usize>(
    elements: impl Iterator<Item = [u32; N]>,
    edges: &[[usize; 2]],
) -> HashMap<[u32; 2], f64> {
    let mut sharing = HashMap::new();
    for corners in elements {
        for ends in edges {
            *sharing
                .entry(sorted(ends.map(|k| corners[k])))
                .or_insert(0.0) += 1.0;
        }
    }
    sharing
}

/// A body's springs by their ends, lower first.
struct Edges<'a>(HashMap<[u32; 2], &'a Spring>);

impl Edges<'_> {
    /// k Σ n_e a_e²/d_e over an element's edges [1/s].
    fn share(
        &self,
        corners: &[u32],
        edges: &[[usize; 2]],
        weights: &[f64],
        sharing: &HashMap<[u32; 2], f64>,
        stiffness: f64,
    ) -> f64 {
        if stiffness == 0.0 {
            return 0.0;
        }
        let term = |(ends, weight): (&[usize; 2], &f64)| {
            let edge = sorted(ends.map(|k| corners[k]));
            let damping = self.0.get(&edge).map_or(0.0, |spring| spring.damping);
            if *weight == 0.0 {
                0.0
            } else {
                sharing[&edge] * weight * weight / damping
            }
        };
        stiffness * edges.iter().zip(weights).map(term).sum::<f64>()
    }
}

/// a_e = ∂ln V/∂ln l_e for the six edges: the relative stretches are linear in the six components of the strain, and δV/V is
/// its trace.
fn volume_weights(x: [DVec3; 4]) -> [f64; 6] {
    // Row e: n nᵀ of edge e as (xx, yy, zz, yz, zx, xy), so that ε = N E; wanted a with aᵀN = (1, 1, 1, 0, 0, 0).
    let mut rows = [[0.0; 7]; 6];
    for (column, [i, j]) in TET_EDGES.into_iter().enumerate() {
        let n = (x[j] - x[i]).normalize_or_zero();
        let entries = [
            n.x * n.x,
            n.y * n.y,
            n.z * n.z,
            2.0 * n.y * n.z,
            2.0 * n.z * n.x,
            2.0 * n.x * n.y,
        ];
        for (row, entry) in rows.iter_mut().zip(entries) {
            row[column] = entry;
        }
    }
    for row in rows.iter_mut().take(3) {
        row[6] = 1.0;
    }
    solve(rows)
}

/// a_e = ∂ln A/∂ln l_e for the three edges: 16 A² = 2 Σ l_e² l_f² − Σ l_e⁴ (Heron), hence l_e² (Σ l_f² − 2 l_e²)/(8 A²).
fn area_weights([a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let squares = [b - a, c - b, a - c].map(|edge| edge.length_squared());
    let sum: f64 = squares.iter().sum();
    let twice_area = (b - a).cross(c - a).length();
    squares.map(|square| square * (sum - 2.0 * square) / (2.0 * twice_area * twice_area))
}

/// Gaussian elimination with pivoting of a 6×6 system with its right side in the last column.
fn solve(mut rows: [[f64; 7]; 6]) -> [f64; 6] {
    for k in 0..6 {
        let pivot = (k..6)
            .max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs()))
            .unwrap_or(k);
        rows.swap(k, pivot);
        for i in 0..6 {
            if i != k && rows[k][k] != 0.0 {
                let factor = rows[i][k] / rows[k][k];
                let pivot = rows[k];
                for (entry, above) in rows[i].iter_mut().zip(pivot) {
                    *entry -= factor * above;
                }
            }
        }
    }
    std::array::from_fn(|k| rows[k][6] / rows[k][k])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::mesh::Surface;
    use crate::reference::dense::{Matrix, symmetric_eigenvalues};
    use crate::reference::force::damping_forces;
    use crate::reference::spectrum::stiffness_product;
    use crate::reference::{self, System};
    use crate::scene::{Aabb, Body, Constant, MeshSource, Region, Scene, Springs};

    /// The model of a body and its system at rest.
    fn at_rest(body: Body) -> (Model, System) {
        let scene = Scene {
            bodies: vec![body],
            ..Scene::default()
        };
        let model = Model::new(&scene, "", u64::MAX).unwrap();
        let n = model.positions.len();
        let indices = |points: &[u32]| points.iter().map(|i| *i as usize).collect::<Vec<_>>();
        let system = System {
            position: model.rest_positions.clone(),
            velocity: vec![DVec3::ZERO; n],
            inverse_mass: vec![1.0; n],
            body: vec![0; n],
            springs: (model.springs.iter())
                .map(|s| reference::Spring {
                    points: indices(&s.points).try_into().unwrap(),
                    rest: s.rest,
                })
                .collect(),
            tets: (model.tets.iter())
                .map(|t| reference::Tet {
                    corners: indices(&t.corners).try_into().unwrap(),
                    rest_volume: t.rest,
                })
                .collect(),
            areas: (model.areas.iter())
                .map(|a| reference::Area {
                    corners: indices(&a.corners).try_into().unwrap(),
                    rest: a.rest,
                })
                .collect(),
            own_springs: model
                .springs
                .iter()
                .map(|s| [s.distance, s.damping])
                .collect(),
            own_tets: model.tets.iter().map(|t| t.volume).collect(),
            bodies: vec![reference::Material {
                area: model.bodies[0].material.area,
                ..reference::Material::default()
            }],
            ..System::default()
        };
        (model, system)
    }

    /// The least eigenvalue of C − λ K over the largest of C.
    fn least(system: &System, lambda: f64) -> f64 {
        let n = 3 * system.position.len();
        let whole = vec![1.0; system.springs.len()];
        let (mut difference, mut damping) = (Matrix::zero(n), Matrix::zero(n));
        for column in 0..n {
            let mut w = vec![DVec3::ZERO; n / 3];
            w[column / 3][column % 3] = 1.0;
            let k = stiffness_product(system, &system.position, &w);
            let c = damping_forces(system, &system.position, &w, &whole);
            for row in 0..n {
                let (c, k) = (-c[row / 3][row % 3], k[row / 3][row % 3]);
                damping[(row, column)] = c;
                difference[(row, column)] = c - lambda * k;
            }
        }
        let largest = symmetric_eigenvalues(damping).pop().unwrap();
        symmetric_eigenvalues(difference)[0] / largest
    }

    fn springs(distance: f64, volume: f64, damping: f64) -> crate::scene::Kind {
        Springs::Constants {
            distance,
            volume,
            damping,
        }
        .into()
    }

    fn region(constants: &[(Constant, f64)]) -> Region {
        Region {
            within: Aabb {
                min: [-1.0, -1.0, -1.0],
                max: [0.05, 1.0, 1.0],
            },
            constants: constants.to_vec(),
        }
    }

    fn bodies() -> Vec<Body> {
        let block = |kind, regions: Vec<Region>| {
            let mut body = Body::lattice("a", [3, 2, 2], [0.6, 0.4, 0.3]);
            (body.kind, body.regions) = (kind, regions);
            body
        };
        let mut sheet = block(springs(60.0, 0.0, 2.0), Vec::new());
        sheet.mesh = MeshSource::Surface {
            surface: Surface::new(
                vec![
                    DVec3::ZERO,
                    DVec3::X,
                    DVec3::new(1.1, 0.9, 0.0),
                    DVec3::Y * 1.2,
                    DVec3::new(0.4, 0.6, 0.3),
                ],
                vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]],
                None,
            )
            .unwrap(),
            cells: 1,
        };
        (sheet.shell, sheet.area) = (true, 50.0);
        let mut thin = block(springs(60.0, 20.0, 2.0), Vec::new());
        thin.area = 40.0;
        vec![
            block(springs(60.0, 0.0, 2.0), Vec::new()),
            block(springs(60.0, 20.0, 2.0), Vec::new()),
            block(
                springs(60.0, 20.0, 2.0),
                vec![region(&[(Constant::Damping, 0.2)])],
            ),
            block(
                springs(60.0, 20.0, 2.0),
                vec![region(&[(Constant::Volume, 900.0)])],
            ),
            block(
                springs(60.0, 20.0, 2.0),
                vec![region(&[
                    (Constant::Distance, 600.0),
                    (Constant::Damping, 5.0),
                ])],
            ),
            thin,
            sheet,
        ]
    }

    #[test]
    fn no_vibration_is_damped_less() {
        for (i, body) in bodies().into_iter().enumerate() {
            let (model, system) = at_rest(body);
            let bound = least_damping(&model, &model.bodies[0]);
            let (below, far_above) = (least(&system, bound), least(&system, 30.0 * bound));
            println!("body {i}: bound {bound:.3e} s, {below:e}, 30 times it: {far_above:e}");
            assert!(bound > 0.0 && below > -1e-12, "body {i}: {below:e}");
            assert!(far_above < -1e-6, "body {i}: {far_above:e}");
        }
    }

    #[test]
    fn springs_alone_have_the_ratio_of_their_constants() {
        let (model, system) = at_rest(bodies().swap_remove(0));
        let bound = least_damping(&model, &model.bodies[0]);
        assert!((bound - 2.0 / 60.0).abs() < 1e-15);
        assert!(least(&system, 1.001 * bound) < -1e-6);
    }

    #[test]
    fn what_is_undamped_somewhere_has_none() {
        let mut body = bodies().swap_remove(1);
        body.regions = vec![region(&[(Constant::Damping, 0.0)])];
        let (model, _) = at_rest(body);
        assert_eq!(least_damping(&model, &model.bodies[0]), 0.0);
    }

    #[test]
    fn triangles_weigh_their_edges_by_the_change_of_area() {
        let x = [
            DVec3::ZERO,
            DVec3::new(2.0, 0.3, 0.1),
            DVec3::new(0.7, 1.1, -0.4),
        ];
        let area = |x: [DVec3; 3]| (x[1] - x[0]).cross(x[2] - x[0]).length();
        let strain = glam::DMat3::from_cols_array(&[1.2, 0.3, 0.1, 0.3, -0.7, 0.2, 0.1, 0.2, 0.4]);
        let step = 1e-6;
        let moved = |h: f64| x.map(|x| x + h * (strain * x));
        let relative = |values: [f64; 2]| (values[1] - values[0]) / (values[1] + values[0]) / step;
        let change = relative([area(moved(-step)), area(moved(step))]);
        let weights = area_weights(x);
        let sum: f64 = (0..3)
            .map(|e| {
                let length =
                    |x: [DVec3; 3]| x[TRIANGLE_EDGES[e][0]].distance(x[TRIANGLE_EDGES[e][1]]);
                weights[e] * relative([length(moved(-step)), length(moved(step))])
            })
            .sum();
        assert!((sum - change).abs() < 1e-8, "{sum} {change}");
    }
}
