// Fast points, which come further in this step than MAX_AHEAD edges: they are looked for all along their way, from
// x + delta n on for MAX_WAY edges at the most.
#import shared/inside
#import shared/segment

struct WayAhead {
    start: vec3f,
    way: vec3f,
}

// The largest components of their ways; 0 where there are none.
fn longest_ways() -> vec3f {
    let first = grid_longest();
    return bitcast<vec3f>(vec3u(grid[first], grid[first + 1u], grid[first + 2u]));
}

fn is_fast(i: u32) -> bool {
    return grid[grid_fast(i)] > 0u;
}

fn fast_way(i: u32) -> WayAhead {
    let point = tested[i];
    let start = particles_in[i].position + point.margin * point.normal;
    return WayAhead(start, bitcast<f32>(grid[grid_fast(i)]) * (point.position - start));
}

// The part of a point's way in a tetrahedron, with the slack that points have.
fn part_of_way(inside: Inside, point: Tested, along: WayAhead) -> Part {
    let reach = RIM_SLACK * point.margin;
    let end = along.start + along.way;
    if any(max(along.start, end) < inside.low - reach) || any(min(along.start, end) > inside.high + reach) {
        return Part(1.0, 0.0);
    }
    let slack = vec4f(inside_slack(inside.gradients[0], inside.surface.x, point),
                      inside_slack(inside.gradients[1], inside.surface.y, point),
                      inside_slack(inside.gradients[2], inside.surface.z, point),
                      inside_slack(inside.gradients[3], inside.surface.w, point));
    return segment_part(shares_at(inside, along.start) + slack, shares_at(inside, end) + slack);
}
