//! What Newton's method decides: every turn that it can take.

use glam::{DVec4, UVec4};

use super::trial::Arrays;
use super::{Bench, Check, Checks, ErrorStats};
use crate::Result;
use crate::gpu::types::{
    CHUNK, GATE_CONJUGATE, GATE_FOLLOW, GATE_LINEAR, GATE_MOVE, GATE_OPEN, GATE_TEST,
    NEWTON_CONJUGATE, NEWTON_DONE, NEWTON_END, NEWTON_FOLLOWED, NEWTON_OPEN, NEWTON_SHORT,
    NEWTON_TEST, NONE, Newton, Sim,
};

pub const CHECKS: Checks = &[("newton_control", Check::Trial(control))];

/// The method under way.
#[derive(Clone, Copy)]
struct Before {
    newton: Newton,
    /// The stage and its sums.
    stage: u32,
    sum: [f64; 4],
    /// Whether there are contacts.
    touches: bool,
}

/// What it decides.
struct Decision {
    before: Before,
    phase: u32,
    gates: &'static [u32],
    /// What else changes.
    after: fn(&mut Newton, [f64; 4]),
}

impl Before {
    /// A turn of this stage after so many iterations.
    fn new(stage: u32, iterations: u32, sum: [f64; 4]) -> Self {
        let newton = Newton {
            phase: stage,
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
        Self { newton, stage, sum, touches: false }
    }

    fn decides(
        self,
        phase: u32,
        gates: &'static [u32],
        after: fn(&mut Newton, [f64; 4]),
    ) -> Decision {
        Decision { before: self, phase, gates, after }
    }
}

const TOLERANCE: f32 = 1e-2;

/// Of changes that were tried.
fn tests() -> [Decision; 4] {
    let test = |iterations, change| Before::new(NEWTON_TEST, iterations, [0.0, change, 0.0, 0.0]);
    let elsewhere = Before { stage: NEWTON_TEST, ..Before::new(NEWTON_CONJUGATE, 1, [0.0; 4]) };
    let again: fn(&mut Newton, [f64; 4]) = |n, _| n.rounds += 1;
    [
        // The first.
        test(0, -9.0).decides(NEWTON_OPEN, &[GATE_OPEN], again),
        // A good one.
        test(1, -0.9).decides(NEWTON_OPEN, &[GATE_OPEN], again),
        // One that goes too far.
        test(1, -1.5).decides(NEWTON_TEST, &[GATE_MOVE, GATE_TEST], |n, s| {
            n.rounds += 1;
            n.tries += 1;
            n.taken = (2.0 / (2.0 - s[1])) as f32;
            n.share = (2.0 / (2.0 - s[1]) - 1.0) as f32;
        }),
        // Not its turn.
        elsewhere.decides(NEWTON_CONJUGATE, &[0, 3], again),
    ]
}

/// Of residuals.
fn residuals() -> [Decision; 7] {
    let open = |iterations, sum| Before::new(NEWTON_OPEN, iterations, sum);
    let opened: fn(&mut Newton, [f64; 4]) = |n, s| {
        n.residual = (s[1].sqrt() / s[2].sqrt()) as f32;
    };
    let rounded: fn(&mut Newton, [f64; 4]) = |n, s| {
        n.residual = (s[1].sqrt() / (s[2].sqrt() + s[3].sqrt() / f64::from(TOLERANCE))) as f32;
    };
    let touching = |iterations, sum| Before { touches: true, ..open(iterations, sum) };
    let begun: fn(&mut Newton, [f64; 4]) = |n, s| {
        n.residual = (s[1].sqrt() / (s[2].sqrt() + s[3].sqrt() / f64::from(TOLERANCE))) as f32;
        (n.conjugate, n.slope) = (0, 0.0);
        let part = 0.5 * TOLERANCE / n.residual;
        n.goal = (part * part).max(1e-3);
    };
    [
        // A small one.
        open(0, [0.0, 1e-4, 9.0, 0.0]).decides(NEWTON_DONE, &[], opened),
        // A large one.
        open(0, [0.0, 1.0, 4.0, 0.0]).decides(
            NEWTON_CONJUGATE,
            &[GATE_LINEAR, GATE_CONJUGATE],
            |n, s| {
                n.residual = (s[1].sqrt() / s[2].sqrt()) as f32;
                (n.conjugate, n.slope, n.goal) = (0, 0.0, 1e-3);
            },
        ),
        // After all iterations.
        open(9, [0.0, 1.0, 4.0, 0.0]).decides(NEWTON_DONE, &[], rounded),
        // By rounding.
        Before::new(NEWTON_FOLLOWED, 2, [0.0, 1.0, 4.0, 4.0]).decides(NEWTON_DONE, &[], rounded),
        // Contacts follow it.
        touching(0, [0.0, 1e-2, 4.0, 0.0]).decides(NEWTON_FOLLOWED, &[GATE_FOLLOW], opened),
        // Not one that is small beside its rounding alone.
        touching(2, [0.0, 4.0, 4.0, 4e-2]).decides(
            NEWTON_CONJUGATE,
            &[GATE_LINEAR, GATE_CONJUGATE],
            begun,
        ),
        // One as small as is asked for with rounding.
        touching(2, [0.0, 4.0, 4.0, 4.0]).decides(NEWTON_FOLLOWED, &[GATE_FOLLOW], rounded),
    ]
}

/// Of conjugate gradients, and the end of a step.
fn gradients() -> [Decision; 5] {
    let conjugate = |sum| Before::new(NEWTON_CONJUGATE, 1, sum);
    let mut first = conjugate([3.0, 6.0, 0.0, 0.0]);
    (first.newton.conjugate, first.newton.goal) = (0, 0.25);
    let mut end = Before { stage: NEWTON_END, ..Before::new(NEWTON_DONE, 4, [0.0; 4]) };
    end.newton.residual = 0.5;
    let arrived: fn(&mut Newton, [f64; 4]) = |n, s| {
        n.beta = (s[0] / 4.0) as f32;
        (n.iterations, n.taken, n.share, n.tries) = (2, 1.0, 1.0, 0);
    };
    [
        first.decides(NEWTON_CONJUGATE, &[GATE_CONJUGATE], |n, s| {
            let alpha = s[0] / s[1];
            (n.alpha, n.beta, n.gamma) = (alpha as f32, 0.0, s[0] as f32);
            n.goal = (0.25 * s[0]) as f32;
            n.slope = (2.0 + alpha * s[0]) as f32;
            (n.conjugate, n.conjugate_sum) = (1, 6);
        }),
        // The next.
        conjugate([1.0, 6.0, 0.0, 0.0]).decides(NEWTON_CONJUGATE, &[GATE_CONJUGATE], |n, s| {
            let beta = s[0] / 4.0;
            let alpha = s[0] / (s[1] - beta * s[0] / 0.5);
            (n.alpha, n.beta, n.gamma) = (alpha as f32, beta as f32, s[0] as f32);
            n.slope = (2.0 + alpha * s[0]) as f32;
            (n.conjugate, n.conjugate_sum) = (4, 6);
        }),
        // The last.
        conjugate([0.005, 6.0, 0.0, 0.0]).decides(NEWTON_TEST, &[GATE_MOVE, GATE_TEST], arrived),
        // No curvature.
        conjugate([1.0, 0.1, 0.0, 0.0]).decides(NEWTON_TEST, &[GATE_MOVE, GATE_TEST], arrived),
        end.decides(NEWTON_TEST, &[GATE_TEST], |n, _| *n = Newton::default()),
    ]
}

/// Every decision: the next state, the gates, and what the end of a step counts. After a fault all is done.
fn control(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let decisions = tests().into_iter().chain(residuals()).chain(gradients());
    // The sums of no particles are 0.
    decisions
        .filter(|decision| bench.len() > 0 || decision.before.stage == NEWTON_END)
        .try_for_each(|decision| decide(&decision, bench, errors))
}

fn decide(decision: &Decision, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let Before { newton, stage, sum, .. } = decision.before;
    let chunks = bench.len();
    let part = |k: usize| {
        let whole = DVec4::from(sum).as_vec4();
        match k % 2 {
            _ if k == 0 => (1.0 - 0.125 * ((chunks - 1) % 2) as f32) * whole,
            1 => 0.125 * whole,
            _ => -0.125 * whole,
        }
    };
    let sums: Vec<_> = (0..chunks).map(part).collect();
    let plan: Vec<_> = (0..70).map(|k| UVec4::new(k + 1, 2, 3, k % 6)).collect();
    let mut status = vec![0; bench.status_words()];
    status[0] = NONE;
    let sim = Sim {
        stage,
        first_stage: decision.before.touches.into(),
        tolerance: TOLERANCE,
        iterations: 9,
        unknown_count: CHUNK * bench.len() as u32,
        ..bench.case.sim
    };
    let run = |status: &Vec<u32>| {
        let arrays: &Arrays<'_> = &[
            ("newton", &[newton]),
            ("sums", &sums),
            ("status", status),
            ("gate_plan", &plan),
            ("gates", &vec![77_u32; 3 * plan.len()]),
        ];
        bench.run(sim, 64, arrays)
    };
    let after = run(&status)?;
    let mut want = newton;
    (decision.after)(&mut want, sum);
    want.phase = decision.phase;
    want.gates = decision.gates.iter().map(|gate| 1 << gate).sum();
    compare(&after.get::<Newton>("newton")[0], &want, errors);
    let open = |way: &UVec4| [way.x, way.y, way.z].map(|n| n * ((want.gates >> way.w) & 1));
    let wanted: Vec<_> = plan.iter().flat_map(open).collect();
    errors.words(&after.get::<u32>("gates"), &wanted);
    let mut words = status.clone();
    if stage == NEWTON_END {
        let counted = [0, newton.rounds, 4, 4, 5, 5, newton.residual.to_bits(), 1];
        words[NEWTON_SHORT as usize..][..counted.len()].copy_from_slice(&counted);
    }
    errors.words(&after.get::<u32>("status"), &words);
    if stage == NEWTON_OPEN && newton.phase == NEWTON_OPEN {
        status[0] = 5;
        let after = run(&status)?;
        errors.words(&[after.get::<Newton>("newton")[0].phase], &[NEWTON_DONE]);
        errors.words(&after.get::<u32>("gates"), &vec![0; 3 * plan.len()]);
    }
    Ok(())
}

fn compare(got: &Newton, want: &Newton, errors: &mut ErrorStats) {
    errors.kept(got, want, |n, got| {
        (n.gamma, n.alpha, n.beta, n.goal) = (got.gamma, got.alpha, got.beta, got.goal);
        (n.slope, n.taken, n.share) = (got.slope, got.taken, got.share);
        n.residual = got.residual;
    });
    let numbers = |n: &Newton| {
        let first = [n.gamma, n.alpha, n.beta, n.goal];
        [first, [n.slope, n.taken, n.share, n.residual]].concat()
    };
    for (got, want) in numbers(got).into_iter().zip(numbers(want)) {
        errors.number(got, f64::from(want), 10.0 * f64::from(want.abs()) + 1.0);
    }
}
