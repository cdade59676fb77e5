//! How simulated time follows the clock on the wall.

use std::collections::VecDeque;

/// Wall time that the simulation may take of one frame [s], or one step if that takes longer.
const BUDGET: f64 = 0.05;
/// Where all else takes longer than that, it may take as long, up to this [s].
const LARGEST_BUDGET: f64 = 0.2;
/// Time that is caught up after a hitch [s]; what is owed beyond is lost.
const CAUGHT_UP: f64 = 0.25;
/// Wall time over which the factor is taken [s].
const SPAN: f64 = 1.0;

/// Steps keep their length: where they take longer than they last, simulated time falls behind, and says by how much.
#[derive(Debug)]
pub struct Pace {
    /// When the last frame began [s].
    last: Option<f64>,
    /// Simulated time that is due [s].
    owed: f64,
    /// Wall time of a step [s], where it was measured.
    step_cost: Option<f64>,
    /// Length of the steps taken last, in lengths of the step that was to be taken: below 1 where it adapts.
    shortened: f64,
    /// Wall time of the last frame's steps [s].
    took: f64,
    /// Wall [s] and simulated time [s] at the frames of the last second.
    frames: VecDeque<[f64; 2]>,
}

/// Steps, and what they took.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Simulated time [s].
    pub simulated: f64,
    pub steps: u64,
    /// Length of the step that was to be taken [s].
    pub step: f64,
    /// Wall time [s].
    pub wall: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            last: None,
            owed: 0.0,
            step_cost: None,
            shortened: 1.0,
            took: 0.0,
            frames: VecDeque::new(),
        }
    }
}

impl Pace {
    /// Simulated time [s] to be taken in the frame that begins at `now` [s] with the world at `time` [s]. `step` [s]: the
    /// least there is.
    pub fn due(&mut self, now: f64, time: f64, step: f64) -> f64 {
        let passed = self.passed(now, time);
        self.owed = (self.owed + passed).min(CAUGHT_UP.max(step));
        let budget = (passed - self.took).clamp(BUDGET, LARGEST_BUDGET);
        self.took = 0.0;
        let affordable = self.step_cost.map_or(0.0, |cost| budget / cost * self.shortened * step);
        self.owed.min(affordable.max(step))
    }

    /// Wall time [s] since the last frame began, as another begins at `now` [s] with the world at `time` [s].
    pub fn passed(&mut self, now: f64, time: f64) -> f64 {
        self.frames.push_back([now, time]);
        while self.frames.len() > 2 && self.frames[1][0] <= now - SPAN {
            self.frames.pop_front();
        }
        self.last.replace(now).map_or(0.0, |last| (now - last).max(0.0))
    }

    /// Takes note of what was done.
    pub fn done(&mut self, taken: Taken) {
        self.owed -= taken.simulated;
        self.took += taken.wall;
        if taken.steps > 0 {
            let steps = taken.steps as f64;
            let cost = taken.wall / steps;
            // The first steps compile what later ones run.
            let mixed = |old: f64| old + if cost < old { 0.5 } else { 0.2 } * (cost - old);
            self.step_cost = Some(self.step_cost.map_or(cost, mixed));
            self.shortened = taken.simulated / (steps * taken.step);
        }
    }

    /// Steps are of another kind from now on: what one takes is not known.
    pub fn forget(&mut self) {
        (self.step_cost, self.shortened) = (None, 1.0);
    }

    /// Nothing is owed for the time that passes until the next frame.
    pub fn hold(&mut self) {
        self.last = None;
        self.owed = 0.0;
        self.frames.clear();
    }

    /// Simulated over wall time in the last second, once there was half of one.
    pub fn factor(&self) -> Option<f64> {
        let ([from, start], [to, end]) = (self.frames.front()?, self.frames.back()?);
        (to - from > 0.5 * SPAN).then(|| (end - start) / (to - from))
    }

    /// Wall time per simulated second, in steps of `step` [s].
    pub fn cost(&self, step: f64) -> Option<f64> {
        self.step_cost.map(|cost| cost / (self.shortened * step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(steps: f64, step: f64, wall: f64) -> Taken {
        Taken { simulated: steps * step, steps: steps as u64, step, wall }
    }

    /// A world of steps of `step` [s] that take `cost` times as long, drawn in 10 ms. Returns simulated and wall time, and the
    /// factor shown.
    fn run(step: f64, cost: f64, frames: usize) -> [f64; 3] {
        let (mut pace, mut now, mut time) = (Pace::default(), 100.0, 0.0);
        for _ in 0..frames {
            let steps = (pace.due(now, time, step) / step + 1e-9).floor();
            time += steps * step;
            pace.done(taken(steps, step, steps * step * cost));
            now += (steps * step * cost + 0.01).max(1.0 / 60.0);
        }
        [time, now - 100.0, pace.factor().unwrap_or(0.0)]
    }

    #[test]
    fn time_is_kept_where_the_machine_keeps_up() {
        for (step, cost) in [(1.0 / 1000.0, 0.1), (1.0 / 60.0, 0.3), (1.0 / 24.0, 0.3), (1e-5, 0.5)]
        {
            let [time, wall, factor] = run(step, cost, 600);
            assert!((time / wall - 1.0).abs() < 0.01, "{step} {cost}: {time} of {wall}");
            assert!((factor - 1.0).abs() < 0.05, "{factor}");
        }
    }

    #[test]
    fn time_falls_behind_where_it_does_not() {
        for (step, cost) in [(1.0 / 1000.0, 2.0), (1.0 / 60.0, 5.0), (0.1, 20.0)] {
            let [time, wall, factor] = run(step, cost, 200);
            let longest: f64 = wall / 200.0;
            assert!(time < 0.6 * wall, "{time} of {wall}");
            assert!(longest < (BUDGET + 0.02).max(step * cost + 0.02), "{longest}");
            let mean = time / wall;
            assert!((factor / mean - 1.0).abs() < 0.1, "{factor}, mean {mean}");
        }
    }

    /// A slider may make steps a thousand times shorter.
    #[test]
    fn shorter_steps_do_not_freeze_the_window() {
        let (mut pace, mut now, mut time) = (Pace::default(), 0.0, 0.0);
        for frame in 0..100 {
            let step = if frame < 50 { 1e-3 } else { 1e-6 };
            let steps = (pace.due(now, time, step) / step + 1e-9).floor();
            let wall = 1e-3 * steps;
            assert!(wall < 2.0 * BUDGET, "frame {frame} takes {wall}");
            time += steps * step;
            pace.done(taken(steps, step, wall));
            now += wall + 0.01;
        }
    }

    #[test]
    fn slow_pictures_leave_time_for_steps() {
        for (drawing, least) in [(0.02, 0.5), (0.15, 0.45), (1.0, 0.1)] {
            let (mut pace, mut now, mut busy) = (Pace::default(), 0.0, 0.0);
            for _ in 0..100 {
                let steps = (pace.due(now, now, 1e-3) / 1e-3 + 1e-9).floor();
                let wall = 0.02 * steps;
                busy += wall;
                pace.done(taken(steps, 1e-3, wall));
                now += wall + drawing;
            }
            assert!(busy > least * now, "{drawing}: {busy} of {now}");
        }
    }

    #[test]
    fn a_hitch_is_caught_up_and_a_break_is_not() {
        let mut pace = Pace::default();
        pace.due(0.0, 0.0, 0.001);
        pace.done(taken(1000.0, 0.001, 0.01));
        pace.owed = 0.0;
        assert!((pace.due(0.2, 0.0, 0.001) - 0.2).abs() < 1e-9);
        pace.done(taken(200.0, 0.001, 0.01));
        assert!((pace.due(60.0, 0.2, 0.001) - CAUGHT_UP).abs() < 1e-9);
        pace.hold();
        assert!(pace.due(90.0, 0.2, 0.001).abs() < 1e-9);
    }
}
