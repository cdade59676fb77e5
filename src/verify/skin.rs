//! The kernels that deform what is drawn.

use glam::{DVec3, Vec4};

use super::bench::Bench;
use super::case::Random;
use super::oracle::exact;
use super::tally::Tally;
use crate::Result;
use crate::gpu::{Buffer, Kernel};
use crate::reference::skin::{self as reference, Anchor};

/// Σ w_k x_k; scale: Σ |w_k x_k|.
pub fn points(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
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
    bench.run(kernel, bench.case.sim, anchors.len(), &others);
    tally.case();
    let wanted = reference::positions(&anchors, &x);
    for (i, got) in positions.read(bench.context)?.iter().enumerate() {
        let scale = (0..4)
            .map(|k| x[anchors[i].corners[k]].length() * anchors[i].weights[k].abs())
            .sum();
        tally.vector(got.truncate(), wanted[i], scale);
        tally.holds(got.w == 1.0);
    }
    Ok(())
}

/// Unit normals, +Y without any area; scale: the sum of the areas over the length of the sum of the area vectors.
pub fn normals(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
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
    bench.run(kernel, bench.case.sim, vertices.len(), &others);
    tally.case();
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
            DVec3::ZERO => tally.holds(*got == Vec4::Y),
            normal => tally.vector(got.truncate(), normal, areas / sum.length()),
        }
        tally.holds(got.w == 0.0);
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
