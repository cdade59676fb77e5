// Constant arrays of the model, and the state that forces are gathered from.
#import shared/sim
#import content

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(5) var<storage, read> elements: array<Element>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;

// The elements that act on a particle: none while its body sleeps.
fn spring_count(point: Point) -> u32 {
    return select(point.counts & 0xffffu, 0u, point.areas >= ASLEEP);
}

fn link_count(point: Point) -> u32 {
    return select(point.counts >> 16u, 0u, point.areas >= ASLEEP);
}

fn area_count(point: Point) -> u32 {
    return select(point.areas & 0xffffu, 0u, point.areas >= ASLEEP);
}

fn spring_at(point: Point, e: u32) -> Element {
    return elements[point.first + e * SLICE];
}

fn link_at(point: Point, e: u32) -> Element {
    return elements[point.first + (spring_count(point) + e) * SLICE];
}

// The second corner of a triangle with 1/A0; the third stands in the entry behind it.
fn area_at(point: Point, e: u32) -> Element {
    return elements[point.first + (spring_count(point) + link_count(point) + e) * SLICE];
}

// Where a heterogeneous body's constants of each entry begin.
fn constants_first(point: Point) -> u32 {
    return spring_count(point) + link_count(point) + 2u * area_count(point);
}

// k_D [J] and d_C [J s] of spring e.
fn spring_constants(point: Point, body: Body, e: u32) -> vec2f {
    if !HAS_HETEROGENEOUS || body.heterogeneous == 0u {
        return vec2f(body.distance, body.damping);
    }
    let own = elements[point.first + (constants_first(point) + e) * SLICE];
    return vec2f(bitcast<f32>(own.other), own.inverse_rest);
}

// k_V [J] of the tetrahedron at step e over the link.
fn volume_constant(point: Point, body: Body, e: u32) -> f32 {
    if !HAS_HETEROGENEOUS || body.heterogeneous == 0u {
        return body.volume;
    }
    return elements[point.first + (constants_first(point) + spring_count(point) + e) * SLICE].inverse_rest;
}

// A corner of a tetrahedron: its particle and position.
struct Corner {
    i: u32,
    x: vec3f,
}

// The corner held in one of three places, or the next one that replaces it.
fn link_take(held: Corner, next: Corner, replace: bool) -> Corner {
    return Corner(select(held.i, next.i, replace), select(held.x, next.x, replace));
}

// Two corners in ascending order, and whether they were swapped.
struct Ordered {
    low: Corner,
    high: Corner,
    swapped: bool,
}

fn tet_order(a: Corner, b: Corner) -> Ordered {
    let swapped = a.i > b.i;
    let low = Corner(select(a.i, b.i, swapped), select(a.x, b.x, swapped));
    let high = Corner(select(b.i, a.i, swapped), select(b.x, a.x, swapped));
    return Ordered(low, high, swapped);
}

struct TetStrain {
    strain: f32,          // (V - V0)/V0
    inverse_rest: f32,    // 1/(6 V0), negative where (a, b, c, d) is wound the other way [1/m^3]
}

// The strain is computed from the corners in ascending order, with the same rounding whichever of them asks: then the
// four forces of a tetrahedron cancel to the rounding of its areas.
fn tet_strain(a: Corner, b: Corner, c: Corner, d: Corner, inverse_rest: f32) -> TetStrain {
    let ab = tet_order(a, b);
    let cd = tet_order(c, d);
    let low = tet_order(ab.low, cd.low);
    let high = tet_order(ab.high, cd.high);
    let middle = tet_order(high.low, low.high);
    let x = low.low.x;
    let volume = dot(middle.low.x - x, cross(middle.high.x - x, high.high.x - x));
    let odd = ((ab.swapped != cd.swapped) != (low.swapped != high.swapped)) != middle.swapped;
    return TetStrain(volume * inverse_rest - 1.0, select(inverse_rest, -inverse_rest, odd));
}
