//! The kernels that deform what is drawn.

use glam::{DVec3, Vec2, Vec3, Vec4};

use super::oracle::exact;
use super::trial::Arrays;
use super::{Bench, ErrorStats, Random};
use crate::Result;
use crate::gpu::types::{MeshSource, MeshVertex};
use crate::reference::skin::{self as reference, Anchor};

pub const CHECKS: super::Checks = &[
    ("skin_points", super::Check::Trial(points)),
    ("skin_normals", super::Check::Trial(normals)),
    ("mesh_pack", super::Check::Trial(pack)),
];

/// Σ w_k x_k, out of the solids; scale: Σ |w_k x_k|, more where a normal turns fast, towards a sphere's centre.
fn points(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let skin = &bench.case.model.skin;
    let anchor = |(corners, weights): (&[u32; 4], &[f64; 4])| Anchor {
        corners: corners.map(|i| i as usize),
        weights: weights.map(|w| f64::from(w as f32)),
    };
    let anchors: Vec<_> = skin.corners.iter().zip(&skin.weights).map(anchor).collect();
    let before = vec![Vec4::ZERO; anchors.len()];
    let after = bench.run(bench.case.sim, anchors.len(), &[("skin_positions", &before)])?;
    let oracle = bench.oracle();
    let x = &oracle.system.position;
    let mut wanted = reference::positions(&anchors, x);
    reference::press(&oracle.system, oracle.h, &anchors, x, &mut wanted);
    for (i, got) in after.get::<Vec4>("skin_positions").iter().enumerate() {
        let part = |k: usize| x[anchors[i].corners[k]].length() * anchors[i].weights[k].abs();
        errors.vector(got.truncate(), wanted[i], (0..4).map(part).sum());
        errors.holds(got.w == 1.0);
    }
    Ok(())
}

/// Unit normals, +Y without any area; scale: the sum of the areas over the length of the sum of the area vectors.
fn normals(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let skin = &bench.case.model.skin;
    let points = Random::new(31).fields(skin.corners.len(), 1.0, 1.0);
    let arrays: &Arrays<'_> =
        &[("skin_positions", &points), ("skin_normal", &vec![Vec4::ZERO; points.len()])];
    let after = bench.run(bench.case.sim, points.len(), arrays)?;
    let vertices = exact(points.iter().map(|x| x.truncate()));
    let corners = skin.triangles.iter().map(|t| t.map(|i| i as usize));
    let triangles: Vec<_> = corners.collect();
    let wanted = reference::normals(&vertices, &triangles);
    let sums = areas(&vertices, &triangles);
    for (i, got) in after.get::<Vec4>("skin_normal").iter().enumerate() {
        let (sum, areas) = sums[i];
        match wanted[i] {
            DVec3::ZERO => errors.holds(*got == Vec4::Y),
            normal => errors.vector(got.truncate(), normal, areas / sum.length()),
        }
        errors.holds(got.w == 0.0);
    }
    Ok(())
}

/// Position, normal and place in a picture of a drawn vertex, as they are.
fn pack(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let drawn = bench.case.model.skin.corners.len();
    if drawn == 0 {
        return Ok(());
    }
    let mut random = Random::new(37);
    let [x, n] = [1.0, 0.0].map(|w| random.fields(drawn, 1.0, w));
    // A vertex on a seam is handed over twice.
    let source = |i: usize| MeshSource {
        uv: Vec2::new(0.25 + i as f32, 1.0 / (1.0 + i as f32)),
        vertex: (i * 7 / 2 % drawn) as u32,
    };
    let sources: Vec<_> = (0..2 * drawn).map(source).collect();
    let untouched = MeshVertex { normal_x: -77.0, ..MeshVertex::default() };
    let arrays: &Arrays<'_> = &[
        ("skin_positions", &x),
        ("skin_normal", &n),
        ("mesh_sources", &sources),
        ("mesh_vertices", &vec![untouched; sources.len() + 1]),
    ];
    let after = bench.run(bench.case.sim, sources.len(), arrays)?;
    let got: Vec<MeshVertex> = after.get("mesh_vertices");
    errors.holds(got[sources.len()] == untouched);
    for (source, got) in sources.iter().zip(&got) {
        let at = source.vertex as usize;
        errors.vector(got.position, x[at].truncate().as_dvec3(), 1.0);
        let normal = Vec3::new(got.normal_x, got.normal_yz.x, got.normal_yz.y);
        errors.vector(normal, n[at].truncate().as_dvec3(), 1.0);
        errors.holds(got.uv == source.uv);
    }
    Ok(())
}

/// Per vertex: the sum of the area vectors around it, and the sum of the products of the edges that span them.
pub fn areas(vertices: &[DVec3], triangles: &[[usize; 3]]) -> Vec<(DVec3, f64)> {
    let mut sums = vec![(DVec3::ZERO, 0.0); vertices.len()];
    for &[a, b, c] in triangles {
        for [a, b, c] in [[a, b, c], [b, c, a], [c, a, b]] {
            let (left, right) = (vertices[b] - vertices[a], vertices[c] - vertices[a]);
            sums[a].0 += left.cross(right);
            sums[a].1 += left.length() * right.length();
        }
    }
    sums
}
