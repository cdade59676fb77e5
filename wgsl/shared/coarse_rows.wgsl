// The rows of CoarsePart, which a workgroup adds up.
#import shared/sum_rows

const PART_ROWS: u32 = COARSE_ROWS;

fn leave_part(lane: u32, sum: CoarsePart) {
    leave_row(lane, 0u, sum.force);
    leave_row(lane, 1u, sum.torque);
    leave_row(lane, 2u, sum.diagonal);
    leave_row(lane, 3u, sum.off);
    leave_row(lane, 4u, sum.mixed_x);
    leave_row(lane, 5u, sum.mixed_y);
    leave_row(lane, 6u, sum.mixed_z);
}
