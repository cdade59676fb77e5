//! Prefix sums and sorts at the sizes where something changes, against plain ones.

use glam::UVec2;
use pliant::Context;
use pliant::internals::gpu::types::{SCAN_BLOCK, SORT_BLOCK};
use pliant::internals::gpu::{Buffer, Recorder};
use pliant::internals::prim::{Scan, Sort};
use pliant::internals::verify::Random;

use crate::common::new_device;

/// Words from everywhere between 0 and 2³².
fn random(count: usize) -> Vec<u32> {
    let mut random = Random::new(7);
    (0..count).map(|_| random.between(0.0, 2.0_f64.powi(32)) as u32).collect()
}

fn sums(counts: &[u32]) -> Vec<u32> {
    let mut total = 0_u32;
    let mut offsets = vec![0];
    offsets.extend(counts.iter().map(|count| {
        total = total.wrapping_add(*count);
        total
    }));
    offsets
}

/// Buffers of a sum, with nothing useful where the offsets will stand.
fn buffers(context: &Context, counts: &[u32]) -> [Buffer<u32>; 2] {
    let unwritten = vec![0xdead_beef; counts.len() + 1];
    [
        Buffer::new(context, "counts", counts).unwrap(),
        Buffer::new(context, "offsets", &unwritten).unwrap(),
    ]
}

/// Runs one sum in a submission of its own. Returns the offsets and the number of dispatches.
fn run(context: &Context, scan: &Scan, offsets: &Buffer<u32>) -> (Vec<u32>, u64) {
    let mut recorder = Recorder::new(context);
    scan.record(&mut recorder);
    let dispatches = recorder.submit().values().sum();
    (offsets.read(context).unwrap(), dispatches)
}

#[test]
fn offsets_are_the_sums_of_the_counts_before() {
    let context = new_device();
    let block = SCAN_BLOCK as usize;
    let around = |n: usize| [n - 1, n, n + 1];
    // The sums of 64 blocks are one for each thread of the middle pass.
    let mut sizes = vec![0, 1, 2, 1_000_000];
    sizes.extend([16, 64, block, 2 * block, 64 * block].map(around).concat());
    for n in sizes {
        for counts in [random(n), vec![0; n], vec![1; n], vec![u32::MAX; n]] {
            let [input, offsets] = buffers(&context, &counts);
            let scan = Scan::new(&context, &input, &offsets).unwrap();
            let wanted = sums(&counts);
            let (got, dispatches) = run(&context, &scan, &offsets);
            assert_eq!(dispatches, if n > block { 3 } else { 1 }, "{n} items");
            let wrong = (0..=n).find(|&i| got[i] != wanted[i]);
            assert_eq!(wrong, None, "{n} items, the first {:?}", counts.first());
            assert!(input.read(&context).unwrap() == counts, "{n}: the counts");
        }
    }
}

#[test]
fn totals_around_2_to_the_32() {
    let context = new_device();
    for n in [2, 1500] {
        for last in [0, 1, 2, 3] {
            let mut counts = vec![0; n];
            (counts[0], counts[n - 1]) = (u32::MAX - 1, last);
            let [input, offsets] = buffers(&context, &counts);
            let scan = Scan::new(&context, &input, &offsets).unwrap();
            let (got, _) = run(&context, &scan, &offsets);
            assert_eq!(got[n], (u32::MAX - 1).wrapping_add(last));
            assert_eq!(got[n - 1], u32::MAX - 1);
        }
    }
}

/// One pass holds several sums, and a sum is the same whatever was summed before it with the same buffers.
#[test]
fn sums_repeat_and_follow_one_another() {
    let context = new_device();
    for n in [1000, 50_000] {
        let counts = random(n);
        let [input, offsets] = buffers(&context, &counts);
        let again = Buffer::<u32>::zeroed(&context, "again", n + 2).unwrap();
        let scan = Scan::new(&context, &input, &offsets).unwrap();
        let of_offsets = Scan::new(&context, &offsets, &again).unwrap();
        let first = run(&context, &scan, &offsets);
        assert_eq!(first, run(&context, &scan, &offsets));

        let mut recorder = Recorder::new(&context);
        for _ in 0..3 {
            scan.record(&mut recorder);
            of_offsets.record(&mut recorder);
        }
        recorder.submit();
        assert!(offsets.read(&context).unwrap() == first.0);
        assert!(again.read(&context).unwrap() == sums(&first.0));

        input.write(&context, 0, &vec![3; n]);
        assert!(run(&context, &scan, &offsets).0 == sums(&vec![3; n]));
    }
}

#[test]
#[should_panic(expected = "elements of offsets for those of counts")]
fn offsets_of_another_length_are_refused() {
    let context = new_device();
    let [counts, offsets] = ["counts", "offsets"].map(|label| Buffer::zeroed(&context, label, 5));
    let _ = Scan::new(&context, &counts.unwrap(), &offsets.unwrap());
}

/// Few keys and many, in order and not: those of one key stay as they were, whatever was sorted before.
#[test]
fn sorts_are_stable() {
    let context = new_device();
    let block = SORT_BLOCK as usize;
    for n in [1, 2, 63, 1000, block - 1, block, block + 1, 20 * block, 70 * block + 5] {
        let keys = random(n);
        let few: Vec<_> = keys.iter().map(|key| (key % 5) << 13).collect();
        let ascending = (0..n as u32).collect();
        let items = |keys: Vec<u32>| -> Vec<UVec2> {
            keys.into_iter().zip(0..).map(|(key, i)| UVec2::new(key, i)).collect()
        };
        let buffer = Buffer::<UVec2>::zeroed(&context, "items", n).unwrap();
        let sort = Sort::new(&context, &buffer).unwrap();
        for mut items in [keys, few, ascending, vec![u32::MAX; n]].map(items) {
            buffer.write(&context, 0, &items);
            let mut recorder = Recorder::new(&context);
            sort.record(&mut recorder);
            recorder.submit();
            items.sort_by_key(|item| item.x);
            assert!(buffer.read(&context).unwrap() == items, "{n} items");
        }
    }
}
