// manifold_lines: one thread per place for a point of a manifold. A line from where the impulses of the point act
// [shared/common_point], along the normal out of the other body; none where the manifold is of other bodies, or the point bears
// nothing.
// Reads contact_lists, manifold_list, poses, manifolds, manifold_points, lines; writes segments.
#import shared/common_point
#import shared/contact_lists
#import shared/manifold_place

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(114) var<storage, read_write> segments: array<Segment>;
@group(0) @binding(120) var<uniform> lines: Lines;
@group(0) @binding(193) var<storage, read> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read> manifold_points: array<ManifoldPoint>;
@group(0) @binding(210) var<storage, read> manifold_list: array<u32>;

@compute @workgroup_size(64)
fn manifold_lines(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, lane, 64u);
    if t >= lines.count {
        return;
    }
    segments[t] = Segment(vec3f(), 0.0, vec3f(), lines.body);
    if t / MANIFOLD >= contact_lists[LIST_TOUCHED] {
        return;
    }
    let c = manifold_list[t / MANIFOLD];
    let manifold = manifolds[c];
    let a = poses[manifold.dofs.x - sim.particle_count];
    let b = poses[manifold.dofs.y - sim.particle_count];
    let is_a = a.body == lines.body;
    let k = t % MANIFOLD;
    let point = manifold_points[MANIFOLD * c + k];
    if k >= manifold.count || point.impulse.w <= 0.0 || !(is_a || b.body == lines.body) {
        return;
    }
    let n = manifold.normal;
    let on = places_of(manifold, k, point, a, b, rims_of(manifold, a, b));
    let weight = weight_of_a(a.inverse_mass, b.inverse_mass, manifold);
    let place = a.position + weight * on.a + (1.0 - weight) * on.b;
    let way = select(-lines.scale, lines.scale, is_a) * n;
    segments[t] = Segment(place, dot(n, on.b - on.a), place + way, lines.body);
}
