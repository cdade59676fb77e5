// Which bodies hold a point.
#import shared/tested

@group(0) @binding(31) var<storage, read> hits: array<u32>;

fn body_of_tet(tet: u32) -> u32 {
    return tested[tets[tet].corners.x].body;
}

fn held_by(j: u32, body: u32) -> bool {
    for (var k = 0u; k < MAX_HITS; k++) {
        let tet = hits[HIT_STRIDE * j + k];
        if tet == NONE {
            return false;
        }
        if body_of_tet(tet) == body {
            return true;
        }
    }
    return false;
}
