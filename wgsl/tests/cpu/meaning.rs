//! Values mean what WGSL says that they mean.

use crate::{Content, bits, floats, run, run_for};

/// The same bits, but for NaN, and the last bits of what is not exact.
fn assert_near(found: &[f32], expected: &[f32], at: &str) {
    assert_eq!(found.len(), expected.len(), "{at}");
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        let near = a == b || (a - b).abs() <= 1e-5 * b.abs() || (a.is_nan() && b.is_nan());
        assert!(near, "{at}, {k}: {a} instead of {b}");
    }
}

#[test]
fn functions_of_floats() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let given = [-0.25, 2.5, 3.5, -2.5, 0.0, 1e10, -1e10, inf, 0.75];
    // By hand: what Rust calls the same is not what the kernel's text becomes.
    let wholes = [-0.0, 2.0, 4.0, -2.0, 0.0, 1e10, -1e10, inf, 1.0];
    let fracts = [0.75, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0, nan, 0.75];
    let signs = [-1.0, 1.0, 1.0, -1.0, 0.0, 1.0, -1.0, 1.0, 1.0];
    let signed =
        [0.0, 2.0, 3.0, -2.0, 0.0, 2_147_483_648.0, -2_147_483_648.0, 2_147_483_648.0, 0.0];
    let unsigned = [0.0, 2.0, 3.0, 0.0, 0.0, 4_294_967_296.0, 0.0, 4_294_967_296.0, 0.0];
    let count = given.len();
    let [.., found, _] = run("scalars", 1, [bits(&given), vec![], vec![0; 20 * count], vec![]]);
    for (k, found) in floats(&found).chunks(20).enumerate() {
        let x = f64::from(given[k]);
        let t = ((x + 1.0) / 3.0).clamp(0.0, 1.0);
        let of_f64 = [
            x.abs(),
            x.floor(),
            x.ceil(),
            x.trunc(),
            x.min(1.0),
            x.max(2.0),
            x.clamp(-1.0, 1.0),
            x.clamp(0.0, 1.0),
            f64::from(x >= 0.5),
            t * t * (3.0 - 2.0 * t),
            0.75 * x + 0.75,
            x.abs().sqrt().recip(),
            x.exp(),
            x.abs().ln(),
            x.abs().powf(2.5),
        ];
        let first = [wholes[k], fracts[k], signs[k]];
        let last = [signed[k], unsigned[k]];
        let expected = [&first[..], &of_f64.map(|x| x as f32), &last].concat();
        assert_near(found, &expected, &format!("x = {x}"));
    }
}

#[test]
fn functions_of_integers() {
    let low = i32::MIN as u32;
    let pairs =
        [(7, 3), (u32::MAX, 2), (5, 0), (low, u32::MAX), (0, 33), (0x8000_00F0, 4), (12, 40)];
    let given = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
    let [.., found] = run("scalars", 1, [vec![], given, vec![], vec![0; 24 * pairs.len()]]);
    for ((a, b), found) in pairs.into_iter().zip(found.chunks(24)) {
        let (s, t) = (i64::from(a as i32), i64::from(b as i32));
        let (n, power) = (b % 32, 1_u64 << (b % 32));
        let highest =
            |bit: &dyn Fn(u32) -> bool| (0..32).rev().find(|k| bit(*k)).unwrap_or(u32::MAX);
        let set = |k: u32| a >> k & 1 == 1;
        let five = a >> 1 & 31;
        let expected = [
            (u64::from(a) + u64::from(b)) as u32,
            (i64::from(a) - i64::from(b)) as u32,
            (u64::from(a) * u64::from(b)) as u32,
            a.checked_div(b).unwrap_or(a),
            if b == 0 { 0 } else { a % b },
            (u64::from(a) * power) as u32,
            (u64::from(a) / power) as u32,
            if t == 0 { a } else { (s / t) as u32 },
            if t == 0 { 0 } else { (s % t) as u32 },
            s.div_euclid(power as i64) as u32,
            (-s) as u32,
            s.unsigned_abs() as u32,
            s.signum() as u32,
            (0..32).filter(|k| set(*k)).count() as u32,
            highest(&set),
            (0..32).find(|k| set(*k)).unwrap_or(u32::MAX),
            (0..32).map(|k| u32::from(set(k)) << (31 - k)).sum(),
            five,
            if five < 16 { five } else { five.wrapping_sub(32) },
            highest(&|k| set(k) != (s < 0)),
            (0..32).rev().take_while(|k| !set(*k)).count() as u32,
            if a < b { b } else { a },
            a.min(b) ^ !b,
            (a as f32).to_bits(),
        ];
        assert_eq!(found, expected, "a = {a}, b = {b}, shifted by {n}");
    }
}

#[test]
fn vectors_matrices_and_their_parts() {
    let place = [1.0, -2.0, 6.5];
    let other = [0.5, 0.25, -1.0];
    let turn = [[1.0, 2.0, 3.0], [0.0, 1.0, 4.0], [5.0, 6.0, 0.0]];
    let columns = turn.iter().flat_map(|[x, y, z]| [*x, *y, *z, 0.0]).collect::<Vec<_>>();
    let pairs = [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 0.0, 0.0];
    // A matrix begins at a multiple of 16 bytes: there is a gap before it, which nothing reads.
    let part = |place: [f32; 3], weight| {
        bits(&[&place[..], &[weight], &pairs[..6], &[77.0; 2], &columns].concat())
    };
    let parts = [part([0.0; 3], 0.0), part(place, 3.0)].concat();
    let [.., found] = run("vectors", 1, [part(other, 1.0), parts, vec![0; 60]]);
    let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let norm = |a: [f32; 3]| dot(a, a).sqrt();
    let rows = [0, 1, 2].map(|row| turn.map(|column| column[row]));
    let (p, q) = (place, other);
    let cross = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
    let both = [0, 1, 2];
    let reflected = both.map(|k| p[k] / norm(p) - (p[k] - 2.0 * dot(p, q) * q[k]));
    let mut expected = Vec::new();
    expected.extend(rows.map(|row| dot(row, p)));
    expected.extend(turn.map(|column| dot(column, p)));
    expected.extend(rows.map(|row| dot(row, rows[1])));
    expected.push(1.0 * (0.0 - 24.0) - 0.0 + 5.0 * (8.0 - 3.0));
    expected.extend(turn[2]);
    expected.extend([cross[2], cross[0], cross[1]]);
    expected.push(dot(p, q) + norm(p) + norm(both.map(|k| p[k] - q[k])));
    expected.extend(reflected);
    expected.extend([0.0, 15.0, 6.0, 0.0, 5.0, 4.0, 8.0, 3.0, 3.0]);
    expected.extend([1.0, 0.25, 6.5]);
    expected.extend([2.0, -4.0, 5.0]);
    expected.extend(both.map(|k| (p[k] + q[k]) / 2.0));
    expected.extend([2.0, 8.0, 8.0]);
    let count = 7 + expected.len();
    assert_near(&floats(&found)[7..count], &expected, "vectors");
    assert_eq!(found[count], count as u32);
    assert!(found[..7].iter().chain(&found[count + 1..]).all(|word| *word == 0));
}

#[test]
fn loops_and_branches() {
    let [found] = run("control", 3, [vec![0; 4 * 12]]);
    for (n, found) in (0_u32..).zip(found.chunks(4)) {
        let counted = (0..n).filter(|i| i % 3 != 1);
        let sum: u32 = counted.map(|i| (0..i).filter(|k| *k != 1).sum::<u32>()).sum();
        let kind = [10, 20, 30].get(n as usize).copied().unwrap_or(40);
        assert_eq!(found, [n, sum, kind, u32::from(n > 1)], "n = {n}");
    }
}

#[test]
fn atomic_operations() {
    let words = vec![0, 100, 50, 20, u32::MAX, 0, 0, 0, 0];
    let [words, signed, out] = run("atomics", 1, [words, vec![0, -99_i32 as u32], vec![0; 6]]);
    assert_eq!(words, [2016, 36, 3, 63, 0, 255, 0, 64, 64]);
    assert_eq!(signed, [-63_i32 as u32, -5_i32 as u32]);
    assert_eq!(out, [40, 0, 64, 128, 22 * 100 + 21, 128]);
}

#[test]
fn one_translation_serves_all_worlds() {
    let found = |poses, solids| {
        let content = Content { poses, solids, ..Content::NONE };
        let [[out]] = run_for(content, "holds", 1, [vec![0]]).map(|out| [out[0]]);
        out
    };
    assert_eq!([found(false, false), found(true, false), found(true, true)], [0, 5, 105]);
}
