// skin_points: one thread per drawn vertex. x = sum of w_k x_k over the corners of its tetrahedron. Solids hold the
// tetrahedra; what stands out of one (some w_k < 0) would be drawn inside a solid that its face lies on, and is pressed flat
// between the two instead.
// Reads skin, particles_in, externals; writes skin_positions (w = 1).
#import shared/topology
#import shared/solids
#import shared/weighted

@group(0) @binding(18) var<storage, read> skin: array<SkinPoint>;
@group(0) @binding(19) var<storage, read_write> skin_positions: array<vec4f>;

// Moves x out of the solids, which stand as at the step's end, but no farther than to the tetrahedron.
fn pressed(x: vec3f, s: SkinPoint) -> vec3f {
    var moved = x;
    if !HAS_SOLIDS || all(s.weights >= vec4f()) {
        return moved;
    }
    let within = max(s.weights, vec4f());
    let held = weighted(s.corners, within / (within.x + within.y + within.z + within.w));
    for (var k = 0u; k < sim.solid_count; k++) {
        let surface = solid_velocity(externals.solids[k], moved, sim.step);
        let distance = solid_distance(externals.solids[k], moved - sim.step * surface, 0.0);
        let room = dot(held - moved, distance.normal);
        moved += clamp(distance.depth, 0.0, max(room, 0.0)) * distance.normal;
    }
    return moved;
}

@compute @workgroup_size(64)
fn skin_points(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.skin_count {
        return;
    }
    let s = skin[i];
    skin_positions[i] = vec4f(pressed(weighted(s.corners, s.weights), s), 1.0);
}
