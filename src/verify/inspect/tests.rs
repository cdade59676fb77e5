//! These kernels alone: all of them take minutes.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::collections::BTreeMap;

use crate::gpu::{Content, Context, Kernel, sources};
use crate::verify::bench::Bench;
use crate::verify::tally::Tally;
use crate::verify::{CHECKS, Check, cases};

/// They agree with the reference, and neither perturbed nor left out.
#[test]
fn kernels_of_the_viewer_agree_with_the_reference() {
    let context = Context::new().unwrap();
    let cases: BTreeMap<_, _> = Content::every()
        .into_iter()
        .map(|c| (c, cases(c)))
        .collect();
    let of_viewer = |name: &&str| {
        let path = format!("inspect/{name}");
        sources().iter().any(|source| source.path == path)
    };
    let mut failed = Vec::new();
    for (name, check) in CHECKS.iter().filter(|(name, _)| of_viewer(name)) {
        let Check::Case(check) = check else {
            panic!("{name} runs in no case");
        };
        let mut tallies = [false, true, false].map(|perturb| Tally::new(name, perturb));
        for content in Content::compositions(name) {
            let kernel = Kernel::for_content(&context, name, content);
            for case in &cases[&content] {
                let bench = Bench::new(&context, case).unwrap();
                for (k, tally) in tallies.iter_mut().enumerate() {
                    tally.of(content);
                    bench.idle.set((k == 2).then_some(*name));
                    check(&kernel, &bench, tally).unwrap();
                }
            }
        }
        let results = tallies.map(Tally::result);
        println!("{name}: {:?}", results[0]);
        if results.map(|result| result.pass) != [true, false, false] {
            failed.push((name, results));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
