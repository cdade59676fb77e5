//! The kernels that deform what is drawn.

use glam::{DVec3, Vec2, Vec3, Vec4};

use super::bench::Bench;
use super::case::Random;
use super::errors::ErrorStats;
use super::oracle::exact;
use super::system::system;
use crate::Result;
use crate::gpu::types::{MeshSource, MeshVertex};
use crate::gpu::{Buffer, Kernel};
use crate::reference::skin::{self as reference, Anchor};

pub const CHECKS: super::Checks = &[
    ("skin_points", super::Check::Case(points)),
    ("skin_normals", super::Check::Case(normals)),
    ("mesh_pack", super::Check::Case(pack)),
];

/// Σ w_k x_k, out of the solids; scale: Σ |w_k x_k|, more where a normal turns fast, towards a sphere's centre.
pub fn points(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (inputs, skin) = (&bench.case.particles, &bench.case.model.skin);
    let x = exact(inputs.iter().map(|p| p.position));
    let anchor = |(corners, weights): (&[u32; 4], &[f64; 4])| Anchor {
        corners: corners.map(|i| i as usize),
        weights: weights.map(|w| f64::from(w as f32)),
    };
    let anchors: Vec<_> = skin.corners.iter().zip(&skin.weights).map(anchor).collect();
    let positions = Buffer::<Vec4>::zeroed(bench.context, "skin_positions", anchors.len())?;
    let others = [
        bench.buffers.skin.bind("skin"),
        positions.bind("skin_positions"),
    ];
    bench.write(inputs, inputs);
    bench.dispatch(kernel, bench.case.sim, anchors.len(), &others);
    errors.case();
    let mut wanted = reference::positions(&anchors, &x);
    let system = system(bench.case, &bench.case.sim, inputs);
    reference::press(
        &system,
        f64::from(bench.case.sim.step),
        &anchors,
        &x,
        &mut wanted,
    );
    for (i, got) in positions.read(bench.context)?.iter().enumerate() {
        let scale = (0..4)
            .map(|k| x[anchors[i].corners[k]].length() * anchors[i].weights[k].abs())
            .sum();
        errors.vector(got.truncate(), wanted[i], scale);
        errors.holds(got.w == 1.0);
    }
    Ok(())
}

/// Unit normals, +Y without any area; scale: the sum of the areas over the length of the sum of the area vectors.
pub fn normals(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let skin = &bench.case.model.skin;
    let mut random = Random::new(31);
    let points: Vec<_> = skin
        .corners
        .iter()
        .map(|_| random.vector(1.0).as_vec3())
        .collect();
    let vertices = exact(points.iter().copied());
    let positions: Vec<_> = points.iter().map(|x| x.extend(1.0)).collect();
    let positions = Buffer::new(bench.context, "skin_positions", &positions)?;
    let normals = Buffer::<Vec4>::zeroed(bench.context, "skin_normal", vertices.len())?;
    let others = [
        bench.buffers.skin_fans.bind("skin_fans"),
        bench.buffers.skin_corners.bind("skin_corners"),
        positions.bind("skin_positions"),
        normals.bind("skin_normal"),
    ];
    bench.dispatch(kernel, bench.case.sim, vertices.len(), &others);
    errors.case();
    let triangles: Vec<_> = skin
        .triangles
        .iter()
        .map(|t| t.map(|i| i as usize))
        .collect();
    let wanted = reference::normals(&vertices, &triangles);
    let sums = areas(&vertices, &triangles);
    for (i, got) in normals.read(bench.context)?.iter().enumerate() {
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
pub fn pack(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let drawn = bench.case.model.skin.corners.len();
    let mut random = Random::new(37);
    let mut vectors = |w: f32| -> Vec<_> {
        let vector = |_| random.vector(1.0).as_vec3().extend(w);
        (0..drawn).map(vector).collect()
    };
    let (x, n) = (vectors(1.0), vectors(0.0));
    // A vertex on a seam is handed over twice.
    let source = |i: usize| MeshSource {
        uv: Vec2::new(0.25 + i as f32, 1.0 / (1.0 + i as f32)),
        vertex: (i * 7 / 2 % drawn) as u32,
    };
    let sources: Vec<_> = (0..if drawn > 0 { 2 * drawn } else { 0 })
        .map(source)
        .collect();
    let untouched = MeshVertex {
        normal_x: -77.0,
        ..MeshVertex::default()
    };
    let buffers = [
        Buffer::new(bench.context, "skin_positions", &x)?,
        Buffer::new(bench.context, "skin_normal", &n)?,
    ];
    let given = Buffer::new(bench.context, "mesh_sources", &sources)?;
    let written = vec![untouched; sources.len() + 1];
    let written = Buffer::new(bench.context, "mesh_vertices", &written)?;
    let others = [
        buffers[0].bind("skin_positions"),
        buffers[1].bind("skin_normal"),
        given.bind("mesh_sources"),
        written.bind("mesh_vertices"),
    ];
    errors.case();
    if sources.is_empty() {
        return Ok(());
    }
    bench.dispatch(kernel, bench.case.sim, sources.len(), &others);
    let got = written.read(bench.context)?;
    errors.holds(got[sources.len()] == untouched);
    for (source, got) in sources.iter().zip(&got) {
        let at = source.vertex as usize;
        errors.vector(got.position, x[at].truncate().as_dvec3(), 1.0);
        let normal = got.normal_yz;
        let normal = Vec3::new(got.normal_x, normal.x, normal.y);
        errors.vector(normal, n[at].truncate().as_dvec3(), 1.0);
        errors.holds(got.uv == source.uv);
    }
    Ok(())
}

/// Per vertex: the sum of the area vectors around it, and the sum of the products of the edges that span them.
fn areas(vertices: &[DVec3], triangles: &[[usize; 3]]) -> Vec<(DVec3, f64)> {
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
