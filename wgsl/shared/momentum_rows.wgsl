// Momenta and masses, which a workgroup adds up; of what is held neither counts.
#import shared/sum_rows

const PART_ROWS: u32 = 1u;
// In place of the mass of what is held: more than the rest weighs.
const HELD: f32 = -1e30;

fn leave_momentum(lane: u32, sum: vec4f, held: bool) {
    leave_row(lane, 0u, select(sum, vec4f(0.0, 0.0, 0.0, HELD), held));
}

// w is -1 where anything is held.
fn joined_momentum(threads: u32) -> vec4f {
    let all = joined_row(threads, 0u);
    return select(all, vec4f(0.0, 0.0, 0.0, -1.0), all.w < 0.0);
}
