//! Bounds of what a scene may ask for.

/// No coordinate or length is larger [m], no speed [m/s], angle [rad], rate or factor either.
pub const LARGEST: f64 = 1e6;
/// Masses, moduli, stiffnesses and forces stay below this, far within f32.
pub const STRONGEST: f64 = 1e15;
/// The least positive mass, density, modulus.
pub const WEAKEST: f64 = 1e-12;
/// The shortest length [m] and least scale.
pub const SHORTEST: f64 = 1e-6;
/// The shortest fixed step [s].
pub const SHORTEST_STEP: f64 = 1e-9;
/// The least frame rate [1/s].
pub const LEAST_FPS: f64 = 1e-3;
/// Poisson's ratio lies between these: at −1 and 0.5 a modulus is infinite.
pub const LEAST_POISSON: f64 = -0.99;
pub const MOST_POISSON: f64 = 0.4999;
/// Largest cap of the plastic strain.
pub const MOST_PLASTIC: f64 = 100.0;
/// Most iterations of a solver in a step.
pub const MOST_ITERATIONS: f64 = 1000.0;
/// Least tolerance of a solver: f32 knows no smaller parts.
pub const LEAST_TOLERANCE: f64 = 1e-7;
/// Clusters of one body.
pub const MOST_CLUSTERS: u128 = 10_000_000;
/// The longest name [characters].
pub const LONGEST_NAME: usize = 200;
/// Bodies that copies make, in a file all together.
pub const MOST_COPIES: u64 = 100_000;
/// Cubes along one side of a lattice.
pub const MOST_CUBES_ALONG: u32 = 4096;
/// Cubes of all lattices of a scene together.
pub const MOST_CUBES: u64 = 50_000_000;
