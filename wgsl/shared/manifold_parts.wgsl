// The manifolds that act in a step, those of each workgroup of manifold_prepare behind each other, and their own parts of the two
// bodies, which split their masses by its share. Who imports this binds manifolds and wrenches.
#import shared/pose_load
#import shared/friction
#import shared/contact_lists

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(207) var<storage, read> acting: array<u32>;

// The two bodies' parts.
struct Pair {
    a: PoseState,
    b: PoseState,
}

// The manifold of a thread; NONE: it has none.
fn acting_manifold(thread: u32) -> u32 {
    if thread >= contact_lists[LIST_TOUCHED] {
        return NONE;
    }
    return acting[thread];
}

fn part_of(i: u32, share: f32) -> PoseState {
    var state = pose_state(i);
    let times = split(state, share);
    state.inverse_mass *= times;
    state.diagonal *= times;
    state.off *= times;
    return state;
}

fn parts_of(dofs: vec2u, share: f32) -> Pair {
    return Pair(part_of(dofs.x, share), part_of(dofs.y, share));
}
