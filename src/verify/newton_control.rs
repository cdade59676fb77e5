//! What Newton's method decides: every turn that it can take.

use glam::{UVec4, Vec4};

use super::trial::Arrays;
use super::{Bench, ErrorStats};
use crate::Result;
use crate::gpu::types::{
    GATE_CONJUGATE, GATE_FOLLOW, GATE_LINEAR, GATE_MOVE, GATE_OPEN, GATE_TEST, NEWTON_CONJUGATE,
    NEWTON_DONE, NEWTON_END, NEWTON_FOLLOWED, NEWTON_OPEN, NEWTON_TEST, NEWTON_WORDS, NONE, Newton,
    SLICE, Sim,
};

pub const CHECKS: super::Checks = &[("newton_control", super::Check::Trial(control))];

/// A state, the stage and its sums as they are to be, and what follows.
struct Decision {
    name: &'static str,
    before: Newton,
    stage: u32,
    /// Whether there are contacts.
    touches: bool,
    sum: [f64; 4],
    phase: u32,
    gates: &'static [u32],
    /// What else changes.
    after: fn(&mut Newton, [f64; 4]),
}

const TOLERANCE: f32 = 1e-2;

fn decisions() -> Vec<Decision> {
    let newton = |phase: u32, iterations: u32| Newton {
        phase,
        iterations,
        gates: 9,
        rounds: 3,
        slope: 2.0,
        taken: 1.0,
        gamma: 4.0,
        alpha: 0.5,
        goal: 0.01,
        conjugate: 3,
        conjugate_sum: 5,
        ..Newton::default()
    };
    let decision = |name, before, stage, sum, phase, gates, after| Decision {
        name,
        before,
        stage,
        touches: false,
        sum,
        phase,
        gates,
        after,
    };
    let opened: fn(&mut Newton, [f64; 4]) = |n, s| {
        n.residual = (s[1].sqrt() / s[2].sqrt()) as f32;
    };
    let mut all = vec![
        decision(
            "the first",
            newton(NEWTON_TEST, 0),
            NEWTON_TEST,
            [0.0, -9.0, 0.0, 0.0],
            NEWTON_OPEN,
            &[GATE_OPEN],
            |n, _| n.rounds += 1,
        ),
        decision(
            "a good change",
            newton(NEWTON_TEST, 1),
            NEWTON_TEST,
            [0.0, -0.9, 0.0, 0.0],
            NEWTON_OPEN,
            &[GATE_OPEN],
            |n, _| n.rounds += 1,
        ),
        decision(
            "too far",
            newton(NEWTON_TEST, 1),
            NEWTON_TEST,
            [0.0, -1.5, 0.0, 0.0],
            NEWTON_TEST,
            &[GATE_MOVE, GATE_TEST],
            |n, s| {
                n.rounds += 1;
                n.tries += 1;
                n.taken = (2.0 / (2.0 - s[1])) as f32;
                n.share = (2.0 / (2.0 - s[1]) - 1.0) as f32;
            },
        ),
        decision(
            "not its turn",
            newton(NEWTON_CONJUGATE, 1),
            NEWTON_TEST,
            [0.0; 4],
            NEWTON_CONJUGATE,
            &[0, 3],
            |n, _| n.rounds += 1,
        ),
        decision(
            "small",
            newton(NEWTON_OPEN, 0),
            NEWTON_OPEN,
            [0.0, 1e-4, 9.0, 0.0],
            NEWTON_DONE,
            &[],
            opened,
        ),
        decision(
            "large",
            newton(NEWTON_OPEN, 0),
            NEWTON_OPEN,
            [0.0, 1.0, 4.0, 0.0],
            NEWTON_CONJUGATE,
            &[GATE_LINEAR, GATE_CONJUGATE],
            |n, s| {
                n.residual = (s[1].sqrt() / s[2].sqrt()) as f32;
                (n.conjugate, n.slope, n.goal) = (0, 0.0, 1e-3);
            },
        ),
        decision(
            "used up",
            newton(NEWTON_OPEN, 9),
            NEWTON_OPEN,
            [0.0, 1.0, 4.0, 0.0],
            NEWTON_DONE,
            &[],
            |n, s| {
                n.residual =
                    (s[1].sqrt() / (s[2].sqrt() + s[3].sqrt() / f64::from(TOLERANCE))) as f32;
            },
        ),
        decision(
            "rounding",
            newton(NEWTON_FOLLOWED, 2),
            NEWTON_FOLLOWED,
            [0.0, 1.0, 4.0, 4.0],
            NEWTON_DONE,
            &[],
            |n, s| {
                n.residual =
                    (s[1].sqrt() / (s[2].sqrt() + s[3].sqrt() / f64::from(TOLERANCE))) as f32;
            },
        ),
        decision(
            "first iteration",
            Newton {
                conjugate: 0,
                goal: 0.25,
                ..newton(NEWTON_CONJUGATE, 1)
            },
            NEWTON_CONJUGATE,
            [3.0, 6.0, 0.0, 0.0],
            NEWTON_CONJUGATE,
            &[GATE_CONJUGATE],
            |n, s| {
                let alpha = s[0] / s[1];
                (n.alpha, n.beta, n.gamma) = (alpha as f32, 0.0, s[0] as f32);
                n.goal = (0.25 * s[0]) as f32;
                n.slope = (2.0 + alpha * s[0]) as f32;
                (n.conjugate, n.conjugate_sum) = (1, 6);
            },
        ),
        decision(
            "next iteration",
            newton(NEWTON_CONJUGATE, 1),
            NEWTON_CONJUGATE,
            [1.0, 6.0, 0.0, 0.0],
            NEWTON_CONJUGATE,
            &[GATE_CONJUGATE],
            |n, s| {
                let beta = s[0] / 4.0;
                let alpha = s[0] / (s[1] - beta * s[0] / 0.5);
                (n.alpha, n.beta, n.gamma) = (alpha as f32, beta as f32, s[0] as f32);
                n.slope = (2.0 + alpha * s[0]) as f32;
                (n.conjugate, n.conjugate_sum) = (4, 6);
            },
        ),
        decision(
            "arrived",
            newton(NEWTON_CONJUGATE, 1),
            NEWTON_CONJUGATE,
            [0.005, 6.0, 0.0, 0.0],
            NEWTON_TEST,
            &[GATE_MOVE, GATE_TEST],
            |n, s| {
                n.beta = (s[0] / 4.0) as f32;
                (n.iterations, n.taken, n.share, n.tries) = (2, 1.0, 1.0, 0);
            },
        ),
        decision(
            "no curvature",
            newton(NEWTON_CONJUGATE, 1),
            NEWTON_CONJUGATE,
            [1.0, 0.1, 0.0, 0.0],
            NEWTON_TEST,
            &[GATE_MOVE, GATE_TEST],
            |n, s| {
                n.beta = (s[0] / 4.0) as f32;
                (n.iterations, n.taken, n.share, n.tries) = (2, 1.0, 1.0, 0);
            },
        ),
        decision(
            "the end",
            Newton {
                residual: 0.5,
                ..newton(NEWTON_DONE, 4)
            },
            NEWTON_END,
            [0.0; 4],
            NEWTON_TEST,
            &[GATE_TEST],
            |n, _| {
                *n = Newton::default();
            },
        ),
    ];
    let followed = decision(
        "followed",
        newton(NEWTON_OPEN, 0),
        NEWTON_OPEN,
        [0.0, 1e-2, 4.0, 0.0],
        NEWTON_FOLLOWED,
        &[GATE_FOLLOW],
        opened,
    );
    all.push(Decision {
        touches: true,
        ..followed
    });
    all
}

/// Every decision: the next state, the gates, and what the end of a step counts. After a fault all is done.
fn control(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let count = bench.len();
    let slices = count.div_ceil(SLICE as usize);
    let plan: Vec<_> = (0..70).map(|k| UVec4::new(k + 1, 2, 3, k % 6)).collect();
    for decision in decisions() {
        // The sums of no particles are 0.
        let total = if slices == 0 { [0.0; 4] } else { decision.sum };
        if slices == 0 && decision.stage != NEWTON_END {
            continue;
        }
        let part = |k: usize| {
            let share = |c: usize| match k {
                0 => total[c] as f32 - (slices - 1) as f32 * 0.125 * total[c] as f32,
                _ => 0.125 * total[c] as f32,
            };
            Vec4::new(share(0), share(1), share(2), share(3))
        };
        let sums: Vec<_> = (0..slices).map(part).collect();
        let mut status = vec![0; bench.status_words()];
        status[0] = NONE;
        let arrays: &Arrays<'_> = &[
            ("newton", &[decision.before]),
            ("sums", &sums),
            ("status", &status),
            ("gate_plan", &plan),
            ("gates", &vec![77_u32; 3 * plan.len()]),
        ];
        let sim = Sim {
            stage: decision.stage,
            first_stage: decision.touches.into(),
            tolerance: TOLERANCE,
            iterations: 9,
            ..bench.case.sim
        };
        let after = bench.run(sim, 64, arrays)?;
        let mut want = decision.before;
        (decision.after)(&mut want, total);
        want.phase = decision.phase;
        want.gates = decision.gates.iter().map(|gate| 1 << gate).sum();
        let got = after.get::<Newton>("newton")[0];
        compare(&got, &want, errors);
        let open = |way: &UVec4| [way.x, way.y, way.z].map(|n| n * ((want.gates >> way.w) & 1));
        let wanted: Vec<_> = plan.iter().flat_map(open).collect();
        errors.words(&after.get::<u32>("gates"), &wanted);
        let mut words = status.clone();
        if decision.stage == NEWTON_END {
            let before = &decision.before;
            let counted = [0, before.rounds, 4, 4, 5, 5, before.residual.to_bits(), 1];
            let first = words.len() - NEWTON_WORDS as usize;
            words[first..].copy_from_slice(&counted);
        }
        errors.words(&after.get::<u32>("status"), &words);
        errors.holds(!decision.name.is_empty());
        if decision.stage == NEWTON_OPEN && decision.before.phase == NEWTON_OPEN {
            status[0] = 5;
            let arrays: &Arrays<'_> = &[
                ("newton", &[decision.before]),
                ("sums", &sums),
                ("status", &status),
                ("gate_plan", &plan),
                ("gates", &vec![77_u32; 3 * plan.len()]),
            ];
            let after = bench.run(sim, 64, arrays)?;
            errors.words(&[after.get::<Newton>("newton")[0].phase], &[NEWTON_DONE]);
            errors.words(&after.get::<u32>("gates"), &vec![0; 3 * plan.len()]);
        }
    }
    Ok(())
}

fn compare(got: &Newton, want: &Newton, errors: &mut ErrorStats) {
    let words = |n: &Newton| {
        [
            n.phase,
            n.gates,
            n.iterations,
            n.conjugate,
            n.conjugate_sum,
            n.rounds,
            n.tries,
        ]
    };
    errors.words(&words(got), &words(want));
    let numbers = |n: &Newton| {
        [
            n.gamma, n.alpha, n.beta, n.goal, n.slope, n.taken, n.share, n.residual,
        ]
    };
    for (got, want) in numbers(got).into_iter().zip(numbers(want)) {
        errors.number(got, f64::from(want), 10.0 * f64::from(want.abs()) + 1.0);
    }
}
