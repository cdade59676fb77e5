// points_in_tets: one thread per tetrahedron. Tests the points of other bodies in the cells that it covers: its box,
// then barycentric coordinates [Teschner et al. 2003, section 3.4]. A point's list has each body that holds it, in
// order, with the tetrahedron that the point is deepest in; of a fast one then each body that it comes through on its way,
// with the tetrahedron that it enters first.
// Reads particles_in, tets, overlaps, tested, grid; writes hits, counts.
#import shared/fast
#import shared/hits
#import shared/visit
#import shared/overlaps

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(28) var<storage, read> tested: array<Tested>;
@group(0) @binding(29) var<storage, read> grid: array<u32>;
@group(0) @binding(30) var<storage, read> tets: array<Tet>;

// Less than any depth of a point that is held.
const ON_ITS_WAY: f32 = -16.0;

fn hit_worth(i: u32, tet: u32) -> f32 {
    let inside = inside_begin(tets[tet]);
    let point = tested[i];
    if is_fast(i) && !inside_holds(inside, point) {
        return ON_ITS_WAY - part_of_way(inside, point, fast_way(i)).first;
    }
    return least_share(inside, point.position);
}

// Whether a fast point meets a tetrahedron on its way.
fn comes_through(i: u32, inside: Inside) -> bool {
    if !is_fast(i) {
        return false;
    }
    let part = part_of_way(inside, tested[i], fast_way(i));
    return part.first < part.last;
}

// Tests the points in a list.
fn visit_list(t: u32, body: u32, level: u32, slot: u32, inside: Inside, any_fast: bool) {
    var i = grid[slot];
    for (var k = 0u; k < MAX_LIST; k++) {
        if i == NONE {
            break;
        }
        let point = tested[i];
        if point.body != body && overlap_meet(body, point.body)
            && (inside_holds(inside, point) || (any_fast && comes_through(i, inside))) {
            hit_enter(i, t);
        }
        i = grid[grid_next(level, i)];
    }
}

// Tests the points of the bodies with these bits in a cell.
fn visit_bodies(t: u32, body: u32, bodies: u32, level: u32, cell: vec3i, inside: Inside, any_fast: bool) {
    var bits = bodies & grid[grid_bits(cell, level, body)];
    for (var k = 0u; k < BODY_BITS; k++) {
        if bits == 0u {
            break;
        }
        let owner = grid_owner_of_bit(body, firstTrailingBit(bits));
        visit_list(t, body, level, grid_slot(cell, level, owner), inside, any_fast);
        bits &= bits - 1u;
    }
}

@compute @workgroup_size(64)
fn points_in_tets(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, lane, 64u);
    if t >= collide.tet_count {
        return;
    }
    let tet = tets[t];
    let b = tested[tet.corners.x].body;
    if overlap_count(b) == 0u {
        return;
    }
    let inside = inside_begin(tet);
    if !inside.valid {
        return;
    }
    let longest = longest_ways();
    let any_fast = any(longest > vec3f());
    let reach = RIM_SLACK * collide.margin + longest;
    let low = inside.low - reach;
    let high = inside.high + reach;
    // One loop over the cells of all parts, so that threads go on to their next part by themselves.
    var parts = overlap_parts(b, low, high);
    var bodies = 0u;
    var visit = visit_none();
    for (var k = 0u; k < MAX_LIST; k++) {
        if visit_ended(visit) {
            if parts == 0u {
                break;
            }
            let part = overlap_part(b, firstTrailingBit(parts), low, high);
            parts &= parts - 1u;
            bodies = part.b;
            visit = visit_begin(part.low, part.high);
        }
        visit_bodies(t, b, bodies, visit.level, visit_cell(visit), inside, any_fast);
        visit = visit_next(visit);
    }
}
