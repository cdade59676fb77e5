// What a point or an edge is in: a list of tetrahedra for each, HIT_STRIDE words.
#import shared/inside

@group(0) @binding(31) var<storage, read_write> hits: array<atomic<u32>>;
@group(0) @binding(40) var<storage, read_write> counts: array<atomic<u32>>;

fn body_of_tet(tet: u32) -> u32 {
    return tested[tets[tet].corners.x].body;
}

// Enters a tetrahedron in a feature's list: of each body the one for which `hit_worth` is the largest, of equal ones the lowest; of
// the bodies the first four. Who imports this declares `hit_worth`. Whatever the order of the calls, each place ends with the same:
// it keeps the better of two of one body, of two bodies the lower, and hands the other body's on. A round that changes nothing
// has lost against another thread's that did. The first round looks at the tetrahedron itself: all are judged by the same
// instructions, as two that hold a point on their common face differ by rounding alone.
fn hit_enter(feature: u32, tet: u32) {
    let list = HIT_STRIDE * feature;
    var carried = tet;
    var worth = 0.0;
    var place = 0u;
    for (var k = 0u; k < MAX_LIST; k++) {
        if place == MAX_HITS {
            atomicMin(&hits[list + place], carried);
            return;
        }
        let before = atomicLoad(&hits[list + place]);
        let other = select(before, carried, k == 0u || before == NONE);
        let other_worth = hit_worth(feature, other);
        if k == 0u {
            worth = other_worth;
            continue;
        }
        let own_body = body_of_tet(carried);
        let other_body = body_of_tet(other);
        if other_body < own_body {
            place++;
            continue;
        }
        let same = before != NONE && other_body == own_body;
        if same && (worth < other_worth || (worth == other_worth && carried >= before)) {
            return;
        }
        if !atomicCompareExchangeWeak(&hits[list + place], before, carried).exchanged {
            continue;
        }
        if before == NONE {
            atomicAdd(&counts[feature], 1u);
        }
        if before == NONE || same {
            return;
        }
        carried = before;
        worth = other_worth;
        place++;
    }
}
