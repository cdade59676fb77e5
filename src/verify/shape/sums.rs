//! The sums over chunks of long clusters, term by term.

use glam::{DMat3, DVec3, Vec3, Vec4};

use super::bodies::Shapes;
use super::frame;
use crate::Result;
use crate::family::fem::law::outer;
use crate::gpu::types::{
    Cluster, IMPLICIT_CHANGE, IMPLICIT_NOT, LINEAR_ROWS, MOMENT_ROWS, MOVING_ROWS, SHAPE_FLAT,
    SHAPE_MODES, SHAPE_QUADRATIC, WORKGROUP, symmetric,
};
use crate::verify::{Bench, ErrorStats};

/// Vectors of sums, first those in the rows and then what the first six have behind their coordinates, and the sums of the sizes of
/// their terms.
type Rows = [(DVec3, f64); ROWS + 2];

const ROWS: usize = MOMENT_ROWS as usize;

/// The sums of every chunk, while bodies deform and along a change of an implicit step.
pub fn sum(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for implicit in [IMPLICIT_NOT, IMPLICIT_CHANGE] {
        let mut shapes = Shapes::new(bench);
        shapes.sim.implicit = implicit;
        let chunks = shapes.arrays.long_chunks;
        let after = shapes.run(bench, &[], chunks * WORKGROUP as usize)?;
        let moments: Vec<Vec4> = after.get("moments");
        for words in shapes.arrays.members.as_chunks().0[..chunks].iter() {
            let &[first, count, k, place] = words;
            let members = &shapes.arrays.members[first as usize..(first + count) as usize];
            let rows = &moments[place as usize * ROWS..][..ROWS];
            let beside = |rows: &[Vec4; 3]| Vec3::from(rows.map(|row| row.w));
            let behind = rows[..6].as_chunks().0.iter().map(beside);
            let got = rows.iter().map(|row| row.truncate()).chain(behind);
            let wanted = sums(&shapes, k as usize, members);
            let summed = shapes.rows(k as usize);
            for (i, ((want, scale), got)) in wanted.iter().zip(got).enumerate() {
                // What nobody asks for is not written.
                let row = if i < ROWS { i } else { 3 * (i - ROWS) };
                if row < summed {
                    errors.vector(got, *want, *scale);
                }
            }
        }
    }
    Ok(())
}

impl Shapes {
    /// How many rows of sums cluster k needs.
    fn rows(&self, k: usize) -> usize {
        let cluster = &self.arrays.clusters[k];
        let moves = self.bodies[cluster.body as usize].relaxation > 0.0
            || self.sim.implicit == IMPLICIT_CHANGE;
        let rows = match cluster.flags & SHAPE_MODES == SHAPE_QUADRATIC {
            true => MOMENT_ROWS,
            false if moves => MOVING_ROWS,
            false => LINEAR_ROWS,
        };
        rows as usize
    }
}

/// Σ w e qᵀ and so on of some members of cluster k.
fn sums(shapes: &Shapes, k: usize, members: &[u32]) -> Rows {
    let (cluster, state) = (&shapes.arrays.clusters[k], &shapes.states[k]);
    let body = &shapes.bodies[cluster.body as usize];
    let change = shapes.sim.implicit == IMPLICIT_CHANGE;
    let anchor = &shapes.particles[cluster.anchor as usize];
    let spin = if change { DVec3::ZERO } else { state.spin.as_dvec3() };
    let quadratic = cluster.flags & SHAPE_MODES == SHAPE_QUADRATIC;
    let (frame, whitened) = (frame(state), Whitened::new(cluster));
    let long = [frame.x_axis, frame.y_axis, frame.z_axis].map(DVec3::length).iter().sum::<f64>();
    let mut rows = Rows::default();
    let mut add = |row: usize, term: DVec3, size: f64| {
        rows[row].0 += term;
        rows[row].1 += size;
    };
    for j in members {
        let (p, rest) = (&shapes.particles[*j as usize], shapes.arrays.rests[*j as usize]);
        let w = f64::from(rest.w);
        let d = p.position.as_dvec3() - anchor.position.as_dvec3();
        let q = rest.truncate().as_dvec3() - cluster.origin.as_dvec3();
        let (we, size) = (w * (d - frame * q), w * (d.length() + long * q.length()));
        let linear = outer(we, q);
        (0..3).for_each(|c| add(c, linear.col(c), size * q.length()));
        add(ROWS, we, size);
        if quadratic {
            let [squares, products] = whitened.terms(q).map(|terms| outer(we, terms));
            let bent = size * whitened.size(q);
            (0..3).for_each(|c| add(8 + c, squares.col(c), bent));
            (0..3).for_each(|c| add(11 + c, products.col(c), bent));
        }
        if body.relaxation > 0.0 || change {
            let v = p.velocity.as_dvec3() - anchor.velocity.as_dvec3();
            let (u, speed) = (v - spin.cross(d), v.length() + spin.length() * d.length());
            let turn = outer(w * u, d);
            (0..3).for_each(|c| add(3 + c, turn.col(c), w * d.length() * speed));
            add(ROWS + 1, w * u, w * speed);
            add(6, w * d * d, w * d.length_squared());
            let mixed = DVec3::new(d.y * d.z, d.z * d.x, d.x * d.y);
            add(7, w * mixed, w * d.length_squared());
        }
    }
    rows
}

/// Rest positions in whitened coordinates s = Z (q − c).
struct Whitened {
    centre: DVec3,
    z: DMat3,
    /// Means of s_x² …, and of s_x s_y, s_y s_z, s_z s_x.
    means: [DVec3; 2],
}

impl Whitened {
    fn new(cluster: &Cluster) -> Self {
        let root = symmetric(cluster.root_diagonal, cluster.root_off);
        let z = symmetric(cluster.whiten_diagonal, cluster.whiten_off);
        let means = match cluster.flags & SHAPE_FLAT {
            0 => [DVec3::ONE, DVec3::ZERO],
            // The projection onto what the rest shape spans.
            _ => {
                let m = root * z;
                let off = |i: usize, j: usize| 0.5 * (m.col(i)[j] + m.col(j)[i]);
                [m.diagonal(), DVec3::new(off(0, 1), off(1, 2), off(2, 0))]
            }
        };
        Self { centre: cluster.centre.as_dvec3(), z, means }
    }

    /// (s_x² − mean …) and (s_x s_y − mean …).
    fn terms(&self, q: DVec3) -> [DVec3; 2] {
        let s = self.z * (q - self.centre);
        let products = DVec3::new(s.x * s.y, s.y * s.z, s.z * s.x);
        [s * s - self.means[0], products - self.means[1]]
    }

    /// How large they may be before they cancel.
    fn size(&self, q: DVec3) -> f64 {
        let columns = [self.z.x_axis, self.z.y_axis, self.z.z_axis].map(DVec3::length);
        let s = columns.iter().sum::<f64>() * (q.length() + self.centre.length());
        1.0 + s * s
    }
}
