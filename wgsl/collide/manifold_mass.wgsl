// manifold_mass: one thread per manifold that acts, once its bodies' shares are known. How the velocity between the two sides of
// each point follows an impulse there, on the manifold's own parts of the two: n.K n, and K across n [shared/friction].
// Reads acting, contact_velocities, manifolds, wrenches; updates manifold_rows.
#import shared/manifold_parts

@group(0) @binding(193) var<storage, read> manifolds: array<Manifold>;
@group(0) @binding(197) var<storage, read_write> manifold_rows: array<ManifoldRow>;
@group(0) @binding(198) var<storage, read> wrenches: array<vec4f>;

@compute @workgroup_size(64)
fn manifold_mass(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = acting_manifold(thread_index(group, lane, 64u));
    if c == NONE {
        return;
    }
    let manifold = manifolds[c];
    let n = manifold.normal;
    let pair = parts_of(manifold.dofs, wrenches[WRENCH_ROWS * c].w);
    for (var k = 0u; k < manifold.count; k++) {
        let at = MANIFOLD * c + k;
        let arm_a = manifold_rows[at].place - pair.a.position;
        let arm_b = manifold_rows[at].place - pair.b.position;
        manifold_rows[at].slide = slide_masses(pair.a, arm_a, n) + slide_masses(pair.b, arm_b, n);
        manifold_rows[at].along = mobility(pair.a, arm_a, n) + mobility(pair.b, arm_b, n);
    }
}
