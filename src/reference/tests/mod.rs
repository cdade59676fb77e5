//! Tests of the oracle against the equations: derivatives by differences, conservation, closed-form solutions.
mod areas;
mod damping;
mod fem;
mod fem_statics;
mod forces;
pub(super) mod lattice;
mod orders;
mod oscillator;
mod shape;
mod shape_flow;
mod shape_recovery;
mod solids;
mod spectrum;
mod stability;
