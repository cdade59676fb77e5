// How long before the end of a step its velocities are those of a motion at a time: half of an implicit step, as
// x - x_n = h v is the chord of a turn, at right angles to the arm in the middle of it.
#import shared/sim

fn half_chord() -> f32 {
    return select(0.0, 0.5 * sim.step, sim.implicit == IMPLICIT_STEP);
}
