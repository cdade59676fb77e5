// manifold_total: one thread per manifold that has points, at the end of a step after which contacts are looked at. Its impulses as
// those of one contact, and where its deepest point was.
// Reads contact_lists, manifold_list, manifolds, manifold_points, manifold_places; writes impulses, rows.
#import shared/contact_lists

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;
@group(0) @binding(193) var<storage, read> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read> manifold_points: array<ManifoldPoint>;
@group(0) @binding(197) var<storage, read> manifold_places: array<vec4f>;
@group(0) @binding(210) var<storage, read> manifold_list: array<u32>;

@compute @workgroup_size(64)
fn manifold_total(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let m = thread_index(group, lane, 64u);
    if m >= contact_lists[LIST_TOUCHED] {
        return;
    }
    let c = manifold_list[m];
    var sum = Impulse(vec3f(), 0.0, manifolds[c].colliders.y, 0.0, 0.0, NONE);
    var place = vec3f();
    var deepest = 3e38;
    for (var k = 0u; k < manifolds[c].count; k++) {
        let impulse = manifold_points[MANIFOLD * c + k].impulse;
        let point = manifold_places[MANIFOLD * c + k];
        sum.normal += impulse.w;
        sum.tangent += impulse.xyz;
        if point.w < deepest {
            deepest = point.w;
            place = point.xyz;
        }
    }
    impulses[c] = sum;
    rows[c] = Row(vec3f(), 0.0, place, 0.0, -deepest, 0.0, 0.0, 0.0);
}
