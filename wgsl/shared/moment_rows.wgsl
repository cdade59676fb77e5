// The rows of Moments, which a workgroup adds up.
#import shared/sum_rows

const PART_ROWS: u32 = MOMENT_ROWS;

fn leave_columns(lane: u32, row: u32, a: mat3x3f) {
    leave_row(lane, row, vec4f(a[0], 0.0));
    leave_row(lane, row + 1u, vec4f(a[1], 0.0));
    leave_row(lane, row + 2u, vec4f(a[2], 0.0));
}

fn leave_moments(lane: u32, m: Moments) {
    leave_columns(lane, 0u, m.linear);
    leave_columns(lane, 3u, m.squares);
    leave_columns(lane, 6u, m.products);
    leave_row(lane, 9u, vec4f(m.shift, 0.0));
    leave_row(lane, 10u, vec4f(m.velocity, 0.0));
    leave_row(lane, 11u, vec4f(m.spin, 0.0));
    leave_row(lane, 12u, vec4f(m.spread.d, 0.0));
    leave_row(lane, 13u, vec4f(m.spread.o, 0.0));
}

fn columns_left(row: u32) -> mat3x3f {
    return mat3x3f(part_rows[row].xyz, part_rows[row + 1u].xyz, part_rows[row + 2u].xyz);
}

// What stands in the rows of the first thread.
fn moments_left() -> Moments {
    return Moments(columns_left(0u), columns_left(3u), columns_left(6u), part_rows[9u].xyz, part_rows[10u].xyz,
                   part_rows[11u].xyz, Symmetric(part_rows[12u].xyz, part_rows[13u].xyz));
}
