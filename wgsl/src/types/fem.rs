//! Finite elements.

use glam::{DMat3, UVec4, Vec3, Vec4};

use super::shape::plastic_stretch;

shared! {
    /// A tetrahedron of an elastic material.
    pub struct FemTet {
        /// Its corners.
        pub corners: UVec4,
        /// Where the force on each corner goes in `corner_forces`.
        pub slots: UVec4,
        /// ∇N of the second corner in the rest shape [1/m]; that of the first is minus the sum of the others.
        pub gradient_b: Vec3,
        /// V0 [m³]
        pub volume: f32,
        /// ∇N of the third corner [1/m].
        pub gradient_c: Vec3,
        /// Lamé's λ [Pa].
        pub lambda: f32,
        /// ∇N of the fourth corner [1/m].
        pub gradient_d: Vec3,
        /// The shear modulus μ [Pa].
        pub mu: f32,
        /// Its body.
        pub body: u32,
        /// γ [1/(kg m)]: the largest eigenvalue of Σ Ω_c/m_c ∇N_c ∇N_cᵀ over the corners, Ω_c the volume of all elements around
        /// corner c. V0 |Ḟ|² is at most γ times the sum of m |v|² over the element's share of its corners.
        pub shape_rate: f32,
        /// Viscous over elastic moduli [s].
        pub relaxation: f32,
    }

    /// What a finite element keeps from step to step; all zeros at the start.
    pub struct FemState {
        /// Quaternion of the rotation nearest to the elastic deformation; 0: none yet.
        pub rotation: Vec4,
        /// The plastic stretch less the identity, S_p − I: its diagonal.
        pub diagonal: Vec3,
        /// Its yz, zx and xy.
        pub off: Vec3,
    }
}

impl FemState {
    /// S_p
    #[must_use]
    pub fn plastic_stretch(&self) -> DMat3 {
        plastic_stretch(self.diagonal, self.off)
    }
}
