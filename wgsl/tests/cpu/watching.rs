//! Watched kernels: what WGSL leaves open and what it calls a race is found, and nothing else.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{Content, rt, run_by};

/// What a watched probe panics with.
fn found<const N: usize>(name: &str, groups: u32, buffers: [Vec<u32>; N]) -> Option<String> {
    let run = || {
        run_by(
            |kernel, buffers, work| rt::watched(kernel.name, buffers, work),
            Content::NONE,
            name,
            groups,
            buffers,
        )
    };
    let panic = catch_unwind(AssertUnwindSafe(run)).err()?;
    Some(panic.downcast_ref::<String>().expect("a message").clone())
}

fn races(which: u32) -> Option<String> {
    found("races", 2, [vec![which], vec![0; 130], vec![0]])
}

fn shares(which: u32) -> Option<String> {
    found("shares", 2, [vec![which], vec![0; 256]])
}

fn overruns(which: u32, index: u32) -> Option<String> {
    found("overruns", 1, [vec![which, index], vec![0; 16], vec![0; 4], vec![0; 6], vec![0; 4]])
}

#[test]
fn what_is_no_race_passes() {
    assert_eq!([0, 5, 6].map(races), [None, None, None]);
    assert_eq!(shares(0), None);
    let numbers: Vec<u32> = (0..192).collect();
    assert_eq!(found("tree_scan", 3, [numbers.clone()]), None);
    assert_eq!(found("reduce", 3, [numbers, vec![7; 192]]), None);
}

#[test]
fn two_that_write_a_word_are_found() {
    let race = |line, second, groups, word, first| {
        Some(format!(
            "races, wgsl/races.wgsl:{line}: out: invocation {second} of workgroup {} writes word {word}, which invocation \
             {first} of workgroup 0 has written at wgsl/races.wgsl:{line}: a race",
            groups - 1
        ))
    };
    assert_eq!(races(1), race(7, 1, 1, 0, 0));
    assert_eq!(races(2), race(7, 0, 2, 0, 0));
}

#[test]
fn one_that_reads_what_another_writes_is_found() {
    assert_eq!(
        races(3).as_deref(),
        Some(
            "races, wgsl/races.wgsl:24: out: invocation 1 of workgroup 0 writes word 1, which invocation 0 of workgroup 0 has \
             read at wgsl/races.wgsl:24: a race"
        )
    );
    assert_eq!(
        races(4).as_deref(),
        Some(
            "races, wgsl/races.wgsl:29: out: invocation 63 of workgroup 1 writes word 0, which invocation 62 of workgroup 1 has \
             read at wgsl/races.wgsl:27: a race"
        )
    );
}

#[test]
fn barriers_that_are_missing_are_found() {
    let race = |line, name, second, does, word, first, done, before| {
        Some(format!(
            "shares, wgsl/shares.wgsl:{line}: {name}: invocation {second} of workgroup 0 {does} word {word}, which invocation \
             {first} of workgroup 0 has {done} at wgsl/shares.wgsl:{before}: a race"
        ))
    };
    assert_eq!(shares(1), race(10, "sums", 0, "reads", 1, 1, "written", 16));
    assert_eq!(shares(2), race(27, "out", 0, "reads", 1, 1, "written", 20));
    assert_eq!(shares(3), race(32, "first", 1, "reads", 0, 0, "written", 27));
}

#[test]
fn what_is_past_the_end_is_found() {
    for (which, index, line, name, what) in [
        (0, 4, 24, "numbers", "word 17 of 16"),
        (1, 4, 27, "out", "word 4 of 4"),
        (2, 3, 30, "parts", "element 3 of 3"),
        (3, 4, 33, "counts", "word 4 of 4"),
        (4, 4, 36, "local", "element 4 of 4"),
        (5, u32::MAX, 39, "local", "element 4294967295 of 4"),
        (6, 4, 42, "own", "element 4 of 4"),
        (7, 4, 45, "shared_words", "element 4 of 4"),
        (8, 4, 48, "shared_words", "element 4 of 4"),
        (9, 4, 51, "TABLE", "element 4 of 4"),
        (10, 4, 54, "direction", "element 4 of 4"),
        (11, 4, 57, "local", "element 4 of 4"),
    ] {
        assert_eq!(overruns(which, index.min(3)).filter(|_| which != 2), None, "{name}");
        assert_eq!(
            overruns(which, index),
            Some(format!(
                "overruns, wgsl/overruns.wgsl:{line}: {name}: invocation 0 of workgroup 0 asks for {what}"
            ))
        );
    }
    assert_eq!(overruns(2, 2), None);
}
