// query_bound: one thread per range of elements. The box around its triangles, tetrahedra or spheres as they are now.
// Reads query_pieces, query_elements, particles_in; writes query_bounds.
#import shared/query

@group(0) @binding(143) var<storage, read_write> query_bounds: array<Box>;

@compute @workgroup_size(64)
fn query_bound(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= query.piece_count {
        return;
    }
    let piece = query_pieces[i];
    var low = vec3f(FAR);
    var high = vec3f(-FAR);
    for (var e = piece.first; e < piece.end; e++) {
        if piece.radius > 0.0 {
            let x = particles_in[e].position;
            low = min(low, x - piece.radius);
            high = max(high, x + piece.radius);
        } else {
            for (var k = 0u; k < 4u; k++) {
                let x = corner(e, k);
                low = min(low, x);
                high = max(high, x);
            }
        }
    }
    query_bounds[i] = Box(low, piece.body, high, 0u);
}
