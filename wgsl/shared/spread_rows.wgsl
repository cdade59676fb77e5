// Boxes around the middles of colliders' boxes, which a workgroup brings together.
#import shared/least_rows

const PART_ROWS: u32 = 2u;

// Per CHUNK colliders the least coordinates, and the least of what is opposite to them.
@group(0) @binding(234) var<storage, read_write> spread_parts: array<vec4f>;

fn leave_spread(lane: u32, low: vec3f, high: vec3f) {
    leave_row(lane, 0u, vec4f(low, 0.0));
    leave_row(lane, 1u, vec4f(-high, 0.0));
}
