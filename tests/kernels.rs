//! Every kernel against the f64 reference.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::sync::OnceLock;

use pliant::gpu::kernel_names;
use pliant::scene::{DampingMode, Integrator, Scene};
use pliant::verify::{KernelResult, SIZES, TOLERANCE, verify_kernels, verify_scene};
use pliant::{Context, Error};

fn context() -> &'static Context {
    static CONTEXT: OnceLock<Context> = OnceLock::new();
    CONTEXT.get_or_init(|| Context::new().unwrap())
}

/// One run for all tests that need an unbroken one.
fn results() -> &'static [KernelResult] {
    static RESULTS: OnceLock<Vec<KernelResult>> = OnceLock::new();
    RESULTS.get_or_init(|| verify_kernels(context(), None).unwrap())
}

#[test]
fn every_kernel_agrees_with_the_reference() {
    for result in results() {
        println!("{result:?}");
    }
    for result in results() {
        assert!(result.pass && result.max_error <= TOLERANCE, "{result:?}");
        assert!(result.cases >= SIZES.len(), "{result:?}");
    }
}

#[test]
fn no_kernel_is_missing() {
    let names: Vec<_> = results().iter().map(|result| result.name).collect();
    assert_eq!(names, kernel_names());
}

#[test]
fn a_broken_kernel_fails_and_only_that() {
    for name in kernel_names() {
        let results = verify_kernels(context(), Some(name)).unwrap();
        for result in results {
            assert_eq!(result.pass, result.name != name, "{name} broken: {result:?}");
        }
    }
}

#[test]
fn an_unknown_kernel_is_an_error_that_lists_the_known_ones() {
    let error = verify_kernels(context(), Some("verlett")).unwrap_err();
    assert!(matches!(error, Error::Value { .. }));
    let message = error.to_string();
    assert!(kernel_names().iter().all(|name| message.contains(name)), "{message}");
}
