// Constant arrays of the model, and the state that forces are gathered from.
#import shared/sim

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(5) var<storage, read> springs: array<SpringEnd>;
@group(0) @binding(6) var<storage, read> tets: array<TetCorner>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;

fn spring_count(point: Point) -> u32 {
    return point.counts & 0xffffu;
}

fn tet_count(point: Point) -> u32 {
    return point.counts >> 16u;
}

// 1 or -1, as it takes an even or odd number of swaps to bring corner i to the front of the ascending order.
fn tet_sign(i: u32, t: TetCorner) -> f32 {
    return select(1.0, -1.0, ((i < t.b) == (i < t.c)) != (i < t.d));
}
