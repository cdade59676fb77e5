//! What implicit integrators solve.

use encase::ShaderType;
use glam::{Vec3, Vec4};

/// A vertex in the list of its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct ColorVertex {
    /// The particle; `NONE` where the list is filled up.
    pub particle: u32,
    /// Its first entry in `vertex_tets`; the next is [`SLICE`](super::SLICE) further.
    pub tet_first: u32,
    /// Its entries there.
    pub tet_count: u32,
    /// Filler.
    pub reserved: u32,
}

/// A finite element as seen from one of its corners.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Press {
    /// f [N]
    pub force: Vec3,
    /// Mean of the diagonal of the vertex's own block when it was solved last [N/m].
    pub stiffness: f32,
    /// The diagonal of D [N/m].
    pub diagonal: Vec3,
    /// Filler.
    pub reserved: f32,
    /// yz, zx and xy of D [N/m].
    pub off: Vec3,
    /// Filler.
    pub reserved_off: f32,
}

/// Sums over particles of what a body feels when it moves as a whole, dx = t + θ × r; H is the inertia m/h² and the blocks
/// of contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct CoarsePart {
    /// F = Σ f [N]; w: particles that are held.
    pub force: Vec4,
    /// T = Σ r × f [N m]
    pub torque: Vec4,
    /// The diagonal of A = Σ H [N/m].
    pub diagonal: Vec4,
    /// yz, zx and xy of A [N/m].
    pub off: Vec4,
    /// First column of B = Σ H (e_k × r) [N].
    pub mixed_x: Vec4,
    /// Second column of B [N].
    pub mixed_y: Vec4,
    /// Third column of B [N].
    pub mixed_z: Vec4,
    /// The diagonal of C = Σ (e_k × r)·H (e_l × r) [N m].
    pub turn: Vec4,
    /// yz, zx and xy of C [N m].
    pub turn_off: Vec4,
}

/// A body's motion as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct CoarseMotion {
    /// t [m]
    pub shift: Vec4,
    /// θ [rad]
    pub turn: Vec4,
    /// Where r begins [m].
    pub origin: Vec4,
}

/// Sums over particles before a step, r from their body's first one, and over where they meet solids, with weights w
/// [kg m/s], unit normals n and the solids' velocities s there.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct BouncePart {
    /// Σ m r [kg m]; w: Σ m [kg].
    pub place: Vec4,
    /// Σ m v [kg m/s]; w: particles that are held.
    pub momentum: Vec4,
    /// Σ m r × v [kg m²/s]
    pub spin: Vec4,
    /// The diagonal of Σ m r rᵀ [kg m²].
    pub square: Vec4,
    /// Its yz, zx and xy.
    pub square_off: Vec4,
    /// Σ w r; w: Σ w.
    pub contact: Vec4,
    /// Σ w n; w: the greatest w of one particle.
    pub normal: Vec4,
    /// Σ w s; w: the number of the solid that it is of.
    pub surface: Vec4,
}

/// How a body moves as a whole before a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct BounceMotion {
    /// Centre of mass [m].
    pub centre: Vec3,
    /// 1/m [1/kg]; 0 where the body is held.
    pub inverse_mass: f32,
    /// Of the centre [m/s].
    pub velocity: Vec3,
    /// The greatest approach at which it bounces as a whole [m/s].
    pub stiff_speed: f32,
    /// ω [rad/s]
    pub spin: Vec3,
    /// First of its particles.
    pub first: u32,
    /// The diagonal of I⁻¹ [1/(kg m²)].
    pub inverse_inertia: Vec3,
    /// One past its last particle.
    pub end: u32,
    /// yz, zx and xy of I⁻¹.
    pub inverse_inertia_off: Vec3,
    /// Not 0 while its box meets another body's.
    pub meets: u32,
    /// `IMPACT_BODIES` where it came upon another body in the last step faster than they are stiff.
    pub impact: u32,
    /// Of its points [m].
    pub radius: f32,
    /// Impacts with other bodies in which it bounces.
    pub bounces: u32,
    /// Those too fast for that.
    pub fast: u32,
}

/// What a body's impacts change of its motion as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct BounceChange {
    /// Of its centre [m/s].
    pub velocity: Vec3,
    /// 1, or 0: nothing changes.
    pub bounces: f32,
    /// [rad/s]
    pub spin: Vec3,
    /// Its impacts in `bounce_touches`: with a solid, with bodies behind it.
    pub touches: u32,
    /// Its centre of mass [m].
    pub centre: Vec3,
    /// Filler.
    pub reserved_centre: f32,
}

/// How a contact presses in an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Grip {
    /// The impulse [kg m/s].
    pub impulse: Vec3,
    /// k [N/m]: how the force follows the approach; 0 where the contact does not act.
    pub stiffness: f32,
    /// The contact's direction.
    pub normal: Vec3,
    /// The part of the tangential impulse that Coulomb's cone leaves.
    pub share: f32,
}
