//! Particles, their elements, bodies, drawn vertices.

use glam::{UVec4, Vec2, Vec3, Vec4};

shared! {
    /// State of one particle.
    pub struct Particle {
        /// x [m]
        pub position: Vec3,
        /// 1/m [1/kg]; 0 holds the particle where it is.
        pub inverse_mass: f32,
        /// The integrator's velocity [m/s]: see the integrators for the instant it belongs to.
        pub velocity: Vec3,
        /// σ [1/s]: largest eigenvalue of Σ c_s n nᵀ/m over the particle's springs, one step old.
        pub damping_rate: f32,
    }

    /// Where a particle's elements lie, and which body it belongs to.
    pub struct Point {
        /// Its first entry in `elements`; the next is [`SLICE`](super::SLICE) further: springs, then steps over the link, then triangles; in
        /// a heterogeneous body then the constants of each of these.
        pub first: u32,
        /// Springs in the lower 16 bits, steps over the link in the upper.
        pub counts: u32,
        /// Triangles in the lower 16 bits, two entries each. From bit [`TAKEN_SHIFT`](super::TAKEN_SHIFT) on, of the thread of this
        /// number: how far behind it the particle lies that it takes where threads go through elements, and
        /// [`TAKEN_ZERO`](super::TAKEN_ZERO). The bit [`ASLEEP`](super::ASLEEP) while no elements act, because the particle's body sleeps.
        pub areas: u32,
        /// Index into `bodies`.
        pub body: u32,
    }

    /// An element as seen from one of its particles.
    ///
    /// A spring: the particle at its other end. A step of the walk over the particle's link, the triangles that the
    /// tetrahedra around it turn towards it: three vertices are held, and this one replaces one of them; the particle and the
    /// three then are a tetrahedron. A triangle: its second and third corner in two entries. The constants of an element
    /// in a heterogeneous body: two numbers, as bits in `other` and in `inverse_rest`: a spring's k_D [J] and d_C [J s], a
    /// tetrahedron's k_V [J].
    pub struct Element {
        /// The particle; of a link from bit [`LINK_SLOT_SHIFT`](super::LINK_SLOT_SHIFT) on which of the three vertices held it replaces.
        pub other: u32,
        /// Of a spring 1/l0 [1/m]; of a link 1/(6 V0) [1/m³], negative where the tetrahedron's corners in ascending order are
        /// wound the other way, 0 where the vertices held are none yet; of a triangle 1/A0 [1/m²] in its first entry.
        pub inverse_rest: f32,
    }

    /// Material and extent of one body.
    pub struct Body {
        /// k_D [J]
        pub distance: f32,
        /// k_V [J]
        pub volume: f32,
        /// d_C [J s]
        pub damping: f32,
        /// Coulomb's coefficient.
        pub friction: f32,
        /// δ [m]: a gap below this counts as touching.
        pub margin: f32,
        /// ω² [1/s²]: largest eigenvalue of M⁻¹K as the body starts, with its safety factor.
        pub start_rate: f32,
        /// The same as it is deformed now, as last estimated.
        pub stiffness_rate: f32,
        /// 1/|w| of the running power iteration.
        pub probe_scale: f32,
        /// First entry in `partials`.
        pub chunk_first: u32,
        /// Number of entries in `partials`.
        pub chunk_count: u32,
        /// How the body's springs are damped: `DAMPING_…`.
        pub damping_mode: u32,
        /// 1 while its box meets that of another body that it can touch, or its own where it can touch itself.
        pub touching: u32,
        /// Bodies touch where (group & the other's mask) both ways.
        pub group: u32,
        /// See `group`.
        pub mask: u32,
        /// 1 where the body can touch itself.
        pub self_contact: u32,
        /// Mean edge [m].
        pub edge: f32,
        /// What passes over its elements leave, `LOADED_…`; 0: nothing, its particles gather springs, volumes and areas.
        pub loaded: u32,
        /// 1 where its springs and volumes carry constants of their own.
        pub heterogeneous: u32,
        /// k_A [J] of the triangles of its surface.
        pub area: f32,
        /// Radius of the points of a cloud [m]; 0 where the body has a mesh.
        pub radius: f32,
        /// Finite elements: the material's law, `LAW_…`.
        pub law: u32,
        /// Shape matching: share of the way to its goal that a particle takes in a step, min(1, `alpha` + h² `pull_rate`).
        pub alpha: f32,
        /// Shape matching: share of the linear or quadratic deformation in the goals.
        pub beta: f32,
        /// Finite elements: viscous over elastic moduli [s]. Shape matching: damping over the square of the pull's rate [s].
        pub relaxation: f32,
        /// Strain beyond which the material flows.
        pub yield_strain: f32,
        /// Rate at which it flows [1/s].
        pub creep: f32,
        /// Largest plastic strain.
        pub plastic_most: f32,
        /// Shape matching: see `alpha` [1/s²].
        pub pull_rate: f32,
        /// h²s up to which a step bears the stiffness s that a particle's or finite element's own deformation gives it
        /// (`Force.stiffness` of shared/force); 0 where no step is too long.
        pub borne: f32,
        /// Coefficient of restitution, of what is rigid.
        pub restitution: f32,
        /// Lever arm of rolling friction [m], likewise.
        pub rolling: f32,
        /// 1 where its particles are carried by a pose.
        pub rigid: u32,
        /// See `BodyRanges::thickness`.
        pub thickness: f32,
    }

    /// A range of particles of one body, summed by one thread.
    pub struct Chunk {
        /// First particle.
        pub first: u32,
        /// One past the last.
        pub end: u32,
    }

    /// A vertex of a drawn surface, tied to a tetrahedron.
    pub struct SkinPoint {
        /// The tetrahedron's particles.
        pub corners: UVec4,
        /// Barycentric weights, sum 1.
        pub weights: Vec4,
    }

    /// Where a vertex that is handed over comes from.
    pub struct MeshSource {
        /// Its place in a picture, from the upper left corner.
        pub uv: Vec2,
        /// The drawn vertex.
        pub vertex: u32,
    }

    /// A vertex as programs that draw take it: 32 bytes without a gap.
    pub struct MeshVertex {
        /// Where it is [m].
        pub position: Vec3,
        /// x of its unit normal.
        pub normal_x: f32,
        /// y and z of its unit normal.
        pub normal_yz: Vec2,
        /// Its place in a picture: (0, 0) is the upper left corner, (1, 1) the lower right one.
        pub uv: Vec2,
    }
}
