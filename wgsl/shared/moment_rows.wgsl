// The rows of Moments, which a workgroup adds up.
#import shared/sum_rows

const PART_ROWS: u32 = MOMENT_ROWS;

fn leave_columns(lane: u32, row: u32, a: mat3x3f, beside: vec3f) {
    let rows = columns_beside(a, beside);
    leave_row(lane, row, rows[0]);
    leave_row(lane, row + 1u, rows[1]);
    leave_row(lane, row + 2u, rows[2]);
}

fn leave_moments(lane: u32, m: Moments) {
    leave_columns(lane, 0u, m.linear, m.shift);
    leave_columns(lane, 3u, m.squares, m.velocity);
    leave_columns(lane, 6u, m.products, m.spread.d);
    leave_columns(lane, 9u, m.turn, m.spread.o);
}

fn columns_left(row: u32) -> mat3x3f {
    return mat3x3f(part_rows[row].xyz, part_rows[row + 1u].xyz, part_rows[row + 2u].xyz);
}

fn beside_left(row: u32) -> vec3f {
    return vec3f(part_rows[row].w, part_rows[row + 1u].w, part_rows[row + 2u].w);
}

// What stands in the rows of the first thread.
fn moments_left() -> Moments {
    return Moments(columns_left(0u), columns_left(3u), columns_left(6u), beside_left(0u), beside_left(3u),
                   columns_left(9u), Symmetric(beside_left(6u), beside_left(9u)));
}
