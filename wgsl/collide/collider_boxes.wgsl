// collider_boxes: one thread per collider. Its box in the world, widened by how far its pose looks around, the cell of the grid of
// colliders that it stands in, and how many stand in each list of cells. Obstacles stand in none, nor does what touches
// nothing. Of a half space instead of the box its border, widened likewise.
// Reads colliders, hull_vertices, poses, searched, bodies; updates collider_counts, collider_levels; writes placed_colliders.
#import shared/collider_grid
#import shared/turn

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(190) var<storage, read> colliders: array<Collider>;
@group(0) @binding(191) var<storage, read> hull_vertices: array<vec4f>;
@group(0) @binding(199) var<storage, read> searched: array<Searched>;
@group(0) @binding(200) var<storage, read_write> placed_colliders: array<PlacedCollider>;
@group(0) @binding(201) var<storage, read_write> collider_counts: array<atomic<u32>>;
@group(0) @binding(204) var<storage, read_write> collider_levels: array<atomic<u32>>;

// Half of the box around what a core that is given by half lengths fills.
fn half_box(collider: Collider, q: vec4f) -> vec3f {
    let x = rotate(q, vec3f(1.0, 0.0, 0.0));
    let y = rotate(q, vec3f(0.0, 1.0, 0.0));
    let z = rotate(q, vec3f(0.0, 0.0, 1.0));
    if collider.kind == COLLIDER_CYLINDER {
        // A disc of radius r with normal y reaches r sqrt(1 - y_k^2) along axis k.
        return collider.half.x * sqrt(max(1.0 - y * y, vec3f())) + collider.half.y * abs(y);
    }
    return collider.half.x * abs(x) + collider.half.y * abs(y) + collider.half.z * abs(z);
}

// Most find it as long as they need it, and leave it alone.
fn note_length(level: u32, length: f32) {
    let bits = max(bitcast<u32>(length), 1u);
    if bits > atomicLoad(&collider_levels[level]) {
        atomicMax(&collider_levels[level], bits);
    }
}

@compute @workgroup_size(64)
fn collider_boxes(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= collide.collider_count {
        return;
    }
    let collider = colliders[c];
    let pose = poses[collider.pose];
    let middle = pose.position + rotate(pose.rotation, collider.position);
    let q = quaternion_product(pose.rotation, collider.rotation);
    var low = vec3f();
    var high = vec3f();
    if collider.kind >= COLLIDER_HULL && collider.vertex_count > 0u {
        low = vec3f(3e38);
        high = vec3f(-3e38);
        for (var k = 0u; k < collider.vertex_count; k++) {
            let x = rotate(q, hull_vertices[collider.first_vertex + k].xyz);
            low = min(low, x);
            high = max(high, x);
        }
    } else {
        high = half_box(collider, q);
        low = -high;
    }
    let reach = collider.radius + searched[collider.pose].reach;
    var placed = PlacedCollider();
    placed.low = low + middle - reach;
    placed.high = high + middle + reach;
    placed.collider = NONE;
    placed.pose = collider.pose;
    placed.moves = select(0u, 1u, pose.inverse_mass > 0.0);
    placed.kind = collider.kind;
    if c >= collide.first_obstacle {
        placed.collider = c;
        if collider.kind == COLLIDER_PLANE {
            placed.low = rotate(q, vec3f(0.0, 1.0, 0.0));
            placed.high = vec3f(dot(placed.low, middle) + reach, 0.0, 0.0);
        }
    } else if bodies[collider.body].group != 0u && bodies[collider.body].mask != 0u {
        let length = longest_side(placed.low, placed.high);
        let level = level_of(length, collide.inverse_collider_cell);
        let cell = collider_cell(0.5 * (placed.low + placed.high), level);
        placed.collider = c;
        placed.replica = replica(collider.body);
        placed.group = bodies[collider.body].group;
        placed.mask = bodies[collider.body].mask;
        placed.list = collider_list(cell, level, placed.replica);
        placed.cell = vec4u(vec3u(cell), level);
        atomicAdd(&collider_counts[placed.list], 1u);
        note_length(level, length);
        if placed.moves > 0u {
            note_length(BODY_LEVELS + level, length);
        }
    }
    placed_colliders[c] = placed;
}
