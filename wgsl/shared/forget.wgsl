// A manifold that touches nothing any more. Who imports this binds what it changes.
#import types

fn forget_manifold(c: u32) {
    manifolds[c].count = 0u;
    for (var k = 0u; k < MANIFOLD; k++) {
        manifold_points[MANIFOLD * c + k].distance = NO_POINT;
    }
}
