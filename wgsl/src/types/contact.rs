//! Contact between bodies: what its search finds, and the contacts.

use glam::{UVec2, UVec4, Vec3, Vec4};

shared! {
    /// What the stages of contact between bodies share.
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
        /// Features, what may touch: particles, then sharp edges, then colliders.
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
        /// Of implicit steps: a contact's stiffness over that of its participants; of explicit ones 0.
        pub hold: f32,
        /// Bodies of each of several copies of a scene; 0: there is one.
        pub replica_size: u32,
        /// 1/width of the finest cells of the grid of bodies [1/m].
        pub inverse_body_cell: f32,
        /// Lists of that grid: a power of two.
        pub body_table: u32,
        /// Colliders of all poses, those of obstacles behind those of bodies.
        pub collider_count: u32,
        /// The first of obstacles.
        pub first_obstacle: u32,
        /// 1/width of the finest cells of the grid of colliders [1/m].
        pub inverse_collider_cell: f32,
        /// Lists of that grid: a power of two.
        pub collider_table: u32,
    }

    /// A box along the axes, with room for two words of other use.
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

    /// A body in the grid of bodies.
    pub struct BodyCell {
        /// The least coordinates of its box, widened by the reach of contact [m].
        pub low: Vec3,
        /// Its number, or [`NONE`](super::NONE) where it meets no other.
        pub body: u32,
        /// The largest coordinates [m].
        pub high: Vec3,
        /// The list of its cell.
        pub list: u32,
        /// Its cell, whole numbers as words, and the level.
        pub cell: UVec4,
    }

    /// Surface particles of a body that lie together at rest.
    pub struct Patch {
        /// The mean of their rest positions [m].
        pub centre: Vec3,
        /// How far they are from there at rest, root mean square [m].
        pub spread: f32,
        /// The body.
        pub body: u32,
        /// The first patch of the body.
        pub first: u32,
        /// The first of the next.
        pub end: u32,
    }

    /// Where a patch is.
    pub struct PatchShape {
        /// Least coordinates [m].
        pub low: Vec3,
        /// How far its particles are from its centre, root mean square [m].
        pub spread: f32,
        /// Largest coordinates [m].
        pub high: Vec3,
        /// The mean of its particles [m].
        pub centre: Vec3,
    }

    /// A sharp edge of a surface, between the triangles (a, b, c) and (b, a, d).
    pub struct Edge {
        /// The particles a and b.
        pub ends: UVec2,
        /// The particles c and d.
        pub wings: UVec2,
    }

    /// A tetrahedron among its neighbours.
    pub struct Tet {
        /// Its particles, positively oriented.
        pub corners: UVec4,
        /// The tetrahedron behind the face opposite each corner; [`NONE`](super::NONE) behind a face of the surface.
        pub across: UVec4,
    }

    /// A particle as it is tested for being inside other bodies.
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
    pub struct Penetration {
        /// The penetration direction, a unit vector; 0 while it is not known.
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

    /// One side of a contact: a point of up to four particles, or one of a pose.
    pub struct Side {
        /// The particles, or the number of particles plus the pose; [`NONE`](super::NONE) behind the last.
        pub dofs: UVec4,
        /// Weights of the particles; of a pose the point, from its centre along its own axes [m].
        pub weights: Vec4,
    }

    /// A contact as the search has found it: the point of side a must not go further against the normal than that of side b.
    pub struct Contact {
        /// What touches: a particle, or an edge's two ends, with weights that add up to 1; without any particle no contact came of
        /// the record.
        pub a: Side,
        /// What it touches: the corners of a triangle, or a sphere, with weights that add up to -1.
        pub b: Side,
        /// r: the penetration direction, out of the other body, a unit vector.
        pub normal: Vec3,
        /// Distance of the two along the normal at which they touch [m]: the radii of spheres, else 0.
        pub reach: f32,
        /// What touches: the particle, or the number of particles plus the edge.
        pub feature_a: u32,
        /// What it touches, by which impulses are remembered: the body, or the number of bodies plus a sphere's particle, or that
        /// of both plus the triangle that a sphere touches.
        pub feature_b: u32,
        /// The bodies of the sides.
        pub bodies: UVec2,
        /// Coulomb's coefficient of the pair.
        pub friction: f32,
        /// The smaller mean edge of the two bodies [m].
        pub size: f32,
        /// g: signed depth along r where it was found [m], negative where the two are still apart. With the source's response the
        /// estimate of the depth that the normal came with.
        pub gap: f32,
        /// What was missed: how many bodies or partners there was no room for; [`UNREACHED`](super::UNREACHED),
        /// [`IN_FRONT`](super::IN_FRONT).
        pub missed: u32,
    }

    /// A contact in the present step, as its participants gather from it.
    pub struct Row {
        /// An impulse on side a: w of it is what a participant with weight w takes [kg m/s].
        pub delta: Vec3,
        /// W: how its relative velocity follows an impulse along the normal, masses split among the contacts of each participant
        /// [1/kg]; without that of poses, which are split by their contacts' shares.
        pub inverse_mass: f32,
        /// Where it acts on poses [m].
        pub point: Vec3,
        /// Of a contact with a pose: the mass by which it shares the pose with others [kg]; 0: it is not going to act.
        pub share: f32,
        /// g [m]
        pub gap: f32,
        /// How far its sides are pushed apart in this step [m].
        pub push: f32,
        /// b [m/s]: the sides may close in as fast; negative: they have to part.
        pub bias: f32,
        /// κ: the share of what is missing that an iteration gives; 1 − κ is what it takes of the impulse.
        pub kappa: f32,
    }

    /// A contact in the list of one of its participants.
    pub struct Entry {
        /// 8 times the contact, plus the participant's place.
        pub node: u32,
        /// Its weight.
        pub weight: f32,
    }

    /// The impulse of a contact on side a; side b has the opposite.
    pub struct Impulse {
        /// λ_t [kg m/s]
        pub tangent: Vec3,
        /// λ_n [kg m/s]
        pub normal: f32,
        /// What is touched: [`Contact::feature_b`].
        pub feature_b: u32,
        /// What the step has changed of the normal part [kg m/s].
        pub normal_change: f32,
        /// What it has changed of the tangent part, the sum of the lengths over its iterations [kg m/s].
        pub tangent_change: f32,
        /// The body of that.
        pub body: u32,
    }

    /// What the rules of the source keep of a particle between their passes.
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

    /// What another body, or a solid, did to the features of a body, added up.
    pub struct TouchSum {
        /// Sum of the impulses on the body [kg m/s].
        pub impulse: Vec3,
        /// Sum of their normal parts' magnitudes [kg m/s].
        pub normal_impulse: f32,
        /// Where the deepest contact was [m].
        pub place: Vec3,
        /// Its gap [m], positive: inside.
        pub depth: f32,
        /// Its normal, towards the body.
        pub normal: Vec3,
        /// How many contacts, one for each step that it was there.
        pub contacts: u32,
        /// The body whose points or edges they are of.
        pub body: u32,
        /// The body that these touch, or `TOUCH_SOLID` and a solid.
        pub other: u32,
        /// Steps in which they touched.
        pub steps: u32,
        /// The last of these since the submission's start, plus 1.
        pub last: u32,
    }
}

impl Side {
    /// A point of these particles with their weights, four at the most.
    pub fn of(parts: &[(u32, f32)]) -> Self {
        let mut side = Self { dofs: UVec4::splat(super::NONE), weights: Vec4::ZERO };
        for (k, (dof, weight)) in parts.iter().enumerate() {
            (side.dofs[k], side.weights[k]) = (*dof, *weight);
        }
        side
    }

    /// The particles with their weights.
    pub fn parts(&self) -> impl Iterator<Item = (u32, f32)> + use<> {
        let (dofs, weights) = (self.dofs.to_array(), self.weights.to_array());
        dofs.into_iter().zip(weights).filter(|(dof, _)| *dof != super::NONE)
    }
}

impl Contact {
    /// Whether a contact came of the record.
    pub fn is_contact(&self) -> bool {
        self.a.dofs.x != super::NONE
    }
}
