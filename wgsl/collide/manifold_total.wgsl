// manifold_total: one thread per manifold that has points, at the end of a step. Its impulses as those of one contact, and where
// its deepest point was. Counts what there is, and how deep what bears is inside.
// Reads contact_lists, manifold_list, manifolds, manifold_points, manifold_places; writes impulses, rows, status.
#import shared/contact_lists
#import shared/tally

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;
@group(0) @binding(193) var<storage, read> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read> manifold_points: array<ManifoldPoint>;
@group(0) @binding(197) var<storage, read> manifold_places: array<vec4f>;
@group(0) @binding(210) var<storage, read> manifold_list: array<u32>;

fn total(c: u32) {
    let manifold = manifolds[c];
    var sum = Impulse(vec3f(), 0.0, manifold.colliders.y, 0.0, 0.0, NONE);
    var place = vec3f();
    var deepest = 3e38;
    for (var k = 0u; k < manifold.count; k++) {
        let point = manifold_points[MANIFOLD * c + k];
        sum.normal += point.impulse.w;
        sum.tangent += point.impulse.xyz;
        if point.distance < deepest {
            deepest = point.distance;
            place = manifold_places[MANIFOLD * c + k].xyz;
        }
    }
    impulses[c] = sum;
    rows[c] = Row(vec3f(), 0.0, place, 0.0, -deepest, 0.0, 0.0, 0.0);
    // What bears nothing has come past where its plane holds.
    tally_contact(select(0.0, -deepest, sum.normal > 0.0), manifold.size);
}

@compute @workgroup_size(64)
fn manifold_total(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let m = thread_index(group, lane, 64u);
    tally_begin(lane);
    workgroupBarrier();
    if m < contact_lists[LIST_TOUCHED] {
        total(manifold_list[m]);
    }
    workgroupBarrier();
    tally_end(lane);
}
