//! The physics of whole worlds: scenes stepped on the device, against closed forms and the f64 reference.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cloud_crash;
mod cloud_crowd;
mod cloud_pile;
mod cloud_rest;
mod cloud_support;
mod collide_balance;
mod collide_fast;
mod collide_friction;
mod collide_odd;
mod collide_pile;
mod collide_repeat;
mod collide_rest;
mod collide_support;
mod contact;
mod damping;
mod energy;
mod fem_damping;
mod fem_material;
mod fem_recover;
mod fem_steps;
mod fields;
mod forces;
mod integrators;
mod material;
mod momentum;
mod properties;
mod repeat;
mod rules;
mod shape_motion;
mod shape_recovery;
mod shape_support;
mod shell;
mod stability;
mod support;
