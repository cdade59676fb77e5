//! What Newton's method keeps.

use glam::{DMat3, Vec3};

use super::symmetric;

shared! {
    /// How far the solution of an implicit step is; all zeros at a step's start but the gates.
    pub struct Newton {
        /// What comes next, `NEWTON_…`.
        pub phase: u32,
        /// A bit for each gate that is open, `GATE_…`.
        pub gates: u32,
        /// Newton iterations in this step.
        pub iterations: u32,
        /// Iterations of conjugate gradients in this Newton iteration.
        pub conjugate: u32,
        /// The same in this step.
        pub conjugate_sum: u32,
        /// Rounds of passes that this step has taken.
        pub rounds: u32,
        /// How often the last change was taken back.
        pub tries: u32,
        /// r·z [J]
        pub gamma: f32,
        /// How far conjugate gradients go along p.
        pub alpha: f32,
        /// Part of the last p in the next.
        pub beta: f32,
        /// r·z at which they end [J]; before the first iteration as a part of it.
        pub goal: f32,
        /// r·d of the whole change d, r before it [J].
        pub slope: f32,
        /// Part of d that has been gone.
        pub taken: f32,
        /// Part of d that is to be gone now.
        pub share: f32,
        /// The last residual, over what `Sim::tolerance` is a part of.
        pub residual: f32,
    }

    /// A particle in conjugate gradients.
    pub struct Conjugate {
        /// r [N]
        pub residual: Vec3,
        /// d, the solution so far [m].
        pub change: Vec3,
        /// p, the direction of search [m].
        pub search: Vec3,
        /// H p [N]
        pub image: Vec3,
    }

    /// A particle's own block of the matrix, or its pivots.
    pub struct Block {
        /// Its diagonal, or the pivots [N/m].
        pub diagonal: Vec3,
        /// yz, zx and xy [N/m].
        pub off: Vec3,
    }

    /// How a finite element's stress follows a change of its deformation gradient F = U s Vᵀ, made positive, times its volume.
    /// In the axes U and V the change Y = Uᵀ dF V has the stress Z: Z_ii = Σ_j D_ij Y_jj, and beside the diagonal
    /// (Z_ij, Z_ji) = (a Y_ij + b Y_ji, b Y_ij + c Y_ji), a = `up`, b = `both`, c = `low`.
    pub struct FemTangent {
        /// The first column of U; its third is the cross product of these.
        pub first: Vec3,
        /// c of (zy) [J].
        pub low_x: f32,
        /// The second column of U.
        pub second: Vec3,
        /// c of (xz) [J].
        pub low_y: f32,
        /// Vᵀ S_p⁻¹ ∇N of the second corner [1/m].
        pub gradient_b: Vec3,
        /// c of (yx) [J].
        pub low_z: f32,
        /// The same of the third corner [1/m].
        pub gradient_c: Vec3,
        /// b of (yz, zy) [J].
        pub both_x: f32,
        /// The same of the fourth corner [1/m].
        pub gradient_d: Vec3,
        /// b of (zx, xz) [J].
        pub both_y: f32,
        /// D_xx, D_yy, D_zz [J].
        pub diagonal: Vec3,
        /// b of (xy, yx) [J].
        pub both_z: f32,
        /// D_yz, D_zx, D_xy [J].
        pub off: Vec3,
        /// a of (yz), (zx), (xy) [J].
        pub up: Vec3,
    }
}

impl Block {
    /// The block in f64.
    #[must_use]
    pub fn matrix(&self) -> DMat3 {
        symmetric(self.diagonal, self.off)
    }
}
