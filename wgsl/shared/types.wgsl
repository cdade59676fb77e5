// The structs of src/gpu/types; a test compares the two, member by member.
#import consts

struct Particle {
    position: vec3f,      // [m]
    inverse_mass: f32,    // [1/kg], 0: held
    velocity: vec3f,      // [m/s]
    damping_rate: f32,    // [1/s], one step old
}

struct Point {
    first: u32,
    counts: u32,
    area_count: u32,      // and ASLEEP
    body: u32,
}

struct Element {
    other: u32,
    inverse_rest: f32,    // spring [1/m], step over the link [1/m^3], triangle [1/m^2]
}

struct Body {
    distance: f32,        // [J]
    volume: f32,          // [J]
    damping: f32,         // [J s]
    friction: f32,
    margin: f32,          // [m]
    stiffness_rate: f32,  // [1/s^2]
    probe_scale: f32,
    chunk_first: u32,
    chunk_count: u32,
    damping_mode: u32,
    touching: u32,        // 1 while its box meets another body's
    group: u32,
    mask: u32,
    self_contact: u32,
    edge: f32,            // [m]
    kind: u32,
    varied: u32,          // 1: its elements carry constants of their own
    area: f32,            // [J]
    radius: f32,          // [m] of a cloud's points
    law: u32,
    alpha: f32,           // per step
    beta: f32,
    relaxation: f32,      // [s]
    yield_strain: f32,
    creep: f32,           // [1/s]
    plastic_most: f32,
    pull_rate: f32,       // [1/s^2]
    borne: f32,           // h^2 s of the stiffest particle
}

struct Sim {
    gravity: vec3f,       // [m/s^2]
    step: f32,            // [s]
    wind: vec3f,          // [m/s]
    drag: f32,            // [1/s]
    particle_count: u32,
    body_count: u32,
    solid_count: u32,
    pull_count: u32,
    tick: u32,
    slot: u32,
    damping_gathers: u32,
    theta_scale: f32,
    step_ratio: f32,
    speed_limit: f32,     // [m/s]
    stage_step: f32,      // [s]
    stage_weight: f32,    // [s]
    probe: u32,
    chunk_count: u32,
    first_stage: u32,
    skin_count: u32,
    flow: u32,
    fem_count: u32,
    cluster_count: u32,
    cluster_chunk_count: u32,
    implicit: u32,
    stage: u32,
    iterations: u32,
    tolerance: f32,
    span: f32,            // [ticks]
    pose_count: u32,
    first_thread: u32,
    status_words: u32,
    events: u32,
    watch: u32,
}

struct Solid {
    centre: vec3f,        // [m]
    kind: u32,
    extent: vec3f,
    reserved: f32,
    rotation: vec4f,
    velocity: vec3f,      // [m/s]
    reserved_velocity: f32,
    spin: vec3f,          // [rad/s]
    reserved_spin: f32,
}

struct Pose {
    centre: vec3f,        // [m]
    solid: u32,
    rotation: vec4f,
    velocity: vec3f,      // [m/s]
    elapsed: f32,         // [s]
    spin: vec3f,          // [rad/s]
    going: f32,
}

struct Pin {
    anchor: vec3f,        // [m]
    particle: u32,
    velocity: vec3f,      // [m/s]
    pose: u32,
}

struct Tie {
    corners: vec4u,
    weights: vec4f,
    anchor: vec3f,        // [m]
    particle: u32,
    stiffness: f32,       // [N/m]
    damping: f32,         // [N s/m]
    length: f32,          // [m]
    pose: u32,            // or TIE_TO_...
}

struct TieRow {
    particle: u32,
    first: u32,
    end: u32,
    reserved: u32,
}

struct TieEnd {
    tie: u32,
    weight: f32,
}

struct Pull {
    force: vec3f,         // [N]
    particle: u32,
    from_tick: u32,
    from_part: f32,       // [ticks]
    to_tick: u32,
    to_part: f32,         // [ticks]
}

struct Externals {
    solids: array<Solid, MAX_SOLIDS>,
    pulls: array<Pull, PULL_ROOM>,
}

struct Chunk {
    first: u32,
    end: u32,
}

struct Cluster {
    origin: vec3f,        // [m]
    inverse_mass: f32,
    root_diagonal: vec3f, // [m]
    flags: u32,
    root_off: vec3f,      // [m]
    body: u32,
    whiten_diagonal: vec3f, // [1/m]
    fit: u32,
    whiten_off: vec3f,    // [1/m]
    size: f32,            // [m]
    anchor: u32,
    chunk_first: u32,
    chunk_count: u32,
    reserved: u32,
    centre: vec3f,        // [m]
    reserved_centre: f32,
    square_diagonal: vec3f, // [m^2]
    reserved_diagonal: f32,
    square_off: vec3f,    // xy, yz, zx [m^2]
    reserved_off: f32,
    square_diagonal_low: vec3f, // [m^2]
    reserved_diagonal_low: f32,
    square_off_low: vec3f, // [m^2]
    reserved_off_low: f32,
}

struct ClusterState {
    rotation: vec4f,
    plastic_diagonal: vec3f, // of S_p - I
    reserved: f32,
    plastic_off: vec3f,   // yz, zx, xy
    reserved_off: f32,
    spin: vec3f,
    reserved_spin: f32,
}

struct SkinPoint {
    corners: vec4u,
    weights: vec4f,
}

struct MeshSource {
    uv: vec2f,            // from the upper left corner
    vertex: u32,
    reserved: u32,
}

struct MeshVertex {
    position: vec3f,      // [m]
    normal_x: f32,
    normal_yz: vec2f,
    uv: vec2f,            // from the upper left corner
}

struct Collide {
    inverse_cell: f32,    // [1/m]
    floor: f32,           // [m]
    margin_scale: f32,
    margin: f32,          // [m]
    stale: f32,           // [m]
    table: u32,
    levels: u32,
    tet_count: u32,
    capacity: u32,
    moved: u32,
    share: f32,
    feature_count: u32,
    edge_count: u32,
    edge_table: u32,
    edge_levels: u32,
    source: u32,
    particle_groups: vec2u,
    record_groups: vec2u,
    inverse_sphere_cell: f32, // [1/m]
    sphere_size: f32,     // [m]
    sphere_table: u32,
    sphere_levels: u32,
    triangle_count: u32,
    hold: f32,
    replica_size: u32,    // bodies; 0: all are of one
}

struct Box {
    low: vec3f,           // [m]
    a: u32,
    high: vec3f,          // [m]
    b: u32,
}

struct Patch {
    centre: vec3f,        // at rest [m]
    spread: f32,          // at rest [m]
    body: u32,
    first: u32,
    end: u32,
    reserved: u32,
}

struct PatchShape {
    low: vec3f,           // [m]
    spread: f32,          // [m]
    high: vec3f,          // [m]
    reserved: u32,
    centre: vec3f,        // [m]
    reserved_centre: u32,
}

struct Tet {
    corners: vec4u,
    across: vec4u,        // the tetrahedron behind the face opposite each corner
}

struct Edge {
    ends: vec2u,
    wings: vec2u,         // the third corners of its triangles (a, b, .) and (b, a, .)
}

struct Tested {
    position: vec3f,      // [m]
    body: u32,
    normal: vec3f,
    margin: f32,          // [m]
}

struct Penetration {
    direction: vec3f,
    depth: f32,           // [m]
    feature: u32,
    tet: u32,
    body: u32,
    sweep: u32,
}

struct Contact {
    normal: vec3f,
    gap: f32,             // [m], positive: inside
    particles: vec4u,
    weights: vec4f,
    second: u32,
    second_weight: f32,
    target_speed: f32,    // [m/s]
    friction: f32,
    edge: f32,            // [m]
    feature: u32,
    body: u32,
    fresh: u32,
    unreached: u32,
    crowded: u32,
    depth: f32,           // [m], the estimate that the normal came with
    reach: f32,           // [m], distance at which it touches
    partner: u32,
}

struct Impulse {
    tangent: vec3f,       // [kg m/s]
    normal: f32,          // [kg m/s]
    partner: u32,
    normal_change: f32,   // [kg m/s], in the step
    tangent_change: f32,  // [kg m/s]
    body: u32,
}

struct Shift {
    way: vec3f,           // [m]
    takes_part: u32,
    force: vec3f,         // [N]
    area: f32,            // [m^2]
}

struct FemTet {
    corners: vec4u,
    slots: vec4u,
    gradient_b: vec3f,    // [1/m]
    volume: f32,          // [m^3]
    gradient_c: vec3f,    // [1/m]
    lambda: f32,          // [Pa]
    gradient_d: vec3f,    // [1/m]
    mu: f32,              // [Pa]
    body: u32,
    shape_rate: f32,      // [1/(kg m)]
    relaxation: f32,      // [s]
    reserved: f32,
}

struct FemState {
    rotation: vec4f,
    diagonal: vec3f,
    reserved_a: f32,
    off: vec3f,
    reserved_b: f32,
}

struct ColorVertex {
    particle: u32,
    tet_first: u32,       // in vertex_tets; the next is SLICE further
    tet_count: u32,
    reserved: u32,
}

struct VertexTet {
    b: u32,
    c: u32,
    d: u32,
    volume: f32,          // [m^3]
    gradient_b: vec3f,    // [1/m]
    lambda: f32,          // [Pa]
    gradient_c: vec3f,    // [1/m]
    mu: f32,              // [Pa]
    gradient_d: vec3f,    // [1/m]
    relaxation: f32,      // [s]
}

struct Press {
    force: vec3f,         // [N]
    stiffness: f32,       // [N/m], of the vertex without contacts
    diagonal: vec3f,      // [N/m]
    reserved: f32,
    off: vec3f,           // yz, zx, xy [N/m]
    reserved_off: f32,
}

// Sums of what a body feels when it moves as a whole, dx = t + theta x r.
struct CoarsePart {
    force: vec4f,         // F = sum f [N]; w: held particles
    torque: vec4f,        // T = sum r x f [N m]
    diagonal: vec4f,      // of A = sum H [N/m]
    off: vec4f,           // its yz, zx, xy
    mixed_x: vec4f,       // columns of B = sum H (e_k x r) [N]
    mixed_y: vec4f,
    mixed_z: vec4f,
    turn: vec4f,          // diagonal of C = sum (e_k x r).H (e_l x r) [N m]
    turn_off: vec4f,      // its yz, zx, xy
}

struct CoarseMotion {
    shift: vec4f,         // t [m]
    turn: vec4f,          // theta [rad]
    origin: vec4f,        // where r begins [m]
}

struct Grip {
    impulse: vec3f,       // [kg m/s]
    stiffness: f32,       // [N/m], 0 where it does not act
    normal: vec3f,
    share: f32,
}

struct Newton {
    phase: u32,
    gates: u32,
    iterations: u32,
    conjugate: u32,
    conjugate_sum: u32,
    rounds: u32,
    tries: u32,
    gamma: f32,           // r.z [J]
    alpha: f32,
    beta: f32,
    goal: f32,            // [J]
    slope: f32,           // r.d [J]
    taken: f32,
    share: f32,
    residual: f32,
    reserved: f32,
}

struct Conjugate {
    residual: vec3f,      // [N]
    reserved: f32,
    change: vec3f,        // d [m]
    reserved_change: f32,
    search: vec3f,        // p [m]
    reserved_search: f32,
    image: vec3f,         // H p [N]
    reserved_image: f32,
}

struct Block {
    diagonal: vec3f,      // [N/m]
    reserved: f32,
    off: vec3f,           // yz, zx, xy [N/m]
    reserved_off: f32,
}

struct FemTangent {
    first: vec3f,         // of U
    low_x: f32,           // zy [J]
    second: vec3f,
    low_y: f32,           // xz [J]
    gradient_b: vec3f,    // [1/m]
    low_z: f32,           // yx [J]
    gradient_c: vec3f,    // [1/m]
    both_x: f32,          // yz [J]
    gradient_d: vec3f,    // [1/m]
    both_y: f32,          // zx [J]
    diagonal: vec3f,      // [J]
    both_z: f32,          // xy [J]
    off: vec3f,           // yz, zx, xy [J]
    reserved: f32,
    up: vec3f,            // yz, zx, xy [J]
    reserved_up: f32,
}

struct Segment {
    start: vec3f,         // [m]
    value: f32,           // [N] or [m]
    end: vec3f,           // [m]
    body: u32,
}

struct Tug {
    goal: vec3f,          // [m]
    rate: f32,            // [N/m]
    particle: u32,
    body: u32,
    entry: u32,
    damping: f32,         // [N s/m]
    most: f32,            // [N]
}

struct Beam {
    origin: vec3f,        // [m]
    count: u32,
    direction: vec3f,     // unit, or 0
    first: u32,
    right: vec3f,
    end: u32,
    up: vec3f,
    body: u32,
}

struct PickChunk {
    first: u32,
    end: u32,
    body: u32,
    radius: f32,          // [m], 0: triangles
}

struct Candidate {
    place: vec3f,         // [m]
    distance: f32,        // [m]
    index: u32,
    body: u32,
}

struct Lines {
    first: u32,
    count: u32,
    scale: f32,
    body: u32,
}

struct ChunkSums {
    origin: vec3f,        // [m]
    mass: f32,            // [kg]
    moment: vec3f,        // [kg m]
    kinetic: f32,         // [J]
    low: vec3f,           // [m]
    elastic: f32,         // [J]
    high: vec3f,          // [m]
    speed: f32,           // [m/s]
    momentum: vec3f,      // [kg m/s]
    least: f32,
    greatest: f32,
}

struct Query {
    count: u32,
    piece_count: u32,
    solid_count: u32,
    words: u32,
    mask: u32,
}

struct QueryRay {
    origin: vec3f,        // [m]
    reach: f32,           // [m]
    direction: vec3f,     // unit
    right: vec3f,
    up: vec3f,
}

struct RayAnswer {
    position: vec3f,      // [m]
    distance: f32,        // [m]
    normal: vec3f,
    body: u32,
    weights: vec3f,
    element: u32,
}

struct PointAnswer {
    weights: vec4f,
    body: u32,
    element: u32,
    inside: f32,
}

struct TouchSum {
    impulse: vec3f,       // [kg m/s]
    normal_impulse: f32,  // [kg m/s]
    place: vec3f,         // [m]
    depth: f32,           // [m]
    normal: vec3f,
    contacts: u32,
    body: u32,
    other: u32,
    steps: u32,
    last: u32,
}
