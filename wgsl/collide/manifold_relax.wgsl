// manifold_relax: one thread per manifold, after the move. An iteration that takes back the speed with which what is inside
// has been parted. Leaves, as those of one contact, the impulses and where the deepest point was.
// Reads contact_lists, contact_velocities, manifold_rows; updates manifolds, manifold_points, wrenches; writes impulses, rows.
#import shared/manifold_impulses

@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;

@compute @workgroup_size(64)
fn manifold_relax(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = own_manifold(thread_index(group, lane, 64u));
    if c == NONE {
        return;
    }
    solve_manifold(c, RELAX);
    let manifold = manifolds[c];
    var sum = Impulse(vec3f(), 0.0, manifold.colliders.y, 0.0, 0.0, NONE);
    var deepest = vec4f(0.0, 0.0, 0.0, 3e38);
    for (var k = 0u; k < manifold.count; k++) {
        let point = manifold_points[MANIFOLD * c + k];
        sum.normal += point.impulse;
        sum.tangent += point.tangent;
        let row = manifold_rows[MANIFOLD * c + k];
        if row.w < deepest.w {
            deepest = row;
        }
    }
    impulses[c] = sum;
    rows[c] = Row(vec3f(), 0.0, deepest.xyz, 0.0, -deepest.w, 0.0, 0.0, 0.0);
}
