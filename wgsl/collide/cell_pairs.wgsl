// cell_pairs: one thread per place of cell_bodies. Its body looks on its own level of the grid, and on each wider one, through
// the cells where the middle of a box that meets its own can be, and notes each that it touches for both. Of two of one
// level the one in the lower cell does so, of two in one cell that with the lower number. What it does not see is at least as
// far away as it looks further than that.
// Reads cell_bodies, cell_first, bodies, boxes; updates meetings, contact_lists: the least gap.
#import shared/contact_lists
#import shared/body_box
#import shared/body_grid

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(37) var<storage, read_write> contact_lists: array<atomic<u32>>;
@group(0) @binding(182) var<storage, read> cell_first: array<u32>;
@group(0) @binding(183) var<storage, read> cell_bodies: array<BodyCell>;
@group(0) @binding(184) var<storage, read_write> meetings: array<atomic<u32>>;

// Notes that b touches o, with which it shares a box. The order does not matter to what comes of it.
fn note(b: u32, o: u32, both: Box) {
    let before = atomicAdd(&meetings[meeting(b)], 1u);
    if before < MAX_MEETINGS {
        atomicStore(&meetings[meeting(b) + 1u + before], o);
        return;
    }
    let rest = meeting_rest(b);
    for (var k = 0u; k < 3u; k++) {
        atomicMin(&meetings[rest + k], ordered(both.low[k]));
        atomicMin(&meetings[rest + 3u + k], ordered(-both.high[k]));
    }
    for (var k = 6u; k < BOX_WORDS; k++) {
        atomicMin(&meetings[rest + k], boxes[BOX_WORDS * o + k]);
    }
    atomicOr(&meetings[rest + BOX_WORDS], body_bit(o));
}

// Meets those of one cell; the least of `far` and the gaps.
fn look(own: BodyCell, cell: vec3i, level: u32, far: f32) -> f32 {
    var gap = far;
    let place = vec4u(vec3u(cell), level);
    let at_home = all(place == own.cell);
    if level == own.cell.w && is_lower(cell, vec3i(own.cell.xyz)) {
        return gap;
    }
    let list = body_list(cell, level, replica(own.body));
    let end = cell_first[list + 1u];
    for (var k = cell_first[list]; k < end; k++) {
        let o = cell_bodies[k].body;
        if at_home && o <= own.body {
            continue;
        }
        let both = Box(max(own.low, cell_bodies[k].low), 0u, min(own.high, cell_bodies[k].high), 0u);
        let apart = both.low - both.high;
        let most = max(apart.x, max(apart.y, apart.z));
        // Others are of another cell in the same list.
        if (most > 0.0 && most >= gap) || any(cell_bodies[k].cell != place) || replica(o) != replica(own.body)
            || bodies[own.body].rigid + bodies[o].rigid == 2u
            || !bodies_meet(vec2u(bodies[own.body].group, bodies[own.body].mask), vec2u(bodies[o].group, bodies[o].mask)) {
            continue;
        }
        if most > 0.0 {
            gap = most;
        } else {
            note(own.body, o, both);
            note(o, own.body, both);
        }
    }
    return gap;
}

@compute @workgroup_size(64)
fn cell_pairs(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, lane, 64u);
    if t >= cell_first[collide.body_table] {
        return;
    }
    let own = cell_bodies[t];
    let length = longest_side(own.low, own.high);
    let size = max(abs(own.low), abs(own.high));
    // What rounding makes of places and lengths.
    let slack = 1e-6 * max(size.x, max(size.y, size.z));
    var gap = 3e38;
    for (var level = own.cell.w; level < BODY_LEVELS; level++) {
        let bits = atomicLoad(&meetings[level]);
        if bits == 0u {
            continue;
        }
        let longest = bitcast<f32>(bits);
        var further = 3e38;
        var low = vec3i();
        var high = vec3i();
        if level + 1u < BODY_LEVELS {
            // A little further than a box can be that meets it, but not through more cells than there must be.
            let width = f32(1u << level) / collide.inverse_body_cell;
            further = clamp(0.5 * (2.0 * width - length - longest), 0.0, LOOK_FURTHER * length);
            let reach = 0.5 * longest + further + slack;
            low = body_cell(own.low - reach, level);
            high = body_cell(own.high + reach, level);
        }
        gap = min(gap, further);
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
                    gap = look(own, low + vec3i(vec3u(x, y, z)), level, gap);
                }
            }
        }
    }
    atomicMin(&contact_lists[LIST_GAP], bitcast<u32>(gap));
}
