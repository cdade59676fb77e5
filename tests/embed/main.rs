//! Living in other programs: what a caller drops, moves between threads, asks wrongly, and keeps on doing for long.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;
mod drops;
mod features;
mod orders;
mod program;
mod soak;
mod support;
mod threads;
mod wrong;
