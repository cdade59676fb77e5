// Where the impulses of a contact of two bodies act: between the points of both that touch, on what is round where one side is, as
// what is not may rock on it; else on what moves where one side does not, else midway.
#import types

// How much of it is a's: of two points, or of the velocities that take them along.
fn weight_of_a(inverse_mass_a: f32, inverse_mass_b: f32, m: Manifold) -> f32 {
    let round = vec2<bool>(m.radii.x > 0.0 || (m.rolls & 15u) != 0u, m.radii.y > 0.0 || m.rolls > 15u);
    let by_motion = select(select(0.5, 0.0, inverse_mass_a == 0.0), 1.0, inverse_mass_b == 0.0);
    return select(by_motion, select(0.0, 1.0, round.x), round.x != round.y);
}
