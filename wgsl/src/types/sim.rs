//! What all threads of a dispatch share, and what acts on bodies from outside.

use glam::{UVec4, Vec3, Vec4};

use super::constants::{MAX_SOLIDS, PULL_ROOM};

shared! {
    /// What all threads of one dispatch share: a slot or a few per substep.
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
        /// Rows of unknowns of an implicit step: one per particle, and two per pose where these can touch particles.
        pub unknown_count: u32,
        /// Number of bodies.
        pub body_count: u32,
        /// Solids in `externals`.
        pub solid_count: u32,
        /// Pulls in `externals`.
        pub pull_count: u32,
        /// Ticks from the scene's start to the step's; with steps of one length their number.
        pub tick: u32,
        /// Steps since the submission's start.
        pub slot: u32,
        /// s: spring gathers per substep of exact damping; 1 where one gather is all.
        pub damping_stages: u32,
        /// θ = min(1, `theta_scale` (1 − h²ω²/4)) − h drag
        pub theta_scale: f32,
        /// The step's length over that of the last one, where it changes.
        pub step_ratio: f32,
        /// Speed [m/s] beyond which the state counts as lost.
        pub speed_limit: f32,
        /// Runge–Kutta: length of the step to the next stage [s]; `half_back`: how far back.
        pub stage_step: f32,
        /// Runge–Kutta: this stage's share of the whole step [s].
        pub stage_weight: f32,
        /// Power iteration: which matrix, `PROBE_…`.
        pub probe: u32,
        /// Entries of `partials`.
        pub chunk_count: u32,
        /// 1 in the first stage of Runge–Kutta, and in the first two sweeps of exact damping. Of implicit steps: 1 where the
        /// multipliers of contacts begin, 0 where they follow the iterate, 2 where they stay.
        pub first_stage: u32,
        /// Vertices of all drawn surfaces.
        pub skin_count: u32,
        /// 1 where what elements keep from step to step (rotations, plastic strain) advances: in one pass of a substep.
        pub flow: u32,
        /// Tetrahedra of bodies of finite elements.
        pub fem_count: u32,
        /// Clusters of all bodies that match shapes.
        pub cluster_count: u32,
        /// Those of more than [`SLICE`](super::SLICE) members, which come first.
        pub long_cluster_count: u32,
        /// Their parts.
        pub long_chunk_count: u32,
        /// `IMPLICIT_…`: whether forces are those of an implicit step.
        pub implicit: u32,
        /// Newton's method: what has been computed before `newton_control`, `NEWTON_…`.
        pub stage: u32,
        /// Newton iterations of a step at the most.
        pub iterations: u32,
        /// Residual at which they end, over the scale of accelerations.
        pub tolerance: f32,
        /// Length of the step in ticks.
        pub span: f32,
        /// Entries of `waypoints` for each step of a submission.
        pub waypoint_count: u32,
        /// Poses, which are degrees of freedom behind the particles.
        pub pose_count: u32,
        /// Order of the method by which poses turn: 4, Kutta's, or 1, Euler's.
        pub turn_order: u32,
        /// The first thread of passes over a part of what they have threads for; the counts are then one past the last.
        pub first_thread: u32,
        /// Words of `status` before the solids' pushes.
        pub status_words: u32,
        /// The part of a contact's change of velocity by which it moves a particle in the same step: 1 where the velocity that the
        /// step ends with moves it, less where a mean velocity does.
        pub contact_share: f32,
        /// 1 where contact events are asked for.
        pub events: u32,
        /// Whether a step that is too long for what happens in it is noted: `WATCH_…`.
        pub watch: u32,
        /// 1 where what is rigid falls asleep by itself.
        pub sleep: u32,
        /// 1 where the air's velocity is another one than in the step before.
        pub gust: u32,
        /// For how long ties pull at poses in `tie_kick` [s]: the step's length.
        pub kick: f32,
    }

    /// An obstacle, where it is at the start of a step.
    pub struct Solid {
        /// A point of the plane; the centre of the others [m].
        pub centre: Vec3,
        /// `SOLID_…`
        pub kind: u32,
        /// Plane: outward unit normal. Sphere: radius in x [m]. Box: half its edges [m].
        pub extent: Vec3,
        /// Coulomb friction coefficient; negative: that of what touches it.
        pub friction: f32,
        /// Box: rotation as a quaternion (x, y, z, w).
        pub rotation: Vec4,
        /// Velocity of what is at `centre` [m/s].
        pub velocity: Vec3,
        /// Coefficient of restitution.
        pub restitution: f32,
        /// Angular velocity [rad/s].
        pub spin: Vec3,
        /// In pictures: 0xffrrggbb, sRGB; 0: the colour of solids that have none.
        pub color: u32,
    }

    /// Where a motion that the caller gives has come to: for a solid at the start of a step, for pins at its end, for what is tied
    /// to a solid where forces are taken, at the start or, of implicit steps, at the end.
    pub struct Waypoint {
        /// [m]
        pub centre: Vec3,
        /// The solid, or `NONE`.
        pub solid: u32,
        /// Of planes the normal; of the others the rotation as a quaternion (x, y, z, w).
        pub rotation: Vec4,
        /// Velocity of what is at `centre` [m/s].
        pub velocity: Vec3,
        /// For how long pins have gone their own ways [s].
        pub elapsed: f32,
        /// Angular velocity [rad/s].
        pub spin: Vec3,
        /// 1 while they go on, else 0.
        pub going: f32,
        /// Of held poses: mean angular velocity over the step [rad/s].
        pub turn: Vec3,
    }

    /// A held particle that is moved, x = c + R a + v t, by the waypoint at the end of a step.
    pub struct Pin {
        /// a [m]
        pub anchor: Vec3,
        /// The particle.
        pub particle: u32,
        /// v [m/s], its own.
        pub velocity: Vec3,
        /// Its waypoint among those of a step.
        pub waypoint: u32,
    }

    /// A damped spring between a particle and what it is tied to.
    pub struct Tie {
        /// To a body: the particles that hold the other end.
        pub corners: UVec4,
        /// Their weights, which add up to 1.
        pub weights: Vec4,
        /// Otherwise the other end [m], about the centre of its waypoint where that is one.
        pub anchor: Vec3,
        /// The particle.
        pub particle: u32,
        /// [N/m]
        pub stiffness: f32,
        /// [N s/m]
        pub damping: f32,
        /// Its length at rest [m], 0: the ends are one.
        pub length: f32,
        /// `TIE_TO_…`, or the number of a waypoint among those of a step.
        pub waypoint: u32,
    }

    /// The ties of one particle, or of one pose.
    pub struct TieRow {
        /// The particle, or the pose.
        pub dof: u32,
        /// First of its entries in `tie_ends`, or in `tie_pose_ends`.
        pub first: u32,
        /// One past the last.
        pub end: u32,
    }

    /// What a tie's force does to one particle or pose.
    pub struct TieEnd {
        /// The tie.
        pub tie: u32,
        /// The share of its force that the particle or pose feels.
        pub weight: f32,
    }

    /// A force on one particle during a range of steps.
    pub struct Pull {
        /// [N]
        pub force: Vec3,
        /// The particle.
        pub particle: u32,
        /// Tick that it starts in.
        pub from_tick: u32,
        /// How much of that tick is over then, 0 to 1.
        pub from_part: f32,
        /// Tick that it ends in.
        pub to_tick: u32,
        /// How much of that tick is over then, 0 to 1.
        pub to_part: f32,
    }

    /// What acts on bodies from outside.
    pub struct Externals {
        /// The first `sim.solid_count` are in use.
        pub solids: [Solid; MAX_SOLIDS as usize],
        /// The first `sim.pull_count` are in use.
        pub pulls: [Pull; PULL_ROOM as usize],
    }
}

/// Bytes from one slot of `sim` to the next.
pub const SIM_STRIDE: u64 = 256;
