// A tetrahedron visits the cells of the grid that its box covers. The level is the finest at which they are few.
#import shared/inside

struct Visit {
    level: u32,
    first: vec3i,
    size: vec3u,          // in cells
    at: vec3u,            // the next one; at.z = size.z after the last
}

// The next cell.
fn visit_cell(visit: Visit) -> vec3i {
    return visit.first + vec3i(visit.at);
}

fn visit_next(visit: Visit) -> Visit {
    var next = visit;
    next.at.x++;
    if next.at.x == visit.size.x {
        next.at.x = 0u;
        next.at.y++;
        if next.at.y == visit.size.y {
            next.at.y = 0u;
            next.at.z++;
        }
    }
    return next;
}

fn visit_ended(visit: Visit) -> bool {
    return visit.at.z == visit.size.z;
}

// Through the cells of a level from one to another.
fn visit_box(low: vec3f, high: vec3f, level: u32) -> Visit {
    let first = grid_cell(low, level);
    let size = min(vec3u(grid_cell(high, level) - first) + 1u, vec3u(MAX_CELLS));
    return Visit(level, first, size, vec3u());
}

// Through none.
fn visit_none() -> Visit {
    return Visit(0u, vec3i(), vec3u(), vec3u());
}

fn visit_begin(low: vec3f, high: vec3f) -> Visit {
    let size = high - low;
    let extent = max(size.x, max(size.y, size.z));
    var level = 0u;
    for (var k = 1u; k < collide.levels; k++) {
        if extent * grid_inverse_cell(k - 1u) > MAX_VISIT {
            level = k;
        }
    }
    return visit_box(low, high, level);
}
