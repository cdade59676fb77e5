//! Barriers: workgroups run phase by phase.

use crate::run;

fn numbers(count: u32) -> Vec<u32> {
    (0..count).map(|k| k.wrapping_mul(2_654_435_761) >> 20).collect()
}

#[test]
fn a_scan_is_the_sums_of_a_loop() {
    let given = numbers(3 * 64);
    let [found] = run("tree_scan", 3, [given.clone()]);
    let sums = given.chunks(64).flat_map(|group| {
        group.iter().scan(0_u32, |sum, number| {
            *sum += number;
            Some(*sum)
        })
    });
    assert_eq!(found, sums.collect::<Vec<_>>());
}

#[test]
fn a_reduction_is_that_of_a_loop() {
    let given = [numbers(128).iter().map(|n| n % 4).collect(), vec![0; 64]].concat();
    let [_, found] = run("reduce", 3, [given.clone(), vec![7; 192]]);
    let expected = given.chunks(64).flat_map(|group| {
        let (sum, greatest) = (group.iter().sum::<u32>(), *group.iter().max().unwrap());
        let of = move |own: &u32| match greatest {
            0 => 7,
            _ => sum + 1000 * greatest + 3_000_000 * own,
        };
        group.iter().map(of)
    });
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "wgsl/diverges.wgsl:8: a barrier in control flow that is not uniform")]
fn a_barrier_that_some_come_to_is_found() {
    run("diverges", 1, [vec![0; 64]]);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(
    expected = "wgsl/leaves_early.wgsl:7: a barrier in control flow that is not uniform"
)]
fn an_end_before_a_barrier_is_found() {
    run("leaves_early", 2, [vec![0; 100]]);
}

#[test]
fn an_end_of_whole_workgroups_before_a_barrier_is_none() {
    let [found] = run("leaves_early", 3, [vec![0; 128]]);
    let group = (0..64).rev();
    assert_eq!(found, group.clone().chain(group).collect::<Vec<_>>());
}
