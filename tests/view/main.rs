//! The window, on a display of its own (Xvfb), with keys, mouse, drops and window managers' requests as a user has them.
#![cfg(all(target_os = "linux", feature = "viewer"))]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod display;
mod files;
mod keys;
mod mouse;
mod pace;
mod pictures;
mod view;
mod window;
