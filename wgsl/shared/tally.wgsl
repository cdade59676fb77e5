// What a workgroup counts of a step's contacts, so that few threads add to words that all share. It begins, behind a barrier
// its threads count, and behind another it ends.
#import shared/collide

@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;

var<workgroup> tallies: array<atomic<u32>, STEP_WORDS>;

fn tally(word: u32, amount: u32) {
    atomicAdd(&tallies[word], amount);
}

// How deep a contact is inside [m], if it is, between bodies of this mean edge.
fn tally_depth(gap: f32, size: f32) {
    if gap > 0.0 {
        let depth = gap / size;
        tally(STEP_INSIDE, 1u);
        tally(STEP_DEPTH, u32(min(depth, 1e3) * DEPTH_UNIT));
        atomicMax(&tallies[STEP_DEEPEST], bitcast<u32>(depth));
    }
}

fn tally_begin(lane: u32) {
    if lane < STEP_WORDS {
        atomicStore(&tallies[lane], 0u);
    }
}

fn tally_end(lane: u32) {
    if lane < STEP_WORDS {
        let counted = atomicLoad(&tallies[lane]);
        if counted > 0u && lane == STEP_DEEPEST {
            atomicMax(&status[step_words() + lane], counted);
        } else if counted > 0u {
            atomicAdd(&status[step_words() + lane], counted);
        }
    }
}
