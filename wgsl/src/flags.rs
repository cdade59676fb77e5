//! What a world may hold, by the names that kernels know it by: `HAS_SOLIDS` and so on.
//!
//! A file of its own, because the build script reads it, too.

/// What kernels may leave out, in the order of the fields of `Content`.
pub const FLAGS: [&str; 7] =
    ["HETEROGENEOUS", "AREAS", "LOADS", "SOLIDS", "CONTACT", "POSES", "ORDER"];
