//! Tests of the oracle against the equations: derivatives by differences, conservation, closed-form solutions.
mod areas;
mod damping;
mod fem;
mod fem_flow;
mod forces;
pub(super) mod lattice;
mod shape;
mod shape_flow;
mod solids;
mod spectrum;
mod stability;
