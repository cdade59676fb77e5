// The rows of MomentumPart, which a workgroup adds up; of what is held nothing counts.
#import shared/sum_rows
#import shared/momentum_part

const PART_ROWS: u32 = 6u;
// In place of the mass of what is held: more than the rest weighs.
const HELD: f32 = -1e30;

fn leave_momentum(lane: u32, sum: MomentumPart, held: bool) {
    leave_row(lane, 0u, select(sum.linear, vec4f(0.0, 0.0, 0.0, HELD), held));
    leave_row(lane, 1u, sum.angular);
    leave_row(lane, 2u, sum.start);
    leave_row(lane, 3u, sum.moment);
    leave_row(lane, 4u, sum.inertia);
    leave_row(lane, 5u, sum.motion);
}

fn joined_momentum(threads: u32, origin: vec3f) -> MomentumPart {
    let linear = joined_row(threads, 0u);
    if linear.w < 0.0 {
        return held_momentum(origin);
    }
    return MomentumPart(linear, joined_row(threads, 1u), joined_row(threads, 2u), joined_row(threads, 3u),
                        joined_row(threads, 4u), joined_row(threads, 5u), vec4f(origin, 0.0));
}
