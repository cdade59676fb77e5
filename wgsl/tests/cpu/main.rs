//! The translation of kernels to Rust: each construct in a kernel of its own, against results that are computed here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../build/cpu/mod.rs"]
#[allow(dead_code, reason = "the build script writes files")]
mod cpu;

mod barriers;
mod meaning;
mod refusals;
#[cfg(debug_assertions)]
mod watching;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pliant_wgsl::{
    Composed, Content, FLAGS, Reflection, Resource, ResourceKind, Source, compose_from, rt,
};

#[allow(
    clippy::all,
    dead_code,
    non_camel_case_types,
    unreachable_code,
    unused,
    reason = "it is generated"
)]
mod probes {
    use super::{Content, rt};
    include!(concat!(env!("OUT_DIR"), "/probes/kernels.rs"));
}

/// Runs all workgroups of a probe on buffers of these words, and gives what they are then.
fn run<const N: usize>(name: &str, groups: u32, buffers: [Vec<u32>; N]) -> [Vec<u32>; N] {
    run_for(Content::NONE, name, groups, buffers)
}

fn run_for<const N: usize>(
    content: Content,
    name: &str,
    groups: u32,
    buffers: [Vec<u32>; N],
) -> [Vec<u32>; N] {
    run_by(|_, _, work| work(), content, name, groups, buffers)
}

/// The same, run by a function that is given the kernel, the buffers, and what runs it.
fn run_by<const N: usize>(
    runner: impl FnOnce(&rt::Kernel, &[&[AtomicU32]], &mut dyn FnMut()),
    content: Content,
    name: &str,
    groups: u32,
    buffers: [Vec<u32>; N],
) -> [Vec<u32>; N] {
    let kernel = probes::KERNELS.iter().find(|kernel| kernel.name == name).unwrap();
    let words = buffers.map(|words| words.into_iter().map(AtomicU32::new).collect::<Vec<_>>());
    let load = |words: &Vec<AtomicU32>| words.iter().map(|word| word.load(Relaxed)).collect();
    let settled: [Vec<u32>; N] = words.each_ref().map(load);
    let mut arrays = rt::Arrays::default();
    for ((binding, settled), words) in kernel.bindings.iter().zip(&settled).zip(&words) {
        match binding.written {
            true => arrays.written.push(words),
            false => arrays.read.push(settled),
        }
    }
    let mut run = || (kernel.run)(0..groups, [groups, 1, 1], &arrays, &content);
    runner(kernel, &arrays.written, &mut run);
    if let Some(lanes) = kernel.lanes {
        let one_by_one: [Vec<u32>; N] = words.each_ref().map(load);
        let given = words.iter().zip(&settled).flat_map(|(words, given)| words.iter().zip(given));
        given.for_each(|(word, given)| word.store(*given, Relaxed));
        lanes(0..groups, [groups, 1, 1], &arrays, &content);
        assert_eq!(words.each_ref().map(load), one_by_one, "{name} in lanes, and one by one");
    }
    words.each_ref().map(load)
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn floats(words: &[u32]) -> Vec<f32> {
    words.iter().copied().map(f32::from_bits).collect()
}
