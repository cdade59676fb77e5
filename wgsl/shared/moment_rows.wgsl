// The rows of Moments, which a workgroup adds up: those that every cluster has, those of its motion, and those of its bending.
#import shared/sum_rows

const PART_ROWS: u32 = MOMENT_ROWS;

// How many a cluster has.
fn moment_rows(mode: u32, moving: bool) -> u32 {
    if mode == SHAPE_QUADRATIC {
        return MOMENT_ROWS;
    }
    return select(LINEAR_ROWS, MOVING_ROWS, moving);
}

fn leave_columns(lane: u32, row: u32, a: mat3x3f, beside: vec3f) {
    let rows = columns_beside(a, beside);
    leave_row(lane, row, rows[0]);
    leave_row(lane, row + 1u, rows[1]);
    leave_row(lane, row + 2u, rows[2]);
}

fn leave_moments(lane: u32, m: Moments, rows: u32) {
    leave_columns(lane, 0u, m.linear, m.shift);
    if rows > LINEAR_ROWS {
        leave_columns(lane, 3u, m.turn, m.velocity);
        leave_row(lane, 6u, vec4f(m.spread.d, 0.0));
        leave_row(lane, 7u, vec4f(m.spread.o, 0.0));
    }
    if rows > MOVING_ROWS {
        leave_columns(lane, 8u, m.squares, vec3f());
        leave_columns(lane, 11u, m.products, vec3f());
    }
}

fn columns_left(row: u32) -> mat3x3f {
    return mat3x3f(part_rows[row].xyz, part_rows[row + 1u].xyz, part_rows[row + 2u].xyz);
}

fn beside_left(row: u32) -> vec3f {
    return vec3f(part_rows[row].w, part_rows[row + 1u].w, part_rows[row + 2u].w);
}

// What stands in the rows of the first thread.
fn moments_left(rows: u32) -> Moments {
    var m = no_moments();
    m.linear = columns_left(0u);
    m.shift = beside_left(0u);
    if rows > LINEAR_ROWS {
        m.turn = columns_left(3u);
        m.velocity = beside_left(3u);
        m.spread = Symmetric(part_rows[6u].xyz, part_rows[7u].xyz);
    }
    if rows > MOVING_ROWS {
        m.squares = columns_left(8u);
        m.products = columns_left(11u);
    }
    return m;
}
