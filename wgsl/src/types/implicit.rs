//! What implicit integrators solve.

use glam::{DMat3, Vec3, Vec4};

use super::symmetric;

shared! {
    /// A vertex in the list of its colour.
    pub struct ColorVertex {
        /// The particle; `NONE` where the list is filled up.
        pub particle: u32,
        /// Its first entry in `vertex_tets`; the next is [`SLICE`](super::SLICE) further.
        pub tet_first: u32,
        /// Its entries there.
        pub tet_count: u32,
    }

    /// A finite element as seen from one of its corners.
    pub struct VertexTet {
        /// The second corner.
        pub b: u32,
        /// The third corner.
        pub c: u32,
        /// The fourth corner.
        pub d: u32,
        /// V0 [m³]
        pub volume: f32,
        /// ∇N of the second corner in the rest shape [1/m]; that of the first is minus the sum of the others.
        pub gradient_b: Vec3,
        /// Lamé's λ [Pa].
        pub lambda: f32,
        /// ∇N of the third corner [1/m].
        pub gradient_c: Vec3,
        /// The shear modulus μ [Pa].
        pub mu: f32,
        /// ∇N of the fourth corner [1/m].
        pub gradient_d: Vec3,
        /// Viscous over elastic moduli [s].
        pub relaxation: f32,
    }

    /// What contacts do to a vertex in an iteration: f − D Δx for its change Δx in it.
    pub struct ContactBlock {
        /// f [N]
        pub force: Vec3,
        /// Mean of the diagonal of the vertex's own block when it was solved last [N/m].
        pub stiffness: f32,
        /// The diagonal of D [N/m].
        pub diagonal: Vec3,
        /// yz, zx and xy of D [N/m].
        pub off: Vec3,
    }

    /// Sums over particles of what a body feels when it moves as a whole, dx = t + θ × r; H is the inertia m/h² and the blocks
    /// of contacts.
    pub struct CoarsePart {
        /// F = Σ f [N]; w: particles that are held.
        pub force: Vec4,
        /// T = Σ r × f [N m]; w: yz of C = Σ (e_k × r)·H (e_l × r) [N m].
        pub torque: Vec4,
        /// The diagonal of A = Σ H [N/m]; w: zx of C.
        pub diagonal: Vec4,
        /// yz, zx and xy of A [N/m]; w: xy of C.
        pub off: Vec4,
        /// First column of B = Σ H (e_k × r) [N]; w: the first of C's diagonal.
        pub mixed_x: Vec4,
        /// The second of both.
        pub mixed_y: Vec4,
        /// The third of both.
        pub mixed_z: Vec4,
    }

    /// A body's motion as a whole, dx = t + θ × r, or a change of its velocity of that form.
    pub struct BodyMotion {
        /// t \[m; m/s\]; w: of a change of velocity whether nothing holds the body, 1 or 0.
        pub shift: Vec4,
        /// θ \[rad; rad/s\]
        pub turn: Vec4,
        /// Where r begins \[m\].
        pub origin: Vec4,
    }

    /// What an implicit step has left of the equations of the momenta of a part of a body, Σ f and Σ r_n × f, and how that falls
    /// as the part moves as a whole.
    pub struct MomentumPart {
        /// Σ f \[kg m/s\]; w: Σ m \[kg\], −1 where something holds it.
        pub linear: Vec4,
        /// Σ r_n × f \[kg m²/s\]; w: yz of I = Σ m (r² 1 − r rᵀ) \[kg m²\].
        pub angular: Vec4,
        /// Σ m r_n \[kg m\], as the step began; w: zx of I.
        pub start: Vec4,
        /// Σ m r \[kg m\]; w: xy of I.
        pub moment: Vec4,
        /// The diagonal of I.
        pub inertia: Vec4,
        /// Σ m v \[kg m/s\]; w: Σ m v², of poses with ω·I ω \[J\].
        pub motion: Vec4,
        /// Where r begins \[m\].
        pub origin: Vec4,
    }

    /// How a contact presses in an iteration.
    pub struct Augmented {
        /// The impulse [kg m/s].
        pub impulse: Vec3,
        /// k [N/m]: how the force follows the approach; 0 where the contact does not act.
        pub stiffness: f32,
        /// The contact's direction.
        pub normal: Vec3,
        /// The part of the tangential impulse that Coulomb's cone leaves.
        pub share: f32,
        /// In sweeps the velocities of the two sides along the direction, 0 \[m/s\]; in Newton's method how the force follows a
        /// change \[N\].
        pub way: Vec3,
    }
}

impl ContactBlock {
    /// The block in f64.
    #[must_use]
    pub fn matrix(&self) -> DMat3 {
        symmetric(self.diagonal, self.off)
    }
}
