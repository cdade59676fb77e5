//! Sums of what a body feels when it moves as a whole, as kernels keep them.

use glam::{Vec3, Vec4};

use super::{Square, Sums};
use crate::gpu::types::{COARSE_ROWS, CoarsePart};

/// The rows of a part.
pub fn rows(part: &CoarsePart) -> [Vec4; COARSE_ROWS as usize] {
    let [x, y, z] = [part.mixed_x, part.mixed_y, part.mixed_z];
    [part.force, part.torque, part.diagonal, part.off, x, y, z]
}

/// The part that has these rows.
pub fn part(rows: &[Vec4; COARSE_ROWS as usize]) -> CoarsePart {
    let [force, torque, diagonal, off, mixed_x, mixed_y, mixed_z] = *rows;
    CoarsePart { force, torque, diagonal, off, mixed_x, mixed_y, mixed_z }
}

/// The sums as six numbers and a matrix of six rows.
pub fn columns(part: &CoarsePart) -> ([f32; 6], [[f32; 6]; 6]) {
    let whole = |d: Vec4, o: Vec4| [[d.x, o.z, o.y], [o.z, d.y, o.x], [o.y, o.x, d.z]];
    let straight = whole(part.diagonal, part.off);
    let turn_off = Vec4::new(part.torque.w, part.diagonal.w, part.off.w, 0.0);
    let turn = Vec4::new(part.mixed_x.w, part.mixed_y.w, part.mixed_z.w, 0.0);
    let turn = whole(turn, turn_off);
    let mixed = [part.mixed_x, part.mixed_y, part.mixed_z];
    let mut matrix = [[0.0; 6]; 6];
    for k in 0..3 {
        for l in 0..3 {
            matrix[k][l] = straight[k][l];
            matrix[k + 3][l + 3] = turn[k][l];
            matrix[k][l + 3] = mixed[l][k];
            matrix[l + 3][k] = mixed[l][k];
        }
    }
    let (f, t) = (part.force, part.torque);
    ([f.x, f.y, f.z, t.x, t.y, t.z], matrix)
}

/// What the sums are, as a kernel would store them.
pub fn stored(sums: &Sums) -> CoarsePart {
    // Entries of the matrix, the last of them of the turns.
    let pick = |k: [[usize; 2]; 4]| Vec4::from_array(k.map(|[i, j]| sums.matrix[i][j] as f32));
    let [force, torque] =
        [0, 3].map(|k| Vec3::from_array([k, k + 1, k + 2].map(|k| sums.force[k] as f32)));
    let column = |l: usize| pick([[0, l], [1, l], [2, l], [l, l]]);
    CoarsePart {
        force: force.extend(sums.held as f32),
        torque: torque.extend(sums.matrix[4][5] as f32),
        diagonal: pick([[0, 0], [1, 1], [2, 2], [5, 3]]),
        off: pick([[1, 2], [2, 0], [0, 1], [3, 4]]),
        mixed_x: column(3),
        mixed_y: column(4),
        mixed_z: column(5),
    }
}

/// The sums of a body's parts.
pub fn total<'a>(parts: impl Iterator<Item = &'a CoarsePart>) -> ([f64; 6], Square, f32) {
    let (mut force, mut matrix, mut held) = ([0.0; 6], Square::default(), 0.0);
    for part in parts {
        let (f, m) = columns(part);
        held += part.force.w;
        for k in 0..6 {
            force[k] += f64::from(f[k]);
            for l in 0..6 {
                matrix[k][l] += f64::from(m[k][l]);
            }
        }
    }
    (force, matrix, held)
}
