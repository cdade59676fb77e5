// A tetrahedron visits the cells of the grid that its box covers. The level is the finest at which they are few.
#import shared/inside

struct Visit {
    level: u32,
    first: vec3i,
    size: vec3u,          // in cells
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
    let first = grid_cell(low, level);
    let last = grid_cell(high, level);
    return Visit(level, first, min(vec3u(last - first) + 1u, vec3u(MAX_CELLS)));
}
