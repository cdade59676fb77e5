// The colliders that one of the grid may touch: on its own level and on each wider one, in the cells where the middle of a box that
// meets its own can be, so that of two the smaller one finds the pair, of one level that in the lower cell, of one cell that
// with the lower number; and obstacles, each of which it looks at. What is held looks only on levels where anything moves. Who imports this has `fn note_pair(a: u32, b: u32)`.
#import shared/collider_grid
#import shared/collider_pairs

@group(0) @binding(202) var<storage, read> collider_first: array<u32>;
@group(0) @binding(203) var<storage, read> cell_colliders: array<PlacedCollider>;
@group(0) @binding(204) var<storage, read> collider_levels: array<u32>;

fn look_in(own: PlacedCollider, cell: vec3i, level: u32) {
    let place = vec4u(vec3u(cell), level);
    let at_home = all(place == own.cell);
    if level == own.cell.w && is_lower(cell, vec3i(own.cell.xyz)) {
        return;
    }
    let list = collider_list(cell, level, own.replica);
    let end = collider_first[list + 1u];
    for (var k = collider_first[list]; k < end; k++) {
        let other = cell_colliders[k];
        // Others are of another cell in the same list.
        let is_found_by_own = all(other.cell == place) && !(at_home && other.collider <= own.collider);
        if is_found_by_own && boxes_meet(own, other) {
            note_if_pair(own, other);
        }
    }
}

fn look_around(c: u32) {
    let own = placed_colliders[c];
    if own.collider == NONE {
        return;
    }
    look_at_obstacles(own);
    let size = max(abs(own.low), abs(own.high));
    // What rounding makes of places and lengths.
    let slack = 1e-6 * max(size.x, max(size.y, size.z));
    let lengths = select(BODY_LEVELS, 0u, own.moves > 0u);
    for (var level = own.cell.w; level < BODY_LEVELS; level++) {
        let bits = collider_levels[lengths + level];
        if bits == 0u {
            continue;
        }
        var low = vec3i();
        var high = vec3i();
        if level + 1u < BODY_LEVELS {
            let reach = 0.5 * bitcast<f32>(bits) + slack;
            low = collider_cell(own.low - reach, level);
            high = collider_cell(own.high + reach, level);
        }
        for (var x = 0u; x < MAX_LOOK; x++) {
            if low.x + i32(x) > high.x {
                break;
            }
            for (var y = 0u; y < MAX_LOOK; y++) {
                if low.y + i32(y) > high.y {
                    break;
                }
                for (var z = 0u; z < MAX_LOOK; z++) {
                    if low.z + i32(z) > high.z {
                        break;
                    }
                    look_in(own, low + vec3i(vec3u(x, y, z)), level);
                }
            }
        }
    }
}
