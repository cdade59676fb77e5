//! Tests of contact between bodies, against cases that can be worked out by hand.
mod borders;
mod boxes;
mod detection;
mod edge_ways;
mod edges;
mod exits;
mod impulses;
mod penetration_vectors;
mod poses;
mod positions;
mod rims;
mod shapes;
mod source;
mod spheres;
