//! Everything that Rust and WGSL share: structs (laid out by `encase`, checked against naga's reflection in a test)
//! and constants (generated into the kernels).

use encase::ShaderType;
use glam::{DMat3, DVec3, UVec2, UVec4, Vec3, Vec4};

/// State of one particle.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Point {
    /// Its first entry in `elements`; the next is [`SLICE`] further: springs, then steps over the link, then triangles; in
    /// a varied body then the constants of each of these.
    pub first: u32,
    /// Springs in the lower 16 bits, steps over the link in the upper.
    pub counts: u32,
    /// Triangles; two entries each.
    pub area_count: u32,
    /// Index into `bodies`.
    pub body: u32,
}

/// An element as seen from one of its particles.
///
/// A spring: the particle at its other end. A step of the walk over the particle's link, the triangles that the
/// tetrahedra around it turn towards it: three vertices are held, and this one replaces one of them; the particle and the
/// three then are a tetrahedron. A triangle: its second and third corner in two entries. The constants of an element
/// in a varied body: two numbers, as bits in `other` and in `inverse_rest`: a spring's k_D [J] and d_C [J s], a
/// tetrahedron's k_V [J].
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Element {
    /// The particle; of a link from bit [`LINK_SLOT_SHIFT`] on which of the three vertices held it replaces.
    pub other: u32,
    /// Of a spring 1/l0 [1/m]; of a link 1/(6 V0) [1/m³], negative where the tetrahedron's corners in ascending order are
    /// wound the other way, 0 where the vertices held are none yet; of a triangle 1/A0 [1/m²] in its first entry.
    pub inverse_rest: f32,
}

/// Material and extent of one body.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Body {
    /// k_D [J]
    pub distance: f32,
    /// k_V [J]
    pub volume: f32,
    /// d_C [J s]
    pub damping: f32,
    /// Coulomb's coefficient.
    pub friction: f32,
    /// Coefficient of restitution.
    pub restitution: f32,
    /// δ [m]: a gap below this counts as touching.
    pub margin: f32,
    /// ω² [1/s²]: largest eigenvalue of M⁻¹K, with its safety factor.
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
    /// What it deforms by, `KIND_…`.
    pub kind: u32,
    /// 1 where its springs and volumes carry constants of their own.
    pub varied: u32,
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
}

/// What all threads of one dispatch share: a slot or a few per substep.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Sim {
    /// [m/s²]
    pub gravity: Vec3,
    /// h [s]
    pub step: f32,
    /// Velocity of the air [m/s].
    pub wind: Vec3,
    /// Rate at which velocities approach the wind's [1/s].
    pub drag: f32,
    /// Particles of all bodies.
    pub particle_count: u32,
    /// Number of bodies.
    pub body_count: u32,
    /// Solids in `externals`.
    pub solid_count: u32,
    /// Pulls in `externals`.
    pub pull_count: u32,
    /// Steps since the scene's start.
    pub step_index: u32,
    /// Steps since the submission's start.
    pub slot: u32,
    /// s: spring gathers per substep of exact damping; 1 where one gather is all.
    pub damping_gathers: u32,
    /// θ = min(1, `theta_scale` (1 − h²ω²/4)) − h drag
    pub theta_scale: f32,
    /// Speed [m/s] beyond which the state counts as lost.
    pub speed_limit: f32,
    /// Approach [m/s] from which on restitution acts.
    pub restitution_speed: f32,
    /// Runge–Kutta: length of the step to the next stage [s].
    pub stage_step: f32,
    /// Runge–Kutta: this stage's share of the whole step [s].
    pub stage_weight: f32,
    /// Power iteration: which matrix, `PROBE_…`.
    pub probe: u32,
    /// Entries of `partials`.
    pub chunk_count: u32,
    /// 1 in the first stage of Runge–Kutta, and in the first two sweeps of exact damping.
    pub first_stage: u32,
    /// Vertices of all drawn surfaces.
    pub skin_count: u32,
    /// 1 where what elements keep from step to step (rotations, plastic strain) advances: in one pass of a substep.
    pub flow: u32,
    /// Tetrahedra of bodies of finite elements.
    pub fem_count: u32,
    /// Clusters of all bodies that match shapes.
    pub cluster_count: u32,
    /// Parts of clusters that one thread sums.
    pub cluster_chunk_count: u32,
}

/// Bytes from one slot of `sim` to the next.
pub const SIM_STRIDE: u64 = 256;

/// An immovable obstacle.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Solid {
    /// A point of the plane; the centre of the others [m].
    pub centre: Vec3,
    /// `SOLID_…`
    pub kind: u32,
    /// Plane: outward unit normal. Sphere: radius in x [m]. Box: half its edges [m].
    pub extent: Vec3,
    /// Filler.
    pub reserved: f32,
    /// Box: rotation as a quaternion (x, y, z, w).
    pub rotation: Vec4,
}

/// A force on one particle during a range of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Pull {
    /// [N]
    pub force: Vec3,
    /// The particle.
    pub particle: u32,
    /// Steps [x, y) during which it acts; z and w unused.
    pub steps: UVec4,
}

/// What acts on bodies from outside.
#[derive(Clone, Debug, PartialEq, ShaderType)]
pub struct Externals {
    /// The first `sim.solid_count` are in use.
    pub solids: [Solid; MAX_SOLIDS as usize],
    /// The first `sim.pull_count` are in use.
    pub pulls: [Pull; MAX_PULLS as usize],
}

/// A range of particles of one body, summed by one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Chunk {
    /// First particle.
    pub first: u32,
    /// One past the last.
    pub end: u32,
}

/// Points that are matched together, and what is known of their rest shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Cluster {
    /// Centre of the rest positions [m].
    pub centre: Vec3,
    /// 1 over the sum of the members' weights.
    pub inverse_mass: f32,
    /// Of Y, the root of the covariance of the rest positions: diagonal [m].
    pub root_diagonal: Vec3,
    /// `SHAPE_…`: the mode, and whether the rest shape is flat.
    pub flags: u32,
    /// Of Y: yz, zx, xy [m].
    pub root_off: Vec3,
    /// The body.
    pub body: u32,
    /// Of Z, its pseudo-inverse: diagonal [1/m].
    pub whiten_diagonal: Vec3,
    /// First entry in `fits`.
    pub fit: u32,
    /// Of Z: yz, zx, xy [1/m].
    pub whiten_off: Vec3,
    /// Cube root of det Y [m].
    pub size: f32,
    /// The member that sums are taken from.
    pub anchor: u32,
    /// Where the sums of its chunks begin.
    pub chunk_first: u32,
    /// Number of chunks.
    pub chunk_count: u32,
    /// Filler.
    pub reserved: u32,
    /// Mean of q = rest position − `centre` as it is rounded [m].
    pub offset: Vec3,
    /// Filler.
    pub reserved_offset: f32,
    /// Means of the squares of q [m²].
    pub square_diagonal: Vec3,
    /// Filler.
    pub reserved_diagonal: f32,
    /// Means of xy, yz and zx of q [m²].
    pub square_off: Vec3,
    /// Filler.
    pub reserved_off: f32,
    /// What rounding takes off `square_diagonal` [m²].
    pub square_diagonal_low: Vec3,
    /// Filler.
    pub reserved_diagonal_low: f32,
    /// What rounding takes off `square_off` [m²].
    pub square_off_low: Vec3,
    /// Filler.
    pub reserved_off_low: f32,
}

/// What a cluster keeps from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct ClusterState {
    /// R as a quaternion (x, y, z, w).
    pub rotation: Vec4,
    /// Of S_p, the plastic part of its rest shape: diagonal.
    pub plastic_diagonal: Vec3,
    /// Filler.
    pub reserved: f32,
    /// Of S_p: yz, zx, xy.
    pub plastic_off: Vec3,
    /// Filler.
    pub reserved_off: f32,
    /// Angular velocity [1/s] of its members as a rigid body.
    pub spin: Vec3,
    /// Filler.
    pub reserved_spin: f32,
}

/// A vertex of a drawn surface, tied to a tetrahedron.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct SkinPoint {
    /// The tetrahedron's particles.
    pub corners: UVec4,
    /// Barycentric weights, sum 1.
    pub weights: Vec4,
}

/// What the stages of contact between bodies share.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Collide {
    /// 1/width of the grid's finest cells [1/m].
    pub inverse_cell: f32,
    /// Least distance that weights are taken of [m].
    pub floor: f32,
    /// 1, or 0 where contacts have no margin.
    pub margin_scale: f32,
    /// The largest margin of a body [m].
    pub margin: f32,
    /// Contacts are found anew when a particle has come further than this [m].
    pub stale: f32,
    /// Lists of points in each level of the grid: a power of two.
    pub table: u32,
    /// Widths of cells, each twice the one before.
    pub levels: u32,
    /// Tetrahedra of all bodies.
    pub tet_count: u32,
    /// Records that there is room for.
    pub capacity: u32,
    /// 1 where the integrator has moved the particles before contacts act; 0 where they move then.
    pub moved: u32,
    /// Where it has: the part of h Δv that their positions still take.
    pub share: f32,
    /// Particles and sharp edges.
    pub feature_count: u32,
    /// Sharp edges of all surfaces.
    pub edge_count: u32,
    /// Lists of edges in their grid: a power of two.
    pub edge_table: u32,
    /// Widths of cells in the grid of edges.
    pub edge_levels: u32,
    /// 1: the source's response, with displacements alone and interpolated normals.
    pub source: u32,
    /// Workgroups for the particles.
    pub particle_groups: UVec2,
    /// Workgroups for the records.
    pub record_groups: UVec2,
    /// 1/width of the finest cells of the grid of spheres [1/m].
    pub inverse_sphere_cell: f32,
    /// The least size of a sphere [m], the larger of its radius and half of its body's mean edge: level l of their grid is
    /// for those of up to 2^l of it.
    pub sphere_size: f32,
    /// Lists of the grid of spheres: a power of two.
    pub sphere_table: u32,
    /// Widths of its cells, each twice the one before.
    pub sphere_levels: u32,
    /// Surface triangles of the bodies of tetrahedra.
    pub triangle_count: u32,
}

/// A box along the axes, with room for two words of other use.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Box {
    /// Its least coordinates [m].
    pub low: Vec3,
    /// See wgsl/shared/overlaps.
    pub a: u32,
    /// Its largest coordinates [m].
    pub high: Vec3,
    /// See wgsl/shared/overlaps.
    pub b: u32,
}

/// A sharp edge of a surface, between the triangles (a, b, c) and (b, a, d).
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Edge {
    /// The particles a and b.
    pub ends: UVec2,
    /// The particles c and d.
    pub wings: UVec2,
}

/// A tetrahedron among its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Tet {
    /// Its particles, positively oriented.
    pub corners: UVec4,
    /// The tetrahedron behind the face opposite each corner; [`NONE`] behind a face of the surface.
    pub across: UVec4,
}

/// A particle as it is tested for being inside other bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Tested {
    /// q: its position, moved outward by its margin and ahead by what it comes at others in a step [m].
    pub position: Vec3,
    /// Its body.
    pub body: u32,
    /// Unit normal of the surface around it; 0 inside.
    pub normal: Vec3,
    /// δ [m]
    pub margin: f32,
}

/// A point in another body: a record of the contact stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Penetration {
    /// The way out, a unit vector; 0 while it is not known.
    pub direction: Vec3,
    /// How deep [m].
    pub depth: f32,
    /// The particle, or the number of particles plus the edge.
    pub feature: u32,
    /// The tetrahedron of the other body that holds its tested position, or that the edge passes through.
    pub tet: u32,
    /// The other body.
    pub body: u32,
    /// The propagation sweep that found the direction; 0 at the border.
    pub sweep: u32,
}

/// A contact between a point and a triangle, as the two sides' impulses and displacements are gathered from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Contact {
    /// r: the way out of the other body, a unit vector.
    pub normal: Vec3,
    /// g: signed depth along r [m], negative where the two are still apart.
    pub gap: f32,
    /// The particle and the corners of the triangle; [`NONE`] in x: no contact came of the record.
    pub particles: UVec4,
    /// Weights of the participants: 1 (of an edge: its first end's share), then minus the barycentric coordinates.
    pub weights: Vec4,
    /// The other end of an edge, or [`NONE`].
    pub second: u32,
    /// Its share.
    pub second_weight: f32,
    /// v*: least relative velocity along r [m/s].
    pub target_speed: f32,
    /// Coulomb's coefficient of the pair.
    pub friction: f32,
    /// Coefficient of restitution of the pair.
    pub restitution: f32,
    /// The smaller mean edge of the two bodies [m].
    pub edge: f32,
    /// What touches: the particle.
    pub feature: u32,
    /// The body that it touches.
    pub body: u32,
    /// 1 in the step in which it was found.
    pub fresh: u32,
    /// 1 where no contact came of the record because no border was reached.
    pub unreached: u32,
    /// 1 where the point is in more bodies than there is room for; of a sphere how many partners there was no room for.
    pub crowded: u32,
    /// h [m]: the estimate of the depth that the normal came with.
    pub depth: f32,
    /// Distance of the two along the normal at which they touch [m]: the radii of spheres, else 0.
    pub reach: f32,
    /// What the feature touches, by which impulses are remembered: the body, or the number of bodies plus a sphere's
    /// particle, or that of both plus the triangle that a sphere touches.
    pub partner: u32,
}

/// The impulse of a contact, on the point; the triangle has the opposite.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Impulse {
    /// λ_t [kg m/s]
    pub tangent: Vec3,
    /// λ_n [kg m/s]
    pub normal: f32,
    /// What is touched: [`Contact::partner`].
    pub partner: u32,
    /// What the step has changed of the normal part [kg m/s].
    pub normal_change: f32,
    /// What it has changed of the tangent part, the sum of the lengths over its iterations [kg m/s].
    pub tangent_change: f32,
    /// The body of that.
    pub body: u32,
}

/// What the rules of the source keep of a particle between their passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Shift {
    /// The next displacement, forward or back [m].
    pub way: Vec3,
    /// 1 where it takes part in a contact that is pushed apart.
    pub takes_part: u32,
    /// The force of its springs and tetrahedra, without damping [N].
    pub force: Vec3,
    /// Area of the surface triangles around it [m²].
    pub area: f32,
}

/// A tetrahedron of an elastic material.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
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
    /// Filler.
    pub reserved: f32,
}

/// What a finite element keeps from step to step; all zeros at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct FemState {
    /// Quaternion of the rotation nearest to the elastic deformation; 0: none yet.
    pub rotation: Vec4,
    /// The plastic stretch less the identity, S_p − I: its diagonal.
    pub diagonal: Vec3,
    /// Filler.
    pub reserved_a: f32,
    /// Its yz, zx and xy.
    pub off: Vec3,
    /// Filler.
    pub reserved_b: f32,
}

impl FemState {
    /// S_p
    #[must_use]
    pub fn plastic_stretch(&self) -> DMat3 {
        let (d, o) = (self.diagonal.as_dvec3(), self.off.as_dvec3());
        let more = DMat3::from_cols(
            DVec3::new(d.x, o.z, o.y),
            DVec3::new(o.z, d.y, o.x),
            DVec3::new(o.y, o.x, d.z),
        );
        DMat3::IDENTITY + more
    }
}

/// A constant that WGSL sees, too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// `u32`
    U32(u32),
    /// `f32`
    F32(f32),
}

macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident: $kind:ident = $value:expr;)*) => {
        $($(#[$doc])* pub const $name: constants!(@rust $kind) = $value;)*
        /// All of them, by name.
        pub const CONSTANTS: &[(&str, Constant)] = &[$((stringify!($name), Constant::$kind($name))),*];
    };
    (@rust U32) => { u32 };
    (@rust F32) => { f32 };
}

constants! {
    /// Particles whose incidences are interleaved.
    SLICE: U32 = 64;
    /// Where a link vertex's slot starts; particles are fewer than 2 to this.
    LINK_SLOT_SHIFT: U32 = 30;
    /// Items in a row that one thread of a prefix sum adds up.
    SCAN_ITEMS: U32 = 16;
    /// Items of one workgroup of a prefix sum.
    SCAN_BLOCK: U32 = 64 * SCAN_ITEMS;
    /// Obstacles that one world can hold.
    MAX_SOLIDS: U32 = 256;
    /// Line forces that one world can hold.
    MAX_PULLS: U32 = 256;
    /// No index.
    NONE: U32 = 0xffff_ffff;
    /// The mark of a point that is not in the grid.
    UNUSED: U32 = 0xffff_fffe;
    /// Bodies that can hold one point at once.
    MAX_HITS: U32 = 4;
    /// Spheres that a sphere lists at most.
    MAX_SPHERE_HITS: U32 = 16;
    /// Triangles that it lists at most; spheres take none of these places.
    MAX_TRIANGLE_HITS: U32 = 16;
    /// Words of a sphere's list: its places, how many spheres and triangles there are, which of the places have records,
    /// how many partners there was no room for.
    SPHERE_STRIDE: U32 = 36;
    /// Nearest points of two triangles of a body that are closer than this part of the sphere's radius are one contact.
    SAME_POINT: F32 = 0.1;
    /// Cosine above which a side of a triangle leads from its nearest point towards the sphere's centre.
    TOWARDS: F32 = 1e-3;
    /// A triangle is flat where twice its area is no more than this times the square of its longest side.
    FLAT_TRIANGLE: F32 = 1e-5;
    /// Words of `boxes` of a body: positions, then velocities.
    BOX_WORDS: U32 = 12;
    /// Boxes of `overlaps` of a body: what it shares with others, then their velocities.
    OVERLAP_STRIDE: U32 = 9;
    /// The part of a cell that an edge may extend over: with rounding it then stands in two along each axis at the most.
    EDGE_CELL: F32 = 0.99;
    /// Least part of an edge inside a tetrahedron that counts.
    EDGE_PART: F32 = 1e-4;
    /// How far ahead a point is tested at the most, in mean edges.
    MAX_AHEAD: F32 = 0.5;
    /// Other bodies that a body shares a box of its own with.
    MAX_OVERLAPS: U32 = 8;
    /// Impulses are iterated again where the first iteration changes a velocity by more than this [m/s].
    AGAIN_SPEED: F32 = 0.01;
    /// Parts that a weight is counted in.
    LOAD_UNIT: F32 = 65536.0;
    /// The mark of a particle whose list of contacts is in order.
    ROW_SORTED: U32 = 0x8000_0000;
    /// Words of a point's list of bodies: one more tells that there was no room.
    HIT_STRIDE: U32 = 5;
    /// How far outside a tetrahedron a barycentric coordinate still counts as on its face.
    INSIDE_SLACK: F32 = 1e-5;
    /// How far outside a surface's face that does not look against it a point still counts as inside, in its margin.
    RIM_SLACK: F32 = 2.0;
    /// Least barycentric coordinate of the point that a line begins at where the tested point is outside.
    START_INSIDE: F32 = 1e-3;
    /// Cells along one axis that a tetrahedron may cover before it visits a coarser grid.
    MAX_VISIT: F32 = 4.0;
    /// The same where it looks for edges, of which every one stands in several cells.
    MAX_EDGE_VISIT: F32 = 0.5;
    /// Cells along one axis that a tetrahedron visits at most.
    MAX_CELLS: U32 = 64;
    /// End of a loop over a list: longer than any list can be.
    MAX_LIST: U32 = 0x0100_0000;
    /// Tetrahedra that a line is followed through.
    MAX_WALK: U32 = 256;
    /// The way a point came is followed over this many steps.
    CAME_IN: F32 = 1.5;
    /// A ray leaves through a face where the cosine between it and the face's normal is above this.
    GRAZING: F32 = 0.1;
    /// A face pushes on a point where the cosine between its normal and the point's is below minus this.
    FACING: F32 = 0.1;
    /// Two faces are one where the cosine between their normals is above this.
    SAME_FACE: F32 = 0.9;
    /// Two lines or faces cross where the square of the sine between them is above this: 15°.
    SHARP_SINE2: F32 = 0.067;
    /// Words of `status` that count contacts, for a submission and for each of its steps.
    TALLY_WORDS: U32 = 8;
    /// Of a submission: whether any bodies' boxes met.
    TALLY_TOUCHING: U32 = 0;
    /// Of a submission: the last propagation sweep that found something, at least 1 where any point has no way out.
    TALLY_SWEEPS: U32 = 1;
    /// Of a submission: the most records in a step.
    TALLY_RECORDS: U32 = 2;
    /// Of the present step: the bits of the square of the longest way that any particle moves [m²].
    TALLY_TRAVEL: U32 = 3;
    /// Of the present step: the same of the ways that positions are projected.
    TALLY_SHIFT: U32 = 4;
    /// Words of `rows` between the particles' and the nodes'.
    ROW_WORDS: U32 = 4;
    /// Of a step: points inside another body or within its margin.
    TALLY_POINTS: U32 = 0;
    /// Of a step: contacts.
    TALLY_CONTACTS: U32 = 1;
    /// Of a step: contacts with a positive depth.
    TALLY_INSIDE: U32 = 2;
    /// Of a step: the sum of their depths, in mean edges over `DEPTH_UNIT`.
    TALLY_DEPTH: U32 = 3;
    /// Of a step: the bits of the largest of those, in mean edges.
    TALLY_DEEPEST: U32 = 4;
    /// Of a step: records that no contact came of.
    TALLY_LOST: U32 = 5;
    /// Of a step: points in more bodies than there is room for.
    TALLY_CROWDED: U32 = 6;
    /// Of a step: partners of spheres that there was no room for.
    TALLY_DROPPED: U32 = 7;
    /// Parts that a mean edge is counted in.
    DEPTH_UNIT: F32 = 4096.0;
    /// Solids that one particle can touch at once.
    MAX_TOUCHING: U32 = 4;
    /// A half space.
    SOLID_PLANE: U32 = 0;
    /// A ball.
    SOLID_SPHERE: U32 = 1;
    /// A cuboid.
    SOLID_BOX: U32 = 2;
    /// Springs and volumes.
    KIND_SPRINGS: U32 = 0;
    /// Finite elements.
    KIND_FEM: U32 = 1;
    /// Shape matching.
    KIND_SHAPE: U32 = 2;
    /// Goals of a cluster are turned.
    SHAPE_RIGID: U32 = 0;
    /// They are stretched and sheared, too.
    SHAPE_LINEAR: U32 = 1;
    /// They are bent and twisted, too.
    SHAPE_QUADRATIC: U32 = 2;
    /// The part of a cluster's flags that is its mode.
    SHAPE_MODES: U32 = 3;
    /// The flag of a cluster whose rest shape is flat.
    SHAPE_FLAT: U32 = 4;
    /// Entries of `goals` per cluster, and per chunk of those with several.
    GOAL_ROWS: U32 = 18;
    /// `law`: stable neo-Hookean.
    LAW_NEO_HOOKEAN: U32 = 0;
    /// `law`: corotated.
    LAW_COROTATED: U32 = 1;
    /// `law`: St Venant–Kirchhoff.
    LAW_ST_VENANT: U32 = 2;
    /// A yield strain above this is none.
    YIELD_NONE: F32 = 3e38;
    /// Springs are damped with d_C as it is.
    DAMPING_EXPLICIT: U32 = 0;
    /// Springs are damped as much as one gather can bear.
    DAMPING_CAPPED: U32 = 1;
    /// Springs are damped with d_C as it is, by as many gathers as that needs.
    DAMPING_EXACT: U32 = 2;
    /// Power iteration on M⁻¹K.
    PROBE_STIFFNESS: U32 = 0;
    /// Power iteration on M⁻¹C.
    PROBE_DAMPING: U32 = 1;
    /// What the power iteration's estimate of ω is multiplied with.
    PROBE_MARGIN: F32 = 1.1;
    /// A particle faster than this [m/s] is lost.
    SPEED_LIMIT: F32 = 1e4;
    /// β: share of what is inside a solid that one step takes back.
    PROJECTION_SHARE: F32 = 0.2;
    /// v_cap [m/s]: fastest that a penetration is taken back.
    PROJECTION_SPEED: F32 = 0.1;
    /// The time in which what is inside another body is taken back [s]: pushed faster, against the force of the contact,
    /// a collision gains energy.
    PROJECTION_TIME: F32 = 0.1;
    /// Part of what a step changes of an impulse that the next one does not start with.
    WARM_LOSS: F32 = 0.5;
    /// Depth that is left, in mean edges: bodies at rest would quiver in the push.
    SLOP: F32 = 0.001;
}
