// The colliders that one may touch, by box pruning: of the boxes in the order in which they begin along an axis those behind its
// own that begin before it ends, so that of two the one that begins first finds the pair [Cohen et al. 1995; Dvorak 2007]. And
// obstacles. Who imports this has `fn note_pair(a: u32, b: u32)`.
#import shared/collider_pairs
#import shared/sweep_along

@group(0) @binding(203) var<storage, read> cell_colliders: array<PlacedCollider>;

// From the one at place `k` of the order.
fn sweep_from(k: u32) {
    let own = cell_colliders[k];
    if own.collider == NONE {
        return;
    }
    look_at_obstacles(own);
    let axis = sweep_along[0];
    let end = along_sweep(own.high, axis);
    for (var j = k + 1u; j < collide.first_obstacle; j++) {
        let other = cell_colliders[j];
        if other.collider == NONE || along_sweep(other.low, axis) > end {
            break;
        }
        if boxes_meet(own, other) {
            note_if_pair(own, other);
        }
    }
}
