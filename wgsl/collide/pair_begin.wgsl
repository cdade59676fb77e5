// pair_begin: one thread per record. Begins the manifold of a pair of colliders. It stands behind as many pairs of its lower
// collider as have a lower partner, so that no order depends on how `pairs` was filled; and it is looked for among those of
// the last search, whose order is the same. Records of other contacts have no points.
// Friction is the geometric mean, restitution the larger one; an obstacle without friction has that of what it meets.
// Reads pairs, record_first, record_first_last, colliders, bodies, searched, manifolds_last, externals; writes manifolds.
#import shared/collide
#import shared/externals
#import shared/turn

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(45) var<storage, read> record_first_last: array<u32>;
@group(0) @binding(190) var<storage, read> colliders: array<Collider>;
@group(0) @binding(193) var<storage, read_write> manifolds: array<Manifold>;
@group(0) @binding(196) var<storage, read> manifolds_last: array<Manifold>;
@group(0) @binding(199) var<storage, read> searched: array<Searched>;
@group(0) @binding(205) var<storage, read> pairs: array<vec2u>;

// The number of the same pair in the last search.
fn last_of(pair: vec2u, feature: u32) -> u32 {
    var low = record_first_last[feature];
    let end = min(record_first_last[feature + 1u], collide.capacity);
    var high = end;
    // By halves: no list is longer than 2^31.
    for (var turn = 0u; turn < 32u; turn++) {
        if low >= high {
            break;
        }
        let middle = (low + high) / 2u;
        if manifolds_last[middle].colliders.y < pair.y {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    let is_there = low < end && all(manifolds_last[min(low, collide.capacity - 1u)].colliders == pair);
    return select(NONE, low, is_there);
}

// A cylinder's axis times its radius, along the axes of its pose; of other cores 0.
fn rim_of(c: Collider) -> vec3f {
    return rotate(c.rotation, vec3f(0.0, select(0.0, c.half.x, c.kind == COLLIDER_CYLINDER), 0.0));
}

@compute @workgroup_size(64)
fn pair_begin(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    let first_feature = sim.particle_count + collide.edge_count;
    if c >= min(record_first[collide.feature_count], collide.capacity) {
        return;
    }
    if c < record_first[first_feature] {
        manifolds[c].count = 0u;
        return;
    }
    let pair = pairs[c];
    let feature = first_feature + pair.x;
    var place = record_first[feature];
    let end = min(record_first[feature + 1u], collide.capacity);
    for (var r = record_first[feature]; r < end; r++) {
        place += select(0u, 1u, pairs[r].y < pair.y);
    }
    let a = colliders[pair.x];
    let b = colliders[pair.y];
    var manifold = Manifold();
    manifold.colliders = pair;
    manifold.dofs = sim.particle_count + vec2u(a.pose, b.pose);
    manifold.radii = vec2f(a.radius, b.radius);
    manifold.reach = searched[a.pose].reach + searched[b.pose].reach;
    manifold.same = SAME_CONTACT * min(a.bound, select(b.bound, a.bound, b.kind == COLLIDER_PLANE));
    let own = bodies[a.body];
    var other = own;
    if b.body != NONE {
        other = bodies[b.body];
    } else {
        let solid = externals.solids[pair.y - collide.first_obstacle];
        other.friction = select(solid.friction, own.friction, solid.friction < 0.0);
        other.restitution = solid.restitution;
    }
    manifold.friction = sqrt(own.friction * other.friction);
    manifold.restitution = max(own.restitution, other.restitution);
    manifold.rolling = max(own.rolling, other.rolling);
    manifold.size = min(own.edge, other.edge);
    manifold.rim_a = rim_of(a);
    manifold.rim_b = rim_of(b);
    manifold.last = last_of(pair, feature);
    if manifold.last != NONE {
        manifold.normal = manifolds_last[manifold.last].normal;
        manifold.rolling_impulse = manifolds_last[manifold.last].rolling_impulse;
    }
    manifolds[place] = manifold;
}
