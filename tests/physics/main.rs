//! The physics of whole worlds: scenes stepped on the device, against closed forms and the f64 reference.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod contact;
mod damping;
mod energy;
mod forces;
mod integrators;
mod material;
mod momentum;
mod properties;
mod repeat;
mod rules;
mod stability;
mod support;
