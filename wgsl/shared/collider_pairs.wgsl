// Which colliders whose boxes meet are a pair, and the obstacles that one meets, each of which it looks at. Who imports this has
// `fn note_pair(a: u32, b: u32)`.
#import shared/collide

@group(0) @binding(200) var<storage, read> placed_colliders: array<PlacedCollider>;

fn boxes_meet(a: PlacedCollider, b: PlacedCollider) -> bool {
    return all(max(a.low, b.low) <= min(a.high, b.high));
}

// Notes two colliders that are no obstacles', whose boxes meet, if they may touch.
fn note_if_pair(a: PlacedCollider, b: PlacedCollider) {
    if a.replica == b.replica && a.pose != b.pose && a.moves + b.moves > 0u
        && bodies_meet(vec2u(a.group, a.mask), vec2u(b.group, b.mask)) {
        note_pair(min(a.collider, b.collider), max(a.collider, b.collider));
    }
}

fn look_at_obstacles(own: PlacedCollider) {
    if own.moves == 0u {
        return;
    }
    for (var o = collide.first_obstacle; o < collide.collider_count; o++) {
        let other = placed_colliders[o];
        var meets = boxes_meet(own, other);
        if other.kind == COLLIDER_PLANE {
            // The corner of the box that is deepest behind the border.
            meets = dot(other.low, select(own.high, own.low, other.low > vec3f())) <= other.high.x;
        }
        if meets {
            note_pair(own.collider, o);
        }
    }
}
