// sweep_axis: one thread per 64th of the colliders that are no obstacles, one workgroup in all. The axis along which the middles of
// their boxes are spread farthest: along it the fewest boxes overlap that do not meet. Of equal ones the first.
// Reads placed_colliders; writes sweep_along.
#import shared/collide

@group(0) @binding(200) var<storage, read> placed_colliders: array<PlacedCollider>;
@group(0) @binding(224) var<storage, read_write> sweep_along: array<u32>;

var<workgroup> lows: array<vec3f, 64>;
var<workgroup> highs: array<vec3f, 64>;

@compute @workgroup_size(64)
fn sweep_axis(@builtin(local_invocation_index) lane: u32) {
    var low = vec3f(3e38);
    var high = vec3f(-3e38);
    let turns = (collide.first_obstacle + 63u) / 64u;
    for (var turn = 0u; turn < turns; turn++) {
        let c = min(64u * turn + lane, collide.first_obstacle - 1u);
        let placed = placed_colliders[c];
        if placed.collider != NONE {
            let middle = 0.5 * (placed.low + placed.high);
            low = min(low, middle);
            high = max(high, middle);
        }
    }
    lows[lane] = low;
    highs[lane] = high;
    workgroupBarrier();
    if lane > 0u {
        return;
    }
    for (var k = 1u; k < 64u; k++) {
        low = min(low, lows[k]);
        high = max(high, highs[k]);
    }
    let spread = high - low;
    let is_x = spread.x >= spread.y && spread.x >= spread.z;
    sweep_along[0] = select(select(2u, 1u, spread.y >= spread.z), 0u, is_x);
}
