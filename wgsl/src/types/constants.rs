//! Constants that Rust and WGSL share.

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
    /// Workgroups in a row, where there are more than one dimension of a dispatch holds.
    GROUP_ROW: U32 = 1024;
    /// Particles whose incidences are interleaved.
    SLICE: U32 = 64;
    /// Entries of contacts' lists for which there is a place for a slice's sum.
    SLICE_ROOM: U32 = SLICE / 2;
    /// Threads of a workgroup.
    WORKGROUP: U32 = 64;
    /// Members that a workgroup adds up, where they are many.
    CHUNK: U32 = 256;
    /// Where a link vertex's slot starts; particles are fewer than 2 to this.
    LINK_SLOT_SHIFT: U32 = 30;
    /// Items in a row that one thread of a prefix sum adds up.
    SCAN_ITEMS: U32 = 16;
    /// Items of one workgroup of a prefix sum.
    SCAN_BLOCK: U32 = 64 * SCAN_ITEMS;
    /// Bits of a key that one pass of a sort sorts by.
    SORT_BITS: U32 = 4;
    /// Values that these have.
    SORT_DIGITS: U32 = 1 << SORT_BITS;
    /// Items in a row that one thread of a sort puts in their places.
    SORT_ITEMS: U32 = 16;
    /// Items of one workgroup of a sort.
    SORT_BLOCK: U32 = 64 * SORT_ITEMS;
    /// Obstacles that one world can hold.
    MAX_SOLIDS: U32 = 256;
    /// Line forces that one world can hold.
    MAX_PULLS: U32 = 256;
    /// The same, and one that a user pulls with.
    PULL_ROOM: U32 = MAX_PULLS + 1;
    /// Edge of the shadow map [texels].
    SHADOW_SIZE: F32 = 1024.0;
    /// Entries of a colour scale's table.
    COLOR_ENTRIES: U32 = 17;
    /// Of `Point::areas`: the bit from which on it says which particle a thread takes.
    TAKEN_SHIFT: U32 = 16;
    /// Of `Point::areas`, from there on: a thread takes the particle of its own number.
    TAKEN_ZERO: U32 = 0x4000;
    /// Bit of `Point::areas`: the particle's body sleeps.
    ASLEEP: U32 = 0x8000_0000;
    /// No index.
    NONE: U32 = 0xffff_ffff;
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
    /// A tetrahedron is flat, and holds nothing, where six times its volume is no more than this times the lengths of the edges at
    /// its first corner.
    FLAT_TETRAHEDRON: F32 = 1e-6;
    /// Words of `boxes` of a body: positions, then velocities.
    BOX_WORDS: U32 = 12;
    /// Words of a body in `folds`: the box of what may touch itself, as ordered words.
    FOLD_WORDS: U32 = 6;
    /// Surface particles of a patch.
    PATCH: U32 = 32;
    /// Patches closer to each other than this part of their distance at rest may touch.
    FOLD_CLOSER: F32 = 0.8;
    /// Boxes of `overlaps` of a body: what it shares with others, then their velocities.
    OVERLAP_STRIDE: U32 = 9;
    /// The part of a cell that an edge may extend over: with rounding it then stands in two along each axis at the most.
    EDGE_CELL: F32 = 0.99;
    /// Least part of an edge inside a tetrahedron that counts.
    EDGE_PART: F32 = 1e-4;
    /// How far ahead a point is tested at the most, in mean edges; what comes further in a step is fast.
    MAX_AHEAD: F32 = 0.5;
    /// How far the way of a fast point is followed at the most, in mean edges.
    MAX_WAY: F32 = 8.0;
    /// How many bodies the grids tell apart: body b has bit b modulo this.
    BODY_BITS: U32 = 32;
    /// Other bodies that a body shares a box of its own with.
    MAX_OVERLAPS: U32 = 8;
    /// Levels of the grid of bodies, each of cells twice as wide as the one before; the last has a single cell.
    BODY_LEVELS: U32 = 24;
    /// Cells of that grid from the origin to the outermost ones, which hold all beyond.
    BODY_CELLS: F32 = 250000.0;
    /// Cells along one axis that a body looks through at most: what it looks for lies within two and a half widths.
    MAX_LOOK: U32 = 4;
    /// How much further a body looks than it must, in the length of its box.
    LOOK_FURTHER: F32 = 0.0625;
    /// Bodies that a body meets of which it knows each.
    MAX_MEETINGS: U32 = 32;
    /// Words of `meetings` of a body.
    MEETING_WORDS: U32 = 1 + MAX_MEETINGS + BOX_WORDS + 1;
    /// Impulses are iterated again where the first iteration changes a velocity by more than this [m/s].
    AGAIN_SPEED: F32 = 0.001;
    /// Half of a full turn.
    PI: F32 = std::f32::consts::PI;
    /// Of contacts that a pose takes part in: frequency of the spring that takes them apart, times the step; twice that where
    /// nothing moves one side.
    RIGID_FREQUENCY: F32 = 0.125;
    /// Damping ratio of that spring.
    RIGID_DAMPING: F32 = 10.0;
    /// The speed at which it takes them apart at the most [m/s].
    RIGID_SPEED: F32 = 3.0;
    /// The largest bias of a contact's impulses, in that which balances what softness takes of its load. With less than 1 loads sink in;
    /// the larger it is, the faster bodies that have landed go up again.
    REST_LOADS: F32 = 1.25;
    /// That bias is never less than this many times g h; a tower of ten needs 2.
    REST_KICKS: F32 = 10.0;
    /// Of `Collider::kind`: a point, of which balls are made.
    COLLIDER_POINT: U32 = 0;
    /// A segment along y, of which capsules are made.
    COLLIDER_SEGMENT: U32 = 1;
    /// A box.
    COLLIDER_BOX: U32 = 2;
    /// A cylinder about y.
    COLLIDER_CYLINDER: U32 = 3;
    /// The hull of its vertices.
    COLLIDER_HULL: U32 = 4;
    /// A triangle, which is a hull of three vertices and two faces.
    COLLIDER_TRIANGLE: U32 = 5;
    /// A half space, below y = 0 of its own axes.
    COLLIDER_PLANE: U32 = 6;
    /// Of `Manifold::turns`: the normal stays until the next search.
    TURNS_NOT: U32 = 0;
    /// It is that between the cores, square to `along`, which turns with a.
    TURNS_WITH_A: U32 = 1;
    /// The same, with b.
    TURNS_WITH_B: U32 = 2;
    /// It is that of a face of a: `along`.
    TURNS_AS_A: U32 = 3;
    /// Of a face of b.
    TURNS_AS_B: U32 = 4;
    /// Corners of a hull's face at the most.
    MAX_LOOP: U32 = 16;
    /// Points of a manifold at the most.
    MANIFOLD: U32 = 4;
    /// Planes that a pose may lie on.
    PLANES: U32 = 4;
    /// Cosine between two normals above which they are one plane's.
    PLANE_ALIKE: F32 = 0.99999;
    /// Rows of four numbers of `contact_velocities` for each pose.
    POSE_ROWS: U32 = 8;
    /// Rows of four numbers of `wrenches` for each record.
    WRENCH_ROWS: U32 = 3;
    /// The time over which a pose's velocity is looked ahead for what it may touch [s].
    LOOK_AHEAD: F32 = 1.0 / 60.0;
    /// How far a pose may turn until contacts are found anew [rad]: it touches with other faces and corners then.
    SEARCH_TURN: F32 = 0.2;
    /// Points of a manifold that are no farther apart than this are one, in the size of the smaller collider.
    SAME_CONTACT: F32 = 0.2;
    /// What comes at another more slowly than this does not rebound [m/s].
    REBOUND_SPEED: F32 = 0.2;
    /// A pose of bound r under gravity g is as good as at rest when it is slower than this times √(g r), of a box of 1 m 10 mm/s.
    SLEEP_SPEED: F32 = 0.0035;
    /// And when it turns more slowly than this times √(g/r), of that box 0.05 rad/s.
    SLEEP_SPIN: F32 = 0.015;
    /// It falls asleep after this times √(r/g), of that box 0.5 s.
    SLEEP_TIME: F32 = 1.7;
    /// `ManifoldPoint::distance` of a place without a point.
    NO_POINT: F32 = 3e38;
    /// Further iterations of the impulses in such a step.
    CONTACT_ROUNDS: U32 = 6;
    /// Words of `dispatches` in front of those of a search: the workgroups of such iterations, of degrees of freedom and of records;
    /// of rebounds, and of pushes.
    ROUND_WORDS: U32 = 18;
    /// The first of those of rebounds.
    REBOUND_WORD: U32 = 6;
    /// Of those of pushes.
    PUSH_WORD: U32 = 12;
    /// Times that an island's labels are joined, of an even number.
    ISLAND_ROUNDS: U32 = 8;
    /// Words of `island_sums` of a label.
    ISLAND_WORDS: U32 = 81;
    /// Numbers among them that are sums: those of `MomentumPart` but its origin.
    ISLAND_NUMBERS: U32 = 24;
    /// Other bodies and solids that a body's contacts are added up for in a submission.
    MAX_TOUCHES: U32 = 32;
    /// Bit of `TouchSum::other`: the rest is a solid.
    TOUCH_SOLID: U32 = 0x8000_0000;
    /// Words of `status` for each push of a solid on a particle.
    PUSH_WORDS: U32 = 5;
    /// Parts that a weight is counted in.
    LOAD_UNIT: F32 = 65536.0;
    /// Of `Contact::missed`: no border was reached from the point.
    UNREACHED: U32 = 0x8000_0000;
    /// Of `Contact::missed`: no contact, but by its estimated depth the point is in front of the body's surface.
    IN_FRONT: U32 = 0x4000_0000;
    /// Words of a point's list of bodies: one more tells that there was no room.
    HIT_STRIDE: U32 = 5;
    /// How far outside a tetrahedron a barycentric coordinate still counts as on its face.
    INSIDE_SLACK: F32 = 1e-5;
    /// How far outside a surface's face that does not look against it a point still counts as inside, in its margin.
    RIM_SLACK: F32 = 2.0;
    /// Least barycentric coordinate of the point that a line begins at where the tested point is outside.
    START_INSIDE: F32 = 1e-3;
    /// Cells along one axis that a tetrahedron may cover before it visits a coarser grid.
    MAX_VISIT: F32 = 1.0;
    /// The same where it looks for edges, of which every one stands in several cells.
    MAX_EDGE_VISIT: F32 = 0.5;
    /// Cells along one axis that a tetrahedron visits at most: one that is stretched to 16 times the longest edge at rest, and
    /// fast points that come at it from either side.
    MAX_CELLS: U32 = 32;
    /// Lists of points that a thread empties; a power of two, of which tables have a multiple.
    CLEARED: U32 = 16;
    /// End of a loop over a list: longer than any list can be.
    MAX_LIST: U32 = 0x0100_0000;
    /// Tetrahedra that a line is followed through.
    MAX_WALK: U32 = 256;
    /// The way a point came is followed over this many steps.
    CAME_IN: F32 = 1.5;
    /// Margins by which a penetration vector has to be longer than twice the way in and the way that the particle is tested ahead,
    /// for a way in through a face that does not look against the particle to be taken.
    FROM_BEHIND: F32 = 8.0;
    /// A ray leaves through a face where the cosine between it and the face's normal is above this.
    GRAZING: F32 = 0.1;
    /// A face pushes on a point where the cosine between its normal and the point's is below minus this.
    FACING: F32 = 0.1;
    /// Two faces are one where the cosine between their normals is above this.
    SAME_FACE: F32 = 0.9;
    /// Two lines or faces cross where the square of the sine between them is above this: 15°.
    SHARP_SINE2: F32 = 0.067;
    /// Of `status`: the first step and body whose state is none, as step times bodies plus body; NONE where all is well.
    STATUS_FAULT: U32 = 0;
    /// Of `status`: the complement of the number of the submission's first step that was too long, 0 where none was.
    STATUS_LONG: U32 = 1;
    /// Of `status`: how many steps there are up to the last of which one of twice the length would have been too long.
    STATUS_TENSE: U32 = 2;
    /// Of `status`: the bits of the square of the longest way that any particle moves in the present step [m²].
    STATUS_TRAVEL: U32 = 3;
    /// Of `status`: the same of the ways that positions are projected.
    STATUS_SHIFT: U32 = 4;
    /// Of `status`: whether any bodies' boxes met.
    STATUS_TOUCHING: U32 = 5;
    /// Of `status`: the last propagation sweep that found something, at least 1 where any point has no penetration vector.
    STATUS_SWEEPS: U32 = 6;
    /// Of `status`: the most records in a step.
    STATUS_RECORDS: U32 = 7;
    /// Of `status`: the bits of the square of the error of an adaptive step [m²].
    STATUS_ERROR: U32 = 8;
    /// Of `status`: 1 where a step of Newton's method had too few rounds of passes.
    NEWTON_SHORT: U32 = 9;
    /// Of `status`: the most rounds that a step of Newton's method took.
    NEWTON_ROUNDS: U32 = 10;
    /// Of `status`: Newton iterations.
    NEWTON_SUM: U32 = 11;
    /// Of `status`: the most of a step.
    NEWTON_LARGEST: U32 = 12;
    /// Of `status`: iterations of conjugate gradients.
    NEWTON_CONJUGATE_SUM: U32 = 13;
    /// Of `status`: the most of a step.
    NEWTON_CONJUGATE_LARGEST: U32 = 14;
    /// Of `status`: the bits of the largest residual that a step ended with, over its scale.
    NEWTON_RESIDUAL: U32 = 15;
    /// Of `status`: steps that ended before the tolerance was met.
    NEWTON_UNCONVERGED: U32 = 16;
    /// Of `status`: steps that searched for contacts.
    STATUS_SEARCHES: U32 = 17;
    /// Of `status`: 1 where any step needed further iterations of the impulses.
    STATUS_ROUNDS: U32 = 18;
    /// Of `status`: 1 where any step had a list of contacts that is longer than [`SLICE`].
    STATUS_SLICES: U32 = 19;
    /// Of `status`: 1 where a pose has come so far that contacts have to be found anew.
    STATUS_STRAYED: U32 = 20;
    /// Of `status`: how many steps there are up to the last in which anything rigid was awake.
    STATUS_AWAKE: U32 = 21;
    /// Of `status`: 1 where a pose slept in any step.
    STATUS_ASLEEP: U32 = 22;
    /// Of `status`: 1 where a pose has been at rest for long enough to fall asleep.
    STATUS_SETTLED: U32 = 23;
    /// Of `status`: from here on the bodies' eigenvalues, behind them the words of each step, then the solids' pushes.
    STATUS_RATES: U32 = 24;
    /// Words of each step.
    STEP_WORDS: U32 = 8;
    /// Steps that are too long are not noted.
    WATCH_NOTHING: U32 = 0;
    /// They are.
    WATCH_LONG: U32 = 1;
    /// Steps of which one of twice the length would be too long are noted, too.
    WATCH_TENSE: U32 = 2;
    /// Share of what a step bears above which one of twice the length is thought to be too long: a quarter, less a margin.
    TENSE_SHARE: F32 = 0.2;
    /// The change of a particle's velocity in a step, in mean edges per step, from which on the step is too long.
    MOST_JUMP: F32 = 1.0;
    /// Of `contact_lists`: the number of records.
    LIST_RECORDS: U32 = 0;
    /// Of `contact_lists`: 1 where any bodies' boxes meet.
    LIST_TOUCHING: U32 = 1;
    /// Of `contact_lists`: the bits of the least gap between boxes that do not [m].
    LIST_GAP: U32 = 2;
    /// Of `contact_lists`: the bits of how far any particle may have come since the last search [m].
    LIST_TRAVEL: U32 = 3;
    /// Of `contact_lists`: steps since the last search.
    LIST_AGE: U32 = 4;
    /// Of `contact_lists`: 1 where the present step has to search.
    LIST_SEARCH: U32 = 5;
    /// Of `contact_lists`: 1 where a list is longer than [`SLICE`].
    LIST_LONG: U32 = 6;
    /// Of `contact_lists`: the first record of a pair of colliders; all that follow are such.
    LIST_MANIFOLDS: U32 = 7;
    /// Of `contact_lists`: how many manifolds have points; then the workgroups that a thread for each takes, three words.
    LIST_TOUCHED: U32 = 8;
    /// Of `contact_lists`: from here on the loads of particles.
    LIST_LOADS: U32 = 12;
    /// Of a step: points inside another body or within its margin.
    STEP_POINTS: U32 = 0;
    /// Of a step: contacts.
    STEP_CONTACTS: U32 = 1;
    /// Of a step: contacts with a positive depth.
    STEP_INSIDE: U32 = 2;
    /// Of a step: the sum of their depths, in mean edges over `DEPTH_UNIT`.
    STEP_DEPTH: U32 = 3;
    /// Of a step: the bits of the largest of those, in mean edges.
    STEP_DEEPEST: U32 = 4;
    /// Of a step: records that no contact came of.
    STEP_LOST: U32 = 5;
    /// Of a step: points in more bodies than there is room for.
    STEP_OVERFLOWED: U32 = 6;
    /// Of a step: partners of spheres that there was no room for.
    STEP_DROPPED: U32 = 7;
    /// Parts that a mean edge is counted in.
    DEPTH_UNIT: F32 = 4096.0;
    /// Solids that one particle can touch at once.
    MAX_TOUCHING: U32 = 4;
    /// Stiffness of a contact with a solid in Newton's method, over that of the vertex itself: an iteration goes past the
    /// contact by about its inverse, and the next ones take that back.
    SOLID_STIFFNESS: F32 = 100.0;
    /// The tangential part of it in Newton's method: what sticks comes to rest, and what slides to its speed, by about a
    /// third or two in each iteration.
    SOLID_SLIDE: F32 = 0.02;
    /// `implicit`: an explicit step, which bears only so much of the pulls of shape matching.
    IMPLICIT_NOT: U32 = 0;
    /// `implicit`: forces of an implicit step, which bears all.
    IMPLICIT_STEP: U32 = 1;
    /// `implicit`: their change along what stands in the place of the velocities.
    IMPLICIT_CHANGE: U32 = 2;
    /// `implicit`: the first iterate of an implicit step.
    IMPLICIT_GUESS: U32 = 3;
    /// Newton's method: the slope along its change is to be tested.
    NEWTON_TEST: U32 = 0;
    /// Newton's method: the residual is to be judged.
    NEWTON_OPEN: U32 = 1;
    /// Newton's method: in conjugate gradients.
    NEWTON_CONJUGATE: U32 = 2;
    /// Newton's method: the step is solved, or its iterations are used up.
    NEWTON_DONE: U32 = 3;
    /// Newton's method: the step ends.
    NEWTON_END: U32 = 4;
    /// Newton's method: the residual is to be judged again, after the multipliers of contacts have followed the iterate.
    NEWTON_FOLLOWED: U32 = 5;
    /// The gate of the forces at a new iterate.
    GATE_TEST: U32 = 0;
    /// The gate of the residual.
    GATE_OPEN: U32 = 1;
    /// The gate of the matrix.
    GATE_LINEAR: U32 = 2;
    /// The gate of conjugate gradients.
    GATE_CONJUGATE: U32 = 3;
    /// The gate of the move.
    GATE_MOVE: U32 = 4;
    /// The gate of the multipliers.
    GATE_FOLLOW: U32 = 5;
    /// Rows of four numbers of `coarse_parts` for each chunk: those of `CoarsePart`.
    COARSE_ROWS: U32 = 7;
    /// Chunks of a body at the most that one thread adds up.
    FEW_PARTS: U32 = 8;
    /// What rounding of a position is to it.
    NEWTON_ROUNDING: F32 = 2e-7;
    /// `pose` of a tie to a body.
    TIE_TO_BODY: U32 = 0xffff_fffe;
    /// `pose` of a tie to a place that does not move.
    TIE_TO_PLACE: U32 = 0xffff_ffff;
    /// Of a group of bodies that are tied to each other: it has several.
    TIE_JOINED: U32 = 0x4000_0000;
    /// Of such a group: one of them is tied to a solid or a place.
    TIE_HELD: U32 = 0x8000_0000;
    /// A half space.
    SOLID_PLANE: U32 = 0;
    /// A ball.
    SOLID_SPHERE: U32 = 1;
    /// A cuboid.
    SOLID_BOX: U32 = 2;
    /// Passes over a body's elements leave the accelerations of its particles.
    LOADED_FORCES: U32 = 1;
    /// And how these change along a direction, and by damping.
    LOADED_CHANGES: U32 = 2;
    /// And blocks, growth and energy for each corner.
    LOADED_CORNERS: U32 = 4;
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
    /// Entries of `moments` per chunk of long clusters.
    MOMENT_ROWS: U32 = 14;
    /// The first of them, which are all of clusters that are neither bent nor damped.
    LINEAR_ROWS: U32 = 3;
    /// The first of them, which are all of clusters that are not bent.
    MOVING_ROWS: U32 = 8;
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
